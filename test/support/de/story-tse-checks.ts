// What has to hold between the receipts that a German shop sent, the answers it got, and the logs
// of its TSEs. Everything is computed from what was sent; nothing of the program is used.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DE } from './story-items.js'
import { expectedData, type Sent } from './story-shop.js'
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

/** By serial number, in the order of the counters. */
export type Logs = Map<string, LogMessage[]>

/** Messages of several exports together: each once, and the same bytes wherever it appears. */
export function joined(exports: readonly LogMessage[][]): Logs {
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
  const sorted = (known: Map<number, LogMessage>) =>
    [...known.values()].sort((a, b) => a.counter - b.counter)
  return new Map([...bySerial].map(([serial, known]) => [serial, sorted(known)]))
}

/** Counters 1..n, times, each transaction started once and finished once, by its client. */
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
  for (const [number, client] of open) faults.push(`${number} of ${client} was never finished`)
  return faults
}

/** Types of signature items that hold a signature of the TSE: start, finish, update. */
const SIGNATURES: Record<string, string> = {
  '10': 'StartTransaction',
  '12': 'FinishTransaction',
  '21': 'UpdateTransaction',
}
const TRANSACTION = 0x17n
const AFTER_HASH = /#[A-Z]+(\d+)$/

interface Told {
  sent: readonly Sent[]
  /** ftCashBoxIdentification of the queues: their client ids. */
  names: readonly string[]
}

/** Every signature that an answer shows is one of the log, of its kind, client and transaction. */
export function faultsOfAnswers(logs: Logs, { sent, names }: Told): string[] {
  const all = [...logs.values()].flat()
  const known = new Map(all.map((one) => [one.signature, one]))
  const shown = new Set<string>()
  return sent.flatMap(({ reference, answer, queue }) => {
    const name = `${reference} ${answer.identification}`
    const faults = answer.signatures.flatMap(({ type, data }) => {
      const operation = SIGNATURES[(type - DE).toString(16)]
      if (operation === undefined) return []
      const twice = shown.has(data) ? [`${name} shows the signature of another answer`] : []
      if (operation === 'FinishTransaction') shown.add(data)
      const found = known.get(data)
      if (found?.operation !== operation) return [`${name}: its ${operation} is in no log`]
      // a daily closing may finish what others have left open
      const own = operation === 'FinishTransaction' || found.clientId === names[queue]
      return own ? twice : [...twice, `${name}: ${operation} of ${found.clientId}`]
    })
    const number = AFTER_HASH.exec(answer.identification)?.[1]
    const said = answer.signatures.find(({ type }) => type === (DE | TRANSACTION))?.data
    if (said !== undefined && said !== number) faults.push(`${name}: transaction ${said}`)
    return faults
  })
}

const CANCELLED = 'AVBelegabbruch^0.00_0.00_0.00_0.00_0.00^'

/** The content of a receipt is signed at most as often as it was sent; what was not sent, never. */
export function faultsOfContent(logs: Logs, { sent, names }: Told): string[] {
  const left = new Map<string, number>()
  const count = (key: string, by: number) => left.set(key, (left.get(key) ?? 0) + by)
  for (const one of sent) {
    if (one.recipe === undefined) continue
    const [type, data] = expectedData(one.recipe)
    count(`${names[one.queue]} ${type} ${data}`, -1)
  }
  for (const one of [...logs.values()].flat()) {
    if (one.operation !== 'FinishTransaction' || one.processData === CANCELLED) continue
    const { processType } = one
    if (processType !== 'SonstigerVorgang')
      count(`${one.clientId} ${processType} ${one.processData}`, 1)
  }
  return [...left]
    .filter(([, times]) => times > 0)
    .map(([key, times]) => `${key} was signed ${times} times more often than it was sent`)
}
