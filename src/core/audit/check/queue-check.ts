// The common rules for one queue: items, receipt journal and its chain, and at the end the head.

import type { CaseRules } from '../../../case/rules.js'
import { storedRequest } from '../../../case/stored-receipt.js'
import { Decimal } from '../../../lib/decimal.js'
import { sha256 } from '../../../lib/hash.js'
import type { StoredReceiptRow } from '../../../model/journal.js'
import { storedHash } from '../../../model/receipt-chain.js'
import type { StoredQueueItem } from '../../../store/journal/journal-items.js'
import type { StoredQueue } from '../../../store/journal/journal-queue.js'
import { type ReadAnswer, readAnswer } from './answer.js'
import type { Entry } from './entries.js'
import { differs, type Report, type RuleCode } from './rules.js'

/** A finished item whose answer could be read. */
interface Judged {
  item: StoredQueueItem
  answer: ReadAnswer
  /** The number of its receipt. */
  number: number
  /** False when the stored texts are not those that were hashed. */
  intact: boolean
}

export class QueueCheck {
  private readonly queue: StoredQueue
  private readonly report: Report
  private readonly cases: CaseRules
  private items = 0
  private finished = 0
  /** Receipts so far, by what the items say. */
  private count = 0
  private total: Decimal | undefined = Decimal.ZERO
  private lastMomentMs = 0
  /** Ticks of the newest row. */
  newest = 0n
  /**
   * What the next hash may continue: after a fault the stored and the computed hash, so that one
   * fault is told once; none when it is not known.
   */
  private previous: (Buffer | null)[] | undefined = [null]

  constructor(queue: StoredQueue, { report, cases }: { report: Report; cases: CaseRules }) {
    this.queue = queue
    this.report = report
    this.cases = cases
  }

  entry(entry: Entry): void {
    const { item, receipts, markets, answers } = entry
    for (const row of [item, ...receipts, ...markets]) {
      if (row !== undefined && row.timeStamp > this.newest) this.newest = row.timeStamp
    }
    if (item !== undefined) this.withItem(item, receipts)
    else if (answers === undefined) this.withoutItem(entry)
  }

  private withItem(item: StoredQueueItem, receipts: StoredReceiptRow[]): void {
    this.items += 1
    const judged = this.judgeItem(item)
    if (judged === undefined) {
      for (const { receiptNumber } of receipts) {
        const text = differs('no receipt', `receipt ${receiptNumber} for row ${item.row}`)
        this.add('RECEIPT_OF_ERROR', receiptNumber, text)
      }
      return
    }
    this.countReceipt(judged)
    this.judgeReceipts(judged, receipts)
  }

  /** The head, in the light of everything before it. */
  end(): void {
    const { queue } = this
    this.compare('HEAD_ROWS', `${this.items} items`, `${queue.queuedRow} items`)
    this.compare('HEAD_ROWS', `${this.finished} finished`, `${queue.currentRow} finished`)
    this.compare('HEAD_NUMBER', this.count, queue.receiptNumerator)
    const total = Decimal.stored(queue.receiptTotalizer)
    if (this.total !== undefined && !this.total.equals(total)) {
      this.add('HEAD_TOTAL', '', differs(this.total, total))
    }
    const hash = queue.receiptHash
    if (this.previous !== undefined && !this.previous.some((one) => sameHash(one, hash))) {
      this.add('HEAD_HASH', '', differs(hashText(this.previous[0] ?? null), hashText(hash)))
    }
    if (this.newest > queue.timeStamp) {
      this.add('HEAD_TIME', '', differs(`at least ${this.newest}`, queue.timeStamp))
    }
  }

  private add(code: RuleCode, receipt: number | bigint | string, text: string): void {
    this.report.add(code, String(receipt), text)
  }

  private compare(code: RuleCode, expected: unknown, found: unknown): void {
    if (expected !== found) this.add(code, '', differs(expected, found))
  }

  /** Rows of the journals that belong to nothing. */
  private withoutItem({ id, receipts, markets }: Entry): void {
    for (const { receiptNumber, receiptTotal } of receipts) {
      if (Number(receiptNumber) <= this.count) {
        this.add('RECEIPT_DOUBLED', receiptNumber, differs('one row', `another one for item ${id}`))
        continue
      }
      this.add('RECEIPT_WITHOUT_ITEM', receiptNumber, differs(`the item ${id}`, 'none'))
      this.count = Number(receiptNumber)
      this.total = this.total?.plus(Decimal.stored(receiptTotal))
      this.previous = undefined
    }
    for (const { kind, number } of markets) {
      this.add(
        'MARKET_WITHOUT_ITEM',
        number,
        differs(`the item ${id} of ${kind} ${number}`, 'none'),
      )
    }
  }

