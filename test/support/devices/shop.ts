// Servers and tills with a certified device on a database, and what each receipt has to have left:
// in the device, in the books, in the exported files.
import type pg from 'pg'
import { expect } from 'vitest'
import { exportJournal } from '../../../src/core/journal/export.js'
import { createUnitLogins } from '../../../src/core/unit-logins.js'
import { createOutbound } from '../../../src/device/outbound.js'
import { createConnect } from '../../../src/device/socket.js'
import { marketOf } from '../../../src/market/index.js'
import type { Finding } from '../../../src/model/verdict.js'
import { dep7File } from '../../../src/verify/at/dep7.js'
import { tarFile } from '../../../src/verify/de/verifiers.js'
import type { TestDatabase } from '../db.js'
import { findingsOf } from '../de/device-bench.js'
import { readLedger, verifyLedger } from '../ledger.js'
import { answer, createTill, job, openStand, type Stand, type Till } from '../stand.js'
import type { Device } from './rows.js'

/** By country: the cases of its special receipts, what an answer says of a failed device. */
const WORDS = {
  AT: {
    base: 0x4154_0000_0000_0000n,
    out: 'Sicherheitseinrichtung ausgefallen',
    proof: 0x4154_0000_0000_0001n,
  },
  DE: {
    base: 0x4445_0001_0000_0000n,
    out: '(TSE) fehlgeschlagen',
    proof: 0x4445_0000_0000_0003n,
  },
} as const
const SPECIAL = {
  AT: { zero: 2n, start: 3n, stop: 4n, monthly: 5n, yearly: 6n, daily: 5n },
  DE: { zero: 2n, start: 3n, stop: 4n, monthly: 5n, yearly: 6n, daily: 7n },
} as const
export type Special = keyof (typeof SPECIAL)['AT']

export interface Sold {
  cents: number
  text: string
}

export interface Shop {
  on: Stand
  device: Device
  till: Till
  /** Of sales with a receipt of their own. */
  sold: Sold[]
}

export const isOut = ({ market }: Device, text: string): boolean => text.includes(WORDS[market].out)

interface Opening {
  database: TestDatabase
  masterKey: Buffer
  /** The clock of the server is so much later. */
  laterMs?: number
}

/** A server of its own: its sessions and what it keeps are its own as well. */
export function openServer(devices: readonly Device[], opening: Opening): Stand {
  const { database, masterKey, laterMs = 0 } = opening
  const allow = devices.map(({ port }) => `127.0.0.1:${port}`)
  const now = () => new Date(Date.now() + laterMs)
  const made = openStand(database.config, { masterKey, allow, deps: { now } })
  Object.assign(made.deps.tools, {
    ...{ fetch: createOutbound({ allow }), connect: createConnect({ allow }), now },
    ...{ logins: createUnitLogins(made.store), kept: new Map() },
  })
  return made
}

let tills = 0

interface Wanted {
  shares?: Till
  timeoutMs?: number
  configuration?: Record<string, unknown>
}

export function newTill(on: Stand, device: Device, wanted: Wanted = {}): Promise<Till> {
  const { market, package: name, url } = device
  const { shares, timeoutMs = 8_000, configuration = device.configuration } = wanted
  tills += 1
  const queue = {
    ...{ market, identification: `KASSE${String(tills).padStart(4, '0')}` },
    configuration: { 'scu-timeout-ms': timeoutMs },
  }
  const scu = { market, package: name, url, configuration }
  const unit = shares === undefined ? { market, scu } : { market, shares }
  return createTill(on, { ...unit, queue, started: false })
}

export function special(on: Stand, till: Till, name: Special): Promise<string> {
  const market = till.market as keyof typeof WORDS
  const receiptCase = WORDS[market].base | SPECIAL[market][name]
  return answer(on.signing.sign(job(till, { receiptCase, reference: name, cents: null })))
}

export async function openShop(on: Stand, device: Device, wanted: Wanted = {}): Promise<Shop> {
  const till = await newTill(on, device, wanted)
  expect(isOut(device, await special(on, till, 'start'))).toBe(false)
  return { on, device, till, sold: [] }
}

let amounts = 1_000

