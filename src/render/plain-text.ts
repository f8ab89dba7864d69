// Texts, numbers and dates for people to read.
import { Decimal } from '../lib/decimal.js'
import { type Language, LOCALES } from './words.js'

// C0 and C1 controls, and the marks that turn the direction of what follows
const STRANGE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Foreign text in one line, without signs that do something; a tab is a blank. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\t\r\n]+/g, ' ')
    .replace(STRANGE, '')
}

/** More of them are one line: a text has no page of its own. */
const MOST_LINES = 12

/** The same in the lines that it has, without empty ones. */
export function plainLines(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => plainText(line).trim())
  return lines.filter((line) => line !== '').join(lines.length > MOST_LINES ? ' ' : '\n')
}

/** Between the digits of a number; the blank does not break. */
const SIGNS: Record<Language, { point: string; thousands: string }> = {
  de: { point: ',', thousands: '.' },
  en: { point: '.', thousands: ',' },
  fr: { point: ',', thousands: '\u00a0' },
  it: { point: ',', thousands: '.' },
  es: { point: ',', thousands: '.' },
  pt: { point: ',', thousands: '.' },
  el: { point: ',', thousands: '.' },
}

/** At least two decimals, and as many as there are; nowhere in it a line may break. */
export function moneyText(amount: Decimal, language: Language): string {
  const short = amount.toShortString()
  const decimals = short.includes('.') ? short.length - short.indexOf('.') - 1 : 0
  return spelled(decimals > 2 ? short : Decimal.cents(amount.toCents()).toString(), language)
}

/** As many decimals as there are. */
export function numberText(value: Decimal, language: Language): string {
  return spelled(value.toShortString(), language)
}

function spelled(text: string, language: Language): string {
  const { point, thousands } = SIGNS[language]
  const [whole = '', decimals] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands).replace('-', MINUS)
  return decimals === undefined ? grouped : `${grouped}${point}${decimals}`
}

/** A hyphen is none: it is shorter, and a line may break behind it. */
const MINUS = '\u2212'

const SYMBOLS: Record<string, string> = { EUR: '€', GBP: '£', USD: '$' }

/** `€`; the letters of a currency without a sign of its own. */
function currencySign(currency: string): string {
  return SYMBOLS[currency] ?? currency
}

/** `16,60 €`: the one form of an amount with its currency, on every medium. */
export function priceText(amount: Decimal, language: Language, currency: string): string {
  return `${moneyText(amount, language)}\u00a0${currencySign(currency)}`.trim()
}

/** `20 %` */
export function rateText(rate: Decimal, language: Language): string {
  return `${numberText(rate, language)}\u00a0%`
}

/** Making one costs more than a page. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string, language: Language, seconds: boolean): Intl.DateTimeFormat {
  const key = `${zone} ${language} ${seconds}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: zone,
    ...{ day: '2-digit', month: '2-digit', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(seconds ? { second: '2-digit' } : {}),
  })
  formats.set(key, made)
  return made
}

export interface When {
  zone: string
  language: Language
  seconds?: boolean
}

/** Date and minute in a time zone; UTC is named, a legal zone is understood. */
export function dateText(moment: Date, { zone, language, seconds = false }: When): string {
  const text = formatOf(zone, language, seconds).format(moment).replace(/,? /, ' ')
  return zone === 'UTC' ? `${text} UTC` : text
}
