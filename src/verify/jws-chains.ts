// Chains of signed documents in one file: each document has a number in its chain, and names the
// hash of the one before it.
import { type Certificates, type Payload, readJws } from './jws.js'
import { once, type Report } from './reporter.js'
import { quote } from './text.js'

/** Findings of chains; `name`: the certificate is of somebody else. */
export type ChainCode =
  | ('JWS_FORM' | 'NUMBER_GAP' | 'CHAIN_BROKEN' | 'QUEUE_CHANGED' | 'TIME_DECREASES')
  | ('CERTIFICATE_MISSING' | 'CERTIFICATE_PERIOD' | 'SIGNATURE_INVALID')

/** How the file files a document: its chain and its number in it. */
export interface Place {
  letter: string
  number: string
}

/** What a payload says of itself; '' for what is not there. */
export interface Said {
  /** Identification: chain and number stand at its end. */
  id: string
  queue: string
  /** ISO. */
  moment: string
  /** The hash of the document before. */
  before: string
  /** Serial number of the certificate, and whose it is. */
  serial: string
  owner: string
}

export interface Rules<Code extends string> {
  report: Report<Code | ChainCode>
  /** Code of a certificate whose CN is not the owner. */
  ownerCode: Code
  /** The members that say it. */
  members: Readonly<Record<keyof Said, string>>
  /** Left out: of a table without signatures. */
  certificates?: Certificates | undefined
  /** Nothing stands before the first documents; undefined: the first of all tells. */
  isBeginning?: boolean | undefined
  /** Identification of a document with which a queue begins. */
  begins: RegExp
}

interface Last {
  number: number
  /** Undefined where that cannot be known. */
  hash: string | undefined
}

export class JwsChains<Code extends string> {
  isBeginning: boolean | undefined
  private readonly rules: Rules<Code>
  private readonly once: Report<Code | ChainCode>
  private readonly last = new Map<string, Last>()
  private queue = ''
  private moment = ''

  constructor(rules: Rules<Code>) {
    this.rules = rules
    this.isBeginning = rules.isBeginning
    this.once = once(rules.report)
  }

  /** A JWS, or the payload of one whose signature is not there. Undefined: it cannot be read. */
  take(place: Place, told: string | Payload): Payload | undefined {
    if (typeof told === 'string') return this.signed(place, told)
    this.add(place, told)
    return told
  }

  private signed(place: Place, text: string): Payload | undefined {
    const jws = readJws(text)
    if (jws === undefined) {
      const told = 'expected a compact JWS with a flat payload'
      this.rules.report('JWS_FORM', place.letter + place.number, told)
      return undefined
    }
    const { serial, owner, moment, id } = this.said(jws.payload)
    const by = this.rules.certificates?.prove(jws, { serial, moment, place: id }, this.once)
    if (by !== undefined && !by.subject.split('\n').includes(`CN=${owner}`)) {
      this.once(this.rules.ownerCode, id, `expected CN ${quote(owner)}`)
    }
    this.add(place, jws.payload, jws.hash)
    return jws.payload
  }

  /** `hash`: by which the next one is chained to it, where that is known. */
  private add({ letter, number }: Place, payload: Payload, hash?: string): void {
    const { report } = this.rules
    const { id, before, queue, moment } = this.said(payload)
    this.isBeginning ??= this.rules.begins.test(id)
    const last = this.last.get(letter)
    const expected = (last?.number ?? 0) + 1
    const isFree = last === undefined && !this.isBeginning && Number(number) > 0
    if (!id.endsWith(`#${letter}${number}`) || (!isFree && Number(number) !== expected)) {
      report('NUMBER_GAP', id, `expected ${letter}${expected}, found ${letter}${number}`)
    } else if (
      (Number(number) === 1) !== (before === '') ||
      (last?.hash !== undefined && before !== last.hash)
    ) {
      report('CHAIN_BROKEN', id, 'the member hash is not that of the document before')
    }
    this.last.set(letter, { number: Number(number), hash })
    if (this.queue !== '' && queue !== this.queue) report('QUEUE_CHANGED', id, quote(queue))
    if (Date.parse(moment) < Date.parse(this.moment)) {
      report('TIME_DECREASES', id, `${quote(moment)} follows ${quote(this.moment)}`)
    }
    this.queue = queue
    this.moment = moment
  }

  private said(payload: Payload): Said {
    const { id, queue, moment, before, serial, owner } = this.rules.members
    const text = (member: string) => payload.get(member) ?? ''
    return {
      ...{ id: text(id), queue: text(queue), moment: text(moment) },
      ...{ before: text(before), serial: text(serial), owner: text(owner) },
    }
  }
}
