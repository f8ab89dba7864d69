// The single values of a request of version 2: words, decimals, dates, references, free JSON.
import type { FieldFault } from '../errors.js'
import { Decimal } from '../lib/decimal.js'
import { isUuid } from '../lib/id.js'
import { JsonNumber, type JsonValue } from '../lib/json.js'
import { writeJson } from '../lib/json-write.js'
import { parseMoment } from '../lib/moment.js'
import { CONTROL_CHARACTER } from '../lib/text.js'
import { MULTIPLIERS, type PosFacts, type PosField } from './pos-fields.js'

/** More faults than anybody reads; a list of thousands of wrong items must stay an answer. */
const MOST_FAULTS = 100

export interface Notes {
  faults: FieldFault[]
  facts: PosFacts
  /** Lists that were read before, in pieces: what reading them here and now would give. */
  lists?: ReadonlyMap<JsonValue, ReadList>
}

export interface ReadList {
  items: unknown[]
  notes: Notes
}

/** One object while it is read: where it stands, and how its decimals are scaled. */
export class PosReader {
  /** Digits by which decimals are moved: DecimalPrecisionMultiplier. */
  shift = 0

  /** `list` and `index`: the object is an item; its path is made only where it is wrong. */
  constructor(
    private readonly notes: Notes,
    private readonly list = '',
    private readonly index = 0,
  ) {}

  get facts(): PosFacts {
    return this.notes.facts
  }

  /** Of an item in a list of the receipt. */
  item(list: string, index: number): PosReader {
    return new PosReader(this.notes, list, index)
  }

  pathOf({ name }: PosField): string {
    return this.list === '' ? name : `${this.list}[${this.index}].${name}`
  }

  missing(field: PosField): undefined {
    return this.note(field, EXPECTED[field.kind], true)
  }

  wrong(field: PosField, expected = EXPECTED[field.kind]): undefined {
    return this.note(field, expected, false)
  }

  scaleBy(value: JsonValue | undefined): void {
    if (value === undefined || value === null) return
    const shift = value instanceof JsonNumber ? MULTIPLIERS[value.text] : undefined
    if (shift === undefined) this.wrong(MULTIPLIER)
    else this.shift = shift
  }

  /** The items of a list that was read before; what was found in them counts from here on. */
  known(list: JsonValue): unknown[] | undefined {
    const known = this.notes.lists?.get(list)
    if (known === undefined) return undefined
    const { faults, facts } = known.notes
    this.notes.faults.push(...faults.slice(0, MOST_FAULTS - this.notes.faults.length))
    this.facts.currencies = this.facts.currencies.concat(facts.currencies)
    return known.items
  }

  private note(field: PosField, expected: string, isMissing: boolean): undefined {
    const { faults } = this.notes
    if (faults.length < MOST_FAULTS) faults.push({ path: this.pathOf(field), expected, isMissing })
    return undefined
  }
}

const MULTIPLIER: PosField = {
  key: 'multiplier',
  name: 'DecimalPrecisionMultiplier',
  kind: 'multiplier',
}

const LONGEST_TEXT = 1023
/** Referenced receipts of a group. */
const MOST_REFERENCES = 100

const EXPECTED: Record<PosField['kind'], string> = {
  guid: 'a GUID',
  text: `a string of at most ${LONGEST_TEXT} characters without control characters`,
  reference: `a string that is not blank, at most ${LONGEST_TEXT} characters`,
  decimal: 'a number with at most 28 significant digits',
  position: 'a number with at most 28 significant digits',
  word: 'an unsigned 64-bit integer, as a number or as a decimal or hexadecimal string',
  moment: 'a date like 2026-01-31T10:15:00Z',
  json: 'JSON',
  references: `a string of at most ${LONGEST_TEXT} characters, or an array of such strings`,
  currency: 'a currency code (ISO 4217)',
  multiplier: '1, 100, 10000, 1000000 or 100000000',
  chargeItems: 'an array of charge items',
  payItems: 'an array of pay items',
}

type Given = Exclude<JsonValue, null>

/** The value for the model, null for "not set"; undefined after a fault. */
export function readValue(value: Given, field: PosField, reader: PosReader): unknown {
  return READERS[field.kind](value, field, reader)
}

type Read = (value: Given, field: PosField, reader: PosReader) => unknown

