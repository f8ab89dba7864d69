// The simulated RT: numbers documents, adds up the day, and refuses what a real one refuses, with
// the numbers of Epson printers. No certified device, and its serial number says so.

import { isSummer, romeTime } from '../../device/it/clock.js'
import { ccdcOf, serverXml } from '../../device/it/fpserver.js'
import { sumsOf, totalOf } from '../../device/it/sums.js'
import { isTaxId } from '../../device/it/tax-id.js'
import {
  type RtAnswer,
  type RtClosing,
  type RtDocument,
  type RtReference,
  RtRefusal,
} from '../../device/it/unit.js'
import { sha256 } from '../../lib/hash.js'
import { linesFault } from './amounts.js'
import type { KeptAnswer, RtState } from './state.js'

const DAY_MS = 86_400_000
const MOST_DOCUMENTS = 9999
const KEPT_ANSWERS = 8

export const status = {
  ...{ paper: 3, clockBehind: 9, order: 11, unknown: 12, value: 13, clockAhead: 14, closing: 17 },
  ...{ memory: 18, tooLarge: 20, limit: 21, notProgrammed: 22, closeReceipt: 23, incomplete: 25 },
  ...{ checksum: 30, notActive: 34, voided: 39, refunded: 40, isVoid: 41, isRefund: 42 },
} as const

export interface RtWorld {
  /** Unix milliseconds, as the clock of the device has it. */
  now: number
  /** The world's: a device that is far from it refuses. */
  trueNow: number
  isServer: boolean
  /** Documents that the journal holds. */
  capacity: number
  /** A day that is open longer must be closed first. */
  dailyLimit: boolean
}

function demand(isRight: boolean, number: number, message: string): void {
  if (!isRight) throw new RtRefusal(number, message)
}

export class RtCore {
  readonly state: RtState
  private readonly world: RtWorld

  constructor(state: RtState, world: RtWorld) {
    this.state = state
    this.world = world
  }

  document(document: RtDocument): RtAnswer {
    const before = this.state.answers.find(({ id }) => id === document.id)
    const total = totalOf(document)
    if (before !== undefined && before.doc > 0 && before.total === `${total}`) {
      return this.shown(before)
    }
    this.demandReady()
    const fault = linesFault(document)
    if (fault !== undefined) throw new RtRefusal(...fault)
    demand(document.taxId === '' || isTaxId(document.taxId), status.checksum, 'wrong tax number')
    const isCode = document.lottery === '' || /^[A-Z0-9]{8}$/.test(document.lottery)
    demand(isCode, status.value, 'wrong lottery code')
    const vat = sumsOf(document)
    if (document.type !== 'sale') demandReference(document, vat)
    return this.keep(document, total, vat)
  }

  closing(id: string): RtClosing {
    const { state, world } = this
    const before = state.answers.find((one) => one.id === id && one.doc === 0)
    if (before !== undefined) return { serial: state.serial, z: before.z, moment: before.moment }
    demand(state.phase !== 'out-of-service', status.notActive, 'the device is out of service')
    this.demandClock()
    state.z += 1
    Object.assign(state, { doc: 0, openSince: null, totals: {}, payments: {}, chains: {} })
    state.phase = 'in-service'
    state.filesToSend = 0
    state.lastAt = world.now
    const moment = romeTime(world.now)
    this.remember({ id, z: state.z, doc: 0, moment, sha: '', total: '0', vat: {} })
    return { serial: state.serial, z: state.z, moment }
  }

  /** Without a memory of documents only those of today can be known for sure. */
  reprint({ z, doc, serial }: RtReference): void {
    const { state } = this
    const isKnown = z <= state.z ? z > 0 && doc > 0 : z === state.z + 1 && doc <= state.doc
    demand(serial === state.serial && isKnown, status.unknown, 'there is no such document')
  }

  info(): Record<string, unknown> {
    const { serial, openSince, z, doc, grandTotal, filesToSend, ejUsed } = this.state
    return {
      RTInfo: {
        ...{ SerialNumber: serial, DailyOpen: openSince !== null, LastZNumber: z },
        ...{ DocumentsInZ: doc, GrandTotal: Number(grandTotal) / 100, FilesToSend: filesToSend },
        EjUsedPercent: Math.floor((ejUsed * 100) / this.world.capacity),
      },
    }
  }

  private demandReady(): void {
    const { state, world } = this
    demand(state.phase !== 'out-of-service', status.notActive, 'the device is out of service')
    demand(state.ejUsed < world.capacity, status.memory, 'the electronic journal is full')
    this.demandClock()
    const { openSince } = state
    const isOld = world.dailyLimit && openSince !== null && world.now - openSince > DAY_MS
    demand(!isOld, status.closing, 'the day is open for more than 24 hours: closing needed')
    demand(state.doc < MOST_DOCUMENTS, status.closeReceipt, 'document 9999: closing needed')
  }

