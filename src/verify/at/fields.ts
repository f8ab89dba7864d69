// The form of each field of the machine-readable code (RKSV § 9 (2), Annex).
import type { RuleCode } from './rules.js'

interface Field {
  /** 1 to 12, as the Annex counts. */
  at: number
  code: RuleCode
  holds(text: string): boolean
  expected: string
}

interface Pattern {
  form: RegExp
  expected: string
}

function field(at: number, code: RuleCode, { form, expected }: Pattern): Field {
  return { at, code, holds: (text) => form.test(text), expected }
}

const AMOUNT = /^-?(?:0|[1-9]\d{0,16}),\d\d$/

function amount(at: number, name: string): Field {
  return field(at, 'AMOUNT_FORM', { form: AMOUNT, expected: `the amount ${name} like -1234,56` })
}

/**
 * AT0 closed system, AT1 to AT3 in use, AT4 to AT10 reserved, AT100 for tests: list of the
 * ministry.
 */
const PROVIDER = /^[^-]*-AT(?:\d|10|100)$/
/**
 * Hex, or tax number, VAT number or GLN of a closed system, with a key id where there are several.
 */
const SERIAL = /^(?:0|[1-9a-f][0-9a-f]*|(?:S:\d{9}|U:[0-9A-Z]{1,14}|G:\d{13})(?:-[0-9A-Za-z]+)?)$/
/** 64 bits: ten characters, four more bits, one pad character. */
const CHAIN = /^[A-Za-z0-9+/]{10}[AEIMQUYcgkosw048]=$/

/** Fields whose form a pattern shows; the turnover counter is read in reading.ts. */
export const FIELDS: readonly Field[] = [
  field(1, 'ALGORITHM', { form: /^R1-/, expected: 'the algorithm R1' }),
  field(1, 'PROVIDER', { form: PROVIDER, expected: 'a provider AT0 to AT10 or AT100' }),
  field(2, 'CASH_BOX_FORM', { form: /./s, expected: 'a Kassen-ID' }),
  field(3, 'NUMBER_FORM', { form: /./s, expected: 'a Belegnummer' }),
  { at: 4, code: 'TIME_FORM', holds: isTime, expected: 'a time like 2025-01-05T08:00:00' },
  amount(5, 'Betrag-Satz-Normal'),
  amount(6, 'Betrag-Satz-Ermaessigt-1'),
  amount(7, 'Betrag-Satz-Ermaessigt-2'),
  amount(8, 'Betrag-Satz-Null'),
  amount(9, 'Betrag-Satz-Besonders'),
  field(11, 'SERIAL_FORM', {
    form: SERIAL,
    expected: 'a serial number in lowercase hex without leading zeros',
  }),
  field(12, 'CHAIN_FORM', { form: CHAIN, expected: 'base64 of 8 bytes' }),
]

/** base64 of "TRA" and "STO". */
export const SPECIAL: ReadonlyMap<string, 'training' | 'void'> = new Map([
  ['VFJB', 'training'],
  ['U1RP', 'void'],
])

/** True when the text is the one canonical base64 form of the bytes. */
export function isBase64(text: string, bytes: Buffer): boolean {
  return bytes.toString('base64') === text
}

/**
 * Cents of an amount of the right form, else undefined. `-0,00` is nothing, as both official tools
 * see it.
 */
export function centsOf(text: string): bigint | undefined {
  if (text === '0,00') return 0n
  if (!AMOUNT.test(text)) return undefined
  return BigInt(text.slice(0, -3) + text.slice(-2))
}

const TIME = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/** True for yyyy-MM-ddTHH:mm:ss of a day that exists. */
function isTime(text: string): boolean {
  const found = TIME.exec(text)
  if (found === null) return false
  const day = Number(found[3])
  if (day <= 28) return true
  return new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1, day)).getUTCDate() === day
}
