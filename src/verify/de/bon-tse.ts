// What the TSE signed for one receipt: is the signature right, and does it say what the receipt
// says (DSFinV-K Annex I)?

import { quote } from '../text.js'
import { CENT, isNear, plainOf, sumOf } from './amounts.js'
import type { Bon } from './bons.js'
import { addTo, type Closings } from './closings.js'
import { signedBytes } from './finish-message.js'
import { algorithmOfName, signatureHolds } from './keys.js'
import { NumberSet } from './number-set.js'
import { beginningOf, LONGEST_DATA, orderText, shortened } from './order-text.js'
import { type Kassenbeleg, readBestellung, readKassenbeleg } from './process-data.js'
import type { Row } from './table-reader.js'
import type { Said, TarComparison } from './tar-comparison.js'
import type { TseUnit } from './tse-units.js'
import { bucketOf } from './vat-keys.js'

const HALF_CENT = CENT / 2n
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

const TSE_KEY = { column: 'TSE_ID', code: 'TSE_UNKNOWN', file: 'tse.csv' } as const

interface Used {
  counters: NumberSet
  transactions: NumberSet
}

export class TseJudge {
  /** Rows whose signature holds. */
  proven = 0
  private readonly closings: Closings
  private readonly used = new Map<string, Used>()
  private readonly log: TarComparison | undefined

  /** `log`: what the TSE itself has logged, when it is at hand. */
  constructor(closings: Closings, log: TarComparison | undefined) {
    this.closings = closings
    this.log = log
  }

  judge(bon: Bon): void {
    const rows = bon.rows('transactions_tse.csv')
    if (rows === undefined) return
    if (rows.length === 0) {
      const text = 'expected a row in transactions_tse.csv, found none'
      this.closings.add('TSE_MISSING', bon.row, text)
    }
    for (const row of rows) {
      if (row.get('TSE_ID') !== '') this.closings.mustHave(row, TSE_KEY, bon.closing.tse)
      if (row.get('TSE_TA_SIG') !== '') this.signed(row, bon, rows.length === 1)
      else if (row.get('TSE_TA_FEHLER') === '') {
        const text = 'expected TSE_TA_SIG, or a reason in TSE_TA_FEHLER, found neither'
        this.closings.add('TSE_MISSING', row, text)
      }
    }
  }

  private signed(row: Row, bon: Bon, isOnly: boolean): void {
    if (!this.isFilled(row)) return
    const [start, end] = [row.get('TSE_TA_START'), row.get('TSE_TA_ENDE')]
    if (Date.parse(start) > Date.parse(end)) {
      this.closings.add('TSE_TIMES', row, `expected an end not before ${start}, found ${end}`)
    }
    const unit = bon.closing.tse.get(row.get('TSE_ID'))
    if (unit !== undefined) {
      this.judgeNumbers(row, unit)
      this.log?.row(row, unit, saidIn(row, bon))
      this.prove(row, unit, bon)
    }
    const receipt = this.receiptOf(row)
    if (receipt !== undefined && isOnly) this.agree(receipt, row, bon)
  }

  private isFilled(row: Row): boolean {
    const columns = ['TSE_ID', 'TSE_TANR', 'TSE_TA_START', 'TSE_TA_ENDE', 'TSE_TA_SIGZ']
    const empty = [...columns, 'TSE_TA_VORGANGSART'].filter((name) => row.get(name) === '')
    if (empty.length === 0) return true
    const text = `expected ${empty.join(', ')} beside a signature, found none`
    this.closings.add('FIELD_MANDATORY', row, text)
    return false
  }

  private judgeNumbers(row: Row, { serialHex }: TseUnit): void {
    const used = this.used.get(serialHex) ?? {
      counters: new NumberSet(),
      transactions: new NumberSet(),
    }
    this.used.set(serialHex, used)
    const [counter, transaction] = [Number(row.get('TSE_TA_SIGZ')), Number(row.get('TSE_TANR'))]
    if (!Number.isSafeInteger(counter) || !Number.isSafeInteger(transaction)) return
    if (!used.counters.add(counter)) {
      const text = `expected a new TSE_TA_SIGZ of its TSE, found ${counter} again`
      this.closings.add('TSE_COUNTER', row, text)
    }
    if (used.transactions.add(transaction)) return
    const text = `expected a new TSE_TANR of its TSE, found ${transaction} again`
    this.closings.add('TSE_TRANSACTION', row, text)
  }

