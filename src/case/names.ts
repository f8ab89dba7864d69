// What the receipt cases of version 2 are called, for people who try one.
import { isVersion2, type Word } from './word.js'

/** By `txcc`. */
const names: Record<string, string> = {
  '0000': 'Unknown, handled as a point-of-sale receipt',
  '0001': 'Point-of-sale receipt',
  '0002': 'Payment transfer',
  '0003': 'Point-of-sale receipt without fiscal duty',
  '0004': 'E-commerce',
  '0005': 'Delivery note',
  '0006': 'Table check',
  '0007': 'Pro-forma invoice',
  '1000': 'Invoice',
  '1001': 'Invoice B2C',
  '1002': 'Invoice B2B',
  '1003': 'Invoice B2G',
  '2000': 'Zero receipt',
  '2001': 'Reserved, handled as a zero receipt',
  '2010': 'Shift closing',
  '2011': 'Daily closing',
  '2012': 'Monthly closing',
  '2013': 'Yearly closing',
  '3000': 'Protocol',
  '3001': 'Protocol, technical event',
  '3002': 'Protocol, audit or accounting event',
  '3003': 'Internal use, material consumption',
  '3004': 'Order',
  '3005': 'Pay',
  '3010': 'Copy of a receipt',
  '3011': 'Archive',
  '4001': 'Start receipt',
  '4002': 'Stop receipt',
  '4011': 'Initiate switch of the signing unit',
  '4012': 'Finish switch of the signing unit',
  '4021': 'Initiate migration',
  '4022': 'Finish migration',
}

/** '' for a case that is not in the table. */
export function caseName(word: Word): string {
  const text = word.code.toString(16).toUpperCase().padStart(4, '0')
  return isVersion2(word) ? (names[text] ?? '') : `Case ${text} of version 0`
}
