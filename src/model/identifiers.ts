// Identifiers of companies and of their places, country by country: only their form is looked at,
// because examples in the field's documentation and most test data fail the checksums.

export const IDENTIFIERS = ['vatId', 'taxId', 'gln', 'fibuNr', 'siren'] as const
export type IdentifierName = (typeof IDENTIFIERS)[number]

type Forms = Readonly<Partial<Record<IdentifierName, RegExp>>>

const GLN = /^\d{13}$/

const FORMS = {
  AT: { vatId: /^ATU\d{8}$/, taxId: /^\d{9}$/, gln: GLN, fibuNr: /^(FN)?\d{1,6}[A-Z]$/ },
  // Steuernummer of 10, 11 or 13 digits, or the Identifikationsnummer of 11
  DE: { vatId: /^DE\d{9}$/, taxId: /^(\d{10}|\d{11}|\d{13})$/, gln: GLN },
  // 8 digits: the published example is one short
  FR: { vatId: /^FR[A-Z0-9]{2}\d{8,9}$/, taxId: /^[0-3]\d{12}$/, gln: GLN, siren: /^\d{9}$/ },
  IT: { vatId: /^IT\d{11}$/, taxId: /^([A-Z0-9]{16}|\d{11})$/, gln: GLN },
  ES: { vatId: /^ES[A-Z0-9]{9}$/, taxId: /^[A-Z0-9]{9}$/, gln: GLN },
  GR: { vatId: /^(EL|GR)\d{9}$/, taxId: /^\d{9}$/, gln: GLN },
  PT: { vatId: /^PT\d{9}$/, taxId: /^\d{9}$/, gln: GLN },
  BE: { vatId: /^BE\d{10}$/, taxId: /^\d{10}$/, gln: GLN },
} as const satisfies Record<string, Forms>

/** Without blanks, dots, strokes and hyphens, in capitals. */
export function compactIdentifier(text: string): string {
  return text.replace(/[\s./-]/g, '').toUpperCase()
}

/** True where the country has no rule for it, or where it is empty. */
export function fitsIdentifier(country: string, name: IdentifierName, text: string): boolean {
  const compact = compactIdentifier(text)
  const forms: Forms | undefined = (FORMS as Readonly<Record<string, Forms>>)[country]
  return compact === '' || (forms?.[name]?.test(compact) ?? true)
}

/** What the location id of an outlet is. */
export interface LocationRule {
  /** So many digits, without which an outlet gets no registers; null: any text, or none. */
  digits: number | null
  /** It begins with this number of the merchant, and is read where that one is asked for. */
  merchant: { identifier: IdentifierName; digits: number } | null
  /** Templates know it by this name. */
  variable: string | null
}

/** Of the merchant's own choice. */
const CHOSEN: LocationRule = { digits: null, merchant: null, variable: null }

/** A row for every country that has forms. */
export const locations: Readonly<Record<keyof typeof FORMS, LocationRule>> = {
  AT: CHOSEN,
  // outlets with the same one are one place of business (§ 146a (4) AO)
  DE: CHOSEN,
  // the SIRET: nine digits of the company, five of the place
  FR: { digits: 14, merchant: { identifier: 'siren', digits: 9 }, variable: 'siret' },
  IT: CHOSEN,
  ES: CHOSEN,
  // the number of the branch, 0 where there is none
  GR: CHOSEN,
  PT: CHOSEN,
  BE: CHOSEN,
}

/** Of a country that is not in the table it is any text. */
export function locationRuleOf(country: string): LocationRule {
  return (locations as Readonly<Record<string, LocationRule>>)[country] ?? CHOSEN
}
