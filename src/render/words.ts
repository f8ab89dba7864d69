// The words of shown receipts in the languages that there are. Called by view.ts and the renderers.

const german = {
  receipt: 'Beleg',
  number: 'Belegnummer',
  moment: 'Datum',
  register: 'Kassen-ID',
  reference: 'Referenz',
  terminal: 'Terminal',
  customer: 'Kunde',
  total: 'Summe',
  rate: 'USt',
  net: 'Netto',
  tax: 'Steuer',
  gross: 'Brutto',
  paid: 'Bezahlt',
  training: 'Training',
  void: 'Storno',
  refund: 'Rückgabe',
  late: 'Nacherfasst',
  unverified: 'Fremder Beleg, von diesem Server nicht geprüft',
  transaction: 'Transaktionsdaten',
  qr: 'Maschinenlesbarer Code',
  noReceipt: 'Diesen Beleg gibt es hier nicht.',
  noReceiptHint:
    'Bitte prüfen Sie die Adresse oder fragen Sie das Geschäft, das ihn ausgestellt hat.',
  print: 'Zum Aufheben: drucken oder als PDF speichern.',
}

export type Words = Readonly<typeof german>

const english: Words = {
  receipt: 'Receipt',
  number: 'Receipt number',
  moment: 'Date',
  register: 'Register',
  reference: 'Reference',
  terminal: 'Terminal',
  customer: 'Customer',
  total: 'Total',
  rate: 'VAT',
  net: 'Net',
  tax: 'Tax',
  gross: 'Gross',
  paid: 'Paid',
  training: 'Training',
  void: 'Void',
  refund: 'Refund',
  late: 'Entered later',
  unverified: 'Receipt of another system, not verified by this server',
  transaction: 'transaction data',
  qr: 'Machine-readable code',
  noReceipt: 'There is no such receipt here.',
  noReceiptHint: 'Please check the address, or ask the shop that issued it.',
  print: 'To keep it: print it or save it as PDF.',
}

export const LANGUAGES = ['de', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

const TABLE: Record<Language, Words> = { de: german, en: english }

export function wordsOf(language: Language): Words {
  return TABLE[language]
}

const COUNTRIES: Record<string, Language> = { AT: 'de', CH: 'de', DE: 'de', LI: 'de' }

/** Of a country's receipts when the reader has no wish. */
export function languageOf(country: string): Language {
  return COUNTRIES[country] ?? 'en'
}

/** Numbers and dates as the readers of a language write them. */
export const LOCALES: Record<Language, string> = { de: 'de-AT', en: 'en-GB' }