const READERS: Record<PosField['kind'], Read> = {
  guid: readGuid,
  text: (value, field, reader) =>
    isPlainText(value)
      ? value === '' && field.missing !== 'empty'
        ? null
        : value
      : reader.wrong(field),
  reference: (value, field, reader) => {
    if (!isPlainText(value)) return reader.wrong(field)
    return value.trim() === '' ? reader.missing(field) : value
  },
  decimal: readDecimal,
  position: readDecimal,
  word: (value, field, reader) => wordOf(value) ?? reader.wrong(field),
  moment: readMoment,
  json: readJson,
  references: readReferences,
  currency: readCurrency,
  multiplier: () => undefined,
  chargeItems: () => undefined,
  payItems: () => undefined,
}

function isPlainText(value: JsonValue): value is string {
  if (typeof value !== 'string' || value.length > LONGEST_TEXT) return false
  return !CONTROL_CHARACTER.test(value) && value.isWellFormed()
}

function readJson(value: Given, field: PosField, reader: PosReader): string | null | undefined {
  if (value === '') return null
  const text = textOf(value)
  const { most = Number.POSITIVE_INFINITY } = field
  return text.length <= most ? text : reader.wrong(field, `at most ${most} characters`)
}

/** A text as it is, anything else as its JSON text. */
function textOf(value: Given): string {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.text : writeJson(value)
}

/** An empty string is what forms send for "none". */
function readGuid(value: Given, field: PosField, reader: PosReader): string | null | undefined {
  if (value === '') return null
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : reader.wrong(field)
}

const WORD = /^\d{1,20}$/
const HEX = /^0x[0-9a-f_]{1,40}$/i
const MOST = (1n << 64n) - 1n

/** Fractions and exponents are refused even where they are whole: their sender cannot be exact. */
function wordOf(value: Given): bigint | undefined {
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string') return undefined
  if (text === '') return 0n
  if (WORD.test(text)) return within(BigInt(text))
  if (typeof value !== 'string' || !HEX.test(text)) return undefined
  const digits = text.slice(2).replaceAll('_', '')
  return digits === '' ? undefined : within(BigInt(`0x${digits}`))
}

const within = (word: bigint): bigint | undefined => (word <= MOST ? word : undefined)

const MOST_DIGITS = 28

function readDecimal(value: Given, field: PosField, reader: PosReader): Decimal | undefined {
  if (!(value instanceof JsonNumber)) return reader.wrong(field)
  const decimal = Decimal.parse(value.text)
  if (decimal === undefined || hasManyDigits(decimal, value.text)) return reader.wrong(field)
  if (reader.shift === 0) return decimal
  const whole = decimal.toShortString()
  if (whole.includes('.')) {
    return reader.wrong(field, 'a whole number, because of DecimalPrecisionMultiplier')
  }
  return new Decimal(BigInt(whole), reader.shift)
}

function hasManyDigits(decimal: Decimal, text: string): boolean {
  // in plain notation a number has at most as many digits as its text
  return !(text.length <= MOST_DIGITS && PLAIN.test(text)) && digitsOf(decimal) > MOST_DIGITS
}

const PLAIN = /^[-\d.]*$/

function digitsOf(decimal: Decimal): number {
  if (decimal.scale === 0) return decimal.units.toString().replace('-', '').length
  return decimal.toShortString().replace(/^-?0*\.?0*|\./g, '').length
}

/** Dates before 1900 are what runtimes write for "not set". */
const UNSET = /^(?:0\d|1[0-8])\d\d-\d\d-\d\d(?:[T ]|$)/

function readMoment(value: Given, field: PosField, reader: PosReader): Date | null | undefined {
  if (typeof value !== 'string') return reader.wrong(field)
  if (value === '' || UNSET.test(value)) {
    return field.missing === 'required' ? reader.missing(field) : null
  }
  const parsed = parseMoment(value)
  return parsed === undefined || parsed.wcf ? reader.wrong(field) : parsed.date
}

/** Several references become a JSON array in the model's text. */
function readReferences(
  value: Given,
  field: PosField,
  reader: PosReader,
): string | null | undefined {
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MOST_REFERENCES) return reader.wrong(field, `at most ${MOST_REFERENCES} texts`)
  if (!list.every(isPlainText)) return reader.wrong(field)
  const given = list.filter((one) => one.trim() !== '')
  reader.facts.references = given
  reader.facts.isGroup = Array.isArray(value)
  if (given.length === 0) return null
  return Array.isArray(value) ? writeJson(given) : (given[0] ?? null)
}

function readCurrency(value: Given, field: PosField, reader: PosReader): undefined {
  if (!isPlainText(value)) return reader.wrong(field)
  const code = value.trim().toUpperCase()
  if (code !== '') reader.facts.currencies.push({ path: reader.pathOf(field), code })
  return undefined
}
