// The requests that public demo clients send to a German queue, through HTTP and in their order:
// the flow of the published example with its log messages, the amounts of the published tables, and
// the shapes in which those clients write their bodies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DemoCashBox } from '../../src/core/rollout/demo.js'
import { answerOf, dataOf } from '../support/de/story-shop.js'
import { readTar } from '../support/de/tse-log.js'
import { openShop, type Shop } from '../support/shop.js'

let shop: Shop
let box: DemoCashBox
beforeAll(async () => {
  shop = await openShop()
  const german = shop.demo.cashBoxes.find(({ market }) => market === 'DE')
  if (german === undefined) throw new Error('the demo has no German cash box')
  box = german
})
afterAll(() => shop.close())

const headers = () => ({ cashboxid: box.cashBoxId, accesstoken: box.accessToken })

/** Cases as the clients write them: decimal numbers. */
const BASE = 4919338167972134912n
const IMPLICIT = 4919338172267102208n

interface Parts {
  receiptCase: bigint
  reference?: string
  charges?: string[]
  pays?: string[]
  moment?: string
}

/** The members of the collections, as text: numbers as they stand there. */
function body({ receiptCase, reference = '1', charges = [], pays = [], moment }: Parts): string {
  return `{
    "ftCashBoxID": "${box.cashBoxId}",
    "ftPosSystemId": "d0bd1ac9-6f49-4d7a-8b2b-3a6d7b2b6a01",
    "cbTerminalID": "T1",
    "cbReceiptReference": "${reference}",
    "cbUser": "Chef",
    "cbReceiptMoment": "${moment ?? new Date().toISOString()}",
    "cbChargeItems": [${charges.join(',')}],
    "cbPayItems": [${pays.join(',')}],
    "ftReceiptCase": ${receiptCase}
  }`
}

async function post(text: string, path = 'json/v1/sign') {
  const reply = await fetch(`${shop.url}/${box.queueId}/${path}`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: text,
  })
  const answer = await reply.text()
  expect(reply.status, answer).toBe(200)
  return answerOf(answer)
}

const charge = (code: number, amount: string, rate: string, more = '') =>
  `{"Quantity": 1.0, "Description": "Item ${code}", "Amount": ${amount}, "VATRate": ${rate}, ` +
  `"ftChargeItemCase": ${BASE + BigInt(code)}${more}}`
const pay = (code: number, amount: string, more = '') =>
  `{"Quantity": 1.0, "Description": "Pay ${code}", "Amount": ${amount}, ` +
  `"ftPayItemCase": ${BASE + BigInt(code)}${more}}`
const order = [
  `{"Quantity": 2, "Description": "Eisbecher \\"Himbeere\\"", "Amount": 7.98, "VATRate": 19,
    "ftChargeItemCase": ${BASE + 0x11n}}`,
  `{"Quantity": 1, "Description": "Eiskaffee", "Amount": 2.99, "VATRate": 19,
    "ftChargeItemCase": ${BASE + 0x11n}}`,
]

async function tse(steps: object[] | null): Promise<void> {
  const reply = await fetch(`${shop.url}/sandbox/scus/${box.scuIds[0]}/fault`, {
    method: steps === null ? 'DELETE' : 'PUT',
    headers: { ...headers(), 'content-type': 'application/json' },
    ...(steps === null ? {} : { body: JSON.stringify({ steps }) }),
  })
  expect(reply.status).toBe(200)
}