  private demandClock(): void {
    const { now, trueNow } = this.world
    demand(now >= this.state.lastAt, status.clockBehind, 'the date is before the last document')
    demand(now - trueNow < DAY_MS, status.clockAhead, 'the date is in the future')
  }

  private keep(document: RtDocument, total: bigint, vat: RtAnswer['vat']): RtAnswer {
    const { state, world } = this
    state.doc += 1
    state.openSince ??= world.now
    state.lastAt = world.now
    state.ejUsed += 1
    const sign = document.type === 'sale' ? 1n : -1n
    for (const [key, [gross, tax]] of Object.entries(vat)) {
      const [beforeGross, beforeTax] = state.totals[key] ?? ['0', '0']
      state.totals[key] = [
        `${BigInt(beforeGross) + sign * gross}`,
        `${BigInt(beforeTax) + sign * tax}`,
      ]
    }
    for (const { kind, cents } of document.payments) {
      state.payments[kind] = `${BigInt(state.payments[kind] ?? '0') + sign * cents}`
    }
    state.grandTotal = `${BigInt(state.grandTotal) + sign * total}`
    const moment = romeTime(world.now)
    const sha = world.isServer ? this.chained(document, total, moment) : ''
    const kept: KeptAnswer = {
      ...{ id: document.id, z: state.z + 1, doc: state.doc, moment, sha, total: `${total}` },
      vat: Object.fromEntries(
        Object.entries(vat).map(([key, [gross, tax]]) => [key, [`${gross}`, `${tax}`]]),
      ),
    }
    this.remember(kept)
    return this.shown(kept)
  }

  /** The first document of a till after a closing begins with a token, others with the last one. */
  private chained(document: RtDocument, total: bigint, moment: string): string {
    const { chains, serial, z, doc } = this.state
    const { till } = document
    const { last, daily } = chains[till] ?? { last: '', daily: '0' }
    const place = {
      ...{ serial, z: z + 1, doc, stamp: moment.replace(/[-:]/g, '').replace(' ', 'T') },
      ...{ daily: BigInt(daily), isSummer: isSummer(this.world.now) },
    }
    const day = moment.slice(0, 10).replaceAll('-', '')
    const chance = sha256(`${serial}${till}${z}`).toString('hex').slice(0, 5)
    const token = tokenText({ ...place, till, chance, day })
    const sha = ccdcOf(last === '' ? token : last, serverXml(document, place))
    const sold = document.type === 'sale' ? total : 0n
    chains[till] = { last: sha, daily: `${place.daily + sold}` }
    return sha
  }

  private remember(kept: KeptAnswer): void {
    const { answers } = this.state
    answers.push(kept)
    answers.splice(0, Math.max(0, answers.length - KEPT_ANSWERS))
  }

  private shown({ z, doc, moment, sha, vat }: KeptAnswer): RtAnswer {
    const { serial } = this.state
    const sums = Object.entries(vat).map(([key, [gross, tax]]) => [
      key,
      [BigInt(gross), BigInt(tax)] as const,
    ])
    return { serial, z, doc, moment, sha, warnings: [], vat: Object.fromEntries(sums) }
  }
}

interface Token extends Pick<RtAnswer, 'serial' | 'z' | 'doc'> {
  till: string
  /** Five characters of chance, and the day: `20260702`. */
  chance: string
  day: string
  daily: bigint
}

/** What the chain of a till begins with: `doc` is that of its next document. */
export function tokenText({ serial, till, chance, day, z, doc, daily }: Token): string {
  const four = (number: number) => `${number}`.padStart(4, '0')
  return serial + till + chance + day + four(z) + four(doc) + `${daily}`.padStart(9, '0')
}

const FATES = {
  voided: [status.voided, 'the document is voided already'],
  refunded: [status.refunded, 'the document is given back already'],
  'is-void': [status.isVoid, 'the reference is a void'],
  'is-refund': [status.isRefund, 'the reference is a return'],
} as const

/** Documents of other devices are not checked: nobody here knows them. */
function demandReference({ type, reference }: RtDocument, vat: RtAnswer['vat']): void {
  if (reference === undefined) {
    if (type === 'void') throw new RtRefusal(status.unknown, 'a void needs its document')
    return
  }
  const { fate, left } = reference
  if (fate !== 'open') throw new RtRefusal(FATES[fate][0], FATES[fate][1])
  if (left === undefined) return
  const names = new Set([...Object.keys(vat), ...Object.keys(left)])
  for (const name of names) {
    const [asked, rest] = [vat[name]?.[0] ?? 0n, left[name] ?? 0n]
    const isRight = type === 'void' ? asked === rest : asked <= rest
    demand(isRight, status.value, 'more than what is left of the document')
  }
}
