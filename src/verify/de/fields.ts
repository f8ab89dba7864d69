// What a value of each column must look like (DSFinV-K, Annex G).

import { quote } from '../text.js'
import { isGrouped } from './amounts.js'
import type { DsfinvkCode } from './dsfinvk-rules.js'
import { ALGORITHMS } from './keys.js'
import { BON_TYPES, PROCESS_TYPES } from './process-data.js'
import type { Column } from './tables.js'
import { isVatKey } from './vat-keys.js'

export interface FieldFault {
  code: DsfinvkCode
  text: string
}

/** Cases of business (Geschäftsvorfälle), Annex C. */
const BUSINESS: ReadonlySet<string> = new Set([
  'Umsatz',
  'Pfand',
  'PfandRueckzahlung',
  'Rabatt',
  'Aufschlag',
  'ZuschussUnecht',
  'ZuschussEcht',
  'TrinkgeldAG',
  'TrinkgeldAN',
  'EinzweckgutscheinKauf',
  'EinzweckgutscheinEinloesung',
  'MehrzweckgutscheinKauf',
  'MehrzweckgutscheinEinloesung',
  'Forderungsentstehung',
  'Forderungsaufloesung',
  'Anzahlungseinstellung',
  'Anzahlungsaufloesung',
  'Anfangsbestand',
  'Privatentnahme',
  'Privateinlage',
  'Geldtransit',
  'Lohnzahlung',
  'Einzahlung',
  'Auszahlung',
  'DifferenzSollIst',
])

/** Kinds of payment, Annex D. */
const PAYMENTS: ReadonlySet<string> = new Set([
  'Bar',
  'Unbar',
  'Keine',
  'ECKarte',
  'Kreditkarte',
  'ElZahlungsdienstleister',
  'Guthabenkarte',
])

const REFERENCES = new Set([
  'ExterneRechnung',
  'ExternerLieferschein',
  'Transaktion',
  'ExterneSonstige',
])
const PRICE_PARTS = new Set([
  'base_amount',
  'discount',
  'extra_amount',
  'Grundpreis',
  'Rabatt',
  'Zuschlag',
])
export const TIME_FORMATS: ReadonlySet<string> = new Set([
  'unixTime',
  'utcTime',
  'utcTimeWithSeconds',
  'generalizedTime',
  'generalizedTimeWithMilliseconds',
])

const CURRENCY = /^[A-Z]{3}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?(?:Z|[+-]\d\d:?\d\d)?$/
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

interface Rule {
  code: DsfinvkCode
  expected: string
  holds(value: string): boolean
}

function listed(expected: string, values: ReadonlySet<string>): Rule {
  return { code: 'FIELD_VALUE', expected, holds: (value) => values.has(value) }
}

function shaped(expected: string, form: RegExp): Rule {
  return { code: 'FIELD_VALUE', expected, holds: (value) => form.test(value) }
}

function timed(expected: string, form: RegExp): Rule {
  const holds = (value: string) => form.test(value) && !Number.isNaN(Date.parse(value))
  return { code: 'FIELD_TIME', expected, holds }
}

const flag = shaped('0 or 1', /^[01]$/)
const currency = shaped('an ISO 4217 code', CURRENCY)
const country = shaped('an ISO 3166 code of three letters', CURRENCY)
const time = timed('a time of ISO 8601', ISO)
const deviceTime = timed('UTC like 2026-01-01T09:00:00.000Z', UTC)
const vatKey: Rule = { code: 'FIELD_VALUE', expected: 'a key of the VAT list', holds: isVatKey }