describe('the published flow', () => {
  const sale = { charges: [charge(0x11, '11.90', '19')], pays: [pay(1, '11.90')] }
  const explicit = (code: bigint, reference: string) => ({ receiptCase: BASE + code, reference })
  const flow: [request: () => string, identification: string, state: bigint][] = [
    [() => body({ receiptCase: IMPLICIT + 1n, ...sale }), 'ft1#IT2', 0n],
    [() => body(explicit(8n, 'T5')), 'ft2#ST3', 0n],
    [() => body({ ...explicit(0x10n, 'T5'), charges: order }), 'ft3#T3', 0n],
    [() => body({ receiptCase: IMPLICIT + 0x10n, charges: order }), 'ft4#IT4', 0n],
    [() => body(explicit(8n, 'T6')), 'ft5#ST5', 0n],
    [() => body(explicit(9n, 'T6')), 'ft6#UT5', 0n],
    [() => body({ ...explicit(1n, 'T6'), ...sale }), 'ft7#T5', 0n],
    [() => body(explicit(8n, 'T7')), 'ft8#ST6', 0n],
    [() => body(explicit(0xbn, 'T7')), 'ft9#T6', 0n],
    [() => body({ receiptCase: IMPLICIT + 1n, ...sale }), 'ftA#', 2n],
    [() => body({ receiptCase: IMPLICIT + 1n, ...sale }), 'ftB#', 2n],
    [() => body({ receiptCase: IMPLICIT + 2n }), 'ftC#IT7', 0n],
    [() => body({ receiptCase: IMPLICIT + 0x1_0001n, ...sale }), 'ftD#', 8n],
    [() => body({ receiptCase: IMPLICIT + 7n }), 'ftE#IT8', 0n],
  ]

  it('gives the published identifications, transactions and signature counters', async () => {
    const seen: [string, bigint][] = []
    const captions: string[] = []
    for (const [at, [request]] of flow.entries()) {
      if (at === 9) await tse([{ do: 'unreachable' }])
      if (at === 11) await tse(null)
      const { identification, state, signatures, stateData } = await post(request())
      seen.push([identification, state])
      captions.push(signatures.map(({ caption, data }) => `${caption} ${data}`).join('\n'))
      if (at === 13) expect(JSON.parse(stateData ?? '{}')).toMatchObject({ DailyClosingNumber: 1 })
    }
    expect(seen).toEqual(flow.map(([, identification, state]) => [identification, state]))
    expect(captions[9]).toMatch(/fehlgeschlagen Fehlerzähler seit \S+Z: 1$/m)
    expect(captions[10]).toMatch(/fehlgeschlagen Fehlerzähler seit \S+Z: 2$/m)
    expect(captions[11]).toContain('2 Aktionen ohne TSE Kommunikation')
    const url = `${shop.url}/${box.queueId}/json/v1/journal?type=0x4445000000000003`
    const reply = await fetch(url, { method: 'POST', headers: headers() })
    const log = readTar(Buffer.from(await reply.arrayBuffer()))
    const steps = log.map((one) => {
      return `${one.counter} ${one.operation.replace('Transaction', '')} ${one.transaction}`
    })
    expect(steps).toEqual([
      '1 initialize 0',
      '2 updateTime 0',
      '3 registerClient 0',
      ...['4 Start 1', '5 Finish 1', '6 Start 2', '7 Finish 2', '8 Start 3', '9 Finish 3'],
      ...['10 Start 4', '11 Finish 4', '12 Start 5', '13 Update 5', '14 Finish 5', '15 Start 6'],
      ...['16 Finish 6', '17 Start 7', '18 Finish 7', '19 Start 8', '20 Finish 8'],
    ])
    const lines = '2;"Eisbecher ""Himbeere""";3.99\r1;"Eiskaffee";2.99'
    expect(log[8]).toMatchObject({ processType: 'Bestellung-V1', processData: lines })
    expect(log[15]?.processData).toBe('AVBelegabbruch^0.00_0.00_0.00_0.00_0.00^')
    await post(body({ receiptCase: IMPLICIT + 2n }))
  })
})

