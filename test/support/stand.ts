// A stand for the sign path: it runs on a test database with limits of the test's own, and has
// tills, that is started queues with cash box and signing unit.

import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { withWords } from '../../src/case/reader.js'
import { createAccount } from '../../src/core/accounts/accounts.js'
import { noFailPoints } from '../../src/core/fail-point.js'
import {
  createCashBox,
  createQueue,
  createScu,
  type NewQueue,
  type NewScuInput,
} from '../../src/core/rollout/create.js'
import type { SignDeps, SignJob, SignResult } from '../../src/core/sign/job.js'
import { createSigning, type Signing } from '../../src/core/sign/sign.js'
import { createUnitTars } from '../../src/core/unit-tars.js'
import { createOutbound } from '../../src/device/outbound.js'
import { SOFTWARE_PACKAGE } from '../../src/device/rksv.js'
import { createConnect } from '../../src/device/socket.js'
import { createSealer } from '../../src/lib/seal.js'
import { REMOTE_PACKAGE } from '../../src/market/at/remote.js'
import { marketOf } from '../../src/market/index.js'
import { decodeRequest } from '../../src/model/receipt-json.js'
import { openStore, type Store } from '../../src/store/client.js'

export { REMOTE_PACKAGE, SOFTWARE_PACKAGE }

export interface Till {
  market: string
  accountId: string
  cashBoxId: string
  accessToken: string
  queueId: string
  scuIds: string[]
}

/** What the sign path tells and counts, for tests to look at. */
export interface Seen {
  conflicts: number
  batches: { receipts: number; queues: number }[]
  errors: string[]
}

export interface Stand {
  connection: PoolConfig
  store: Store
  signing: Signing
  deps: SignDeps
  seen: Seen
  /** Waits until nothing runs, then closes the pool. */
  close(): Promise<void>
}

export interface StandOptions {
  masterKey?: Buffer
  limits?: Partial<SignDeps['limits']>
  deps?: Partial<SignDeps>
  /** `host:port` of devices on this machine. */
  allow?: string[]
}

export const testKey = (): Buffer => randomBytes(32)

/** A server's sign path without the server. Two of them on one database are two processes. */
export function openStand(connection: PoolConfig, options: StandOptions = {}): Stand {
  const seen: Seen = { conflicts: 0, batches: [], errors: [] }
  const store = openStore({
    ...{ connection, byIndex: true },
    size: options.limits?.connections ?? 10,
    sealer: createSealer([options.masterKey ?? testKey()]),
    onBroken: () => undefined,
  })
  const now = options.deps?.now ?? (() => new Date())
  const tools = {
    fetch: createOutbound({ allow: options.allow ?? [] }),
    connect: createConnect({ allow: options.allow ?? [] }),
    now,
    sleep: (ms: number) => sleep(ms),
    tars: createUnitTars(store, now),
  }
  const deps: SignDeps = {
    store,
    runner: randomInt(2 ** 31 - 1),
    marketOf,
    tools,
    now,
    sandbox: true,
    software: true,
    log: {
      error: (details, message) => seen.errors.push(`${message} ${textOf(details)}`),
      warn: () => undefined,
    },
    failPoints: noFailPoints,
    observe: {
      batch: (receipts, queues) => seen.batches.push({ receipts, queues }),
      receipt: () => undefined,
      settled: () => undefined,
      conflict: () => {
        seen.conflicts += 1
      },
    },
    ...options.deps,
    limits: { waiting: 4096, waitingMs: 10_000, queues: 1000, connections: 10, ...options.limits },
  }
  const signing = createSigning(deps)
  const close = async () => {
    await signing.drained()
    await signing.close()
    await store.close()
  }
  return { connection, store, signing, deps, seen, close }
}

function textOf(details: object): string {
  return 'err' in details ? String(details.err) : ''
}

export interface TillOptions {
  /** AT unless something else is said. */
  market?: string
  queue?: Partial<NewQueue>
  /** Further members of its own signing unit. */
  scu?: Partial<NewScuInput>
  /** Units of another till of the account instead of an own one. */
  shares?: Till
  /** False: the queue gets no start receipt. */
  started?: boolean
}

/** An account with one cash box, one queue and one signing unit. */
export async function createTill(stand: Stand, options: TillOptions = {}): Promise<Till> {
  const { store, deps } = stand
  const rollout = { store, marketOf, now: deps.now }
  const market = options.market ?? 'AT'
  const accountId = options.shares?.accountId ?? (await createMerchant(stand, market))
  const { cashBoxId, accessToken } = await createCashBox(rollout, {
    accountId,
    outletId: null,
    description: 'till',
  })
  const unit = { accountId, cashBoxId, market, description: 'till' }
  const { scuPackage } = marketOf(market).rollout.demo
  const scuIds = options.shares?.scuIds ?? [
    await createScu(rollout, { ...unit, package: scuPackage, ...options.scu }),
  ]
  const queueId = await createQueue(rollout, { ...unit, scuIds, ...options.queue })
  const till = { market, accountId, cashBoxId, accessToken, queueId, scuIds }
  if (options.started !== false) await start(stand, till)
  return till
}

