// The tables of DSFinV-K 2.2 to 2.4 with their columns, from Annex G and index.xml.

export interface Column {
  name: string
  /** Text of at most `size` characters, or number with `size` decimals. */
  kind: 'text' | 'number'
  size: number
  mandatory: boolean
}

export interface Table {
  file: string
  columns: readonly Column[]
}

const HEAD = '!Z_KASSE_ID A50 !Z_ERSTELLUNG A30 !Z_NR N0'

/** `!` marks what is mandatory whatever happened; A: text, N: number. */
const COLUMNS: Record<string, string> = {
  'cashpointclosing.csv': `Z_BUCHUNGSTAG A25 !TAXONOMIE_VERSION A10 !Z_START_ID A40 !Z_ENDE_ID A40
    !NAME A60 !STRASSE A60 !PLZ A10 !ORT A62 !LAND A3 STNR A20 USTID A15 !Z_SE_ZAHLUNGEN N2
    !Z_SE_BARZAHLUNGEN N2`,
  'location.csv':
    '!LOC_NAME A60 !LOC_STRASSE A60 !LOC_PLZ A10 !LOC_ORT A62 !LOC_LAND A3 LOC_USTID A15',
  'cashregister.csv': `KASSE_BRAND A50 KASSE_MODELL A50 !KASSE_SERIENNR A70 KASSE_SW_BRAND A50
    KASSE_SW_VERSION A50 !KASSE_BASISWAEH_CODE A3 KEINE_UST_ZUORDNUNG A1`,
  'slaves.csv': `!TERMINAL_ID A50 TERMINAL_BRAND A50 TERMINAL_MODELL A50 !TERMINAL_SERIENNR A50
    TERMINAL_SW_BRAND A50 TERMINAL_SW_VERSION A50`,
  'pa.csv': `!AGENTUR_ID N0 !AGENTUR_NAME A60 !AGENTUR_STRASSE A60 !AGENTUR_PLZ A10
    !AGENTUR_ORT A62 !AGENTUR_LAND A3 AGENTUR_STNR A20 AGENTUR_USTID A15`,
  'tse.csv': `!TSE_ID N0 !TSE_SERIAL A68 !TSE_SIG_ALGO A21 !TSE_ZEITFORMAT A31 !TSE_PD_ENCODING A5
    !TSE_PUBLIC_KEY A512 !TSE_ZERTIFIKAT_I A1000 TSE_ZERTIFIKAT_II A1000`,
  'vat.csv': '!UST_SCHLUESSEL N0 !UST_SATZ N2 !UST_BESCHR A55',
  'businesscases.csv': `!GV_TYP A30 GV_NAME A40 AGENTUR_ID N0 !UST_SCHLUESSEL N0 !Z_UMS_BRUTTO N5
    !Z_UMS_NETTO N5 !Z_UST N5`,
  'payment.csv': '!ZAHLART_TYP A25 ZAHLART_NAME A60 !Z_ZAHLART_BETRAG N2',
  'cash_per_currency.csv': '!ZAHLART_WAEH A3 !ZAHLART_BETRAG_WAEH N2',
  'transactions.csv': `!BON_ID A40 !BON_NR N0 !BON_TYP A30 BON_NAME A60 TERMINAL_ID A50
    BON_STORNO A1 !BON_START A30 !BON_ENDE A30 !BEDIENER_ID A50 BEDIENER_NAME A50 !UMS_BRUTTO N2
    KUNDE_NAME A50 KUNDE_ID A50 KUNDE_TYP A50 KUNDE_STRASSE A60 KUNDE_PLZ A10 KUNDE_ORT A62
    KUNDE_LAND A3 KUNDE_USTID A15 BON_NOTIZ A255`,
  'datapayment.csv': `!BON_ID A40 !ZAHLART_TYP A25 ZAHLART_NAME A60 !ZAHLWAEH_CODE A3
    ZAHLWAEH_BETRAG N2 !BASISWAEH_BETRAG N2`,
  'lines.csv': `!BON_ID A40 !POS_ZEILE A50 GUTSCHEIN_NR A50 !ARTIKELTEXT A255 POS_TERMINAL_ID A50
    !GV_TYP A30 GV_NAME A40 INHAUS A1 P_STORNO A1 AGENTUR_ID N0 ART_NR A50 GTIN A50 WARENGR_ID A40
    WARENGR A50 MENGE N3 FAKTOR N3 EINHEIT A50 STK_BR N5`,
  'itemamounts.csv': `!BON_ID A40 !POS_ZEILE A50 TYP A20 !UST_SCHLUESSEL N0 PF_BRUTTO N5
    PF_NETTO N5 PF_UST N5`,
  'subitems.csv': `!BON_ID A40 !POS_ZEILE A50 ZI_ART_NR A50 ZI_GTIN A50 ZI_NAME A60
    ZI_WARENGR_ID A40 ZI_WARENGR A50 !ZI_MENGE N3 ZI_FAKTOR N3 ZI_EINHEIT A50 !ZI_UST_SCHLUESSEL N0
    ZI_BASISPREIS_BRUTTO N5 ZI_BASISPREIS_NETTO N5 ZI_BASISPREIS_UST N5`,
  'transactions_tse.csv': `!BON_ID A40 TSE_ID N0 TSE_TANR N0 TSE_TA_START A30 TSE_TA_ENDE A30
    TSE_TA_VORGANGSART A30 TSE_TA_SIGZ N0 TSE_TA_SIG A512 TSE_TA_FEHLER A200
    TSE_VORGANGSDATEN A1000`,
  'transactions_vat.csv': '!BON_ID A40 !UST_SCHLUESSEL N0 !BON_BRUTTO N5 !BON_NETTO N5 !BON_UST N5',
  'lines_vat.csv': `!BON_ID A40 !POS_ZEILE A50 !UST_SCHLUESSEL N0 POS_BRUTTO N5 POS_NETTO N5
    POS_UST N5`,
  'allocation_groups.csv': '!BON_ID A40 ABRECHNUNGSKREIS A50',
  'references.csv': `!BON_ID A40 POS_ZEILE A50 !REF_TYP A20 REF_NAME A40 REF_DATUM A30
    REF_Z_KASSE_ID A50 REF_Z_NR N0 !REF_BON_ID A40`,
}

