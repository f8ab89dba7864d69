// Every part of a receipt's way through a market works from end to end: a made-up country asks for
// all of it and leaves all of it behind.
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeMasterData } from '../../../src/core/accounts/master-data.js'
import { createOutlets } from '../../../src/core/accounts/outlets/outlets.js'
import { failPointsOf } from '../../../src/core/fail-point.js'
import { workOutbox } from '../../../src/core/journal/outbox.js'
import type {
  Market,
  OutboxWork,
  ReceiptInput,
  ReceiptOutcome,
} from '../../../src/market/contract.js'
import { markets } from '../../../src/market/index.js'
import { COUNTED, keyOf } from '../../../src/model/counted.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { connected } from '../../support/ledger.js'
import { createTill, job, openStand, type Stand, type Till, testKey } from '../../support/stand.js'

const STATE = 0x4154_0000_0000_0000n
const LINES = { header: ['above'], charge: ['a', 'b'], pay: null, footer: ['T R A I N I N G'] }

/** A reference under which every receipt leaves a row. */
const ALL = 'all'

const seen: Pick<ReceiptInput<unknown, never>, 'previous' | 'seller'>[] = []
const ends: unknown[] = []
const worked: OutboxWork[] = []
let taught: object | undefined

async function process(input: ReceiptInput<unknown, never>): Promise<ReceiptOutcome<unknown>> {
  const { receipt, state, journal, tools } = input
  const reference = receipt.request.receiptReference ?? ''
  seen.push({ previous: input.previous, seller: input.seller })
  const { lastReceiptId, lastMarketId, lastActionId } = journal
  ends.push({ lastReceiptId, lastMarketId, lastActionId })
  const faults = reference.startsWith('wrong')
    ? [
        { code: 'One', member: 'cbUser', message: 'The first rule.' },
        { code: 'Two', message: 'The second rule.' },
      ]
    : []
  const row = { kind: 'made', number: receipt.row, scuId: null, certificate: null }
  return {
    faults,
    identification: 'ft0#1',
    stateWord: STATE,
    signatures: [],
    stateData: null,
    lines: LINES,
    state: taught ?? state,
    journal: [
      { ...row, id: tools.newId(), content: reference },
      { ...row, kind: COUNTED, number: keyOf(ALL), id: tools.newId(), content: reference },
    ],
    actions: [],
    outbox: [{ kind: 'transmit', key: reference, payload: { row: receipt.row } }],
  }
}

const made: Market = {
  ...(markets.AT as Market),
  queue: {
    ...(markets.AT as Market).queue,
    lookUp: ({ request: { previousReceiptReference: named } }) =>
      named === null
        ? undefined
        : [
            { reference: named, wants: 'receipts' },
            { reference: ALL, wants: 'rows' },
          ],
  },
  process: (input) => process(input as ReceiptInput<unknown, never>),
  outbox: {
    transmit: async (work) => {
      worked.push(work)
    },
  },
}

let database: TestDatabase
let client: pg.Client
let stand: Stand
let till: Till
const masterKey = testKey()

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
  stand = openStand(database.config, { masterKey, deps: { marketOf: () => made } })
  till = await createTill(stand)
})

afterAll(async () => {
  await stand.close()
  await client.end()
  await database.drop()
})

beforeEach(() => {
  seen.length = 0
  ends.length = 0
  worked.length = 0
})

async function sign(reference: string, more: object = {}) {
  const one = job(till, { reference })
  return stand.signing.sign({ ...one, request: { ...one.request, ...more } })
}

async function jobs(): Promise<Record<string, unknown>[]> {
  const { rows } = await client.query<{ key: string; payload: Record<string, unknown> }>(
    `select key, payload from graphile_worker._private_jobs where key like 'outbox:%' order by id`,
  )
  return rows.map(({ payload }) => payload)
}

const newestOf = async (journal: string): Promise<string> =>
  (
    await client.query<{ id: string }>(
      `select id from ${journal} where queue_id = $1 order by time_stamp desc limit 1`,
      [till.queueId],
    )
  ).rows[0]?.id ?? ''

