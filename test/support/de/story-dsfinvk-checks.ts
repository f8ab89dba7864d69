// What has to hold between the receipts that a German shop sent and its DSFinV-K: every slip with
// its lines, payments and signature, the sums of every closing, and the rules of the receipt
// validation that is in use in the field. Computed from what was sent, without program code.
import { createHash } from 'node:crypto'
import type { TableRow } from '../../market/de/support/archive.js'
import { type Answer, dataOf, type Sent } from './story-shop.js'

export type Tables = (name: string) => TableRow[]

/** Hundred-thousandths of a euro: numbers of DSFinV-K have five decimals at most. */
export function amount(text: string | undefined): bigint {
  const found = /^(-?)(\d+)(?:,(\d{1,5}))?$/.exec(text ?? '')
  if (found === null) throw new Error(`"${text}" is no number`)
  const units = BigInt(`${found[2]}${(found[3] ?? '').padEnd(5, '0')}`)
  return found[1] === '-' ? -units : units
}

const units = (cents: number): bigint => BigInt(cents) * 1000n
const CENT = 1000n
const absolute = (value: bigint) => (value < 0n ? -value : value)

/** Sums that are not zero, by key. */
function summed<T>(rows: readonly T[], key: (row: T) => string, of: (row: T) => bigint) {
  const sums = new Map<string, bigint>()
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0n) + of(row))
  const kept = [...sums].filter(([, sum]) => sum !== 0n)
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)))
}

// ---------------------------------------------------------------- closings and slips

export interface Closing {
  number: number
  slips: Sent[]
}

const isDaily = ({ word, answer }: Sent) => (word & 0xffffn) === 7n && (answer.state & 1n) === 0n
const isSlip = ({ recipe, answer }: Sent) =>
  recipe !== undefined && recipe.bonType !== '' && (answer.state & 1n) === 0n

/** What one queue sent, closing by closing; what came after the last one is in no export. */
export function closingsOf(sent: readonly Sent[], queue: number): Closing[] {
  const rows = sent.filter((one) => one.queue === queue)
  rows.sort((a, b) => a.answer.row - b.answer.row)
  const closings: Closing[] = []
  let slips: Sent[] = []
  for (const one of rows) {
    if (isSlip(one)) slips.push(one)
    if (!isDaily(one)) continue
    closings.push({ number: closings.length + 1, slips })
    slips = []
  }
  return closings
}

const FAILED = 'Kommunikation mit der technischen Sicherheitseinrichtung (TSE) fehlgeschlagen'

/** What TSE_TA_FEHLER has to say. */
function errorMark({ answer, word }: Sent): string {
  const caption = (text: string) =>
    answer.signatures.find((one) => one.caption.startsWith(text))?.caption ?? '?'
  if ((answer.state & 0x100n) !== 0n) return 'Ohne TSE'
  if ((word & 0x1_0000n) !== 0n) return caption('Ausfallsnacherfassung vom')
  if ((word & 0x8_0000n) !== 0n) return caption('Handschriftbelegerfassung vom')
  return dataOf(answer, 0x1dn) === undefined ? FAILED : ''
}

/** Charge items, then the pay items that are no payments. */
function linesOf({ recipe }: Sent) {
  const moved = (recipe?.pays ?? []).filter(({ kind }) => kind === 'line')
  return [
    ...(recipe?.lines ?? []),
    ...moved.map(({ type, cents }) => ({ gv: type, key: 5, vat: 0, cents: -cents, agency: '' })),
  ]
}

function paymentsOf({ recipe }: Sent) {
  return (recipe?.pays ?? []).filter(({ kind }) => kind !== 'line')
}

const seen = (answer: Answer, type: bigint) => dataOf(answer, type) ?? ''

