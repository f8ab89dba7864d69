// The receipts of the public sample collection for Austria and Germany: cases, amounts, rates and
// references as facts in a notation of our own.
import type { SetRequest } from './request-sets.js'

const AUSTRIA = 0x4154n << 48n
const GERMANY = 0x4445n << 48n
const IMPLICIT = 0x1_0000_0000n

/** What some items carry besides; a word behind `!`. */
const MORE: Record<string, string> = {
  // members that are there and empty
  blank:
    '"CaseData":"","AccountNumber":"","CostCenter":"","ProductGroup":"","ProductNumber":"1",' +
    '"ProductBarcode":"","Unit":""',
  blankpay: '"CaseData":"","AccountNumber":"","CostCenter":"","MoneyGroup":"","MoneyNumber":""',
  agency: '"VATAmount":14.576,"CaseData":"{\\"AgencyId\\": \\"73c94a68-0000-4d82-a8e4-1\\" }"',
  voucher: '"CaseData":"{\\"VoucherNr\\":\\"AB123456HH\\"}"',
  sub: '"CaseData":"{\\"SubItems\\":[{\\"Name\\":\\"Ketchup\\",\\"Quantity\\":1.00}]}"',
  motor: '"VATAmount":376.00',
  part: '"VATAmount":37.60',
  // as many digits as a decimal of the original holds
  beer: tableItem('0.6067226890756302521008403361', 'Bier', 'Liter'),
  food: tableItem('0.601869158878504672897196262', 'Speisen', 'Stk'),
  beerback: tableItem('-0.6067226890756302521008403361', 'Bier', 'Liter'),
  foodback: tableItem('-0.601869158878504672897196262', 'Speisen', 'Stk'),
  tablepay: '"CaseData":"","CostCenter":"1","MoneyGroup":"1","MoneyNumber":""',
}

function tableItem(tax: string, group: string, unit: string): string {
  return (
    `"CaseData":"","VATAmount":${tax},"CostCenter":"1","ProductGroup":"${group}",` +
    `"ProductNumber":"101","ProductBarcode":"","Unit":"${unit}","UnitQuantity":1.0`
  )
}

const MOMENT = '2020-06-29T17:45:40.505Z'
/** Six digits of a second, as the orders of the restaurant have. */
const TABLE_MOMENT = '2020-06-29T11:00:10.138887Z'

interface Country {
  base: bigint
  hasMoments: boolean
}

/** `2*2.50@19#11!word`: quantity (1.0), amount, rate, case in hexadecimal, more. */
function itemOf(text: string, { base, hasMoments }: Country, number: number): string {
  const found = /^(?:([\d.]+)\*)?(-?[\d.]+)(?:@([\d.]+))?#([\da-f]+)(?:!(\w+))?$/.exec(text)
  if (found === null) throw new Error(`no item: ${text}`)
  const [, quantity = '1.0', amount, rate, code, word] = found
  const kind = rate === undefined ? 'Pay' : 'Charge'
  const more = word === undefined ? [] : [MORE[word]?.replace('CaseData', `ft${kind}ItemCaseData`)]
  const moment = word?.startsWith('beer') || word?.startsWith('food') ? TABLE_MOMENT : MOMENT
  return `{${[
    `"Quantity":${quantity},"Description":"Nr. ${number}: Brötchen, 0,5 l"`,
    `"Amount":${amount}`,
    ...(rate === undefined ? [] : [`"VATRate":${rate}`]),
    `"ft${kind}ItemCase":${base + BigInt(`0x${code}`)}`,
    ...more,
    ...(hasMoments ? [`"Moment":"${moment}"`] : []),
  ].join()}}`
}

interface Row {
  name: string
  /** Below the country's word. */
  code: bigint
  reference: string
  charges?: string
  pays?: string
  more?: string
}

function requestOf(country: Country, row: Row): SetRequest {
  const { name, code, reference, charges = '', pays = '', more } = row
  const items = (text: string) =>
    text
      .split(' ')
      .filter((item) => item !== '')
      .map((item, at) => itemOf(item, country, at + 1))
  const json = `{"ftPosSystemId":"d0bd1ac9-6f49-4d7a-8b2b-3a6d7b2b6a01","cbTerminalID":"T2",
    "cbReceiptMoment":"2026-01-31T10:15:00.505Z","cbChargeItems":[${items(charges).join()}],
    "cbPayItems":[${items(pays).join()}],"ftReceiptCase":${country.base + code}${more ?? ''}}`
  return { name, json, reference }
}