async function createMerchant({ store, deps }: Stand, market: string): Promise<string> {
  const { accountId } = await createAccount(
    { store, now: deps.now },
    {
      kind: 'PosOperator',
      name: 'Café Test',
      market,
      country: market,
      email: `${randomUUID()}@test.example`,
      roles: [],
      autoInvite: false,
    },
  )
  return accountId
}

export async function createTills(
  stand: Stand,
  count: number,
  options: TillOptions = {},
): Promise<Till[]> {
  return Promise.all(Array.from({ length: count }, () => createTill(stand, options)))
}

async function start(stand: Stand, till: Till): Promise<void> {
  const result = await stand.signing.sign(
    job(till, { receiptCase: marketOf(till.market).rollout.demo.startCase, cents: null }),
  )
  if (result.kind !== 'answered') throw new Error(`the start receipt was ${result.kind}`)
}

export const SALE = 0x4154_0000_0000_0001n
export const ZERO = 0x4154_0000_0000_0002n
export const START = 0x4154_0000_0000_0003n
/** The receipt request flag of v0/v1. */
export const ASK = 0x0000_8000_0000_0000n

export interface Wanted {
  receiptCase?: bigint
  reference?: string
  terminal?: string | null
  /** Of the one item; null: no items. */
  cents?: number | null
}

/** Cases of the one item, its payment and a sale. */
const CODES = {
  AT: { charge: 0x4154_0000_0000_0003n, pay: 0x4154_0000_0000_0001n, sale: SALE, rate: '20.0' },
  DE: {
    charge: 0x4445_0000_0000_0011n,
    pay: 0x4445_0000_0000_0001n,
    sale: 0x4445_0001_0000_0001n,
    rate: '19.0',
  },
  FR: {
    charge: 0x4652_0000_0000_0003n,
    pay: 0x4652_0000_0000_0001n,
    sale: 0x4652_0000_0000_0001n,
    rate: '20.0',
  },
  GR: {
    charge: 0x4752_2000_0000_0013n,
    pay: 0x4752_2000_0000_0001n,
    sale: 0x4752_2000_0000_0001n,
    rate: '24.0',
  },
  ES: {
    charge: 0x4553_2000_0000_0013n,
    pay: 0x4553_2000_0000_0001n,
    sale: 0x4553_2000_0000_0001n,
    rate: '21.0',
  },
}
const codesOf = (market = 'AT') => CODES[market as keyof typeof CODES] ?? CODES.AT

export const saleOf = ({ market }: Till): bigint => codesOf(market).sale

/** The JSON text of a receipt. */
export function requestText(
  till: Pick<Till, 'cashBoxId'> & Partial<Till>,
  wanted: Wanted = {},
): string {
  const codes = codesOf(till.market)
  const { receiptCase = codes.sale, reference = 'r', cents = 1000, terminal = '1' } = wanted
  const amount = ((cents ?? 0) / 100).toFixed(2)
  const charge =
    `{"Quantity":1.0,"Description":"Melange","Amount":${amount},"VATRate":${codes.rate},` +
    `"ftChargeItemCase":${codes.charge}}`
  const pay =
    `{"Quantity":1.0,"Description":"Bar","Amount":${amount},` + `"ftPayItemCase":${codes.pay}}`
  return (
    `{"ftCashBoxID":"${till.cashBoxId}","cbTerminalID":${JSON.stringify(terminal)},` +
    `"cbReceiptReference":${JSON.stringify(reference)},"cbReceiptMoment":"2026-01-31T10:15:00Z",` +
    `"cbChargeItems":[${cents === null ? '' : charge}],` +
    `"cbPayItems":[${cents === null ? '' : pay}],"ftReceiptCase":${receiptCase}}`
  )
}

export function job(till: Till, wanted: Wanted = {}): SignJob & { market: string } {
  const text = requestText(till, wanted)
  const { request, wcfDates } = decodeRequest(text)
  return {
    accountId: till.accountId,
    cashBoxId: till.cashBoxId,
    queueId: till.queueId,
    market: till.market,
    version: 'v1',
    ...withWords(request),
    requestText: text,
    style: { wcfDates, pascal: false },
  }
}

/** The answer as it is sent; fails for anything but an answer. */
export async function answer(result: Promise<SignResult>): Promise<string> {
  const settled = await result
  if (settled.kind !== 'answered') throw new Error(`no answer: ${JSON.stringify(settled)}`)
  return settled.responseText
}

/** A member of an answer as its text: numbers keep all their digits. */
export function member(answerText: string, name: string): string {
  const found = new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*"|[^,}\\]]+)`).exec(answerText)?.[1]
  if (found === undefined) throw new Error(`no ${name} in ${answerText}`)
  return found.startsWith('"') ? String(JSON.parse(found)) : found
}