  private prove(row: Row, unit: TseUnit, bon: Bon): void {
    const algorithm = algorithmOfName(unit.algorithm)
    const [counter, number] = [countOf(row.get('TSE_TA_SIGZ')), countOf(row.get('TSE_TANR'))]
    const moment = Date.parse(row.get('TSE_TA_ENDE'))
    if (unit.key === undefined || algorithm === undefined) return // told for tse.csv
    if (counter === undefined || number === undefined || Number.isNaN(moment)) return
    if (algorithm.hash === undefined) {
      const text = `expected plain ECDSA, found ${algorithm.name}, which is not checked here`
      this.closings.add('TSE_UNPROVEN', row, text)
      return
    }
    const text = row.get('TSE_TA_SIG')
    const signature = Buffer.from(BASE64.test(text) ? text : '', 'base64')
    const by = { key: unit.key, hash: algorithm.hash }
    const head = {
      clientId: bon.closing.kasse,
      processType: row.get('TSE_TA_VORGANGSART'),
      transactionNumber: number,
      serialHex: unit.key.serialHex,
      algorithm,
      counter,
      moment,
      timeFormat: unit.timeFormat,
    }
    const holds = dataOf(row, bon).some((data) =>
      signedBytes({ ...head, processData: Buffer.from(data) }).some((signed) =>
        signatureHolds(signed, signature, by),
      ),
    )
    if (!holds) {
      this.unproven(row)
      return
    }
    this.proven += 1
    if (moment % 1000 === 0 || unit.timeFormat.startsWith('generalizedTime')) return
    const told = `TSE_TA_ENDE: expected whole seconds, as ${unit.timeFormat} has`
    this.closings.add('FIELD_TIME', row, `${told}, found ${row.get('TSE_TA_ENDE')}`)
  }

  private unproven(row: Row): void {
    const data = row.get('TSE_VORGANGSDATEN')
    const isOrder = row.get('TSE_TA_VORGANGSART') === 'Bestellung-V1'
    if (data === '' && !isOrder) {
      const text = 'expected all that was signed in TSE_VORGANGSDATEN, found it empty'
      this.closings.add('TSE_UNPROVEN', row, text)
      return
    }
    if (isCut(data)) {
      const found = 'found it empty or cut, and other lines'
      this.closings.add('TSE_CUT', row, `expected all that was signed, ${found}`)
      return
    }
    const text = 'expected the signature of this transaction, found one of something else'
    this.closings.add('TSE_SIGNATURE', row, text)
  }

  private receiptOf(row: Row): Kassenbeleg | undefined {
    const data = row.get('TSE_VORGANGSDATEN')
    if (data === '') return undefined
    const type = row.get('TSE_TA_VORGANGSART')
    if (
      type === 'Bestellung-V1' &&
      readBestellung(data) === undefined &&
      data.length < LONGEST_DATA
    ) {
      const text = `expected lines like 2;"Eiskaffee";3.99, found ${quote(data)}`
      this.closings.add('TSE_DATA', row, text)
    }
    if (type !== 'Kassenbeleg-V1') return undefined
    const receipt = readKassenbeleg(data)
    if (typeof receipt !== 'string') return receipt
    this.closings.add('TSE_DATA', row, `expected ${receipt}, found ${quote(data)}`)
    return undefined
  }

  private agree(receipt: Kassenbeleg, row: Row, bon: Bon): void {
    const typ = bon.row.get('BON_TYP')
    if (receipt.bonType !== typ) {
      const text = `expected ${quote(typ)} as in transactions.csv, found ${receipt.bonType}`
      this.closings.add('TSE_DATA', row, text)
    }
    this.agreeAmounts(receipt, row, bon)
    this.agreePayments(receipt, row, bon)
  }

  private agreeAmounts({ buckets }: Kassenbeleg, row: Row, bon: Bon): void {
    const [lines, paid] = [bon.rows('lines_vat.csv'), bon.rows('datapayment.csv')]
    const vatRows = bon.rows('transactions_vat.csv')
    if (lines === undefined || paid === undefined || vatRows === undefined) return
    const signed = buckets.map((cents) => cents * CENT)
    const expected = [0n, 0n, 0n, 0n, 0n]
    let isSplit = false
    for (const { bucket, amount } of amountsByBucket(lines, vatRows)) {
      if (bucket === undefined) isSplit = true
      expected[bucket ?? 4] = (expected[bucket ?? 4] ?? 0n) + amount
    }
    expected[4] = (expected[4] ?? 0n) + internalOf(paid, bon)
    const tolerance = HALF_CENT + BigInt(lines.length)
    const isSame = isSplit
      ? isNear(sumOf(signed), sumOf(expected), tolerance * 5n)
      : signed.every((amount, at) => isNear(amount, expected[at] ?? 0n, tolerance))
    if (isSame) return
    const found = `${told(signed)} in TSE_VORGANGSDATEN`
    const text = `expected the turnover ${told(expected)}, found ${found}`
    this.closings.add('TSE_AMOUNTS', row, text)
  }