describe('what a receipt brings', () => {
  it('is the earlier receipt that it refers to, for callers of version 1 as well', async () => {
    await sign('first')
    await sign('second', { previousReceiptReference: 'first' })
    await sign('third', { previousReceiptReference: 'nobody' })
    const [, second, third] = seen.map(({ previous }) =>
      previous.map(({ reference, receipts, counted }) => [reference, receipts.length, counted]),
    )
    // the start receipt and `first` refer to nothing, and are counted all the same
    expect(second).toEqual([
      ['first', 1, 0],
      [ALL, 0, 2],
    ])
    expect(third).toEqual([
      ['nobody', 0, 0],
      [ALL, 0, 3],
    ])
    expect(seen[1]?.previous[0]?.receipts[0]?.request).toContain('"first"')
    expect(seen[2]?.previous[1]?.newest).toBe('second')
  })

  it('are the ids of the rows before it, also when the queue was read anew', async () => {
    await sign('chain')
    stand.signing.refresh(till.queueId)
    for (const reference of ['one', 'two']) {
      const expected = {
        lastReceiptId: await newestOf('receipt_journal'),
        lastMarketId: await newestOf('market_row'),
        lastActionId: await newestOf('action_journal'),
      }
      await sign(reference)
      expect(ends.at(-1)).toEqual(expected)
    }
  })

  describe('is who sells now', () => {
    const actor = () => {
      return { accountId: till.accountId, onBehalfOf: null, operation: 'test', traceId: '' }
    }
    const deps = () => ({ store: stand.store, now: () => new Date() })
    const outletOf = (number: number, name: string) => ({
      ...{ accountId: till.accountId, number },
      outlet: {
        ...{ name, address: 'Weg 1', postalCode: '8010', city: 'Graz', country: 'AT' },
        ...{ locationId: null, contactName: null, telephone: null, fax: null },
        ...{ county: null, stateOrProvince: null },
      },
    })
    const soldBy = async () => {
      await sign('seller')
      const { seller } = seen.at(-1) ?? {}
      return [seller?.company.city, seller?.outlet?.name]
    }

    it('when the master data or the outlet were changed', async () => {
      await soldBy()
      const change = { accountId: till.accountId, facts: undefined, change: { city: 'Linz' } }
      await changeMasterData(deps(), actor(), change)
      expect(await soldBy()).toEqual(['Linz', 'Café Test'])
      await createOutlets(deps()).update(actor(), outletOf(1, 'Laden'))
      expect(await soldBy()).toEqual(['Graz', 'Laden'])
    })

    it('when the outlet of the cash box was made', async () => {
      const box = [till.cashBoxId]
      await client.query('update cash_box set outlet_number = 7 where id = $1', box)
      stand.signing.refresh(till.queueId)
      expect((await soldBy())[1]).toBeUndefined()
      await createOutlets(deps()).create(actor(), outletOf(7, 'Markt'))
      expect((await soldBy())[1]).toBe('Markt')
    })
  })
})

const run = { signal: new AbortController().signal, last: false }

function outboxDeps(): Parameters<typeof workOutbox>[0] {
  const { store, signing } = stand
  const tools = { fetch: async () => expect.fail(), now: () => new Date(), sleep: async () => {} }
  const open = signing.open
  return { store, marketOf: () => made, tools, now: () => new Date(), open }
}