type Rest = [charges?: string, pays?: string, last?: string]

function austrian(name: string, code: bigint, ...rest: Rest): SetRequest {
  const [charges = '', pays = '', reference = '1'] = rest
  return requestOf({ base: AUSTRIA, hasMoments: false }, { name, code, charges, pays, reference })
}

/** The end comes last here: in the collection it stands among the other special receipts. */
export const AUSTRIAN_COLLECTION: readonly SetRequest[] = [
  austrian('start', 3n, '', '', '3'),
  austrian('zero receipt', 2n, '', '', '2'),
  austrian('cash sale', 1n, '33.06@20.0#0!blank 5.69@20.0#0!blank', '38.75#0!blankpay'),
  austrian('car, and another in exchange', 1n, '17500.00@0.00#7 -14500.00@0.00#23', '3000.00#0'),
  austrian(
    'cars and a cash sale',
    1n,
    '17500.00@0.00#b -14500.00@0.00#23 150.00@20.00#a',
    '3150.00#1',
    '200009.A',
  ),
  austrian('partly owed', 1n, '16880.00@20.00#a', '1000.00#1 15880.00#b', '200010'),
  austrian('down payment', 1n, '1000.00@20.00#1e', '1000.00#1', '200011'),
  austrian('service paid back to a card', 1n, '-150.00@20.00#f', '-150.00#5', 'GU200001'),
  austrian('cash without charge items', 0n, '', '38.75#0!blankpay'),
  austrian('month', 5n, '', '', '5'),
  austrian('year', 6n, '', '', '6'),
  austrian('stop', 4n, '', '', '4'),
]

function german(flag: bigint) {
  return (reference: string, code: bigint, ...rest: [name: string, ...Rest]): SetRequest => {
    const [name, charges = '', pays = '', more = ''] = rest
    const row = { name, code: code | flag, reference, charges, pays, more }
    return requestOf({ base: GERMANY, hasMoments: true }, row)
  }
}
const implicit = german(IMPLICIT)
const explicit = german(0n)
const start = (reference: string, charges = '') => explicit(reference, 8n, 'start', charges)

const BUNS = '2.0*2@19.00#11'
const COFFEE = '2.50@7.00#10012'
const BREAKFASTS = (night: string, breakfast: string) => `80.00@${night} 20.00@${breakfast}`
const NIGHT = (code: string) => BREAKFASTS(`19.00#${code}`, `19.00#${code}`)
const ODD_NIGHT = `${BREAKFASTS('19.00#1', '16.00#1')} ${BREAKFASTS('5.00#1', '19.00#1')}`
const BAR = (code: string) => `5.50@19.00#${code} 4.50@19.00#${code}`
const NOTHING = '0*0@0#0'
const ROOM = '1234-000001'
const OTHER_ROOM = '4321-000001'
const before = (reference: string) => `,"cbPreviousReceiptReference":"${reference}"`
const waiter = (amount: string, more = '') =>
  `,"cbReceiptAmount":${amount},"cbUser":"Astrid"${more}`
const NO_DATA = ',"ftReceiptCaseData":"","cbUser":"Astrid"'

const single: readonly SetRequest[] = [
  implicit('pos-02', 1n, 'cash', `${BUNS} ${COFFEE}`, '4.50#1'),
  implicit(
    'pos-03',
    1n,
    'rates of two half-years',
    '11.60@16.00#19 11.90@19.00#19 11.60@16.00#19 11.90@19.00#19',
    '47.00#1',
  ),
  implicit('pos-03', 0x12n, 'own consumption', '0.2@19.00#11 0.25@7.00#10012', '0.45#a'),
  implicit('pos-04', 0x12n, 'consumption of staff', '2.0*0.2@19.00#11 0.25@7.00#10012'),
  implicit('BC111', 1n, 'discount by points', '12.00@19.00#11 -6.00@19.00#31', '6.00#1'),
  implicit('BC111', 1n, 'cash to a customer, by payments', '', '-5.00#1 5.00#e'),
  implicit('BC111', 1n, 'cash to a customer, by an item', '-5.00@0.00#75', '-5.00#1'),
  implicit('kfz123', 1n, 'used part', '2726.00@16.00#11!motor 37.60@16.00#17!part', '2763.60#1'),
  implicit('A123', 1n, 'agency', '91.10@16.00#1!agency', '91.10#1'),
]

