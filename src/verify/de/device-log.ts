// The log of one device in the order of its counters: what a message may follow on what (TR-03151
// 2.5, TR-03153).
import { isUtf8 } from 'node:buffer'
import type { Reporter } from '../reporter.js'
import { quote } from '../text.js'
import type { SystemLog, TransactionLog } from './log-message.js'
import { iso, type TimeFormat } from './log-time.js'
import { PROCESS_TYPES, readBestellung, readKassenbeleg, sumFault } from './process-data.js'
import { StartNumbers } from './start-numbers.js'
import { SystemJudge } from './system-log.js'
import type { TarCode } from './tar-rules.js'

/** A message whose form and signature were looked at. */
export interface Entry {
  place: string
  counter: number
  time: { format: TimeFormat; moment: number }
  body: TransactionLog | SystemLog | { kind: 'audit' }
}

/** Devices hold some hundred; what goes beyond is not followed any more. */
const MOST_OPEN = 100_000

interface Open {
  place: string
  clientId: string
}

export class DeviceLog {
  private readonly reporter: Reporter<TarCode>
  private readonly system: SystemJudge
  private readonly open = new Map<number, Open>()
  private readonly numbers: StartNumbers
  private readonly isPartial: boolean
  private last: Entry | undefined
  /** The log was followed from its first message without a gap. */
  private isWhole = false
  /** The messages before this one were of the same run of counters. */
  private isRun = false
  /** A start was seen since the last gap: the next one has the next number. */
  private isCounting = false

  /** `isPartial`: what stands in a gap was left out by intention. */
  constructor(reporter: Reporter<TarCode>, isPartial: boolean) {
    this.reporter = reporter
    this.isPartial = isPartial
    this.system = new SystemJudge(reporter)
    this.numbers = new StartNumbers(reporter)
  }

  /** The next message by counter. */
  push(entry: Entry): void {
    const { last } = this
    this.isRun = last !== undefined && entry.counter === last.counter + 1
    this.isWhole = last === undefined ? entry.counter === 1 : this.isWhole && this.isRun
    this.isCounting = this.isCounting && this.isRun
    if (last !== undefined) this.judgeTime(entry, last)
    this.last = entry
    const { body } = entry
    if (body.kind === 'system') this.system.push(entry.place, body)
    if (body.kind === 'transaction') this.transaction(entry, body)
  }

  /** After the last message. */
  end(): void {
    this.numbers.end()
    for (const number of this.open.keys()) this.leave(number)
  }

  private leave(number: number): void {
    const text = `expected a finish of transaction ${number}, found none`
    this.reporter.add('TRANSACTION_OPEN', this.open.get(number)?.place ?? '', text)
    this.open.delete(number)
  }

  private judgeTime(entry: Entry, last: Entry): void {
    const { place, time } = entry
    if (time.format !== last.time.format) {
      const text = `expected ${last.time.format} as in ${last.place}, found ${time.format}`
      this.reporter.add('TIME_FORMAT', place, text)
    }
    if (time.moment >= last.time.moment) return
    const isSet = entry.body.kind === 'system' && /^updateTime$/i.test(entry.body.operation)
    const before = `${iso(last.time.moment)} of ${last.place}`
    const text = `expected a time not before ${before}, found ${iso(time.moment)}`
    this.reporter.add(isSet ? 'TIME_SET_BACK' : 'TIME_DECREASES', place, text)
  }

  private transaction(entry: Entry, log: TransactionLog): void {
    const { place } = entry
    this.system.transaction(place)
    if (log.step === 'Start') this.start(entry, log)
    else this.goOn(place, log)
    if (log.step === 'Finish') {
      this.open.delete(log.number)
      this.finish(place, log)
    }
  }

  private start({ place }: Entry, { number, clientId }: TransactionLog): void {
    this.numbers.push(place, number, this.isWhole || this.isCounting)
    this.isCounting = true
    this.open.set(number, { place, clientId })
    const [oldest = number] = this.open.keys()
    if (this.open.size > MOST_OPEN) this.leave(oldest)
    const known = this.system.isRegistered(clientId)
    if (known === true || (known === undefined && !this.isWhole)) return
    const text = `expected registerClient for ${quote(clientId)} before, found none`
    this.reporter.add('CLIENT_UNREGISTERED', place, text)
  }

  private goOn(place: string, { number, clientId, step }: TransactionLog): void {
    const open = this.open.get(number)
    if (open === undefined) {
      const found = `a ${step} without start or after its finish`
      const text = `expected transaction ${number} to be open, found ${found}`
      const isLeftOut = this.isPartial && !this.isWhole
      if (isLeftOut) this.reporter.note('TRANSACTION_NOT_OPEN', place, text)
      else this.reporter.add('TRANSACTION_NOT_OPEN', place, text)
      return
    }
    if (open.clientId === clientId) return
    const text = `expected client ${quote(open.clientId)} as in its start, found ${quote(clientId)}`
    this.reporter.add('TRANSACTION_CLIENT', place, text)
  }

  private finish(place: string, { processType, processData }: TransactionLog): void {
    if (!PROCESS_TYPES.has(processType)) {
      const expected = 'Kassenbeleg-V1, Bestellung-V1 or SonstigerVorgang'
      const text = `expected ${expected}, found ${quote(processType)}`
      this.reporter.add('PROCESS_TYPE', place, text)
      return
    }
    if (!isUtf8(processData)) {
      this.reporter.add('PROCESS_DATA', place, 'expected UTF-8, found other bytes')
      return
    }
    const text = processData.toString('utf8')
    if (processType === 'Kassenbeleg-V1') this.receipt(place, text)
    if (processType === 'Bestellung-V1') this.order(place, text)
  }

  private receipt(place: string, text: string): void {
    const receipt = readKassenbeleg(text)
    if (typeof receipt === 'string') {
      this.reporter.add('PROCESS_DATA', place, `expected ${receipt}, found ${quote(text)}`)
      return
    }
    const fault = sumFault(receipt)
    if (fault !== undefined) this.reporter.add('PROCESS_SUMS', place, fault)
  }

  private order(place: string, text: string): void {
    const order = readBestellung(text)
    if (order === undefined || order.joints.includes(' ')) {
      const expected = 'lines like 2;"Eiskaffee";3.99 with CR between them'
      this.reporter.add('PROCESS_DATA', place, `expected ${expected}, found ${quote(text)}`)
    } else if (order.joints.includes('\n')) {
      this.reporter.add('PROCESS_LINE_FEED', place, 'expected CR between lines, found LF')
    }
  }
}
