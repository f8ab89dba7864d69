// The independent verifier of Italian journals: written from the law, it shares no code with what
// records and exports.
import { linesOf } from '../read-text.js'
import { type Document, documentIn, judgeAlone } from './document.js'
import { fileKind, type Report } from './rules.js'

export const rtFile = fileKind({
  name: 'documents of RT (IT)',
  recognises: /^\{"previous":"[0-9a-f]*","type":"(sale|refund|void|closing)","serial":"/,
  counted: { documents: 0, closings: 0, devices: 0 },
  async judge(read, { report, counted }) {
    const journal = new Journal(report)
    for await (const line of linesOf(read)) journal.take(line)
    Object.assign(counted, journal.summary())
  },
})

/** Hexadecimal, or Base64, as its maker has it. */
const SHA = /^([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$/

/** A device as its lines tell. */
interface Device {
  z: number
  doc: number
  moment: string
  /** Numbers that were left out, as `z-doc`; at most so many are remembered. */
  missing: Set<string>
}
const MOST_MISSING = 10_000

interface Open {
  left: Map<string, bigint>
  state: 'open' | 'voided' | 'returned' | 'no-sale'
}

class Journal {
  private readonly report: Report
  private readonly devices = new Map<string, Device>()
  private readonly documents = new Map<string, Open>()
  private readonly shas = new Set<string>()
  private hash: string | undefined
  private lines = 0
  private count = 0
  private closings = 0

  constructor(report: Report) {
    this.report = report
  }

  take(line: string): void {
    this.lines += 1
    const document = documentIn(line)
    if (document === undefined) {
      this.report('LINE_FORM', '', `line ${this.lines} is neither document nor Z report`)
      return
    }
    this.link(document)
    this.number(document)
    if (document.type === 'closing') {
      this.closings += 1
      return
    }
    this.count += 1
    judgeAlone(document, this.report)
    this.fingerprint(document)
    this.refer(document)
  }

  summary(): { documents: number; closings: number; devices: number } {
    if (this.lines === 0) this.report('EMPTY', '', 'expected at least one line')
    return { documents: this.count, closings: this.closings, devices: this.devices.size }
  }

  private link({ previous, hash, name }: Document): void {
    const expected = this.hash
    this.hash = hash
    if (expected === undefined) {
      if (previous !== '') this.report('CHAIN_BEGIN', name, 'the file begins within a chain')
    } else if (previous !== expected) {
      this.report('CHAIN_LINK', name, `expected ${expected}, found ${previous.slice(0, 64)}`)
    }
  }

  private number(document: Document): void {
    const { serial, z, doc, moment, type, name } = document
    const before = this.devices.get(serial)
    // its answer was lost, and it got its number when it came again
    if (type !== 'closing' && before?.missing.delete(`${z}-${doc}`)) return
    const isClosing = type === 'closing'
    const last = before === undefined || z > before.z + 1 ? 0 : before.doc
    this.devices.set(serial, {
      z: isClosing ? z : Math.max(z - 1, before?.z ?? 0),
      // a number that comes twice is told once
      doc: isClosing ? 0 : Math.max(doc, last + 1),
      // printers do not say when they closed, and may tell no seconds: it is another clock
      moment: isClosing ? (before?.moment ?? '') : moment,
      missing: leftOut(document, { last, missing: before?.missing ?? new Set() }),
    })
    if (before === undefined) return
    // printers tell seconds of some documents only
    if (!isClosing && minuteOf(moment) < minuteOf(before.moment)) {
      this.report('TIME_DECREASES', name, `expected ${before.moment} or later, found ${moment}`)
    }
    const next = before.z + 1
    if (z < next) {
      const code = isClosing ? 'Z_ORDER' : 'DOCUMENT_Z'
      this.report(code, name, `expected Z ${next}, found ${z}`)
    } else if (z > next)
      this.report('DOCUMENT_GAP', name, `Z ${next} to ${z - 1} are not in the file`)
    if (isClosing || z < next) return
    if (doc <= last) this.report('DOCUMENT_ORDER', name, `expected ${last + 1}, found ${doc}`)
    else if (doc > last + 1) this.report('DOCUMENT_GAP', name, `expected ${last + 1}, found ${doc}`)
  }

  private fingerprint({ sha, name }: Document): void {
    if (sha === '' && this.shas.size === 0) return
    if (!SHA.test(sha) || this.shas.has(sha)) {
      this.report('SHA_MISSING', name, 'expected a fingerprint of its own')
    }
    this.shas.add(sha)
  }

  private refer({ serial, z, doc, type, vat, reference, name }: Document): void {
    const gross = new Map([...vat].map(([key, one]) => [key, one.gross]))
    const state = type === 'sale' ? 'open' : 'no-sale'
    this.documents.set(`${serial} ${z} ${doc}`, { left: gross, state })
    if (type === 'sale') return
    if (reference === undefined || reference.z === 0) {
      if (type === 'void') this.report('REFERENCE_MISSING', name, 'expected a document, found none')
      return
    }
    const key = `${reference.serial} ${reference.z} ${reference.doc}`
    const original = this.documents.get(key)
    if (original === undefined) {
      this.report('REFERENCE_UNKNOWN', name, `${key.slice(0, 60)} is not in the file`)
    } else if (original.state !== 'open') {
      this.report('REFERENCE_DONE', name, `${key.slice(0, 60)} is ${original.state}`)
    } else this.takeBack(original, { type, gross, name })
  }

  private takeBack(
    original: Open,
    { type, gross, name }: { type: string; gross: Map<string, bigint>; name: string },
  ): void {
    for (const rate of new Set([...gross.keys(), ...original.left.keys()])) {
      const [asked, left] = [gross.get(rate) ?? 0n, original.left.get(rate) ?? 0n]
      if (type === 'void' ? asked !== left : asked > left) {
        this.report('REFERENCE_AMOUNT', name, `expected ${left} cents at ${rate}, found ${asked}`)
      }
      original.left.set(rate, left - asked)
    }
    const isAll = [...original.left.values()].every((left) => left <= 0n)
    if (type === 'void') original.state = 'voided'
    else if (isAll) original.state = 'returned'
  }
}

const minuteOf = (moment: string): string => moment.slice(0, 16)

/** The next number of a Z that was closed may have been given too: its answer may still come. */
function leftOut(
  { type, z, doc }: Document,
  { last, missing }: { last: number; missing: Set<string> },
): Set<string> {
  const end = type === 'closing' ? last + 2 : doc
  for (let one = last + 1; one < end && missing.size < MOST_MISSING; one += 1) {
    missing.add(`${z}-${one}`)
  }
  return missing
}
