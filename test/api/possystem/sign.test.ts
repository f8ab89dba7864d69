import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLedger, verifyLedger } from '../../support/ledger.js'
import {
  openPosTills,
  type PosTill,
  type PosTills,
  posSign,
  receipt,
  signed,
} from '../../support/pos-till.js'
import type { Stand } from '../../support/stand.js'

let tills: PosTills
let client: pg.Client
let stand: Stand
let at: PosTill
let de: PosTill

beforeAll(async () => {
  tills = await openPosTills()
  ;({ client, stand, at, de } = tills)
})

afterAll(() => tills.close())

const ERROR = 0xeeee_eeeen

/** Section 8.9 of the interface: two coffees, a roll, change. */
const coffees = () =>
  receipt({
    cbChargeItems: [
      {
        Quantity: 2,
        Description: 'Kaffee',
        Amount: 7.6,
        VATRate: 20,
        ftChargeItemCase: 4707422694881099795n,
      },
      { Quantity: 1, Description: 'Semmel', Amount: 1.2, VATRate: 10 },
    ],
    cbPayItems: [
      { Description: 'Bar', Amount: 10.0, ftPayItemCase: 4707422694881099777n },
      { Description: 'Retourgeld', Amount: -1.2, ftPayItemCase: 4707422694883196929n },
    ],
    ftReceiptCase: 4707422694881099777n,
  })

describe('an Austrian receipt of version 2', () => {
  it('gets its code with the amounts of its rates, in the words of version 2', async () => {
    const answer = await signed(at, coffees())
    expect(answer.state).toBe(0x4154_2000_0000_0000n)
    const [code] = answer.signatures.filter(({ format }) => format === 3n)
    expect(code?.type).toBe(0x4154_2000_0000_0001n)
    // normal, reduced 1, reduced 2, zero, special
    expect(code?.data.split('_').slice(5, 10)).toEqual(['7,60', '1,20', '0,00', '0,00', '0,00'])
    expect(answer.captions.filter((one) => one === 'S A N D B O X')).toHaveLength(1)
  })

  it('answers with the members of the interface in their order', async () => {
    const answer = await signed(at, coffees())
    expect(answer.root.names).toEqual([
      'ftQueueID',
      'ftQueueItemID',
      'ftQueueRow',
      'ftCashBoxIdentification',
      'ftCashBoxID',
      'cbTerminalID',
      'cbReceiptReference',
      'ftReceiptIdentification',
      'ftReceiptMoment',
      'ftSignatures',
      'ftState',
      'ftStateData',
    ])
    expect(answer.string('ftReceiptMoment')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('leaves a ledger that every check accepts', async () => {
    await posSign(at, coffees())
    verifyLedger(await readLedger(client, at.queueId), stand.store.sealer)
  })
})

describe('a German receipt of version 2', () => {
  it('is signed without a start transaction of its own', async () => {
    const answer = await signed(
      de,
      receipt({
        cbChargeItems: [
          {
            Quantity: 1,
            Description: 'a',
            Amount: 2,
            VATRate: 19,
            ftChargeItemCase: 4919373352344223761n,
          },
          {
            Quantity: 1,
            Description: 'b',
            Amount: 2.5,
            VATRate: 7,
            ftChargeItemCase: 4919373352344223762n,
          },
        ],
        cbPayItems: [{ Description: 'Bar', Amount: 4.5, ftPayItemCase: 4919373352344223745n }],
        ftReceiptCase: 4919373352344223745n,
      }),
    )
    expect(answer.state).toBe(0x4445_2000_0000_0000n)
    const [code] = answer.signatures.filter(({ format }) => format === 3n)
    expect(code?.type).toBe(0x4445_2000_0000_0001n)
    verifyLedger(await readLedger(client, de.queueId), stand.store.sealer)
  })
})

describe('German case data', () => {
  it.each([
    ['an object', (numbers: number[]) => ({ DE: { CurrentStartedTransactionNumbers: numbers } })],
    [
      'a text',
      (numbers: number[]) => ({ DE: `{"CurrentStartedTransactionNumbers":[${numbers}]}` }),
    ],
    ['no wrapper', (numbers: number[]) => ({ CurrentStartedTransactionNumbers: numbers })],
  ])('under the key of the country as %s name what is to be failed', async (_, dataOf) => {
    const started = await signed(de, receipt({ ftReceiptCase: 0x4445_2011_0000_3001n }))
    const number = Number(started.string('ftReceiptIdentification').split('ST')[1])
    const failed = await signed(
      de,
      receipt({
        ftReceiptCase: 0x4445_2040_0000_3001n,
        ftReceiptCaseData: dataOf([number]),
      }),
    )
    expect(failed.low).toBe(0n)
  })
})

describe('a failure inside the answer', () => {
  it('of an unknown case is stored without number and chain', async () => {
    const before = await readLedger(client, at.queueId)
    const answer = await signed(at, receipt({ ftReceiptCase: 4707387510509010959n }))
    expect(answer.state).toBe(0x4154_2000_eeee_eeeen)
    expect(answer.signatures[0]).toMatchObject({
      format: 1n,
      type: 4707422694881112064n,
      caption: 'uncaught-exeption',
    })
    const after = await readLedger(client, at.queueId)
    expect(after.receipts).toHaveLength(before.receipts.length)
    expect(after.items).toHaveLength(before.items.length + 1)
    expect(answer.low).toBe(ERROR)
  })
})
