// The requests of the public collections for Austria and Germany as far as they can be told: their
// cases, amounts and shapes, as JSON without the ids of a cash box.

export interface SetRequest {
  name: string
  /** Members of a ReceiptRequest without ftCashBoxID and cbReceiptReference. */
  json: string
  /** Requests of one business case share one; left out: one of its own. */
  reference?: string
}

interface Parts {
  charges?: readonly string[]
  pays?: readonly string[]
  more?: string
  reference?: string
}

const MOMENT = '2026-01-31T10:15:00.505Z'

function request(name: string, word: bigint, parts: Parts = {}): SetRequest {
  const { charges = [], pays = [], more = '', reference } = parts
  const json = `{"ftPosSystemId":"d0bd1ac9-6f49-4d7a-8b2b-3a6d7b2b6a01","cbTerminalID":"T1",
    "cbReceiptMoment":"${MOMENT}","cbChargeItems":[${charges.join(',')}],
    "cbPayItems":[${pays.join(',')}],"ftReceiptCase":${word}${more}}`
  return { name, json, ...(reference === undefined ? {} : { reference }) }
}

function itemsOf(base: bigint) {
  return {
    /** `amount` may bring further members along. */
    charge: (code: number, amount: string, rate: string) =>
      `{"Quantity":1.0,"Description":"Item ${code} <&>","VATRate":${rate},
        "ftChargeItemCase":${base + BigInt(code)},"Amount":${amount}}`,
    pay: (code: number, amount: string, more = '') =>
      `{"Quantity":1.0,"Description":"Pay ${code}","Amount":${amount},
        "ftPayItemCase":${base + BigInt(code)}${more}}`,
  }
}

const AUSTRIA = 0x4154n << 48n
const at = itemsOf(AUSTRIA)
const food = {
  charges: [
    `{"Quantity":10.0,"Description":"Food","Amount":5.0,"VATRate":10.0,"ProductNumber":"1",
      "ftChargeItemCase":${AUSTRIA}}`,
  ],
  pays: [`{"Quantity":10.0,"Description":"Cash","Amount":5.0,"ftPayItemCase":${AUSTRIA}}`],
}
const mixed = {
  charges: [
    at.charge(3, '12.00', '20'),
    at.charge(1, '23.90', '10'),
    at.charge(2, '4.50,"VATAmount":0.52,"ProductGroup":"x","Position":3', '13'),
    at.charge(5, '1.99', '0'),
    at.charge(4, '3.15', '19'),
  ],
  pays: [at.pay(1, '40.54'), at.pay(4, '5.00')],
}
const refund = { charges: [at.charge(3, '-12.00', '20')], pays: [at.pay(1, '-12.00')] }

export const AUSTRIAN_SET: readonly SetRequest[] = [
  request('zero receipt before the start', AUSTRIA + 2n),
  request('start', AUSTRIA + 3n, { more: ',"cbUser":"ADMIN"' }),
  request('zero receipt', AUSTRIA + 2n),
  request('cash of the C demo', AUSTRIA + 1n, food),
  request('cash with all rates', AUSTRIA + 1n, mixed),
  request('no case', AUSTRIA, mixed),
  request('refund', AUSTRIA + 1n, refund),
  request('void', AUSTRIA + 0x4_0001n, refund),
  request('training', AUSTRIA + 0x2_0001n, mixed),
  request('failed receipt', AUSTRIA + 0x1_0001n, mixed),
  request('handwritten receipt', AUSTRIA + 0x8_0001n, mixed),
  request('zero receipt that closes them', AUSTRIA + 2n),
  request('members that are null', AUSTRIA + 1n, {
    ...mixed,
    more: ',"cbUser":null,"cbArea":null,"cbReceiptAmount":null,"cbCustomer":null',
  }),
  request('texts of JSON', AUSTRIA + 1n, {
    ...mixed,
    more: ',"cbCustomer":"{\\"Name\\":\\"A & B <c>\\"}","cbReceiptAmount":45.540',
  }),
  request('month', AUSTRIA + 5n),
  request('year', AUSTRIA + 6n),
  request('stop', AUSTRIA + 4n),
  request('after the stop', AUSTRIA + 1n, mixed),
]

