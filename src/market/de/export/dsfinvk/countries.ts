// Country codes of ISO 3166: two letters, or a name, to three letters.
import { ALPHA3 } from '../../../../model/countries.js'

/** German and English names in capitals. */
const BY_NAME = new Map(
  ['de', 'en'].flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    return Array.from(
      ALPHA3,
      ([two, three]) => [names.of(two)?.toUpperCase() ?? two, three] as const,
    )
  }),
)

const THREE_LETTERS = /^[A-Z]{3}$/

/** Three letters of a code or a name; '' for another text that cannot be a code. */
export function countryCode(text: string | undefined): string {
  const word = (text ?? '').trim().toUpperCase()
  return ALPHA3.get(word) ?? BY_NAME.get(word) ?? (THREE_LETTERS.test(word) ? word : '')
}