function expectedSlip(sent: Sent): string {
  const { answer, recipe, word, terminal } = sent
  const lines = linesOf(sent)
  return [
    answer.identification,
    recipe?.bonType,
    (word & 0x4_0000n) === 0n ? 0 : 1,
    terminal ?? 'T1',
    units(lines.reduce((sum, { cents }) => sum + cents, 0)),
    seen(answer, 0x23n),
    ...[0x17n, 0x18n, 0x19n, 0x1an, 0x1dn].map((type) => seen(answer, type)),
    errorMark(sent),
    ...lines.map(({ gv, key, cents }) => `${gv} ${key} ${units(cents)}`),
    ...paymentsOf(sent).map(({ type, cents, foreign }) =>
      foreign === undefined
        ? `${type} EUR ${units(cents)}`
        : `${type} ${foreign.currency} ${units(foreign.cents)} ${units(cents)}`,
    ),
  ].join(' | ')
}

function byBon(rows: readonly TableRow[]): Map<string, TableRow[]> {
  const found = new Map<string, TableRow[]>()
  for (const row of rows) {
    const key = row.BON_ID ?? ''
    found.set(key, [...(found.get(key) ?? []), row])
  }
  return found
}

const UNSIGNED = {
  ...{ TSE_TANR: '', TSE_TA_SIGZ: '', TSE_TA_START: '', TSE_TA_ENDE: '', TSE_TA_SIG: '' },
}
const failureOf = ({ TSE_TA_FEHLER = '' }: TableRow) => ({ TSE_TA_FEHLER })

function foundSlips(tables: Tables): Map<string, string[]> {
  const names = ['transactions_tse', 'lines', 'lines_vat', 'datapayment'] as const
  const [tse, lines, vat, payments] = names.map((name) => byBon(tables(name)))
  const serials = new Map(tables('tse').map((row) => [`${row.Z_NR} ${row.TSE_ID}`, row.TSE_SERIAL]))
  const slips = new Map<string, string[]>()
  for (const row of tables('transactions')) {
    // no till has sent them: rows of transactions that a closing ended, judged beside the TAR
    if (row.BON_TYP === 'AVBelegabbruch' && row.TERMINAL_ID === '') continue
    const id = row.BON_ID ?? ''
    const [row0 = {}] = tse?.get(id) ?? []
    // an end that the TSE got later has its fields beside the error text, judged there as well
    const signed = row0.TSE_TA_FEHLER === '' ? row0 : { ...UNSIGNED, ...failureOf(row0) }
    const serial = signed.TSE_TA_SIG === '' ? '' : serials.get(`${row.Z_NR} ${signed.TSE_ID}`)
    const amounts = vat?.get(id) ?? []
    const text = [
      ...[id, row.BON_TYP, row.BON_STORNO, row.TERMINAL_ID, amount(row.UMS_BRUTTO), serial],
      ...[signed.TSE_TANR, signed.TSE_TA_SIGZ, signed.TSE_TA_START, signed.TSE_TA_ENDE],
      ...[signed.TSE_TA_SIG, signed.TSE_TA_FEHLER],
      ...(lines?.get(id) ?? []).map((one, at) => {
        const { UST_SCHLUESSEL, POS_BRUTTO } = amounts[at] ?? {}
        return `${one.GV_TYP} ${UST_SCHLUESSEL} ${amount(POS_BRUTTO)}`
      }),
      ...(payments?.get(id) ?? []).flatMap((one) => paymentText(one)),
    ].join(' | ')
    slips.set(row.Z_NR ?? '', [...(slips.get(row.Z_NR ?? '') ?? []), text])
  }
  return slips
}

/** A slip without any payment has a row that says so. */
function paymentText(row: TableRow): string[] {
  const { ZAHLART_TYP: type, ZAHLWAEH_CODE: currency, ZAHLWAEH_BETRAG: foreign } = row
  const base = amount(row.BASISWAEH_BETRAG)
  if (type === 'Keine' && base === 0n) return []
  return [`${type} ${currency} ${foreign === '' ? '' : `${amount(foreign)} `}${base}`]
}

/** Slips that the export has and should not have, or the other way round. */
export function faultsOfSlips(tables: Tables, closings: readonly Closing[]): string[] {
  const found = foundSlips(tables)
  return closings.flatMap(({ number, slips }) => {
    const [wanted, there] = [slips.map(expectedSlip), found.get(String(number)) ?? []]
    const missing = wanted.filter((one) => !there.includes(one)).map((one) => `missing ${one}`)
    const more = there.filter((one) => !wanted.includes(one)).map((one) => `not sent ${one}`)
    return [...missing, ...more]
  })
}

