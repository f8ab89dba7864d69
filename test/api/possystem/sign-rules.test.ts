import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportJournal, type JournalInput } from '../../../src/core/journal/export.js'
import { type PosReceipt, readReceipt } from '../../../src/core/sign/pos-receipt.js'
import { FiscalError } from '../../../src/errors.js'
import { writeJson } from '../../../src/lib/json-write.js'
import { marketOf } from '../../../src/market/index.js'
import { readLedger } from '../../support/ledger.js'
import {
  createPosTill,
  openPosTills,
  type PosTill,
  type PosTills,
  posCall,
  posSign,
  queueOf,
  receipt,
  sale,
  signed,
  wordIn,
} from '../../support/pos-till.js'
import type { Stand } from '../../support/stand.js'

let tills: PosTills
let client: pg.Client
let stand: Stand
let at: PosTill
let de: PosTill
let strict: PosTill

beforeAll(async () => {
  tills = await openPosTills()
  ;({ client, stand, at, de } = tills)
  strict = await createPosTill(stand, 'AT', { strict: true })
})

afterAll(async () => {
  // whatever the tests of this file have signed is stored without a fault
  expect(await tills.checkAndClose()).toEqual([])
})

const ERROR = 0xeeee_eeeen
const FAIL = 0xffff_ffffn
const actionsOf = async (till: PosTill) => (await readLedger(client, till.queueId)).actions

describe('rules that are only logged', () => {
  it('sign a receipt of 30.00 paid with 40.00, and note it in the action journal', async () => {
    const answer = await signed(
      at,
      receipt({
        ftReceiptCase: 4707387510509010945n,
        cbChargeItems: [
          { Amount: 20.0, VATRate: 20 },
          { Quantity: 2, Amount: 10.0, VATRate: 10 },
        ],
        cbPayItems: [{ ftPayItemId: randomUUID(), Amount: 40.0 }],
      }),
    )
    expect(answer.low).toBe(0n)
    expect(answer.signatures.some(({ format }) => format === 3n)).toBe(true)
    const noted = (await actionsOf(at)).find(({ type }) => type === 'SignValidation')
    expect(noted?.message).toContain('ReceiptNotBalanced')
  })

  it('sign a void without reference and say so on the receipt', async () => {
    const answer = await signed(at, sale({ ftReceiptCase: 0x4_0001n }, -10))
    expect(answer.low).toBe(0n)
    expect(answer.captions).toContain('[Information] VoidMissingPreviousReceiptReference')
    expect(answer.captions.at(-1)).toBe('S A N D B O X')
  })
})

describe('strict rules', () => {
  it('name every code in a signature of its own', async () => {
    const answer = await signed(strict, {
      ...sale({ ftReceiptCase: 0x1001n, cbPayItems: [{ Amount: 5 }] }),
    })
    expect(answer.state).toBe(0x4154_2000_eeee_eeeen)
    expect(answer.captions).toEqual([
      '[Error] ReceiptNotBalanced',
      '[Error] CustomerRequiredForInvoice',
      'S A N D B O X',
    ])
  })

  it('let correct receipts pass', async () => {
    expect((await signed(strict, sale())).low).toBe(0n)
  })

  it('refuse a second void, and whatever refers to a voided receipt', async () => {
    const reference = randomUUID()
    await signed(strict, sale({ cbReceiptReference: reference }))
    const voided = { ftReceiptCase: 0x4_0001n, cbPreviousReceiptReference: reference }
    expect((await signed(strict, sale(voided, -10))).low).toBe(0n)
    const again = await signed(strict, sale(voided, -10))
    expect(again.captions[0]).toBe('[Error] VoidAlreadyExists')
    const later = await signed(strict, sale({ cbPreviousReceiptReference: reference }))
    expect(later.captions[0]).toBe('[Error] PreviousReceiptIsVoided')
  })
})

describe('always an error', () => {
  it.each([
    ['another country', { ftReceiptCase: 4919373352344223745n }, 'ReceiptCaseCountryMismatch'],
    ['another currency', { Currency: 'CHF' }, 'OnlyEuroCurrencySupported'],
    ['an unknown version', { ftReceiptCase: 0x4154_3000_0000_0001n }, 'ReceiptCaseVersionUnknown'],
    ['an unknown reference', { cbPreviousReceiptReference: 'nobody' }, 'PreviousReceiptNotFound'],
  ])('%s: stored, without number', async (_, members, code) => {
    const before = await readLedger(client, at.queueId)
    const { status, body, queueItemId } = await posSign(at, sale(members))
    expect(status).toBe(201)
    const after = await readLedger(client, at.queueId)
    expect(after.items.length - before.items.length).toBe(1)
    expect(after.receipts.length - before.receipts.length).toBe(0)
    expect(body).toContain('"ftState":4707422698889735918')
    expect(body).toContain('"Caption":"uncaught-exeption"')
    expect(body).toContain(code)
    expect(queueItemId).toBeDefined()
  })

  it('in Germany as well, in the words of version 2', async () => {
    const answer = await signed(de, receipt({ ftReceiptCase: 0x4022n }))
    expect(answer.state).toBe(4919373356352859886n)
    expect(answer.signatures[0]).toMatchObject({
      caption: 'uncaught-exeption',
      type: 4919373352344236032n,
    })
  })

  it('market rules are failures with their own words', async () => {
    const answer = await signed(at, sale({ ftReceiptCase: 0x2000n }))
    expect(answer.low).toBe(ERROR)
    expect(answer.signatures[0]?.data).toBe('Zero receipts must not contain charge- or payitems.')
  })
})