export const TABLES: ReadonlyMap<string, Table> = new Map(
  Object.entries(COLUMNS).map(([file, text]) => [file, { file, columns: columnsOf(text) }]),
)

function columnsOf(text: string): Column[] {
  const words = `${HEAD} ${text}`.split(/\s+/)
  const columns: Column[] = []
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [name = '', type = ''] = [words[at], words[at + 1]]
    columns.push({
      name: name.replace('!', ''),
      kind: type.startsWith('N') ? 'number' : 'text',
      size: Number(type.slice(1)),
      mandatory: name.startsWith('!'),
    })
  }
  return columns
}

/** A certificate of more than 2,000 characters goes on in TSE_ZERTIFIKAT_III, IV, … */
const FURTHER = /^TSE_ZERTIFIKAT_(?:III|IV|V|VI|VII|VIII|IX|X)$/

/** The columns of a file by its header; undefined when they are not those of the standard. */
export function columnsFor(table: Table, header: readonly string[]): readonly Column[] | undefined {
  const { columns } = table
  if (!columns.every(({ name }, at) => header[at] === name)) return undefined
  const further = header.slice(columns.length)
  if (further.length === 0) return columns
  if (table.file !== 'tse.csv' || !further.every((name) => FURTHER.test(name))) return undefined
  return [
    ...columns,
    ...further.map((name) => ({ name, kind: 'text' as const, size: 1000, mandatory: false })),
  ]
}