// ------------------------------------------------------------------------- sums

export interface Sums {
  number: number
  cases: Record<string, bigint>
  payments: Record<string, bigint>
  cash: Record<string, bigint>
  paid: bigint
  paidInCash: bigint
}

/** What was sold and paid in a closing: only a Beleg counts. `agencies`: their ids in order. */
export function expectedSums({ number, slips }: Closing, agencies: readonly string[]): Sums {
  const counted = slips.filter(({ recipe }) => recipe?.bonType === 'Beleg')
  const lines = counted.flatMap(linesOf)
  const payments = counted.flatMap(paymentsOf)
  const inCash = payments.filter(({ kind }) => kind === 'Bar')
  const agencyOf = (id: string | undefined) => agencies.indexOf(id ?? '') + 1
  const value = ({ cents }: { cents: number }) => units(cents)
  return {
    number,
    cases: summed(lines, ({ gv, key, agency }) => `${gv} ${agencyOf(agency)} ${key}`, value),
    payments: summed(payments, ({ type }) => type, value),
    cash: summed(
      inCash,
      ({ foreign }) => foreign?.currency ?? 'EUR',
      ({ foreign, cents }) => units(foreign?.cents ?? cents),
    ),
    paid: payments.reduce((sum, one) => sum + value(one), 0n),
    paidInCash: inCash.reduce((sum, one) => sum + value(one), 0n),
  }
}

export function foundSums(tables: Tables): Sums[] {
  const of = (name: string, number: string | undefined) =>
    tables(name).filter(({ Z_NR }) => Z_NR === number)
  return tables('cashpointclosing').map((row) => ({
    number: Number(row.Z_NR),
    cases: summed(
      of('businesscases', row.Z_NR),
      (one) => `${one.GV_TYP} ${one.AGENTUR_ID} ${one.UST_SCHLUESSEL}`,
      (one) => amount(one.Z_UMS_BRUTTO),
    ),
    payments: summed(
      of('payment', row.Z_NR),
      (one) => one.ZAHLART_TYP ?? '',
      (one) => amount(one.Z_ZAHLART_BETRAG),
    ),
    cash: summed(
      of('cash_per_currency', row.Z_NR),
      (one) => one.ZAHLART_WAEH ?? '',
      (one) => amount(one.ZAHLART_BETRAG_WAEH),
    ),
    paid: amount(row.Z_SE_ZAHLUNGEN),
    paidInCash: amount(row.Z_SE_BARZAHLUNGEN),
  }))
}

// ---------------------------------------------- the receipt validation of the field

/** Numbers of the rules as they are published. */
export function faultsOfRules(tables: Tables): string[] {
  const faults: string[] = []
  const want = (holds: boolean, text: string) => {
    if (!holds) faults.push(text)
  }
  tables('cashpointclosing').forEach((row, at) => {
    want(row.Z_NR === String(at + 1), `1000 closing ${row.Z_NR}`)
  })
  for (const { BON_ID, BON_START = '', BON_ENDE = '' } of tables('transactions')) {
    want(BON_START <= BON_ENDE, `${BON_ID} starts at ${BON_START} and ends at ${BON_ENDE}`)
  }
  const rates = new Map(
    tables('vat').map((row) => [`${row.Z_NR} ${row.UST_SCHLUESSEL}`, amount(row.UST_SATZ)]),
  )
  const published: Record<string, bigint> = { 1: 19n, 2: 7n, 5: 0n, 6: 0n }
  for (const [key, rate] of rates) {
    const number = key.split(' ')[1] ?? ''
    const wanted = published[number]
    if (wanted !== undefined) want(rate === wanted * 100_000n, `5011 key ${number}: ${rate}`)
    else if (number.length === 4)
      want(rate === BigInt(Number(number) - 1000) * 1000n, `5011 ${key}`)
  }
  for (const row of tables('lines_vat')) {
    const [gross, net, tax] = ['POS_BRUTTO', 'POS_NETTO', 'POS_UST'].map((name) =>
      amount(row[name]),
    )
    const rate = rates.get(`${row.Z_NR} ${row.UST_SCHLUESSEL}`)
    const name = `${row.BON_ID} line ${row.POS_ZEILE}`
    if (rate === undefined || gross === undefined || net === undefined || tax === undefined) {
      faults.push(`5011 ${name} has no rate`)
    } else if (row.UST_SCHLUESSEL !== '7') {
      want(gross === net + tax, `5010 ${name}: ${gross} is not ${net} and ${tax}`)
      want(absolute(net * rate - tax * 10_000_000n) < 20_000_000n, `5010 ${name}: ${tax}`)
    }
  }
  return [...faults, ...faultsOfPrices(tables), ...faultsOfPayments(tables), ...voids(tables)]
}