describe('a German case of v0 with the implicit flag', () => {
  it('is signed by the tables of v0 and answered in words of version 2', async () => {
    const answer = await signed(
      de,
      receipt({
        ftReceiptCase: 4919338172267102209n,
        cbChargeItems: [{ Amount: 1.19, VATRate: 19, ftChargeItemCase: 0x4445_0000_0000_0011n }],
        cbPayItems: [{ Amount: 1.19, ftPayItemCase: 0x4445_0000_0000_0001n }],
      }),
    )
    expect(answer.state).toBe(0x4445_2000_0000_0000n)
    const types = answer.signatures.filter(({ caption }) => caption !== 'S A N D B O X')
    expect(types.length).toBeGreaterThan(10)
    for (const { type } of types) expect(type >> 44n).toBe(0x44452n)
    const data = answer.signatures.find(({ type }) => (type & 0xffffn) === 0x16n)?.data
    expect(data).toBe('Beleg^1.19_0.00_0.00_0.00_0.00^1.19:Bar')
  })
})

describe('items that are asked back', () => {
  it('come with both spellings of their id, all others do not', async () => {
    const id = randomUUID()
    const answer = await signed(
      at,
      receipt({
        cbChargeItems: [
          {
            ftChargeItemId: id,
            Quantity: 2,
            Description: 'Kaffee',
            Amount: 7.6,
            VATRate: 20,
            ftChargeItemCase: 0x4000_0013n,
            ftChargeItemCaseData: { a: [1] },
            Position: 1.5,
          },
          { Amount: 1, VATRate: 10 },
        ],
        cbPayItems: [{ Amount: 8.6 }],
      }),
    )
    expect(answer.member('ftPayItems')).toBeUndefined()
    expect(writeJson(answer.member('ftChargeItems'))).toBe(
      `[{"ftChargeItemId":"${id}","ftChargeItemID":"${id}","Quantity":2,"Description":"Kaffee",` +
        '"Amount":7.6,"VATRate":20,"ftChargeItemCase":4707422695954841619,' +
        '"ftChargeItemCaseData":{"a":[1]},"Position":1.5}]',
    )
  })
})

describe('the call', () => {
  const read = (body: string | object, parts = {}) =>
    // one of the usual size is read at once
    readReceipt(
      { marketOf, strict: false },
      { ...posCall(at, body, parts), body: undefined },
    ) as PosReceipt

  it('names every fault of the body in one refusal', () => {
    const found = caught(() =>
      read({
        cbReceiptMoment: '2026-01-30T09:15:00Z',
        cbChargeItems: [{ Amount: 'x' }],
        ftQueueID: randomUUID(),
        ftCashBoxID: randomUUID(),
      }),
    )
    expect(found).toMatchObject({ code: 'FIELD_MISSING', field: 'cbReceiptReference' })
    expect(Object.keys(found.faults ?? {}).sort()).toEqual([
      'cbChargeItems[0].Amount',
      'cbPayItems',
      'cbReceiptReference',
      'ftCashBoxID',
      'ftQueueID',
    ])
  })

  it.each([
    ['', 'BODY_MISSING'],
    ['{', 'BODY_MALFORMED'],
    ['[]', 'BODY_MALFORMED'],
    ['{"a":1,}', 'BODY_MALFORMED'],
  ])('refuses the body %j', (body, code) => {
    expect(caught(() => read(body)).code).toBe(code)
  })

  it('takes the oldest queue in use', () => {
    const stopped = queueOf(at, { id: randomUUID(), stopped: true })
    const younger = queueOf(at, { id: randomUUID() })
    const queues = [stopped, queueOf(at), younger]
    expect(read(sale(), { queues }).queue.id).toBe(at.queueId)
    expect(read(sale({ ftQueueID: younger.id }), { queues }).queue.id).toBe(younger.id)
    expect(read(sale(), { queues: [stopped] }).queue.id).toBe(stopped.id)
  })

  it('lends terminal and POS system of its headers to a silent body', async () => {
    const parts = { terminalId: 'T9', posSystemId: 'my till' }
    const silent = read(sale({ cbTerminalID: undefined }), parts).request
    expect([silent.terminalId, silent.posSystemId]).toEqual(['T9', 'my till'])
    const loud = read(sale({ ftPosSystemId: 'other' }), parts).request
    expect([loud.terminalId, loud.posSystemId]).toEqual(['T1', 'other'])
    const answer = await signed(at, sale({ cbTerminalID: undefined }), parts)
    expect(answer.string('cbTerminalID')).toBe('T9')
  })

  it('stores the text of the client as it is, unknown members included', async () => {
    const text =
      `{"CBRECEIPTREFERENCE":"${randomUUID()}" , "cbReceiptMoment":"2026-01-30T10:15:00.1234567` +
      '+01:00","cbChargeItems":[{"Amount":1.10,"VATRate":20,"mine":{"ä":[1.0]}}],' +
      '"cbPayItems":[{"Amount":1.1}],"ftReceiptCase":1}'
    const { queueItemId } = await posSign(at, text)
    const stored = await client.query('select request, version from queue_item where id = $1', [
      queueItemId,
    ])
    expect(stored.rows).toEqual([{ request: text, version: 'v2' }])
  })

  it('counts scaled amounts in the receipt journal', async () => {
    const { body } = await posSign(
      at,
      receipt({
        cbChargeItems: [{ DecimalPrecisionMultiplier: 100, Amount: 380, VATRate: 2000 }],
        cbPayItems: [{ Amount: 3.8 }],
      }),
    )
    expect(body).toContain('_3,80_0,00_0,00_0,00_0,00_')
  })
})

