// The members of a TSE export in order: info.csv, log messages by counter, certificates from the
// leaf to the root.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { logName } from '../../../device/tse/log-name.js'
import { keySerial } from '../../../device/tse/public-point.js'
import { type MemoryExport, MOST_OPEN_TRANSACTIONS } from '../../../device/tse/tse.js'
import { unixMillisecondsOf } from '../../../lib/ticks.js'
import type { ExportSource } from '../../../model/export-source.js'
import type { CertificateEntry, StoredMarketRow } from '../../../model/journal.js'
import type { UnitMemory } from '../../../model/scu.js'
import { logMessages } from '../queue.js'
import type { Member } from './tar-writer.js'

export type LogSource = Pick<ExportSource, 'logRows' | 'certificate' | 'unit' | 'keptTar'>

/** Counters of one TSE: ascending, apart from each other, both ends inclusive. */
export type Counters = readonly (readonly [from: number, to: number])[]

export interface Content {
  scuId: string
  counters: Counters
}

/**
 * A row is found by its first counter. No receipt leaves more messages than this: it may finish
 * every open transaction, and make some of its own.
 */
const MOST_ROW_MESSAGES = 2 * MOST_OPEN_TRANSACTIONS + 96

/** Throws where a message of these counters is not stored: an export with a gap is none. */
export async function* members(
  source: LogSource,
  content: Content,
): AsyncGenerator<Member, void, undefined> {
  const memory = (await source.unit(content.scuId))?.memory()
  assert(memory, `TSE ${content.scuId} keeps its log itself`)
  yield { name: 'info.csv', content: memory.info }
  let fingerprint: Buffer | null = null
  for await (const { row, der } of messages(source, content)) {
    fingerprint = row.certificateFingerprint ?? fingerprint
    yield { name: logName(der), content: der }
  }
  assert(fingerprint, `the log messages of TSE ${content.scuId} name no certificate`)
  const entry = await source.certificate(fingerprint)
  assert(entry, `certificate ${fingerprint.toString('hex')} of the market journal is not stored`)
  yield* certificateMembers(entry)
}

/** The export of a memory whose messages lie elsewhere than in the journals of queues. */
export async function* memoryMembers(
  source: Pick<LogSource, 'logRows'>,
  memory: UnitMemory,
  scuId: string,
): AsyncGenerator<Member, void, undefined> {
  yield { name: 'info.csv', content: memory.info }
  for await (const { der } of messages(source, { scuId, counters: memory.held })) {
    yield { name: logName(der), content: der }
  }
  yield* certificateMembers(memory.certificate())
}

/** The export of a memory without messages. */
export async function* emptyMembers({
  info,
  certificate,
}: UnitMemory): AsyncGenerator<Member, void, undefined> {
  yield { name: 'info.csv', content: info }
  yield* certificateMembers(certificate())
}

function* certificateMembers({
  der,
  chain,
}: Pick<CertificateEntry, 'der' | 'chain'>): Generator<Member, void, undefined> {
  for (const one of [der, ...chain]) {
    const serial = keySerial(new X509Certificate(one)).toString('hex').toUpperCase()
    yield { name: `${serial}_X509.cer`, content: one }
  }
}

/** When the newest message of the counters was made: their TAR is dated like it. */
export async function newestMoment(source: LogSource, content: Content): Promise<Date> {
  let newest = 0n
  for await (const page of source.logRows(content.scuId, lastCounters(content.counters))) {
    for (const { timeStamp } of page) if (timeStamp > newest) newest = timeStamp
  }
  return new Date(unixMillisecondsOf(newest))
}

function lastCounters(counters: Counters): { from: number; to: number } {
  const to = counters.at(-1)?.[1] ?? 0
  return { from: Math.max(0, to - MOST_ROW_MESSAGES), to }
}

interface Message {
  row: StoredMarketRow
  der: Buffer
}

async function* messages(
  source: Pick<LogSource, 'logRows'>,
  { scuId, counters }: Content,
): AsyncGenerator<Message, void, undefined> {
  const expected = new Expected(counters)
  const from = Math.max(0, (counters[0]?.[0] ?? 0) - MOST_ROW_MESSAGES)
  const to = counters.at(-1)?.[1] ?? 0
  for await (const page of source.logRows(scuId, { from, to })) {
    for (const row of page) yield* takenFrom(row, expected)
  }
  expected.end()
}

function* takenFrom(row: StoredMarketRow, expected: Expected): Generator<Message> {
  for (const { signatureCounter, der } of logMessages(row)) {
    if (expected.takes(signatureCounter)) yield { row, der }
  }
}

/** Follows the counters: each is met once, in order. */
class Expected {
  private readonly counters: Counters
  private at = 0
  private next: number | undefined

  constructor(counters: Counters) {
    this.counters = counters
    this.next = counters[0]?.[0]
  }

  /** False for one outside the export. */
  takes(counter: number): boolean {
    if (this.next === undefined || counter < this.next) {
      assert(!this.isPast(counter), `log message ${counter} is stored twice`)
      return false
    }
    assert(counter === this.next, `log message ${this.next} is not stored`)
    this.advance()
    return true
  }

  end(): void {
    assert(this.next === undefined, `log message ${this.next} is not stored`)
  }

  private advance(): void {
    const [, to = 0] = this.counters[this.at] ?? []
    const { next = 0 } = this
    if (next < to) this.next = next + 1
    else {
      this.at += 1
      this.next = this.counters[this.at]?.[0]
    }
  }

  /** Inside of what was met already. */
  private isPast(counter: number): boolean {
    const [from = counter + 1] = this.counters[this.at] ?? []
    if (counter >= from) return true
    const [before = counter + 1, last = 0] = this.counters[this.at - 1] ?? []
    return counter >= before && counter <= last
  }
}

/** The counters of several exports together, each once. */
export function countersOf(exports: readonly MemoryExport[]): Counters {
  const ranges = exports.flatMap(rangesOf).sort(([a], [b]) => a - b)
  const joined: [number, number][] = []
  for (const [from, to] of ranges) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

function rangesOf({ from, to, without }: MemoryExport): [number, number][] {
  const starts = [from, ...without.map(([, last]) => last + 1)]
  const ends = [...without.map(([first]) => first - 1), to]
  return starts
    .map((start, at): [number, number] => [start, ends[at] ?? to])
    .filter(([start, end]) => start <= end)
}