  /** The item by itself; undefined when no receipt may belong to it. */
  private judgeItem(item: StoredQueueItem): Judged | undefined {
    const { row, request, requestHash, response, responseHash } = item
    if (item.doneMoment !== null) this.finished += 1
    const requestIntact = this.isHashed('REQUEST_HASH', row, { text: request, hash: requestHash })
    if (item.doneMoment === null) return undefined
    if (response === null || responseHash === null) {
      this.add('ANSWER_FORM', '', `row ${row}: ${differs('an answer', 'none')}`)
      return undefined
    }
    const answerIntact = this.isHashed('ANSWER_HASH', row, { text: response, hash: responseHash })
    const answer = readAnswer(response)
    if (answer === undefined) {
      if (answerIntact)
        this.add('ANSWER_FORM', '', `row ${row}: ${differs('an answer', 'no JSON')}`)
      return undefined
    }
    if (answerIntact) this.judgeAnswer(item, answer)
    if (answer.error) return undefined
    const number = answer.numerator === undefined ? this.count + 1 : answer.numerator + 1
    return { item, answer, number, intact: requestIntact && answerIntact }
  }

  private isHashed(code: RuleCode, row: number, { text, hash }: { text: string; hash: Buffer }) {
    const computed = sha256(text)
    if (computed.equals(hash)) return true
    this.add(code, '', `row ${row}: ${differs(hashText(hash), hashText(computed))}`)
    return false
  }

  private judgeAnswer(item: StoredQueueItem, answer: ReadAnswer): void {
    const expected = `${this.queue.id} ${item.id} ${item.row}`
    const found = `${answer.queueId} ${answer.queueItemId} ${answer.queueRow}`
    if (expected !== found) this.add('ANSWER_OTHER', '', differs(expected, found))
    if (answer.numerator === undefined && !answer.error) {
      this.add('ANSWER_FORM', '', `row ${item.row}: ${differs('a receipt identification', 'none')}`)
    }
    if (answer.momentMs < this.lastMomentMs) {
      const text = differs(`at least ${isoOf(this.lastMomentMs)}`, isoOf(answer.momentMs))
      this.add('MOMENT_FALLS', '', `row ${item.row}: ${text}`)
    }
    this.lastMomentMs = Math.max(this.lastMomentMs, answer.momentMs)
  }

  private countReceipt({ number, item }: Judged): void {
    const expected = this.count + 1
    if (number < expected) {
      const text = differs(`number ${expected}`, `number ${number} again, on row ${item.row}`)
      this.add('ITEM_NUMBER', number, text)
      return
    }
    if (number > expected) {
      this.add('ITEM_MISSING', expected, differs(`number ${expected}`, `number ${number} next`))
      this.total = undefined
      this.previous = undefined
    }
    this.count = number
  }

  private judgeReceipts(judged: Judged, receipts: StoredReceiptRow[]): void {
    const { item, number } = judged
    const [receipt] = receipts
    const total = totalOf(judged, this.cases)
    if (receipt === undefined) {
      this.add('RECEIPT_MISSING', number, differs(`a row for item ${item.id}`, 'none'))
      this.total = total === undefined ? undefined : this.total?.plus(total)
      this.previous = undefined
      return
    }
    if (receipts.length > 1) {
      this.add('RECEIPT_DOUBLED', number, differs('one row', `${receipts.length} rows`))
    }
    const fits = this.judgeFacts(judged, receipt)
    this.addTotal(receipt, { total, fits })
    if (fits) this.judgeHash(judged, receipt)
    else this.previous = undefined
  }

  /** True when number and moment are those of the item. */
  private judgeFacts({ answer, number, intact }: Judged, receipt: StoredReceiptRow): boolean {
    if (receipt.receiptNumber !== BigInt(number)) {
      this.add('RECEIPT_NUMBER', number, differs(number, receipt.receiptNumber))
      return false
    }
    const momentMs = receipt.receiptMoment.getTime()
    if (intact && momentMs !== answer.momentMs) {
      this.add('RECEIPT_MOMENT', number, differs(isoOf(answer.momentMs), isoOf(momentMs)))
      return false
    }
    return true
  }

  /** A row that is not this item's is not compared: that it is not was told already. */
  private addTotal(
    receipt: StoredReceiptRow,
    { total, fits }: { total: Decimal | undefined; fits: boolean },
  ): void {
    const found = Decimal.stored(receipt.receiptTotal)
    if (fits && total !== undefined && !total.equals(found)) {
      this.add('RECEIPT_TOTAL', receipt.receiptNumber, differs(total, found))
    }
    this.total = this.total?.plus(total ?? found)
  }

  private judgeHash({ item }: Judged, receipt: StoredReceiptRow): void {
    const found = receipt.receiptHash
    const expected = (this.previous ?? []).map((previous) => storedHash(previous, receipt, item))
    const [first] = expected
    if (first === undefined || expected.some((one) => one.equals(found))) {
      this.previous = [found]
      return
    }
    this.add('RECEIPT_HASH', receipt.receiptNumber, differs(hashText(first), hashText(found)))
    this.previous = [first, found]
  }
}

/** cbReceiptAmount, or the sum of the charge items; undefined when the request was changed. */
function totalOf({ item, intact }: Judged, cases: CaseRules): Decimal | undefined {
  if (!intact) return undefined
  const request = storedRequest(item.request, { version: item.version, cases })
  if (request.receiptAmount !== null) return request.receiptAmount
  return request.chargeItems.reduce((sum, { amount }) => sum.plus(amount), Decimal.ZERO)
}

function sameHash(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b)
}

function hashText(hash: Buffer | null): string {
  return hash === null ? 'no hash' : hash.toString('base64')
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