/** No two sales have the same amount, so that the log of the device tells which one it signed. */
export async function sell(shop: Shop, on: Stand = shop.on): Promise<Sold> {
  amounts += 1
  const cents = amounts
  const sale = job(shop.till, { reference: `sale ${cents}`, cents })
  const sold = { cents, text: await answer(on.signing.sign(sale)) }
  shop.sold.push(sold)
  return sold
}

// ------------------------------------------------------------------------------------- the proof

/**
 * All sales are there once, in books and chain that hold; what a device logged of each was signed
 * once; the exported file proves it, and nobody else than this driver has called the device.
 */
export async function expectProof(client: pg.Client, shops: readonly Shop[]): Promise<void> {
  for (const { on, till, sold } of shops) {
    const ledger = await readLedger(client, till.queueId)
    verifyLedger(ledger, on.store.sealer)
    const told = new Set(sold.map(({ text }) => text))
    expect(told.size).toBe(sold.length)
    const kept = ledger.items.filter(({ response }) => told.has(response ?? ''))
    expect(kept).toHaveLength(sold.length)
    const wanted = new Set(sold.map(({ cents }) => `sale ${cents}`))
    const all = ledger.items.filter(({ done, receiptReference: name }) => done && wanted.has(name))
    expect(all).toHaveLength(sold.length)
  }
  const [first] = shops
  if (first === undefined) return
  const { device } = first
  if (device.unit === undefined) await Promise.all(shops.map((shop) => expectDep(shop)))
  else await expectLog(shops, device.unit())
  expect(device.offences()).toEqual([])
}

async function expectDep(shop: Shop): Promise<void> {
  const file = await exported(shop)
  const { summary, findings } = await judged(dep7File, file)
  expect(findings).toEqual([])
  expect(summary.receipts).toBeGreaterThan(shop.sold.length)
  const receipts = file.toString('utf8')
  for (const { text } of shop.sold) {
    // of an outage: its signature is a fixed text
    if (isOut(shop.device, text)) continue
    const [, signature = ''] = /_R1-AT\d_[^"]*_([A-Za-z0-9+/]{86}==)"/.exec(text) ?? []
    expect(signature).not.toBe('')
    const inFile = Buffer.from(signature, 'base64').toString('base64url')
    expect(receipts.split(`.${inFile}"`)).toHaveLength(2)
  }
}

async function expectLog(
  shops: readonly Shop[],
  unit: ReturnType<NonNullable<Device['unit']>>,
): Promise<void> {
  expect(unit.open).toEqual([])
  expect(await findingsOf(Buffer.concat([...unit.tar(unit.entries)]))).toEqual([])
  const finishes = unit.entries.filter(({ name }) => name.includes('_Finish_'))
  const texts = finishes.map(({ der }) => der.toString('latin1'))
  for (const { device, sold } of shops) {
    for (const { cents, text } of sold) {
      const paid = `^${(cents / 100).toFixed(2)}:Bar`
      const signed = finishes.filter((_, at) => texts[at]?.includes(paid))
      if (isOut(device, text)) expect(signed.length).toBeLessThanOrEqual(1)
      else
        expect(signed.map(({ signature }) => text.includes(signature.toString('base64')))).toEqual([
          true,
        ])
    }
  }
}

/** What an inspector gets: the DEP, or the archived logs of the device. */
export async function exported({ on, till }: Shop): Promise<Buffer> {
  const deps = { store: on.store, marketOf, now: on.deps.now }
  const type = WORDS[till.market as keyof typeof WORDS].proof
  const { accountId, queueId } = till
  const range = { from: 0n, to: 0n }
  const { body } = await exportJournal(deps, { accountId, queueId, type, range })
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** The archives of a German queue hold all that the device has logged until the last of them. */
export async function expectArchives(shop: Shop): Promise<void> {
  const { summary, findings } = await judged(tarFile, await exported(shop))
  expect(findings).toEqual([])
  expect(summary.archives).toBeGreaterThan(0)
  expect(summary.messages).toBe(summary.proven)
}

async function judged(verifier: typeof dep7File, file: Buffer) {
  const found: Finding[] = []
  const sink = { add: (one: Finding) => found.push(one), clear: () => found.splice(0) }
  async function* read(range = { start: 0, end: file.length }) {
    yield file.subarray(range.start, range.end)
  }
  const summary = (await verifier.verify(read, {}, sink)) as Record<string, number>
  return { summary, findings: found.filter(({ notice }) => notice !== true) }
}