function faultsOfPrices(tables: Tables): string[] {
  const vat = new Map(
    tables('lines_vat').map((row) => [`${row.BON_ID} ${row.POS_ZEILE}`, amount(row.POS_BRUTTO)]),
  )
  return tables('lines').flatMap((row) => {
    const product = (amount(row.STK_BR) * amount(row.MENGE)) / amount(row.FAKTOR)
    const gross = vat.get(`${row.BON_ID} ${row.POS_ZEILE}`) ?? 0n
    const holds = absolute(product - gross) <= CENT && !(row.STK_BR ?? '').startsWith('-')
    return holds ? [] : [`5070 ${row.BON_ID} line ${row.POS_ZEILE}: ${product} for ${gross}`]
  })
}

function faultsOfPayments(tables: Tables): string[] {
  const paid = byBon(tables('datapayment'))
  const taxes = byBon(tables('transactions_vat'))
  const total = (rows: TableRow[] | undefined, name: string) =>
    (rows ?? []).reduce((sum, row) => sum + amount(row[name]), 0n)
  return tables('transactions').flatMap((row) => {
    const id = row.BON_ID ?? ''
    const turnover = amount(row.UMS_BRUTTO)
    const faults: string[] = []
    const sums = total(taxes.get(id), 'BON_BRUTTO')
    if (sums !== turnover) faults.push(`${id}: ${sums} by rates, ${turnover} in all`)
    const payments = total(paid.get(id), 'BASISWAEH_BETRAG')
    if (row.BON_TYP === 'Beleg' && payments !== turnover) {
      faults.push(`5035 ${id}: ${payments} paid for ${turnover}`)
    }
    return faults
  })
}

function voids(tables: Tables): string[] {
  const references = byBon(tables('references'))
  return tables('transactions')
    .filter(({ BON_STORNO, BON_ID }) => BON_STORNO === '1' && !references.has(BON_ID ?? ''))
    .map(({ BON_ID }) => `5290 ${BON_ID} refers to nothing`)
}

/** Every void and every bill of a table points to the slip that it belongs to, with its closing. */
export function faultsOfReferences(tables: Tables, closings: readonly Closing[]): string[] {
  const found = new Set(
    tables('references').map((row) => `${row.BON_ID} ${row.REF_BON_ID} ${row.REF_Z_NR}`),
  )
  const latest = new Map<string, string>()
  const faults: string[] = []
  for (const { number, slips } of closings) {
    for (const { reference, previous, answer } of slips) {
      const earlier = previous === undefined ? undefined : latest.get(previous)
      const wanted = `${answer.identification} ${earlier}`
      if (earlier !== undefined && !found.has(wanted)) faults.push(`no reference ${wanted}`)
      latest.set(reference, `${answer.identification} ${number}`)
    }
  }
  return faults
}

/** Serial number and key of each TSE belong together. */
export function faultsOfTse(tables: Tables): string[] {
  return tables('tse').flatMap(({ TSE_PUBLIC_KEY, TSE_SERIAL, Z_NR }) => {
    const point = Buffer.from(TSE_PUBLIC_KEY ?? '', 'base64')
    const serial = createHash('sha256').update(point).digest('hex')
    return serial === TSE_SERIAL ? [] : [`closing ${Z_NR}: ${serial} is not ${TSE_SERIAL}`]
  })
}
