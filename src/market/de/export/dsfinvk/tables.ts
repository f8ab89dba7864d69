// The twenty files of a DSFinV-K export with all their columns (DSFinV-K 2.3/2.4, Annex G).
// Headers, formatting of cells, types of rows and index.xml are made from this table.

export interface TextColumn<N extends string = string> {
  name: N
  kind: 'text'
  /** Longest text in characters. */
  max: number
  mandatory: boolean
  /** The text stands as it is: whoever fills it leaves out what could not. */
  exact?: true
}

export interface NumberColumn<N extends string = string> {
  name: N
  kind: 'number'
  /** Digits behind the decimal comma. */
  decimals: number
  mandatory: boolean
}

export type Column<N extends string = string> = TextColumn<N> | NumberColumn<N>

export interface Table<C extends readonly Column[] = readonly Column[]> {
  file: string
  /** Name in index.xml and in the standard's text. */
  name: string
  columns: C
}

function text<const N extends string>(name: N, max: number): TextColumn<N> {
  return { name, kind: 'text', max, mandatory: false }
}

/** A column that Annex G wants filled in every row. */
function must<const N extends string>(name: N, max: number): TextColumn<N> {
  return { name, kind: 'text', max, mandatory: true }
}

function number<const N extends string>(name: N, decimals: number): NumberColumn<N> {
  return { name, kind: 'number', decimals, mandatory: false }
}

function mustNumber<const N extends string>(name: N, decimals: number): NumberColumn<N> {
  return { name, kind: 'number', decimals, mandatory: true }
}

function table<const C extends readonly Column[]>(
  file: string,
  name: string,
  columns: C,
): Table<C> {
  return { file: `${file}.csv`, name, columns }
}

/** First columns of every file: which cash point closing (Kassenabschluss) a row belongs to. */
export const closingColumns = [
  must('Z_KASSE_ID', 50),
  must('Z_ERSTELLUNG', 30),
  mustNumber('Z_NR', 0),
] as const

/** Longest part of a certificate that one column takes. */
export const CERTIFICATE_PART = 1000

