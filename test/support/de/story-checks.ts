// What has to hold between the receipts that a German shop sent, the answers it got, and its exports.
// Everything is computed here from what was sent; nothing of the program is used.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TableRow } from '../../market/de/support/archive.js'
import { dataOf, type Sent } from './story-shop.js'
import type { LogMessage } from './tse-log.js'

/** Every file of a ZIP; unzip checks the sums of all entries. */
export function unzipped(bytes: Buffer): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-zip-'))
  try {
    writeFileSync(join(folder, 'it.zip'), bytes)
    execFileSync('unzip', ['-q', 'it.zip', '-d', 'files'], { cwd: folder })
    const names = readdirSync(join(folder, 'files'))
    return new Map(names.map((name) => [name, readFileSync(join(folder, 'files', name))]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// ------------------------------------------------------------------------- the TSEs

/** Messages of several exports together: by TSE and counter, the same bytes wherever one appears. */
export function joined(exports: readonly LogMessage[][]): Map<string, LogMessage[]> {
  const bySerial = new Map<string, Map<number, LogMessage>>()
  for (const message of exports.flat()) {
    const known = bySerial.get(message.serial) ?? new Map<number, LogMessage>()
    bySerial.set(message.serial, known)
    const other = known.get(message.counter)
    if (other !== undefined && !other.der.equals(message.der)) {
      throw new Error(`message ${message.counter} of ${message.serial} has two forms`)
    }
    known.set(message.counter, message)
  }
  return new Map(
    [...bySerial].map(([serial, known]) => [
      serial,
      [...known.values()].sort((a, b) => a.counter - b.counter),
    ]),
  )
}

/** Counters 1..n, times, each transaction started once and finished at most once by its client. */
export function faultsOfLog(log: readonly LogMessage[]): string[] {
  const faults: string[] = []
  const open = new Map<number, string>()
  let [started, time] = [0, 0]
  for (const [at, one] of log.entries()) {
    if (one.counter !== at + 1) faults.push(`counter ${one.counter} stands at ${at + 1}`)
    if (one.time < time) faults.push(`time of ${one.counter} goes back`)
    time = one.time
    if (one.operation === 'StartTransaction') {
      started += 1
      if (one.transaction !== started) faults.push(`start ${one.transaction} is start ${started}`)
      open.set(one.transaction, one.clientId)
    } else if (one.operation.endsWith('Transaction')) {
      if (open.get(one.transaction) !== one.clientId) {
        faults.push(`${one.operation} of ${one.transaction} which is not open for ${one.clientId}`)
      }
      if (one.operation === 'FinishTransaction') open.delete(one.transaction)
    }
  }
  for (const number of open.keys()) faults.push(`transaction ${number} was never finished`)
  return faults
}

/** A slip's content is signed at most as often as it was sent, and every answer is in the log. */
export function faultsOfAnswers(
  logs: ReadonlyMap<string, readonly LogMessage[]>,
  input: { sent: readonly Sent[]; names: readonly string[]; expected(sent: Sent): string | null },
): string[] {
  const { sent, names, expected } = input
  const faults: string[] = []
  const finishes = new Map<string, LogMessage>()
  const counts = new Map<string, number>()
  const count = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by)
  for (const [serial, log] of logs) {
    for (const one of log) {
      if (one.operation !== 'FinishTransaction') continue
      finishes.set(`${serial} ${one.counter}`, one)
      if (!one.processData.startsWith('AVBelegabbruch^0.00_')) {
        count(`${one.clientId} ${one.processData}`, 1)
      }
    }
  }
  for (const one of sent) {
    const data = expected(one)
    if (data !== null) count(`${names[one.queue]} ${data}`, -1)
    const serial = dataOf(one.answer, 0x23n)
    if (serial === undefined) continue
    const found = finishes.get(`${serial} ${dataOf(one.answer, 0x18n)}`)
    const same =
      found?.signature === dataOf(one.answer, 0x1dn) &&
      found?.processData === dataOf(one.answer, 0x16n) &&
      String(found?.transaction) === dataOf(one.answer, 0x17n) &&
      found?.clientId === names[one.queue]
    if (!same) faults.push(`${one.reference} ${one.answer.identification} is not in the log`)
  }
  for (const [key, left] of counts) {
    if (left > 0 && !key.includes(' zero-') && / (?:Beleg|AV|[\d-]+;)/.test(key)) {
      faults.push(`${key} was signed ${left} times more than it was sent`)
    }
  }
  return faults
}

// ------------------------------------------------------------------------ DSFinV-K

export type Tables = (name: string) => TableRow[]

/** Thousandths of a cent: numbers of DSFinV-K have five decimals at most. */
export function amount(text: string | undefined): bigint {
  const found = /^(-?)(\d+)(?:,(\d{1,5}))?$/.exec(text ?? '')
  if (found === null) throw new Error(`"${text}" is no number`)
  const units = BigInt(`${found[2]}${(found[3] ?? '').padEnd(5, '0')}`)
  return found[1] === '-' ? -units : units
}

export const fromCents = (cents: number): bigint => BigInt(cents) * 1000n

/** Adds up rows by a key. */
export function summed<T>(rows: readonly T[], key: (row: T) => string, of: (row: T) => bigint) {
  const sums = new Map<string, bigint>()
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0n) + of(row))
  return Object.fromEntries(
    [...sums].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const FAILED = 'Kommunikation mit der technischen Sicherheitseinrichtung (TSE) fehlgeschlagen'

/** What TSE_TA_FEHLER has to say of an answer. */
export function errorMark({ answer, word }: Sent): string {
  const caption = (text: string) =>
    answer.signatures.find((one) => one.caption.startsWith(text))?.caption ?? '?'
  if ((answer.state & 0x100n) !== 0n) return 'SCU'
  if ((word & 0x1_0000n) !== 0n) return caption('Ausfallsnacherfassung vom')
  if ((word & 0x8_0000n) !== 0n) return caption('Handschriftbelegerfassung vom')
  return (answer.state & 2n) !== 0n ? FAILED : ''
}

/** A slip of DSFinV-K as it has to be, from what was sent and answered. */
export function expectedSlip(sent: Sent): Record<string, string> {
  const { answer, recipe } = sent
  const lines = recipe?.lines ?? []
  const pays = recipe?.pays ?? []
  const moved = pays.filter(({ kind }) => kind === 'line')
  const cents =
    lines.reduce((sum, one) => sum + one.cents, 0) - moved.reduce((sum, one) => sum + one.cents, 0)
  const signed = dataOf(answer, 0x1dn) !== undefined
  return {
    BON_ID: answer.identification,
    BON_TYP: recipe?.bonType ?? '',
    BON_STORNO: (sent.word & 0x4_0000n) === 0n ? '0' : '1',
    UMS_BRUTTO: String(fromCents(cents)),
    TERMINAL_ID: sent.terminal ?? 'T1',
    SIGNATURE: signed ? (dataOf(answer, 0x1dn) ?? '') : '',
    COUNTER: signed ? (dataOf(answer, 0x18n) ?? '') : '',
    TRANSACTION: signed ? (dataOf(answer, 0x17n) ?? '') : '',
    ERROR: errorMark(sent),
  }
}

export function foundSlip(row: TableRow, tse: TableRow | undefined): Record<string, string> {
  return {
    BON_ID: row.BON_ID ?? '',
    BON_TYP: row.BON_TYP ?? '',
    BON_STORNO: row.BON_STORNO ?? '',
    UMS_BRUTTO: String(amount(row.UMS_BRUTTO)),
    TERMINAL_ID: row.TERMINAL_ID ?? '',
    SIGNATURE: tse?.TSE_TA_SIG ?? '',
    COUNTER: tse?.TSE_TA_SIGZ ?? '',
    TRANSACTION: tse?.TSE_TANR ?? '',
    ERROR: tse?.TSE_TA_FEHLER ?? '',
  }
}
