// The 34 French requests of the field's public collection, sent to a running server in their order:
// each is answered as it expects. Their quirks are kept: a trailing comma, `Unitprice`, case data
// that is no JSON, the same reference ten times, one that never existed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkData } from '../../src/core/audit/check/check.js'
import { marketOf } from '../../src/market/index.js'
import { type Answer, type Line, Register, type Sent, word } from '../support/fr/register.js'
import { openShop, type Shop } from '../support/shop.js'

let shop: Shop
let register: Register
beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT', 'FR'] })
  register = new Register(shop.url, shop.demo.cashBoxes)
})
afterAll(() => shop.close())

interface Entry extends Sent {
  name: string
  letter: string
  /** Captions of the signatures; '' is the document itself. */
  captions: string[]
  /** Members of the payload. */
  payload?: Record<string, string>
  /** Done to the text before it is sent. */
  quirk?: (text: string) => string
}

const N = 0x03
const R1 = 0x01
const R2 = 0x02
const CASH = 0x01
const DEBIT = 0x04
const INTERNAL = 0x11

const ticket = (
  name: string,
  charges: Line[],
  pays: Line[],
  payload: Record<string, string>,
  more: Partial<Entry> = {},
): Entry => ({ name, kind: 0x01, letter: 'T', captions: [''], charges, pays, payload, ...more })

const NO_PROOF = 'justificatif non valable pour encaissement'
const PROVISIONAL = 'document provisoire'

const money = (
  name: string,
  kind: number,
  pays: Line[],
  payload: Record<string, string>,
): Entry => ({
  ...{ name, kind, letter: 'P', captions: ['', NO_PROOF], pays, payload },
})

const unsigned = (name: string, kind: number, amount: string, quirk?: Entry['quirk']): Entry => ({
  ...{ name, kind, letter: '', captions: [] },
  charges: [[N, amount]],
  pays: [[CASH, amount]],
  ...(quirk === undefined ? {} : { quirk }),
})

const caseData = (text: string) => (body: string) =>
  body.replace('"ftReceiptCase"', `"ftReceiptCaseData":${JSON.stringify(text)},"ftReceiptCase"`)

const CLOSINGS: Entry[] = [
  ['Shift closing', 0x04, ['Shift Totals', 'Totals', '']] as const,
  ['Daily closing', 0x05, ['Day Totals', 'Totals', '']] as const,
  ['Monthly closing', 0x06, ['Day Totals', 'Month Totals', 'Totals', '']] as const,
  ['Yearly closing', 0x07, ['Day Totals', 'Month Totals', 'Year Totals', 'Totals', '']] as const,
].map(([name, kind, captions]) => ({ name, kind, letter: 'G', captions: [...captions] }))

const entries: Entry[] = [
  { name: 'Start', kind: 0x10, letter: 'G', captions: ['Day Totals', ''] },
  ticket(
    'Ticket',
    [[N, '80.93']],
    [[CASH, '80.93']],
    { total: '80.93', 'ci-n': '80.93', 'pi-c': '80.93' },
    {
      quirk: (body) => body.replace('"Amount"', '"Unitprice":80.93,"Amount"'),
    },
  ),
  money(
    'Payment prove',
    0x02,
    [
      [CASH, '81.56'],
      [INTERNAL, '-81.56'],
    ],
    { total: '0.0', 'pi-c': '81.56', 'pi-i': '-81.56' },
  ),
  {
    ...{ name: 'Invoice', kind: 0x03, letter: 'I', captions: [''] },
    charges: [
      [R1, '50', '20'],
      [R1, '28.70', '5.5'],
    ],
    pays: [[CASH, '78.70']],
    payload: { total: '78.7', 'ci-r1': '78.7', 'pi-c': '78.7' },
  },
  {
    ...{ name: 'Bill', kind: 0x08, letter: 'B', captions: ['', PROVISIONAL] },
    charges: [[R1, '160.24']],
    pays: [[INTERNAL, '160.24']],
    payload: { total: '160.24', 'ci-r1': '160.24', 'pi-i': '160.24' },
    quirk: (body) =>
      body.replace('"Amount"', '"ftChargeItemCaseData":"{\\"NetAmount\\":82,84}","Amount"'),
  },
  unsigned('Delivery note', 0x09, '36.96'),
  money(
    'Cash deposit',
    0x0a,
    [
      [CASH, '85.35'],
      [INTERNAL, '-85.35'],
    ],
    { total: '0.0', 'pi-c': '85.35' },
  ),
  money(
    'Payout',
    0x0b,
    [
      [CASH, '58.16'],
      [INTERNAL, '-58.16'],
    ],
    { 'pi-c': '58.16' },
  ),
  money(
    'Payment transfer',
    0x0c,
    [
      [CASH, '109.42'],
      [INTERNAL, '-109.42'],
    ],
    { 'pi-i': '-109.42' },
  ),
  unsigned('Internal', 0x0d, '163.05', (body) => body.replace(/\}$/, ',}')),
  {
    ...{ name: 'Foreign sales', kind: 0x0e, letter: 'B', captions: ['', PROVISIONAL] },
    charges: [[R1, '102.38']],
    pays: [[INTERNAL, '102.38']],
    payload: { total: '102.38' },
  },
  {
    name: 'Log 80',
    kind: 0x12,
    letter: 'L',
    captions: [''],
    payload: { total: '0.0' },
    quirk: caseData('{Code: "80", "Message": "Ouverture",}'),
  },
  {
    name: 'Log 280',
    kind: 0x13,
    letter: 'L',
    captions: [''],
    payload: { total: '0.0' },
    quirk: caseData('{"Code": "280" "Message": "Contrôle"}'),
  },
  { name: 'Log 910', kind: 0x14, letter: '', captions: [], quirk: caseData('{"code":910,') },
  money(
    'Currency exchange',
    0x0c,
    [
      [CASH, '80'],
      [CASH, '-80'],
    ],
    { total: '0.0', 'pi-c': '0.0' },
  ),
  ticket(
    'Exchange 1:1',
    [
      [N, '49.90'],
      [N, '-49.90'],
    ],
    [
      [CASH, '49.90'],
      [INTERNAL, '-49.90'],
    ],
    { total: '0.0', 'ci-n': '0.0', 'pi-c': '49.9', 'pi-i': '-49.9' },
  ),
  ticket(
    'Exchange + jeans',
    [[N, '99.90']],
    [
      [CASH, '149.80'],
      [INTERNAL, '-49.90'],
    ],
    { total: '99.9', 'pi-c': '149.8' },
  ),
  ticket('Return', [[N, '-49.90']], [[CASH, '-49.90']], { total: '-49.9' }),
  ticket('Return + jeans, cash', [[N, '50.00']], [[CASH, '50.00']], { total: '50.0' }),
  ticket(
    'Return + jeans',
    [[N, '50.00']],
    [
      [CASH, '99.90'],
      [INTERNAL, '-49.90'],
    ],
    { total: '50.0', 'pi-c': '99.9' },
  ),
  ticket('Jeans back, T-shirt', [[N, '-50.00']], [[CASH, '-50.00']], { total: '-50.0' }),
  ticket(
    'Discount on one',
    [
      [R2, '11.30', '10'],
      [N, '7.50'],
    ],
    [[DEBIT, '18.80']],
    { total: '18.8', 'ci-n': '7.5', 'ci-r2': '11.3', 'pi-n': '18.8' },
  ),
  ticket(
    'Discount of 10 %',
    [
      [R2, '10.17', '10'],
      [N, '11.25'],
    ],
    [[DEBIT, '21.42']],
    { total: '21.42', 'pi-n': '21.42' },
  ),
  { name: 'Zero', kind: 0x0f, letter: 'G', captions: [''] },
  ...CLOSINGS,
  { name: 'Archive', kind: 0x15, letter: 'A', captions: ['Day Totals', 'Archive Totals', ''] },
  {
    name: 'Stop',
    kind: 0x11,
    letter: 'G',
    captions: ['Day Totals', 'Month Totals', 'Year Totals', ''],
  },
]