const GERMANY = 0x4445n << 48n
const IMPLICIT = GERMANY + 0x1_0000_0000n
const de = itemsOf(GERMANY)
const sale = { charges: [de.charge(0x11, '11.90', '19')], pays: [de.pay(1, '11.90')] }

const codes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, offset) => from + offset)
const hex = (code: number) => `0x${code.toString(16)}`

/** A flow of explicit transactions; each step belongs to the transaction before. */
const explicit = [
  request('start of a transaction', GERMANY + 8n, { reference: 'T5' }),
  request('update', GERMANY + 9n, { reference: 'T5' }),
  request('delta', GERMANY + 0xan, { reference: 'T5' }),
  request('sale that ends it', GERMANY + 1n, { ...sale, reference: 'T5' }),
  request('start of another', GERMANY + 8n, { reference: 'T6' }),
  request('order that ends it', GERMANY + 0x10n, { charges: sale.charges, reference: 'T6' }),
  request('start of a third', GERMANY + 8n, { reference: 'T7' }),
  request('its failure', GERMANY + 0xbn, { reference: 'T7' }),
  request('sale without a start', GERMANY + 1n, { ...sale, reference: 'T8' }),
]

export const GERMAN_SET: readonly SetRequest[] = [
  request('zero receipt before the start', IMPLICIT + 2n),
  request('start', IMPLICIT + 3n),
  request('zero receipt', IMPLICIT + 2n),
  request('cash of the C demo', IMPLICIT + 1n, {
    charges: food.charges.map((item) => item.replace(String(AUSTRIA), String(GERMANY))),
    pays: food.pays.map((item) => item.replace(String(AUSTRIA), String(GERMANY))),
  }),
  ...codes(1, 7).map((code) =>
    request(`rate ${hex(code)}`, IMPLICIT + 1n, {
      charges: [de.charge(code, '11.90', '19')],
      pays: [de.pay(1, '11.90')],
    }),
  ),
  ...[0x11, 0x12, 0x15, 0x17, 0x21, 0x29, 0x31, 0x39, 0x41, 0x49, 0x51, 0x59, 0x61, 0x69]
    .concat([0x71, 0x79, 0x81, 0x89, 0x91, 0x99, 0xa1])
    .map((code) =>
      request(`charge ${hex(code)}`, IMPLICIT + 1n, {
        charges: [de.charge(code, '11.90', '19')],
        pays: [de.pay(1, '11.90')],
      }),
    ),
  ...codes(0, 0x15).map((code) =>
    request(`pay ${hex(code)}`, IMPLICIT + 1n, {
      charges: [de.charge(0x11, '11.90', '19')],
      pays: [de.pay(code, '11.90')],
    }),
  ),
  request('foreign currencies', IMPLICIT + 1n, {
    charges: [de.charge(0x11, '75.33', '19'), de.charge(0x12, '7.99', '7')],
    pays: [
      de.pay(5, '64.30'),
      de.pay(
        2,
        '4.51',
        ',"ftPayItemCaseData":"{\\"CurrencyCode\\":\\"USD\\",\\"ForeignCurrencyAmount\\":5.00}"',
      ),
      de.pay(1, '14.51'),
    ],
  }),
  ...codes(0xc, 0x13).map((code) =>
    request(`receipt case ${hex(code)}`, IMPLICIT + BigInt(code), sale),
  ),
  request('training', IMPLICIT + 0x2_0001n, sale),
  request('void', IMPLICIT + 0x4_0001n, sale),
  request('failed receipt', IMPLICIT + 0x1_0001n, sale),
  request('handwritten receipt', IMPLICIT + 0x8_0001n, sale),
  ...explicit,
  request('the typing error of the C demo', 307458639793225729n, sale),
  request('day', IMPLICIT + 7n),
  request('month', IMPLICIT + 5n),
  request('year', IMPLICIT + 6n),
  request('stop', IMPLICIT + 4n),
  request('after the stop', IMPLICIT + 1n, sale),
]