const sequences: readonly SetRequest[] = [
  implicit('p105-01', 1n, 'down payment', '500.00@19.00#81', '500.00#1'),
  implicit('p105-01', 1n, 'and its use', '3500.00@19.00#11 -500.00@19.00#89', '3000.00#1'),
  implicit('RR223', 1n, 'pallet', '200.0*3000.00@19.00#1 20.00@7.00#22', '3020.00#1'),
  implicit('RR223', 1n, 'pallet comes back', '-20.00@7.00#2a', '-20.00#1'),
  implicit('RR223', 1n, 'bottle', '2.00@7.00#2 0.40@7.00#22', '2.40#1'),
  implicit('RR223', 1n, 'bottle comes back', '-0.40@7.00#2a', '-0.40#1'),
  implicit('RR223', 1n, 'voucher for one thing', '15.00@19.00#61!voucher', '15.00#1'),
  implicit('RR223', 1n, 'and its use', '15.00@19.00#11 -15.00@19.00#69!voucher'),
  implicit('RR223', 1n, 'voucher for anything, by payments', '', '-150.00#d!voucher 150.00#1'),
  implicit('RR223', 1n, 'the same by an item', '150.00@0.0#60!voucher', '150.00#1'),
  implicit('RR223', 1n, 'its use by payments', '2.0*7.00@19.00#1', '150.00#d!voucher -143.00#1'),
  implicit('RR223', 1n, 'by an item', '2.0*7.00@19.00#1 -150.00@0.0#68!voucher', '-143.00#1'),
]

const hotel: readonly SetRequest[] = [
  implicit(ROOM, 0x13n, 'arrival'),
  implicit(ROOM, 0x10n, 'first night', ODD_NIGHT),
  implicit(ROOM, 0x10n, 'bar', BAR('19')),
  implicit(ROOM, 0x10n, 'second night', `${NIGHT('1')} ${NIGHT('1')}`),
  implicit(
    ROOM,
    1n,
    'departure',
    [NIGHT('19'), NIGHT('19'), BAR('19'), NIGHT('19'), NIGHT('19')].join(' '),
    '410.00#4',
  ),
  implicit(ROOM, 0x13n, 'arrival, then separate bills'),
  implicit(ROOM, 0x10n, 'first night', ODD_NIGHT),
  implicit(ROOM, 0x10n, 'bar', BAR('19')),
  implicit(ROOM, 0x10n, 'second night', `${NIGHT('1')} ${NIGHT('1')}`),
  implicit(
    '5671',
    1n,
    'one half',
    `${NIGHT('1')} ${NIGHT('1')} ${NOTHING}`,
    '200.00#4',
    before('123401'),
  ),
  implicit(
    '5672',
    1n,
    'the other half',
    [NIGHT('1'), BAR('1'), NIGHT('1'), NOTHING].join(' '),
    '210.00#4',
    before('123401'),
  ),
  implicit(ROOM, 0x13n, 'arrival, then one bill for two rooms'),
  implicit(OTHER_ROOM, 0x13n, 'arrival of the others'),
  implicit(ROOM, 0x10n, 'bar', BAR('1')),
  implicit(ROOM, 0x10n, 'night', `${NIGHT('1')} ${NIGHT('1')}`),
  implicit(OTHER_ROOM, 0x10n, 'night of the others', `${NIGHT('1')} ${NIGHT('1')}`),
  implicit('6781', 0x13n, 'room joins', '', '', before(ROOM)),
  implicit('6781', 0x13n, 'other room joins', '', '', before(OTHER_ROOM)),
  implicit(
    '6781',
    1n,
    'one payment',
    [BAR('1'), NIGHT('1'), NIGHT('1'), NOTHING].join(' '),
    '210.00#4',
  ),
]

const MEAL = '3.80@19.00#1!beer 9.20@7.00#2!food'
const MEAL_BACK = '-3.80@19.00#1!beerback -9.20@7.00#2!foodback'
const restaurant: readonly SetRequest[] = [
  implicit('TR-2992', 0x10n, 'order', MEAL, '', waiter('13.00')),
  implicit('TR-2992', 1n, 'payment', MEAL, '13.00#1!tablepay', waiter('13.00')),
  implicit(
    'XX-2222',
    1n,
    'return',
    MEAL_BACK,
    '-13.00#1!tablepay',
    waiter('-13.00', before('TR-2992')),
  ),
  implicit(
    'XX-3333',
    0x4_0001n,
    'void',
    MEAL_BACK,
    '-13.00#1!tablepay',
    waiter('-13.00', before('TR-2992')),
  ),
  implicit('R12345', 0x13n, 'first scan'),
  implicit('R12345', 1n, 'payment of what was scanned', `${BUNS} ${COFFEE}`, '4.50#1'),
]

