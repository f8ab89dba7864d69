// Identifiers of companies, country by country: only their form is looked at, because examples in
// the field's documentation and most test data fail the checksums.

export const IDENTIFIERS = ['vatId', 'taxId', 'gln', 'fibuNr', 'siren'] as const
export type IdentifierName = (typeof IDENTIFIERS)[number]

type Forms = Readonly<Partial<Record<IdentifierName, RegExp>>>

const GLN = /^\d{13}$/

const FORMS: Readonly<Record<string, Forms>> = {
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
}

/** Without blanks, dots, strokes and hyphens, in capitals. */
export function compactIdentifier(text: string): string {
  return text.replace(/[\s./-]/g, '').toUpperCase()
}

/** True where the country has no rule for it, or where it is empty. */
export function fitsIdentifier(country: string, name: IdentifierName, text: string): boolean {
  const compact = compactIdentifier(text)
  return compact === '' || (FORMS[country]?.[name]?.test(compact) ?? true)
}
