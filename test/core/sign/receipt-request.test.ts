import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected, readLedger, verifyLedger } from '../../support/ledger.js'
import {
  ASK,
  answer,
  createTill,
  job,
  member,
  openStand,
  SALE,
  type Stand,
  type Till,
  type Wanted,
  ZERO,
} from '../../support/stand.js'

let database: TestDatabase
let client: pg.Client
let stand: Stand
let till: Till

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = openStand(database.config)
  till = await createTill(stand)
})

afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

const sign = (wanted: Wanted, at: Till = till) => stand.signing.sign(job(at, wanted))
const ask = (wanted: Wanted, at: Till = till) =>
  sign({ ...wanted, receiptCase: (wanted.receiptCase ?? SALE) | ASK }, at)

describe('a receipt request', () => {
  it('gives back the stored answer byte for byte and makes no receipt', async () => {
    const first = await answer(sign({ reference: 'hit' }))
    const before = await readLedger(client, till.queueId)
    expect(await answer(ask({ reference: 'hit' }))).toBe(first)
    const after = await readLedger(client, till.queueId)
    expect(after.items).toEqual(before.items)
    expect(after.receipts).toEqual(before.receipts)
    const added = after.actions.slice(before.actions.length)
    expect(added).toHaveLength(1)
    expect(added[0]?.message).toContain('"hit"')
    expect(added[0]?.message).toContain(member(first, 'ftQueueItemID'))
    verifyLedger(after, stand.store.sealer)
  })

  it('takes the newest of several equal receipts', async () => {
    await answer(sign({ reference: 'newest' }))
    const second = await answer(sign({ reference: 'newest' }))
    expect(await answer(ask({ reference: 'newest' }))).toBe(second)
  })

  it('with another amount finds nothing', async () => {
    await answer(sign({ reference: 'amount', cents: 1000 }))
    expect(await ask({ reference: 'amount', cents: 1001 })).toEqual({ kind: 'nothing' })
  })

  it('with another number of items finds nothing', async () => {
    await answer(sign({ reference: 'items', cents: 1000 }))
    expect(await ask({ reference: 'items', cents: null })).toEqual({ kind: 'nothing' })
  })

  it('with another reference finds nothing', async () => {
    await answer(sign({ reference: 'reference' }))
    expect(await ask({ reference: 'other reference' })).toEqual({ kind: 'nothing' })
  })

  it('of another terminal finds nothing', async () => {
    await answer(sign({ reference: 'terminal', terminal: '1' }))
    expect(await ask({ reference: 'terminal', terminal: '2' })).toEqual({ kind: 'nothing' })
  })

  it.each([null, '', '  '])('with the blank terminal %j finds that of any', async (terminal) => {
    const reference = `blank ${JSON.stringify(terminal)}`
    const first = await answer(sign({ reference, terminal: '7' }))
    expect(await answer(ask({ reference, terminal }))).toBe(first)
  })

  it('of another queue finds nothing', async () => {
    const other = await createTill(stand)
    await answer(sign({ reference: 'queue' }))
    expect(await ask({ reference: 'queue' }, other)).toEqual({ kind: 'nothing' })
  })

  it('that meets a stored error gives nothing back', async () => {
    const wrong = { receiptCase: ZERO, reference: 'error', cents: 500 }
    expect((await sign(wrong)).kind).toBe('refused')
    const before = await readLedger(client, till.queueId)
    expect(await ask(wrong)).toEqual({ kind: 'nothing' })
    const after = await readLedger(client, till.queueId)
    expect(after.items).toEqual(before.items)
  })

  it('waits behind its original and finds it', async () => {
    const original = sign({ reference: 'behind' })
    const asked = ask({ reference: 'behind' })
    expect(await answer(asked)).toBe(await answer(original))
  })

  it('does not overtake and is not overtaken', async () => {
    const results = ['a', 'a', 'b', 'b', 'a', 'b'].map((reference, at) =>
      at % 2 === 0
        ? sign({ reference: `order ${reference}` })
        : ask({ reference: `order ${reference}` }),
    )
    const texts = await Promise.all(results.map((result) => answer(result)))
    const ids = texts.map((text) => member(text, 'ftQueueItemID'))
    expect(ids[1]).toBe(ids[0])
    expect(ids[3]).toBe(ids[2])
    expect(ids[5]).toBe(ids[2])
    expect(ids[4]).not.toBe(ids[0])
  })

  it('in mode 1 becomes a new receipt when nothing is found, once', async () => {
    const queue = { configuration: { receiptrequestmode: 1 } }
    const mode1 = await createTill(stand, { queue })
    const first = await answer(ask({ reference: 'new' }, mode1))
    expect(await answer(ask({ reference: 'new' }, mode1))).toBe(first)
    const ledger = await readLedger(client, mode1.queueId)
    verifyLedger(ledger, stand.store.sealer)
    expect(ledger.receipts).toHaveLength(2)
    expect(ledger.signatures).toHaveLength(2)
  })

  it('without the flag equal receipts are two receipts', async () => {
    const [a, b] = await Promise.all(
      [sign({ reference: '1' }), sign({ reference: '1' })].map(answer),
    )
    expect(member(a ?? '', 'ftQueueItemID')).not.toBe(member(b ?? '', 'ftQueueItemID'))
  })
})
