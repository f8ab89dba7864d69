import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JsonObject } from '../../../src/lib/json.js'
import { writeJson } from '../../../src/lib/json-write.js'
import { readLedger } from '../../support/ledger.js'
import {
  listIn,
  openPosTills,
  type PosTill,
  type PosTills,
  posSign,
  receipt,
  sale,
  signed,
} from '../../support/pos-till.js'

let tills: PosTills
let client: pg.Client
let at: PosTill
let de: PosTill

beforeAll(async () => {
  tills = await openPosTills()
  ;({ client, at, de } = tills)
})

afterAll(async () => {
  // whatever the tests of this file have signed is stored without a fault
  expect(await tills.checkAndClose()).toEqual([])
})

const ERROR = 0xeeee_eeeen
const FAIL = 0xffff_ffffn

describe('references', () => {
  it('bring the pair of the earlier receipt into ftStateData', async () => {
    const reference = `ä"${randomUUID()}`
    const first = await posSign(at, sale({ cbReceiptReference: reference }))
    const answer = await signed(
      at,
      sale({ ftReceiptCase: 0x4_0001n, cbPreviousReceiptReference: reference }, -10),
    )
    expect(answer.low).toBe(0n)
    const data = answer.member('ftStateData')
    const pairs = data instanceof JsonObject ? listIn(data.get('ftPreviousReceiptReference')) : []
    expect(pairs).toHaveLength(1)
    expect(writeJson(pairs[0]?.get('ReceiptResponse'))).toBe(first.body)
    const request = pairs[0]?.get('ReceiptRequest')
    expect(request instanceof JsonObject && request.get('cbReceiptReference')).toBe(reference)
  })

  it('do not carry the references of the earlier receipt along', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    await signed(at, sale({ cbReceiptReference: a }))
    await signed(at, sale({ cbReceiptReference: b, cbPreviousReceiptReference: a }))
    const answer = await signed(at, sale({ cbPreviousReceiptReference: b }))
    expect(answer.text.split('ftPreviousReceiptReference')).toHaveLength(2)
  })

  it('may be several', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    await signed(at, sale({ cbReceiptReference: a }))
    await signed(at, sale({ cbReceiptReference: b }))
    const answer = await signed(at, sale({ cbPreviousReceiptReference: [a, b] }))
    const data = answer.member('ftStateData')
    expect(
      data instanceof JsonObject && listIn(data.get('ftPreviousReceiptReference')),
    ).toHaveLength(2)
  })

  it('to a reference that two receipts have are errors', async () => {
    const reference = randomUUID()
    await signed(at, sale({ cbReceiptReference: reference }))
    await signed(at, sale({ cbReceiptReference: reference }))
    const answer = await signed(at, sale({ cbPreviousReceiptReference: reference }))
    expect(answer.low).toBe(ERROR)
    expect(answer.signatures[0]?.data).toContain('PreviousReceiptAmbiguous')
  })

  it('to a receipt that is an error are errors', async () => {
    const reference = randomUUID()
    await signed(at, sale({ cbReceiptReference: reference, Currency: 'CHF' }))
    const answer = await signed(at, sale({ cbPreviousReceiptReference: reference }))
    expect(answer.signatures[0]?.data).toContain('PreviousReceiptNotFound')
  })

  it('see the receipt that was put in front of the queue just before', async () => {
    const reference = randomUUID()
    const [, answer] = await Promise.all([
      signed(at, sale({ cbReceiptReference: reference })),
      signed(at, sale({ cbPreviousReceiptReference: reference })),
    ])
    expect(answer.low).toBe(0n)
  })

  it('of a German act in steps mean the receipt that ends it', async () => {
    const reference = randomUUID()
    const start = { cbReceiptReference: reference, ftReceiptCase: 0x4445_2011_0000_3001n }
    expect((await signed(de, receipt(start))).low).toBe(0n)
    await signed(de, sale({ cbReceiptReference: reference, ftReceiptCase: 1n }))
    const answer = await signed(
      de,
      sale({ ftReceiptCase: 0x4_0001n, cbPreviousReceiptReference: reference }, -10),
    )
    expect(answer.low).toBe(0n)
  })
})

describe('a receipt request', () => {
  const ask = 0x8000_0000n

  it('finds the receipt, also when it names the moments that were defaults', async () => {
    const moment = '2026-01-30T09:15:00Z'
    const request = {
      ...sale({ ftReceiptCase: 1n, cbReceiptMoment: moment }),
      cbChargeItems: [{ Description: 'x', Amount: 7, VATRate: 20 }],
    }
    const first = await posSign(at, request)
    const before = await readLedger(client, at.queueId)
    const asked = await posSign(at, {
      ...request,
      ftReceiptCase: 0x4154_2000_0000_0001n | ask,
      cbChargeItems: [{ Amount: 7.0, VATRate: 20, Moment: moment }],
    })
    expect(asked).toMatchObject({ body: first.body, recorded: false })
    expect((await readLedger(client, at.queueId)).items).toHaveLength(before.items.length)
  })

  it('without a match stores nothing and says FFFF_FFFF', async () => {
    const before = await readLedger(client, at.queueId)
    const call = await posSign(at, sale({ ftReceiptCase: 1n | ask }))
    expect(call).toMatchObject({ status: 201, recorded: false })
    expect(call.body).toContain('"ftState":4707422699176067071')
    const after = await readLedger(client, at.queueId)
    expect(after.items).toHaveLength(before.items.length)
    expect(FAIL).toBe(BigInt('4707422699176067071') & 0xffff_ffffn)
  })

  it('gives an error back as the error that it was', async () => {
    const request = sale({ ftReceiptCase: 1n, Currency: 'CHF' })
    const first = await posSign(at, request)
    const asked = await posSign(at, { ...request, ftReceiptCase: 1n | ask })
    expect(asked.body).toBe(first.body)
  })
})