  private agreePayments({ payments }: Kassenbeleg, row: Row, bon: Bon): void {
    const rows = bon.rows('datapayment.csv')
    if (rows === undefined) return
    const expected = new Map<string, bigint>()
    for (const payment of rows) {
      const kind = payment.get('ZAHLART_TYP')
      if (kind === 'Keine') continue
      const currency = payment.get('ZAHLWAEH_CODE')
      const isForeign = currency !== bon.closing.currency
      const name = kind === 'Bar' ? 'Bar' : 'Unbar'
      const column = isForeign ? 'ZAHLWAEH_BETRAG' : 'BASISWAEH_BETRAG'
      addTo(expected, isForeign ? `${name}:${currency}` : name, payment.units(column) ?? 0n)
    }
    for (const kind of new Set([...expected.keys(), ...payments.keys()])) {
      const [right = 0n, cents = 0n] = [expected.get(kind), payments.get(kind)]
      if (right === cents * CENT) continue
      const found = plainOf(cents * CENT)
      const text = `expected ${plainOf(right)} ${kind}, found ${found} in TSE_VORGANGSDATEN`
      this.closings.add('TSE_PAYMENTS', row, text)
    }
  }
}

interface Part {
  bucket: number | undefined
  amount: bigint
}

/** Lines have five decimals, as the buckets were summed from. */
function amountsByBucket(lines: Row[], vatRows: Row[]): Part[] {
  const isComplete = lines.every((row) => row.get('POS_BRUTTO') !== '')
  const rows = isComplete ? lines : vatRows
  const column = isComplete ? 'POS_BRUTTO' : 'BON_BRUTTO'
  return rows.map((row) => ({
    bucket: bucketOf(row.get('UST_SCHLUESSEL')),
    amount: row.units(column) ?? 0n,
  }))
}

/** Material consumption (Keine) is set off in the zero bucket; on a void it is added. */
function internalOf(payments: Row[], bon: Bon): bigint {
  const amounts = payments
    .filter((row) => row.get('ZAHLART_TYP') === 'Keine')
    .map((row) => row.units('BASISWAEH_BETRAG') ?? 0n)
  const sum = sumOf(amounts)
  return bon.row.get('BON_STORNO') === '1' ? sum : -sum
}

/**
 * What may have been signed: tables lose the CR between the lines of an order, or the order where
 * it is longer than the column; its lines then stand in lines.csv.
 */
function dataOf(row: Row, bon: Bon): string[] {
  const data = row.get('TSE_VORGANGSDATEN')
  if (row.get('TSE_TA_VORGANGSART') !== 'Bestellung-V1') return [data]
  if (isCut(data)) return [data, orderText(bon) ?? data]
  const order = readBestellung(data)
  return order === undefined ? [data] : [data, order.lines.join('\r'), order.lines.join('\n')]
}

/** Of an order: it does not stand in its cell as a whole, or may not. */
function isCut(data: string): boolean {
  return data === '' || [...data].length >= LONGEST_DATA
}

function saidIn(row: Row, bon: Bon): Said {
  const said = { kasse: bon.closing.kasse, data: dataOf(row, bon) }
  const cell = row.get('TSE_VORGANGSDATEN')
  if (row.get('TSE_TA_VORGANGSART') !== 'Bestellung-V1' || !isCut(cell)) return said
  if (cell !== '') return { ...said, part: { of: 'beginning', text: beginningOf(cell) } }
  const lines = orderText(bon)
  if (lines === undefined) return said
  return { ...said, part: { of: 'lines', text: shortened(lines) } }
}

function countOf(text: string): bigint | undefined {
  return /^\d{1,18}$/.test(text) ? BigInt(text) : undefined
}

function told(amounts: readonly bigint[]): string {
  return amounts.map(plainOf).join(' / ')
}