const RULES: Readonly<Record<string, Rule>> = {
  Z_ERSTELLUNG: time,
  TAXONOMIE_VERSION: shaped('a version from 2.0 to 2.4', /^2\.[0-4]$/),
  LAND: country,
  LOC_LAND: country,
  AGENTUR_LAND: country,
  KASSE_BASISWAEH_CODE: currency,
  KEINE_UST_ZUORDNUNG: flag,
  TSE_SERIAL: shaped('64 hexadecimal digits', /^[0-9a-fA-F]{64}$/),
  TSE_SIG_ALGO: listed('an algorithm of TR-03116', new Set(ALGORITHMS.map(({ name }) => name))),
  TSE_ZEITFORMAT: listed('a time format of TR-03151', TIME_FORMATS),
  TSE_PD_ENCODING: listed('UTF-8 or ASCII', new Set(['UTF-8', 'ASCII'])),
  UST_SCHLUESSEL: vatKey,
  ZI_UST_SCHLUESSEL: vatKey,
  GV_TYP: listed('a GV_TYP of Annex C', BUSINESS),
  ZAHLART_TYP: listed('a ZAHLART_TYP of Annex D', PAYMENTS),
  ZAHLART_WAEH: currency,
  ZAHLWAEH_CODE: currency,
  BON_TYP: listed('a BON_TYP of Annex B', BON_TYPES),
  BON_STORNO: flag,
  BON_START: time,
  BON_ENDE: time,
  INHAUS: flag,
  P_STORNO: flag,
  TYP: listed('base_amount, discount or extra_amount', PRICE_PARTS),
  TSE_TA_START: deviceTime,
  TSE_TA_ENDE: deviceTime,
  TSE_TA_VORGANGSART: listed('a processType', PROCESS_TYPES),
  REF_TYP: listed('a REF_TYP', REFERENCES),
  REF_DATUM: time,
}

/** Checks one value; undefined: it is right. */
export type FieldCheck = (value: string) => FieldFault | undefined

export function fieldCheck(column: Column): FieldCheck {
  const { name, mandatory, kind } = column
  const rule = RULES[name]
  const blanks = name === SIGNED_TEXT ? ORDER_BLANKS : BLANKS
  const form = kind === 'number' ? numberCheck(column.size) : textCheck(column.size, blanks)
  return (value) => {
    if (value === '') {
      return mandatory
        ? { code: 'FIELD_MANDATORY', text: 'expected a value, found none' }
        : undefined
    }
    const fault = form(value)
    // blanks around a value are a notice, which must not hide that the value itself is wrong
    const isBlank = fault?.code === 'FIELD_BLANKS'
    const told = fault !== undefined && !isBlank
    if (told || rule === undefined || rule.holds(isBlank ? value.trim() : value)) return fault
    return { code: rule.code, text: `expected ${rule.expected}, found ${quote(value)}` }
  }
}

function numberCheck(decimals: number): FieldCheck {
  const exact = new RegExp(decimals === 0 ? '^-?\\d+$' : `^-?\\d+,\\d{${decimals}}$`)
  const loose = new RegExp(decimals === 0 ? '^-?\\d+$' : `^-?\\d+(?:,\\d{1,${decimals}})?$`)
  const expected = `expected a number with ${decimals} decimals after a comma`
  return (value) => {
    if (exact.test(value) && value.length < LONGEST_NUMBER) return undefined
    const text = `${expected}, found ${quote(value)}`
    const plain = isGrouped(value) ? value.replaceAll('.', '') : value
    const isLoose = loose.test(plain) && value.length < LONGEST_NUMBER
    return { code: isLoose ? 'FIELD_DECIMALS' : 'FIELD_NUMBER', text }
  }
}

const LONGEST_NUMBER = 30

function textCheck(size: number, blanks: RegExp): FieldCheck {
  return (value) => {
    if (value.length > size && [...value].length > size) {
      const text = `expected at most ${size} characters, found ${value.length}`
      return { code: 'FIELD_LENGTH', text }
    }
    if (!blanks.test(value)) return undefined
    const expected = 'expected no blanks around it and no control characters'
    return { code: 'FIELD_BLANKS', text: `${expected}, found ${quote(value)}` }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const BLANKS = /^\s|\s$|[\u0000-\u001f\u007f]/
/** What was signed of an order has CR between its lines. */
const SIGNED_TEXT = 'TSE_VORGANGSDATEN'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const ORDER_BLANKS = /^\s|\s$|[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/