describe('what a receipt leaves behind', () => {
  it('are lines on the answer', async () => {
    const result = await sign('lines')
    const text = result.kind === 'answered' ? (result.responseText ?? '') : ''
    expect(JSON.parse(text)).toMatchObject({
      ftReceiptHeader: ['above'],
      ftChargeLines: ['a', 'b'],
      ftReceiptFooter: ['T R A I N I N G'],
    })
    expect(text).not.toContain('ftPayLines')
  })

  it('are several faults in one refusal, and then no work', async () => {
    const before = (await jobs()).length
    expect(await sign('wrong')).toEqual({
      kind: 'refused',
      message: 'One: The first rule. Two: The second rule.',
      field: 'cbUser',
    })
    expect(await jobs()).toHaveLength(before)
  })

  it('is work that is stored with it, and done by the worker of its kind', async () => {
    await sign('work')
    const payload = (await jobs()).find(({ key }) => key === 'work')
    expect(payload).toMatchObject({ queueId: till.queueId, kind: 'transmit' })
    await workOutbox(outboxDeps(), payload, run)
    const [work] = worked
    expect([work?.key, typeof work?.payload.row, work?.source.queue.id]).toEqual([
      'work',
      'number',
      till.queueId,
    ])
    await expect(workOutbox(outboxDeps(), { ...payload, kind: 'other' }, run)).rejects.toThrow(
      'no worker',
    )
  })

  it('is work that sees the units, and writes while others are signed', async () => {
    await sign('told')
    const payload = (await jobs()).find(({ key }) => key === 'told')
    await workOutbox(outboxDeps(), payload, run)
    const [work] = worked
    expect(work?.units.map(({ scu }) => scu.id)).toEqual(till.scuIds)
    const item = await client.query<{ id: string }>(
      `select id from queue_item where receipt_reference = 'told'`,
    )
    const itemId = item.rows[0]?.id ?? ''
    const noted = async (at: number) => {
      const row = { kind: 'sent', number: at, scuId: null, certificate: null, content: `n${at}` }
      const action = { id: work?.newId() ?? '', priority: 0x20, type: 'Sent', message: `n${at}` }
      const actions = [{ ...action, dataJson: null, dataBase64: null }]
      await work?.write([{ itemId, journal: [{ ...row, id: work?.newId() ?? '' }], actions }])
    }
    const receipts = [1, 2, 3, 4, 5, 6].map((at) => sign(`beside-${at}`))
    await Promise.all([...receipts, noted(1), noted(2), noted(3), work?.write([])])
    await sign('after')
    const { rows } = await client.query(
      `select content, queue_item_id from market_row where kind = 'sent' order by number`,
    )
    expect(rows).toEqual(['n1', 'n2', 'n3'].map((content) => ({ content, queue_item_id: itemId })))
    const told = `select count(*)::int as n from action_journal where type = 'Sent'`
    expect((await client.query(told)).rows).toEqual([{ n: 3 }])
    const head = await client.query(
      `select current_row, (select count(*) from queue_item i where i.queue_id = q.id) as items,
         (select count(distinct time_stamp) = count(*) from market_row m
          where m.queue_id = q.id) as ordered from queue q where id = $1`,
      [till.queueId],
    )
    expect(head.rows[0]).toMatchObject({ current_row: head.rows[0].items, ordered: true })
  })

  it('is a state that a refusal has taught, and no more than that', async () => {
    const state = async () =>
      (await client.query('select state from queue where id = $1', [till.queueId])).rows[0]?.state
    const before = await state()
    await sign('wrong again')
    expect(await state()).toEqual(before)
    taught = { ...JSON.parse(before), lastLocalTime: '2001-02-03T04:05:06' }
    await sign('wrong, and taught')
    expect(JSON.parse(await state())).toEqual(taught)
    taught = undefined
    await sign('right')
    expect(JSON.parse(await state())).toMatchObject({ lastLocalTime: '2001-02-03T04:05:06' })
  })

  it('is nothing where the statement was not written', async () => {
    const failPoints = failPointsOf('before-commit=throw', { production: false })
    const broken = openStand(database.config, {
      masterKey,
      deps: { marketOf: () => made, failPoints },
    })
    await expect(broken.signing.sign(job(till, { reference: 'lost' }))).rejects.toThrow()
    await broken.close()
    expect((await jobs()).some(({ key }) => key === 'lost')).toBe(false)
  })

  it('is still there after a crash between the statement and the answer', async () => {
    const failPoints = failPointsOf('after-commit=throw', { production: false })
    const broken = openStand(database.config, {
      masterKey,
      deps: { marketOf: () => made, failPoints },
    })
    await expect(broken.signing.sign(job(till, { reference: 'crashed' }))).rejects.toThrow()
    await broken.close()
    expect((await jobs()).filter(({ key }) => key === 'crashed')).toHaveLength(1)
  })
})
