// A second look at what a German queue has stored: counters of its TSEs, what answers say of them,
// outages, late entries and closings, and the state at the end. The `audit` of the market: called
// by the checker of stored data.
import { JsonNumber, JsonObject, type JsonValue, parseJson } from '../../lib/json.js'
import { valuesOf } from '../../model/json-members.js'
import type { Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor, Finding, StoredMarketRow } from '../contract.js'
import { ANSWER_KIND, CLOSING_KIND, LOG_KIND, logMessages, readClosing } from './rows.js'
import type { DeState } from './state.js'
import { captions, itemCaptions } from './text.js'

/** DSFinV-K. */
const EXPORT_TYPE = 0x4445_0000_0000_0002n

/**
 * Master data that nobody has given, and orders that are longer than their column, are no fault of
 * what is stored.
 */
const OUTSIDE = new Set(['FIELD_MANDATORY', 'TSE_CUT'])

interface Item {
  caption: string
  data: string
}

/** How the captions begin that carry a moment. */
const RESTORED = captions.restored('').slice(0, -1)
const LATE = captions.lateSigning('')
const LATE_DONE = captions.lateSigningDone('').slice(0, -1)

export class DeAuditor implements Auditor {
  private readonly state: DeState
  /** Last signature counter by unit. */
  private readonly counters = new Map<string, number>()
  /** Counters that receipts of failed mode logged and did not print. */
  private readonly lost = new Set<number>()
  private closings = 0
  private closingRow = 0
  /** Receipts of failed mode since it began, and receipts entered later. */
  private outage = 0
  private late = 0

  constructor(state: DeState) {
    this.state = state
  }

  legalExport(): { type: bigint } {
    return { type: EXPORT_TYPE }
  }

  judge({ findings }: Verdict): Finding[] {
    return findings.filter(({ code }) => !OUTSIDE.has(code))
  }

  receipt(receipt: AuditedReceipt): Finding[] {
    const items = receipt.response === null ? [] : itemsOf(receipt.response)
    const place = String(receipt.row)
    const logs = receipt.journal.filter(({ kind }) => kind === LOG_KIND)
    const proven = receipt.journal.filter(({ kind }) => kind === ANSWER_KIND)
    return [
      ...logs.flatMap((row) => this.judgeLog(row, place)),
      ...this.judgeCounters([...logs, ...proven], { items, place }),
      ...receipt.journal
        .filter(({ kind }) => kind === CLOSING_KIND)
        .flatMap((row) => this.judgeClosing(row, receipt.row)),
      ...items.flatMap((item) => this.judgeItem(item, place)),
    ]
  }

  end(): Finding[] {
    const { state } = this
    return [
      ...expect('STATE_CLOSING', '', [this.closings, state.dailyClosingNumber]),
      ...expect('STATE_CLOSING_ROW', '', [this.closingRow, state.lastClosingRow]),
      ...expect('STATE_OUTAGE', '', [this.outage, state.sscdFailCount]),
      ...expect('STATE_LATE', '', [this.late, state.usedFailedCount]),
    ]
  }

  /** Other queues of the same TSE may lie in between, but nothing is logged twice. */
  private judgeLog(row: StoredMarketRow, place: string): Finding[] {
    const unit = row.scuId ?? ''
    const last = this.counters.get(unit) ?? 0
    this.counters.set(unit, logMessages(row).at(-1)?.signatureCounter ?? last)
    if (row.number > last) return []
    const text = `the log of ${unit} begins with ${row.number} after ${last}`
    return [{ code: 'LOG_ORDER', receipt: place, text }]
  }

  /**
   * A counter that is printed on an answer has to lie in the log that was journalled with it, or
   * with a receipt of failed mode whose answer of the TSE was lost.
   */
  private judgeCounters(
    logs: readonly StoredMarketRow[],
    { items, place }: { items: readonly Item[]; place: string },
  ): Finding[] {
    const logged = new Set(
      logs.flatMap((row) => logMessages(row).map(({ signatureCounter }) => signatureCounter)),
    )
    if (items.some(({ caption }) => caption === captions.tseFailed)) {
      for (const counter of logged) this.lost.add(counter)
    }
    return items
      .filter(({ caption }) => caption === itemCaptions.counter)
      .filter(({ data }) => !logged.has(Number(data)) && !this.lost.delete(Number(data)))
      .map(({ data }) => ({
        code: 'ANSWER_COUNTER',
        receipt: place,
        text: `the signature counter ${data} is not in the log of this receipt`,
      }))
  }

  private judgeClosing(row: StoredMarketRow, itemRow: number): Finding[] {
    const place = String(itemRow)
    const closing = readClosing(row.content)
    const findings = [
      ...expect('CLOSING_NUMBER', place, [this.closings + 1, row.number]),
      ...expect('CLOSING_ROW', place, [itemRow, closing.row]),
      ...expect('CLOSING_BEFORE', place, [this.closingRow, closing.previousRow]),
    ]
    this.closings = row.number
    this.closingRow = closing.row
    return findings
  }

  private judgeItem({ caption, data }: Item, place: string): Finding[] {
    if (caption === captions.tseFailed) {
      this.outage += 1
      return expect('OUTAGE_COUNT', place, [String(this.outage), data.split(': ').at(-1)])
    }
    if (caption.startsWith(RESTORED)) {
      const told = expect('OUTAGE_END', place, [String(this.outage), data.split(' ')[0]])
      this.outage = 0
      return told
    }
    if (caption.startsWith(LATE_DONE)) {
      const told = expect('LATE_END', place, [String(this.late), data.split(' ')[0]])
      this.late = 0
      return told
    }
    if (caption.startsWith(LATE)) this.late += 1
    return []
  }
}

function expect(code: string, receipt: string, [expected, found]: [unknown, unknown]): Finding[] {
  if (expected === found) return []
  return [{ code, receipt, text: `expected ${String(expected)}, found ${String(found)}` }]
}

/** Caption and data of every item; member names come in lower camel case and in PascalCase. */
function itemsOf(response: string): Item[] {
  const answer = parseJson(response)
  const list = answer instanceof JsonObject ? answer.get('ftSignatures') : undefined
  return (Array.isArray(list) ? list : []).flatMap((one) =>
    one instanceof JsonObject
      ? [{ caption: memberOf(one, 'caption'), data: memberOf(one, 'data') }]
      : [],
  )
}

function memberOf(item: JsonObject, name: string): string {
  return textOf(valuesOf(item, name)[0])
}

function textOf(value: JsonValue | undefined): string {
  if (value instanceof JsonNumber) return value.text
  return typeof value === 'string' ? value : ''
}