describe('what is stored', () => {
  it('is exported as it was signed: complete cases, scaled amounts', async () => {
    await posSign(
      de,
      receipt({
        ftReceiptCase: '0x1',
        cbReceiptReference: 'scaled',
        cbChargeItems: [
          { DecimalPrecisionMultiplier: 100, Description: 'scaled', Amount: 1190, VATRate: 1900 },
        ],
        cbPayItems: [{ Amount: 11.9 }],
      }),
    )
    const lines = (await exported(de, 3n, { format: 'csv', view: 'receipts' })).split('\r\n')
    const [line = ''] = lines.filter((one) => one.includes('scaled'))
    expect(line).toContain('0x4445200000000001')
    expect(line).toContain('charge;0;1;scaled;11.90;19.00;;0x4445200000000003')
  })
})

describe('a queue that was not started', () => {
  it('answers with success, out of operation and without signature', async () => {
    const idle = await createPosTill(stand, 'AT', { started: false })
    const answer = await signed(idle, sale())
    expect(answer.state).toBe(0x4154_2000_0000_0001n)
    expect(answer.captions).toEqual(['S A N D B O X'])
    expect(answer.string('ftReceiptIdentification')).toBe('ft0#')
    expect(wordIn(answer.member('ftQueueRow'))).toBe(1n)
  })
})

describe('the published smoke suite', () => {
  it('runs on a German queue', async () => {
    const till = await createPosTill(stand, 'DE', { started: false })
    const bodies = [
      receipt({
        ftReceiptCase: 4919373352344240129n,
        cbReceiptReference: 'INIT',
        cbUser: '"Admin"',
      }),
      receipt({ ftReceiptCase: 4919373352344231936n, cbReceiptReference: '7001' }),
      receipt({
        ftReceiptCase: 4919373352344223745n,
        cbChargeItems: [
          {
            Amount: 2.0,
            VATRate: 19,
            ftChargeItemCase: 4919373352344223761n,
            Moment: '2020-06-29T17:45:40.505Z',
          },
          {
            Amount: 2.5,
            VATRate: 7,
            ftChargeItemCase: 4919373352344223762n,
            Moment: '2020-06-29T17:45:40.505Z',
          },
        ],
        cbPayItems: [
          { Amount: 4.5, ftPayItemCase: 4919373352344223745n, Moment: '2020-06-29T18:05:33.912Z' },
        ],
      }),
      receipt({
        ftReceiptCase: 4919373352344231953n,
        cbReceiptReference: 'daily 2026-01-30T10:15',
      }),
    ]
    for (const body of bodies) {
      const answer = await signed(till, body)
      expect([answer.low & 0x3n, answer.low === ERROR, answer.low === FAIL]).toEqual([
        0n,
        false,
        false,
      ])
    }
  })
})

async function exported(
  till: PosTill,
  type: bigint,
  more: Pick<JournalInput, 'format' | 'view'> = {},
): Promise<string> {
  const deps = { store: stand.store, marketOf, now: () => new Date() }
  const { accountId, queueId } = till
  const range = { from: 0n, to: 0n }
  const { body } = await exportJournal(deps, { accountId, queueId, type, range, ...more })
  let text = ''
  for await (const piece of body) text += piece
  return text
}

function caught(work: () => unknown): FiscalError {
  try {
    work()
  } catch (error) {
    if (error instanceof FiscalError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
