// The one pass over the receipts of an export: closing by closing, page by page, every row into its
// file.
import { Decimal } from '../../../../lib/decimal.js'
import type { ExportSource } from '../../../../model/export-source.js'
import type { StoredItem } from '../../../../model/journal.js'
import type { PosSystem } from '../../../../model/pos-system.js'
import { vatKeys } from '../../item-cases.js'
import {
  bonVatRows,
  lineRow,
  lineVatRow,
  paymentRows,
  subItemRows,
  transactionRow,
  tseRow,
} from './bon-rows.js'
import { type Bon, bonOf } from './bons.js'
import { cellText, type Row } from './cells.js'
import {
  agencyRow,
  caseRows,
  closingRow,
  currencyRows,
  locationRow,
  paymentSumRows,
  registerRow,
  terminalRow,
} from './closing-rows.js'
import type { StoredClosing } from './closings.js'
import { endedReceipts, LateEnds } from './ends.js'
import type { Line } from './lines.js'
import { Master } from './master.js'
import { type Receipt, receiptOf } from './receipt.js'
import { type Pointer, pointerOf, References, referencesIn } from './references.js'
import type { Settings } from './settings.js'
import type { Sheet } from './sheet.js'
import { ClosingSums } from './sums.js'
import type { TableKey } from './tables.js'
import { Units } from './units.js'
import { vatRow } from './vat-list.js'

/** Longest TERMINAL_ID and ABRECHNUNGSKREIS. */
const NAME_LENGTH = 50

export type Sheets = { [K in TableKey]: Sheet<K> }

export interface PassInput {
  source: ExportSource
  settings: Settings
  sheets: Sheets
  /** Point-of-sale products of the account. */
  posSystems: readonly PosSystem[]
}

/** References that are being looked up. */
type Coming = Promise<[PromiseSettledResult<Row<'references'>[]>]>

/**
 * Receipts that are written before the next ones are read: what is made of one are some hundred
 * kilobytes, and what does not live long costs V8 nothing.
 */
const AT_ONCE = 8

/** What the register and the closing say of their slips. */
interface Slip {
  identification: string
  posSystemId: string | null
}

/** One closing with its receipts; make one, add its pages in order, end it. */
export class ClosingPass {
  private readonly source: ExportSource
  private readonly settings: Settings
  private readonly sheets: Sheets
  private readonly closing: StoredClosing
  private readonly master: Master
  private readonly units: Units
  private readonly references: References
  private readonly sums = new ClosingSums()
  private readonly terminals = new Set<string>()
  private readonly agencies = new Set<number>()
  /** By UST_SCHLUESSEL, from lines and from parts of composed articles. */
  private readonly rates = new Map<number, Decimal>()
  private readonly partRates = new Map<number, Decimal>()
  private first: Slip | undefined
  private last: Slip | undefined
  private coming: Coming | undefined

  constructor({ source, settings, sheets, posSystems }: PassInput, closing: StoredClosing) {
    this.source = source
    this.settings = settings
    this.sheets = sheets
    this.closing = closing
    this.master = new Master(closing.masterData ?? settings.masterData, posSystems)
    this.units = new Units(closing)
    this.references = new References(source, closing)
    const head = {
      register: source.queue.identification,
      moment: new Date(closing.moment).toISOString(),
      number: closing.number,
    }
    for (const sheet of Object.values(sheets)) sheet.begin(head)
  }

  /** References are looked up while the next page is read: their rows come with that. */
  async add(page: readonly StoredItem[]): Promise<void> {
    const ends = new LateEnds(this.source, page)
    const pointers: Pointer[] = []
    for (let at = 0; at < page.length; at += AT_ONCE) {
      const receipts = page.slice(at, at + AT_ONCE).flatMap((item) => receiptOf(item) ?? [])
      const bons = receipts.flatMap((receipt) => this.bonOf(receipt) ?? [])
      await ends.addTo(bons.map(({ receipt }) => receipt))
      for (const bon of bons) {
        this.write(bon)
        pointers.push(pointerOf(bon))
      }
    }
    const before = this.coming
    // settled, not awaited: a failure that nobody waits for yet must not end the process
    this.coming = Promise.allSettled([this.referencesOf(pointers)])
    if (before !== undefined) await this.writeReferences(before)
  }

  private async referencesOf(pointers: Pointer[]): Promise<Row<'references'>[]> {
    if (this.settings.excludeReferences) return []
    const rows = await this.references.of(pointers)
    // emptied, as the rows below: the promises of a long export hang together, and where one of
    // them has become old memory, every page behind it would live until the next full collection
    pointers.length = 0
    return rows
  }

