// The receipt that every part measures with: six items, about 1.6 kB, as a till of a café sends it.

/** Stands where a load generator puts the number of the request: ten digits. */
export const NUMBER_MARK = '##########'

const ITEMS = [
  ['Melange groß', 2, 9.8, 20, '4707387510509010947', '10021'],
  ['Apfelstrudel mit Schlagobers', 1, 6.4, 10, '4707387510509010945', '20107'],
  ['Tagesteller Wiener Schnitzel', 2, 37.8, 10, '4707387510509010945', '30012'],
  ['Soda Zitron 0,5 l', 2, 8.4, 20, '4707387510509010947', '11044'],
  ['Grüner Veltliner 1/8', 3, 13.5, 20, '4707387510509010947', '12003'],
  ['Extrawurstsemmel zum Mitnehmen', 1, 4.35, 10, '4707387510509010945', '30055'],
] as const

type Item = readonly [string, number, number, number, string, string]

/** Of further rounds each has a name of its own. */
function itemAt(at: number): Item {
  const [text, ...rest] = ITEMS[at % ITEMS.length] ?? ITEMS[0]
  return at < ITEMS.length ? [text, ...rest] : [`${text} ${at}`, ...rest]
}

/** A cash sale as JSON text; its reference ends in NUMBER_MARK. */
export function saleText(cashBoxId: string, moment: string, lines: number = ITEMS.length): string {
  const items = Array.from({ length: lines }, (_, at) => itemAt(at))
  const charges = items.map(([text, quantity, amount, rate, word, number], index) => {
    return (
      `{"Position":${index + 1},"Quantity":${quantity}.0,"Description":"${text}",` +
      `"Amount":${amount.toFixed(2)},"VATRate":${rate}.0,"ftChargeItemCase":${word},` +
      `"ProductNumber":"${number}","Moment":"${moment}"}`
    )
  })
  const total = items.reduce((sum, item) => sum + item[2], 0).toFixed(2)
  return (
    `{"ftCashBoxID":"${cashBoxId}","ftPosSystemId":"8f2d5cba-6f3c-4c0e-9b8a-1f4f0c8c7a11",` +
    `"cbTerminalID":"T1","cbReceiptReference":"sale-${NUMBER_MARK}",` +
    `"cbReceiptMoment":"${moment}","cbUser":"Anna","cbArea":"12",` +
    `"cbChargeItems":[${charges.join(',')}],` +
    `"cbPayItems":[{"Quantity":1.0,"Description":"Bar","Amount":${total},` +
    `"ftPayItemCase":4707387510509010945}],"cbReceiptAmount":${total},` +
    '"ftReceiptCase":4707387510509010945}'
  )
}

/** The receipt that puts a queue into operation. */
export function startText(cashBoxId: string, moment: string): string {
  return (
    `{"ftCashBoxID":"${cashBoxId}","cbTerminalID":"T1","cbReceiptReference":"start",` +
    `"cbReceiptMoment":"${moment}","cbChargeItems":[],"cbPayItems":[],` +
    '"ftReceiptCase":4707387510509010947}'
  )
}

const GERMAN_ITEMS = [
  ['Milchkaffee groß', 2, 9.8, 19, '4919338167972134929', '10021'],
  ['Apfelkuchen mit Sahne', 1, 6.4, 7, '4919338167972134930', '20107'],
  ['Tagesteller Wiener Schnitzel', 2, 37.8, 7, '4919338167972134930', '30012'],
  ['Apfelschorle 0,5 l', 2, 8.4, 19, '4919338167972134929', '11044'],
  ['Grauburgunder 0,2 l', 3, 13.5, 19, '4919338167972134929', '12003'],
  ['Fleischkäsesemmel zum Mitnehmen', 1, 4.35, 7, '4919338168037670930', '30055'],
] as const

/** The same sale in Germany, implicit flow. */
export function germanSaleText(cashBoxId: string, moment: string): string {
  const charges = GERMAN_ITEMS.map(([text, quantity, amount, rate, word, number], index) => {
    return (
      `{"Position":${index + 1},"Quantity":${quantity}.0,"Description":"${text}",` +
      `"Amount":${amount.toFixed(2)},"VATRate":${rate}.0,"ftChargeItemCase":${word},` +
      `"ProductNumber":"${number}","Moment":"${moment}"}`
    )
  })
  const total = GERMAN_ITEMS.reduce((sum, item) => sum + item[2], 0).toFixed(2)
  return (
    `{"ftCashBoxID":"${cashBoxId}","ftPosSystemId":"8f2d5cba-6f3c-4c0e-9b8a-1f4f0c8c7a11",` +
    `"cbTerminalID":"T1","cbReceiptReference":"sale-${NUMBER_MARK}",` +
    `"cbReceiptMoment":"${moment}","cbUser":"Anna","cbArea":"12",` +
    `"cbChargeItems":[${charges.join(',')}],` +
    `"cbPayItems":[{"Quantity":1.0,"Description":"Bar","Amount":${total},` +
    `"ftPayItemCase":4919338167972134913}],"cbReceiptAmount":${total},` +
    '"ftReceiptCase":4919338172267102209}'
  )
}

/** The same sale in France: 20 % has the same code as in Austria, 10 % another one. */
export function frenchSaleText(cashBoxId: string, moment: string): string {
  return inFrance(saleText(cashBoxId, moment)).replaceAll(
    `"ftChargeItemCase":${FRENCH + 0x01n}`,
    `"ftChargeItemCase":${FRENCH + 0x02n}`,
  )
}

export function frenchStartText(cashBoxId: string, moment: string): string {
  const start = inFrance(startText(cashBoxId, moment))
  return start.replace(`"ftReceiptCase":${FRENCH + 0x03n}`, `"ftReceiptCase":${FRENCH + 0x10n}`)
}

const AUSTRIAN = 0x4154_0000_0000_0000n
const FRENCH = 0x4652_0000_0000_0000n

function inFrance(text: string): string {
  return text.replace(/\b4707387510509\d{6}\b/g, (word) => `${BigInt(word) - AUSTRIAN + FRENCH}`)
}

/** A German receipt without items: 0003 start, 0007 daily closing (without export of the TSE). */
export function germanOperation(
  cashBoxId: string,
  { code, moment }: { code: 'start' | 'closing'; moment: string },
): string {
  const word = code === 'start' ? 0x4445_0001_0000_0003n : 0x4445_0001_0400_0007n
  return (
    `{"ftCashBoxID":"${cashBoxId}","cbTerminalID":"T1","cbReceiptReference":"${code}-${moment}",` +
    `"cbReceiptMoment":"${moment}","cbChargeItems":[],"cbPayItems":[],"ftReceiptCase":${word}}`
  )
}

/** The sale with a number in place of the mark. */
export function numbered(text: string, number: number): string {
  return text.replaceAll(NUMBER_MARK, String(number).padStart(NUMBER_MARK.length, '0'))
}