describe('the published amounts', () => {
  const currency = (code: string, amount: string) =>
    `, "ftPayItemCaseData": "{\\"CurrencyCode\\":\\"${code}\\",` +
    `\\"ForeignCurrencyAmount\\":${amount}}"`
  const table: [name: string, parts: Omit<Parts, 'receiptCase'>, data: string][] = [
    [
      'two rates, cash and card',
      {
        charges: [charge(0x11, '11.90', '19'), charge(0x12, '5.35', '7')],
        pays: [pay(1, '10.00'), pay(4, '7.25')],
      },
      'Beleg^11.90_5.35_0.00_0.00_0.00^10.00:Bar_7.25:Unbar',
    ],
    [
      'foreign currencies',
      {
        charges: [charge(0x11, '75.33', '19'), charge(0x12, '7.99', '7')],
        pays: [
          pay(5, '64.30'),
          pay(2, '4.51', currency('USD', '5.00')),
          pay(2, '4.51', currency('CHF', '5.00')),
          pay(1, '10.00'),
        ],
      },
      'Beleg^75.33_7.99_0.00_0.00_0.00^10.00:Bar_5.00:Bar:CHF_5.00:Bar:USD_64.30:Unbar',
    ],
    [
      'a voucher is sold by pay items',
      { pays: [pay(0xd, '-50.00'), pay(1, '50.00')] },
      'Beleg^0.00_0.00_0.00_0.00_50.00^50.00:Bar',
    ],
    [
      'and redeemed',
      { charges: [charge(0x11, '30.00', '19')], pays: [pay(0xd, '30.00')] },
      'Beleg^30.00_0.00_0.00_0.00_-30.00^',
    ],
    [
      'a tip for the employee',
      { charges: [charge(0x11, '10.00', '19')], pays: [pay(0x10, '-2.00'), pay(4, '12.00')] },
      'Beleg^10.00_0.00_0.00_0.00_2.00^12.00:Unbar',
    ],
    [
      'the owner takes money',
      { pays: [pay(0x13, '5.00'), pay(1, '-5.00')] },
      'Beleg^0.00_0.00_0.00_0.00_-5.00^-5.00:Bar',
    ],
    [
      'money goes to the bank',
      { pays: [pay(0x14, '4200.00'), pay(1, '-4200.00')] },
      'Beleg^0.00_0.00_0.00_0.00_-4200.00^-4200.00:Bar',
    ],
    [
      'opening balance',
      { pays: [pay(0x12, '-250.00'), pay(1, '250.00')] },
      'Beleg^0.00_0.00_0.00_0.00_250.00^250.00:Bar',
    ],
    [
      'deposit of a bottle, and one back',
      {
        charges: [
          charge(0x11, '1.19', '19'),
          charge(0x21, '0.25', '19'),
          charge(0x29, '-0.15', '19'),
        ],
        pays: [pay(1, '1.29')],
      },
      'Beleg^1.29_0.00_0.00_0.00_0.00^1.29:Bar',
    ],
    [
      'a down payment',
      { charges: [charge(0x81, '100.00', '19')], pays: [pay(1, '100.00')] },
      'Beleg^100.00_0.00_0.00_0.00_0.00^100.00:Bar',
    ],
    [
      'and its settlement',
      {
        charges: [charge(0x11, '300.00', '19'), charge(0x89, '-100.00', '19')],
        pays: [pay(4, '200.00')],
      },
      'Beleg^200.00_0.00_0.00_0.00_0.00^200.00:Unbar',
    ],
    [
      'vouchers for one purpose and for several, by charge items',
      {
        charges: [charge(0x61, '20.00', '19'), charge(0x60, '30.00', '0'), charge(0x68, '-5', '0')],
        pays: [pay(1, '45.00')],
      },
      'Beleg^20.00_0.00_0.00_0.00_25.00^45.00:Bar',
    ],
  ]

  it.each(table)('%s', async (_name, parts, data) => {
    const answer = await post(body({ receiptCase: IMPLICIT + 1n, ...parts }))
    expect(dataOf(answer, 0x16n)).toBe(data)
    expect(dataOf(answer, 0x15n)).toBe('Kassenbeleg-V1')
    // fields of the QR code: data in between, everything else is fixed
    const qr = dataOf(answer, 0x01n)?.split(';')
    expect(qr?.slice(2, 4)).toEqual(['Kassenbeleg-V1', data])
  })

  it('one bill for two tables, two bills for one', async () => {
    for (const reference of ['table 1', 'table 2', 'table 3']) {
      await post(body({ receiptCase: BASE + 8n, reference }))
      await post(body({ receiptCase: BASE + 0x10n, reference, charges: order }))
    }
    const bill = async (amounts: string[], sum: string) => {
      const charges = amounts.map((amount) => charge(0x11, amount, '19'))
      const answer = await post(
        body({ receiptCase: IMPLICIT + 1n, reference: 'table 1', charges, pays: [pay(1, sum)] }),
      )
      return dataOf(answer, 0x16n)
    }
    expect(await bill(['7.98', '2.99', '7.98', '2.99'], '21.94')).toBe(
      'Beleg^21.94_0.00_0.00_0.00_0.00^21.94:Bar',
    )
    expect(await bill(['7.98'], '7.98')).toBe('Beleg^7.98_0.00_0.00_0.00_0.00^7.98:Bar')
    expect(await bill(['2.99'], '2.99')).toBe('Beleg^2.99_0.00_0.00_0.00_0.00^2.99:Bar')
  })
})