  private async writeReferences(coming: Coming): Promise<void> {
    const [outcome] = await coming
    if (outcome.status === 'rejected') throw outcome.reason
    for (const row of outcome.value) this.sheets.references.add(row)
    outcome.value.length = 0
  }

  async end(): Promise<void> {
    if (this.coming !== undefined) await this.writeReferences(this.coming)
    this.coming = undefined
    for (const receipt of await endedReceipts(this.source, this.closing)) {
      const bon = this.bonOf(receipt)
      if (bon !== undefined) this.write(bon)
    }
    const { sheets, master, closing, sums } = this
    const first = this.first?.identification ?? closing.identification
    const last = this.last?.identification ?? closing.identification
    const facts = { version: this.settings.version, first, last }
    sheets.cashpointclosing.add(closingRow(master, facts, sums))
    sheets.location.add(locationRow(master))
    const register = {
      identification: this.source.queue.identification,
      posSystemId: this.first?.posSystemId ?? null,
      hasUnknownTax: this.rates.has(vatKeys.unknown),
    }
    sheets.cashregister.add(registerRow(master, register))
    for (const id of this.terminals) sheets.slaves.add(terminalRow(id))
    for (const agency of ascending(this.agencies)) sheets.pa.add(agencyRow(master, agency))
    for (const row of await this.units.rows(this.source)) sheets.tse.add(row)
    const rates = new Map([...this.partRates, ...this.rates])
    for (const key of ascending(rates.keys())) {
      sheets.vat.add(vatRow(key, rates.get(key) ?? Decimal.ZERO))
    }
    for (const row of caseRows(sums)) sheets.businesscases.add(row)
    for (const row of paymentSumRows(sums)) sheets.payment.add(row)
    for (const row of currencyRows(sums)) sheets.cash_per_currency.add(row)
  }

  private bonOf(receipt: Receipt): Bon | undefined {
    return bonOf(receipt, {
      excludeOrders: this.settings.excludeOrders,
      baseCurrencyOf: ({ request }) => this.master.baseCurrency(request.posSystemId),
    })
  }

  private write(bon: Bon): void {
    const { sheets } = this
    const id = bon.receipt.identification
    this.last = { identification: id, posSystemId: bon.receipt.request.posSystemId }
    this.first ??= this.last
    this.note(bon.receipt.request.terminalId)
    sheets.transactions.add(transactionRow(bon))
    for (const row of paymentRows(bon)) sheets.datapayment.add(row)
    bon.lines.forEach((line, at) => {
      this.writeLine(bon, line, String(at + 1))
    })
    for (const row of bonVatRows(bon)) sheets.transactions_vat.add(row)
    sheets.transactions_tse.add(tseRow(bon, this.units.idOf(bon.receipt.late ?? bon.receipt.tse)))
    for (const group of groupsOf(bon)) {
      sheets.allocation_groups.add({ BON_ID: id, ABRECHNUNGSKREIS: group })
    }
    this.sums.add(bon, (line) => this.master.agencyNumber(line.agency))
  }

  private writeLine(bon: Bon, line: Line, position: string): void {
    const { sheets } = this
    const id = bon.receipt.identification
    const agency = this.master.agencyNumber(line.agency)
    if (agency > 0) this.agencies.add(agency)
    this.note(line.terminal)
    if (!this.rates.has(line.key)) this.rates.set(line.key, line.rate)
    for (const { key, rate } of line.subItems) this.partRates.set(key, rate)
    sheets.lines.add(lineRow(bon, line, { position, agency }))
    sheets.lines_vat.add(lineVatRow(id, position, line))
    for (const row of subItemRows(id, position, line)) sheets.subitems.add(row)
  }

  private note(terminal: string | null): void {
    const cell = cellText(terminal ?? '', NAME_LENGTH)
    if (cell !== '') this.terminals.add(cell)
  }
}

/** Abrechnungskreise: what ties slips together, for tables that are split and moved. */
function groupsOf(bon: Bon): Set<string> {
  const groups = [...referencesIn(bon).reverse(), bon.receipt.request.area ?? '']
  const cells = groups.map((group) => cellText(group, NAME_LENGTH))
  return new Set(cells.filter((cell) => cell !== ''))
}

function ascending(numbers: Iterable<number>): number[] {
  return Array.from(numbers).sort((a, b) => a - b)
}
