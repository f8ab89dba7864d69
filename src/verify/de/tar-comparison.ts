// A DSFinV-K beside the log of its TSE: every transaction of either is in the other, with the same
// values.
import type { Closings } from './closings.js'
import type { LogMessage } from './log-message.js'
import { iso } from './log-time.js'
import type { Row } from './table-reader.js'
import { type Kept, mark, TarLedger } from './tar-ledger.js'
import type { TseUnit } from './tse-units.js'

/** Starts that wait for their finish; devices hold some hundred. */
const MOST_OPEN = 100_000

/** Starts, closings and the like: no receipts, so that they need no row. */
const OTHER = mark('SonstigerVorgang')

/** The period of one cash register in this export. */
interface Period {
  kasse: string
  /** Unix milliseconds of the first transaction; -Infinity: the export begins with Z_NR 1. */
  from: number
  /** Of the last closing. */
  to: number
  lastCounter: number
}

/** What a row says that was signed. */
export interface Said {
  kasse: string
  /** Each of them may have been signed. */
  data: string[]
  /** What is there of an order that is cut, or left out: its beginning, or its lines. */
  part?: { of: 'beginning' | 'lines'; text: string } | undefined
}

export class TarComparison {
  private readonly ledger = new TarLedger()
  private readonly starts = new Map<string, number>()
  private readonly periods = new Map<number, Period>()
  private readonly closings: Closings
  private readonly isPartial: boolean
  private outside = 0
  private other = 0

  /** `isPartial`: the log is a part by intention. */
  constructor(closings: Closings, isPartial: boolean) {
    this.closings = closings
    this.isPartial = isPartial
    for (const { row, kasse, number } of closings.all.values()) {
      const known = this.periods.get(mark(kasse))
      const from = number === '1' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
      const to = Date.parse(row.get('Z_ERSTELLUNG'))
      this.periods.set(mark(kasse), {
        kasse,
        from: Math.min(from, known?.from ?? from),
        to: Math.max(to, known?.to ?? to),
        lastCounter: 0,
      })
    }
  }

  /** A message of the log whose signature holds. */
  logged({ body, serialHex, counter, time }: LogMessage): void {
    if (body.kind !== 'transaction') return
    const key = `${serialHex} ${body.number}`
    if (body.step === 'Start') {
      const [oldest = key] = this.starts.keys()
      if (this.starts.size >= MOST_OPEN) this.starts.delete(oldest)
      this.starts.set(key, time.moment)
    }
    if (body.step !== 'Finish') return
    const start = this.starts.get(key) ?? Number.NaN
    this.starts.delete(key)
    this.ledger.add({ ...body, serialHex, counter, end: time.moment }, start)
  }

  /** A signed row of transactions_tse.csv. */
  row(row: Row, unit: TseUnit, said: Said): void {
    const { kasse } = said
    const [number, counter] = [Number(row.get('TSE_TANR')), Number(row.get('TSE_TA_SIGZ'))]
    const [start, end] = [Date.parse(row.get('TSE_TA_START')), Date.parse(row.get('TSE_TA_ENDE'))]
    const period = this.periods.get(mark(kasse))
    if (period !== undefined) {
      if (start < period.from) period.from = start
      period.lastCounter = Math.max(period.lastCounter, counter)
    }
    const kept = this.ledger.take(unit.serialHex, number)
    if (kept === undefined) {
      const text = `expected transaction ${number} in the log of the TSE, found none`
      this.tell('TAR_LACKS', row, text)
      return
    }
    const faults = [
      counter === kept.counter ? '' : `TSE_TA_SIGZ ${kept.counter}`,
      isSameSecond(end, kept.end) ? '' : `TSE_TA_ENDE ${iso(kept.end)}`,
      Number.isNaN(kept.start) || isSameSecond(start, kept.start)
        ? ''
        : `TSE_TA_START ${iso(kept.start)}`,
      mark(kasse) === kept.client ? '' : 'another Z_KASSE_ID',
      mark(row.get('TSE_TA_VORGANGSART')) === kept.type ? '' : 'another TSE_TA_VORGANGSART',
      isSameData(said, kept) ? '' : 'other TSE_VORGANGSDATEN',
    ].filter((fault) => fault !== '')
    if (faults.length === 0) return
    const text = `expected as in the log of the TSE: ${faults.join(', ')}; found another value`
    this.closings.add('TAR_DIFFERS', row, text)
  }

  /** After the last row: what the log has and the export has not. */
  end(): void {
    for (const kept of this.ledger.all()) if (kept.isFound === 0) this.missing(kept)
    const { report } = this.closings
    const found = 'found in the log only'
    if (this.outside > 0) {
      const text = `expected transactions of these closings, ${found}: ${this.outside} of others`
      report.add('TAR_OUTSIDE', '', text)
    }
    if (this.other > 0) {
      report.add('TAR_OTHER', '', `expected receipts, ${found}: ${this.other} of SonstigerVorgang`)
    }
  }

  private missing({ number, counter, client, end, type }: Kept): void {
    const period = this.periods.get(client)
    if (period === undefined) return // of another cash register at the same TSE
    const isInside = end >= period.from && (end <= period.to || counter < period.lastCounter)
    // first: the transaction of a closing itself may end in the second after it
    if (type === OTHER) this.other += 1
    else if (!isInside) this.outside += 1
    else {
      const expected = `expected transaction ${number} of ${iso(end)} in transactions_tse.csv`
      this.closings.report.add('TAR_ONLY', `TSE_TANR ${number}`, `${expected}, found none`)
    }
  }

  private tell(code: 'TAR_LACKS', row: Row, text: string): void {
    if (this.isPartial) this.closings.report.note(code, row.owner, `${row.place}: ${text}`)
    else this.closings.add(code, row, text)
  }
}

function isSameData({ data, part }: Said, kept: Kept): boolean {
  if (data.some((one) => mark(one) === kept.data)) return true
  return part !== undefined && mark(part.text) === kept[part.of]
}

/** Logs have seconds; rows may show milliseconds. */
function isSameSecond(a: number, b: number): boolean {
  return Math.floor(a / 1000) === Math.floor(b / 1000)
}