describe('the shapes of the clients', () => {
  const food = { amount: '5.0', quantity: '10.0' }

  it('a cash receipt of the C demo, whose items have the case of the country alone', async () => {
    const text = `{"ftCashBoxID":"${box.cashBoxId}","ftPosSystemId":"","cbTerminalID":"1",
      "cbReceiptReference":"1","cbReceiptMoment":"\\/Date(1795212145)\\/",
      "cbChargeItems":[{"Quantity":${food.quantity},"Description":"Food","Amount":${food.amount},
      "VATRate":10.0,"ProductNumber":"1","ftChargeItemCase":${BASE}}],
      "cbPayItems":[{"Quantity":10.0,"Description":"Cash","Amount":5.0,"ftPayItemCase":${BASE}}],
      "ftReceiptCase":${IMPLICIT + 1n}}`
    const answer = await post(text)
    expect(dataOf(answer, 0x16n)).toBe('Beleg^0.00_0.00_0.00_0.00_5.00^5.00:Bar')
  })

  it('a zero receipt of the C demo at the older path, with a comma too many', async () => {
    const text = `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1","cbReceiptReference":"1",
      "cbReceiptMoment":"\\/Date(1795212145)\\/","cbChargeItems":[],"cbPayItems":[],
      "ftReceiptCase":${IMPLICIT + 2n},}`
    expect((await post(text, 'json/v0/sign')).state).toBe(0n)
  })

  it('a receipt of the Python demo with every optional member null', async () => {
    const text = `{"ftCashBoxID": "${box.cashBoxId}", "ftQueueID": null, "ftPosSystemId": null,
      "cbTerminalID": "T2", "cbReceiptReference": "py",
      "cbReceiptMoment": "${new Date().toISOString()}",
      "cbChargeItems": [{"Position": null, "Quantity": 1.0, "Description": "Tea", "Amount": 2.50,
      "VATRate": 19.0, "ftChargeItemCase": ${BASE + 0x11n}, "ftChargeItemCaseData": null,
      "VATAmount": null, "AccountNumber": null, "CostCenter": null, "ProductGroup": null,
      "ProductNumber": null, "ProductBarcode": null, "Unit": null, "UnitQuantity": null,
      "UnitPrice": null, "Moment": null}],
      "cbPayItems": [{"Position": null, "Quantity": 1.0, "Description": "Cash", "Amount": 2.50,
      "ftPayItemCase": ${BASE + 1n}, "ftPayItemCaseData": null, "AccountNumber": null,
      "CostCenter": null, "MoneyGroup": null, "MoneyNumber": null, "Moment": null}],
      "ftReceiptCase": ${IMPLICIT + 1n}, "ftReceiptCaseData": null, "cbReceiptAmount": null,
      "cbUser": "ADMIN", "cbArea": null, "cbCustomer": null, "cbSettlement": null,
      "cbPreviousReceiptReference": null}`
    expect(dataOf(await post(text), 0x16n)).toBe('Beleg^2.50_0.00_0.00_0.00_0.00^2.50:Bar')
  })

  it('journals with an empty body, or with two quotes', async () => {
    for (const text of ['', '""']) {
      for (const type of [0n, 1n, 2n, 3n, BASE, BASE + 1n, BASE + 2n, BASE + 3n]) {
        const url = `${shop.url}/${box.queueId}/json/v1/journal?type=${type}&from=0&to=0`
        const reply = await fetch(url, { method: 'POST', headers: headers(), body: text })
        expect(reply.status, `${type}`).toBe(200)
        await reply.arrayBuffer()
      }
    }
  })

  it('closings of every kind, and the end', async () => {
    const texts: (string | undefined)[] = []
    for (const code of [5n, 6n, 7n, 4n]) {
      texts.push(dataOf(await post(body({ receiptCase: IMPLICIT + code })), 0x16n))
    }
    expect(texts).toEqual([
      'monthly-closing',
      'yearly-closing',
      'daily-closing',
      'out of operation receipt / stop-receipt',
    ])
  })
})