const OWED = '10.00@19.00#19 3.00@19.00#19 10.00@7.00#1001a'
const UNTAXED = '10.00@0.00#1d 3.00@0.00#1d 10.00@0.00#1001d'
const explicitCases: readonly SetRequest[] = [
  start('pos-01'),
  explicit('pos-01', 1n, 'sale with parts', '2.0*23.50@19.00#11!sub', '23.50#1'),
  start('pos-02', BUNS),
  explicit('pos-02', 9n, 'update', `${BUNS} ${COFFEE}`),
  explicit('pos-02', 0xbn, 'cancelled'),
  start('pos-02'),
  explicit('pos-02', 1n, 'wage in cash', '', '-345.67#1 345.67#15'),
  start('p105-01'),
  explicit('p105-01', 1n, 'owed, rate unknown', `${OWED} -23.00@0.00#77`),
  explicit('p105-01', 1n, 'owed, taxed when paid', `${UNTAXED} -23.00@0.00#75`),
  explicit('p105-01', 1n, 'owed, taxed at once', OWED, '23.00#e'),
  start('p105-01'),
  explicit('p105-01', 1n, 'paid, rate unknown', '23.00@0.00#7f', '23.00#1'),
  explicit(
    'p105-01',
    1n,
    'paid, taxed now',
    '10.00@19.00#79 3.00@19.00#79 10.00@7.00#1007a',
    '23.00#1',
  ),
  explicit('p105-01', 1n, 'paid, taxed before', '23.00@0.00#7d', '23.00#1'),
]

const SHIFT = 'shift-0309'
const LOGIN =
  ',"cbUser":"Markus","ftReceiptCaseData":"{\\"UserId\\":123,\\"ReceiptName\\":\\"L\\"}"'
const USER = ',"cbUser":"Markus"'
const explicitSequences: readonly SetRequest[] = [
  start('pos-02', BUNS),
  explicit('pos-02', 9n, 'update', `${BUNS} ${COFFEE}`),
  explicit('pos-02', 0xan, 'delta', COFFEE),
  explicit(
    'pos-02',
    1n,
    'more than was ordered',
    `${BUNS} ${COFFEE} 2.50@7.00#100012 2.50@7.00#100012`,
    '9.50#1',
  ),
  explicit('ACC-124', 8n, 'start of a table', '', '', NO_DATA),
  explicit('ACC-124', 0x13n, 'guest sits down', '', '', NO_DATA),
  explicit('ACC-124', 8n, 'start again', '', '', NO_DATA),
  explicit('ACC-124', 0x10n, 'drinks', '4.00@19.00#1 3.50@19.00#1', '', NO_DATA),
  explicit('ACC-124', 8n, 'start again', '', '', NO_DATA),
  explicit('ACC-124', 0x10n, 'another drink', '1*3.5@19#1', '', NO_DATA),
  start('ACC-124'),
  explicit('ACC-124', 1n, 'payment', '4.00@19.00#1 3.50@19.00#1 3.50@19.00#1', '11.00#1'),
  start(SHIFT),
  explicit(SHIFT, 0x14n, 'somebody logs in', '', '', LOGIN),
  start(SHIFT),
  explicit(SHIFT, 0x11n, 'change for the till', '30.00@0.00#90', '30.00#1', USER),
  start(SHIFT),
  explicit(SHIFT, 0x11n, 'money into the till', '', '200.00#1 -200.00#14', USER),
  start(SHIFT),
  explicit(SHIFT, 0x11n, 'money out of the till', '', '-200.00#1 200.00#14', USER),
]

/** The closings and the end come last here. */
export const GERMAN_COLLECTION: readonly SetRequest[] = [
  implicit('INIT', 3n, 'start', '', '', ',"cbUser":"Admin"'),
  implicit('zero', 2n, 'zero receipt'),
  implicit('zero', 0x80_0002n, 'zero receipt with facts of the TSE'),
  ...single,
  ...sequences,
  ...hotel,
  ...restaurant,
  ...explicitCases,
  ...explicitSequences,
  implicit('daily-closing', 7n, 'day'),
  implicit('monthly-closing', 5n, 'month'),
  implicit('yearly-closing', 6n, 'year'),
  implicit('out', 4n, 'stop', '', '', ',"ftReceiptCaseData":"","cbUser":"Admin"'),
]
