// The German Steuernummer: the forms of the states and the one of 13 digits that the Bundesschema
// knows. Source: Anlage 1 to the description of the ELSTER Datenschema; also in python-stdnum,
// de/stnr.py.
import type { TaxNumber } from '../facts.js'

/** F office, B district, U number, P check digit; a digit stands for itself. */
const STATES: readonly (readonly [local: string, long: string])[] = [
  ['FFBBBUUUUP', '28FF0BBBUUUUP'], // Baden-Württemberg
  ['FFFBBBUUUUP', '9FFF0BBBUUUUP'], // Bayern
  ['FFBBBUUUUP', '11FF0BBBUUUUP'], // Berlin
  ['0FFBBBUUUUP', '30FF0BBBUUUUP'], // Brandenburg
  ['FFBBBUUUUP', '24FF0BBBUUUUP'], // Bremen
  ['FFBBBUUUUP', '22FF0BBBUUUUP'], // Hamburg
  ['0FFBBBUUUUP', '26FF0BBBUUUUP'], // Hessen
  ['0FFBBBUUUUP', '40FF0BBBUUUUP'], // Mecklenburg-Vorpommern
  ['FFBBBUUUUP', '23FF0BBBUUUUP'], // Niedersachsen
  ['FFFBBBBUUUP', '5FFF0BBBBUUUP'], // Nordrhein-Westfalen
  ['FFBBBUUUUP', '27FF0BBBUUUUP'], // Rheinland-Pfalz
  ['0FFBBBUUUUP', '10FF0BBBUUUUP'], // Saarland
  ['2FFBBBUUUUP', '32FF0BBBUUUUP'], // Sachsen
  ['1FFBBBUUUUP', '31FF0BBBUUUUP'], // Sachsen-Anhalt
  ['FFBBBUUUUP', '21FF0BBBUUUUP'], // Schleswig-Holstein
  ['1FFBBBUUUUP', '41FF0BBBUUUUP'], // Thüringen
]

const DIGITS = /^\d+$/

/** As `stateForms` shows, a local form alone rarely decides between the states. */
export function readTaxNumber(text: string): TaxNumber | undefined {
  const digits = text.replace(/[\s./-]/g, '')
  if (!DIGITS.test(digits)) return undefined
  if (digits.length === 13) {
    const known = STATES.some(([, long]) => reads(digits, long) !== undefined)
    return known ? { long: digits } : undefined
  }
  const [first, ...others] = new Set(stateForms(digits))
  if (first === undefined) return undefined
  return { long: others.length === 0 ? first : '' }
}

/**
 * The tax identification number of a person (§ 139b AO): 11 digits, the last one a check digit by
 * ISO 7064 MOD 11,10. Local tax numbers of 11 digits are written with strokes; one with a stroke is
 * none of these. Undefined: it is none.
 */
export function readIdentificationNumber(text: string): string | undefined {
  const digits = text.replace(/[\s.-]/g, '')
  if (!/^[1-9]\d{10}$/.test(digits)) return undefined
  // one digit of the first ten comes twice or three times, no second one does
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter((count) => count > 1)
  const [most] = repeated
  if (repeated.length !== 1 || most === undefined || most > 3) return undefined
  return checkDigit(digits.slice(0, 10)) === Number(digits.at(-1)) ? digits : undefined
}

function checkDigit(digits: string): number {
  let product = 10
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10
}

/** The 13 digits that a local number has in each of the states whose form it fits. */
export function stateForms(digits: string): string[] {
  return STATES.flatMap(([local, long]) => {
    const letters = reads(digits, local)
    return letters === undefined ? [] : [written(long, letters)]
  })
}

/** The digits behind each letter in their order; undefined: the number has another form. */
function reads(digits: string, form: string): ReadonlyMap<string, string[]> | undefined {
  if (digits.length !== form.length) return undefined
  const found = new Map<string, string[]>()
  for (const [at, sign] of [...form].entries()) {
    const digit = digits.charAt(at)
    if (DIGITS.test(sign)) {
      if (digit !== sign) return undefined
    } else found.set(sign, [...(found.get(sign) ?? []), digit])
  }
  return found
}

function written(form: string, letters: ReadonlyMap<string, string[]>): string {
  const used = new Map<string, number>()
  return [...form]
    .map((sign) => {
      const own = letters.get(sign)
      if (own === undefined) return sign
      const at = used.get(sign) ?? 0
      used.set(sign, at + 1)
      return own[at] ?? ''
    })
    .join('')
}

/** As a number it has lost a leading zero: 1067 is 01067. Those that are in use: 01001 to 99998. */
export function readPostalCode(given: number | string): string | undefined {
  const text = String(given).trim()
  const code = text.length === 4 ? `0${text}` : text
  return /^\d{5}$/.test(code) && code >= '01001' && code <= '99998' ? code : undefined
}
