// Texts, numbers and dates for people to read. Called by view.ts and vat.ts.
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

const POINTS: Record<Language, string> = { de: ',', en: '.' }

/** At least two decimals, and as many as there are. */
export function moneyText(amount: Decimal, language: Language): string {
  const short = amount.toShortString()
  const decimals = short.includes('.') ? short.length - short.indexOf('.') - 1 : 0
  const text = decimals > 2 ? short : Decimal.cents(amount.toCents()).toString()
  return text.replace('.', POINTS[language])
}

/** As many decimals as there are. */
export function numberText(value: Decimal, language: Language): string {
  return value.toShortString().replace('.', POINTS[language])
}

/** Date and minute in a time zone; UTC is named, a legal zone is understood. */
export function dateText(moment: Date, zone: string, language: Language): string {
  const text = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: zone,
    ...{ day: '2-digit', month: '2-digit', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(moment)
  return zone === 'UTC' ? `${text} UTC` : text
}