const textOf = ({ quirk, ...sent }: Entry): string => {
  const body = register.text({ ...sent, reference: '21', previous: 'HP20210089' })
  return quirk?.(body) ?? body
}

interface Item {
  caption: string
  data: string
}

function seen({ ftReceiptIdentification, ftSignatures }: Answer) {
  const items = ftSignatures as unknown as Item[]
  const [jws] = items.map(({ data }) => data).filter((one) => one.startsWith('eyJ'))
  const text = Buffer.from(jws?.split('.')[1] ?? '', 'base64url').toString()
  const found = [...text.matchAll(/"([a-z-]+\d?s?)":(-?\d+\.\d+)/g)].map(([, name, value]) => [
    name,
    value,
  ])
  return {
    letter: ftReceiptIdentification.replace(/^ft[0-9A-F]+#|\d+$/g, ''),
    captions: items.map(({ caption }) => caption).filter((one) => one !== 'S A N D B O X'),
    payload: Object.fromEntries(found) as Record<string, string>,
  }
}

describe('the public collection', () => {
  it('has as many sign requests as it has', () => {
    // 34 beside Echo: 30 receipts and four journals
    expect(entries).toHaveLength(30)
  })

  it.each(entries)('$name', async (entry) => {
    const answer = await register.send(textOf(entry))
    const { letter, captions, payload } = seen(answer)
    expect([letter, captions]).toEqual([entry.letter, entry.captions])
    if (entry.payload !== undefined) expect(payload).toMatchObject(entry.payload)
    expect(answer.text).toContain('"ftState":5067112530745229312')
    const sandbox = (answer.ftSignatures as unknown as Item[]).at(-1)
    expect(sandbox?.caption).toBe('S A N D B O X')
    // of the base of the country, which has more digits than a number of JavaScript
    const [mark = ''] = /\{[^{}]*S A N D B O X[^{}]*\}/.exec(answer.text) ?? []
    expect(mark).toContain(`"ftSignatureType":${word(0)}`)
  })

  it('journals 0 to 3 are JSON, with an empty body and with one of two quotes', async () => {
    for (const type of ['0', '1', '2', '3']) {
      for (const body of ['', '""']) {
        const answer = await register.post(`journal?type=${type}&from=0&to=0`, body)
        expect(answer.status).toBe(200)
        expect(JSON.parse(await answer.text())).toBeTruthy()
      }
    }
  })

  it('Echo gives back the string', async () => {
    const answer = await register.post('echo', '"Bonjour"')
    expect([answer.status, await answer.text()]).toEqual([200, '"Bonjour"'])
  })

  it('after the stop nothing is signed for ever, not even a start', async () => {
    for (const kind of [0x01, 0x10]) {
      const answer = await register.send(register.text({ kind, charges: [], pays: [] }))
      expect(answer.text).toContain('"ftState":5067112530745229313')
      expect(answer.ftReceiptIdentification).toMatch(/^ft[0-9A-F]+#$/)
    }
  })

  it('leaves nothing that the checker of stored data finds fault with', async () => {
    const found: string[] = []
    const { receipts } = await checkData(
      { store: shop.deps.store, marketOf, now: () => new Date() },
      (violation) => found.push(JSON.stringify(violation)),
    )
    expect([found, receipts > 30]).toEqual([[], true])
  })
})