/** In the order in which index.xml lists them. */
export const tables = {
  cashpointclosing: table('cashpointclosing', 'Stamm_Abschluss', [
    text('Z_BUCHUNGSTAG', 25),
    must('TAXONOMIE_VERSION', 10),
    must('Z_START_ID', 40),
    must('Z_ENDE_ID', 40),
    must('NAME', 60),
    must('STRASSE', 60),
    must('PLZ', 10),
    must('ORT', 62),
    must('LAND', 3),
    text('STNR', 20),
    text('USTID', 15),
    mustNumber('Z_SE_ZAHLUNGEN', 2),
    mustNumber('Z_SE_BARZAHLUNGEN', 2),
  ]),
  location: table('location', 'Stamm_Orte', [
    must('LOC_NAME', 60),
    must('LOC_STRASSE', 60),
    must('LOC_PLZ', 10),
    must('LOC_ORT', 62),
    must('LOC_LAND', 3),
    text('LOC_USTID', 15),
  ]),
  cashregister: table('cashregister', 'Stamm_Kassen', [
    text('KASSE_BRAND', 50),
    text('KASSE_MODELL', 50),
    must('KASSE_SERIENNR', 70),
    text('KASSE_SW_BRAND', 50),
    text('KASSE_SW_VERSION', 50),
    must('KASSE_BASISWAEH_CODE', 3),
    text('KEINE_UST_ZUORDNUNG', 1),
  ]),
  slaves: table('slaves', 'Stamm_Terminals', [
    must('TERMINAL_ID', 50),
    text('TERMINAL_BRAND', 50),
    text('TERMINAL_MODELL', 50),
    must('TERMINAL_SERIENNR', 50),
    text('TERMINAL_SW_BRAND', 50),
    text('TERMINAL_SW_VERSION', 50),
  ]),
  pa: table('pa', 'Stamm_Agenturen', [
    mustNumber('AGENTUR_ID', 0),
    must('AGENTUR_NAME', 60),
    must('AGENTUR_STRASSE', 60),
    must('AGENTUR_PLZ', 10),
    must('AGENTUR_ORT', 62),
    must('AGENTUR_LAND', 3),
    text('AGENTUR_STNR', 20),
    text('AGENTUR_USTID', 15),
  ]),
  tse: table('tse', 'Stamm_TSE', [
    mustNumber('TSE_ID', 0),
    must('TSE_SERIAL', 68),
    must('TSE_SIG_ALGO', 21),
    must('TSE_ZEITFORMAT', 31),
    must('TSE_PD_ENCODING', 5),
    must('TSE_PUBLIC_KEY', 512),
    must('TSE_ZERTIFIKAT_I', CERTIFICATE_PART),
    // marked as mandatory, but empty where the certificate fits into the first column
    text('TSE_ZERTIFIKAT_II', CERTIFICATE_PART),
  ]),
  vat: table('vat', 'Stamm_USt', [
    mustNumber('UST_SCHLUESSEL', 0),
    mustNumber('UST_SATZ', 2),
    must('UST_BESCHR', 55),
  ]),
  businesscases: table('businesscases', 'Z_GV_Typ', [
    must('GV_TYP', 30),
    text('GV_NAME', 40),
    number('AGENTUR_ID', 0),
    mustNumber('UST_SCHLUESSEL', 0),
    mustNumber('Z_UMS_BRUTTO', 5),
    mustNumber('Z_UMS_NETTO', 5),
    mustNumber('Z_UST', 5),
  ]),
  payment: table('payment', 'Z_Zahlart', [
    must('ZAHLART_TYP', 25),
    text('ZAHLART_NAME', 60),
    mustNumber('Z_ZAHLART_BETRAG', 2),
  ]),
  cash_per_currency: table('cash_per_currency', 'Z_Waehrungen', [
    must('ZAHLART_WAEH', 3),
    mustNumber('ZAHLART_BETRAG_WAEH', 2),
  ]),
  transactions: table('transactions', 'Bonkopf', [
    must('BON_ID', 40),
    mustNumber('BON_NR', 0),
    must('BON_TYP', 30),
    text('BON_NAME', 60),
    text('TERMINAL_ID', 50),
    text('BON_STORNO', 1),
    must('BON_START', 30),
    must('BON_ENDE', 30),
    must('BEDIENER_ID', 50),
    text('BEDIENER_NAME', 50),
    mustNumber('UMS_BRUTTO', 2),
    // mandatory only where the customer is known
    text('KUNDE_NAME', 50),
    text('KUNDE_ID', 50),
    text('KUNDE_TYP', 50),
    text('KUNDE_STRASSE', 60),
    text('KUNDE_PLZ', 10),
    text('KUNDE_ORT', 62),
    text('KUNDE_LAND', 3),
    text('KUNDE_USTID', 15),
    text('BON_NOTIZ', 255),
  ]),
  datapayment: table('datapayment', 'Bonkopf_Zahlarten', [
    must('BON_ID', 40),
    must('ZAHLART_TYP', 25),
    text('ZAHLART_NAME', 60),
    must('ZAHLWAEH_CODE', 3),
    number('ZAHLWAEH_BETRAG', 2),
    mustNumber('BASISWAEH_BETRAG', 2),
  ]),
  lines: table('lines', 'Bonpos', [
    must('BON_ID', 40),
    must('POS_ZEILE', 50),
    text('GUTSCHEIN_NR', 50),
    must('ARTIKELTEXT', 255),
    text('POS_TERMINAL_ID', 50),
    must('GV_TYP', 30),
    text('GV_NAME', 40),
    text('INHAUS', 1),
    text('P_STORNO', 1),
    number('AGENTUR_ID', 0),
    // mandatory only for articles
    text('ART_NR', 50),
    text('GTIN', 50),
    text('WARENGR_ID', 40),
    text('WARENGR', 50),
    mustNumber('MENGE', 3),
    number('FAKTOR', 3),
    text('EINHEIT', 50),
    mustNumber('STK_BR', 5),
  ]),
  itemamounts: table('itemamounts', 'Bonpos_Preisfindung', [
    must('BON_ID', 40),
    must('POS_ZEILE', 50),
    text('TYP', 20),
    mustNumber('UST_SCHLUESSEL', 0),
    number('PF_BRUTTO', 5),
    number('PF_NETTO', 5),
    number('PF_UST', 5),
  ]),
  subitems: table('subitems', 'Bonpos_Zusatzinfo', [
    must('BON_ID', 40),
    must('POS_ZEILE', 50),
    must('ZI_ART_NR', 50),
    text('ZI_GTIN', 50),
    text('ZI_NAME', 60),
    text('ZI_WARENGR_ID', 40),
    text('ZI_WARENGR', 50),
    mustNumber('ZI_MENGE', 3),
    number('ZI_FAKTOR', 3),
    text('ZI_EINHEIT', 50),
    mustNumber('ZI_UST_SCHLUESSEL', 0),
    number('ZI_BASISPREIS_BRUTTO', 5),
    number('ZI_BASISPREIS_NETTO', 5),
    number('ZI_BASISPREIS_UST', 5),
  ]),
  transactions_tse: table('transactions_tse', 'TSE_Transaktionen', [
    must('BON_ID', 40),
    mustNumber('TSE_ID', 0),
    // the next six are empty for a receipt that the TSE did not sign (TSE_TA_FEHLER says why)
    number('TSE_TANR', 0),
    text('TSE_TA_START', 30),
    text('TSE_TA_ENDE', 30),
    text('TSE_TA_VORGANGSART', 30),
    number('TSE_TA_SIGZ', 0),
    text('TSE_TA_SIG', 512),
    text('TSE_TA_FEHLER', 200),
    { ...text('TSE_VORGANGSDATEN', 1000), exact: true },
  ]),
  transactions_vat: table('transactions_vat', 'Bonkopf_USt', [
    must('BON_ID', 40),
    mustNumber('UST_SCHLUESSEL', 0),
    mustNumber('BON_BRUTTO', 5),
    mustNumber('BON_NETTO', 5),
    mustNumber('BON_UST', 5),
  ]),
  lines_vat: table('lines_vat', 'Bonpos_USt', [
    must('BON_ID', 40),
    must('POS_ZEILE', 50),
    mustNumber('UST_SCHLUESSEL', 0),
    number('POS_BRUTTO', 5),
    number('POS_NETTO', 5),
    number('POS_UST', 5),
  ]),
  allocation_groups: table('allocation_groups', 'Bonkopf_AbrKreis', [
    must('BON_ID', 40),
    text('ABRECHNUNGSKREIS', 50),
  ]),
  references: table('references', 'Bon_Referenzen', [
    must('BON_ID', 40),
    text('POS_ZEILE', 50),
    must('REF_TYP', 20),
    text('REF_NAME', 40),
    text('REF_DATUM', 30),
    text('REF_Z_KASSE_ID', 50),
    number('REF_Z_NR', 0),
    must('REF_BON_ID', 40),
  ]),
} as const

export type TableKey = keyof typeof tables
export const tableKeys = Object.keys(tables) as readonly TableKey[]
