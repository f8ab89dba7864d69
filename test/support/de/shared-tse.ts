// Three queues at one TSE, and two servers on one database.

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { clearFault, setFault } from '../../../src/core/faults.js'
import { exportJournal } from '../../../src/core/journal/export.js'
import type { SignResult } from '../../../src/core/sign/job.js'
import { marketOf } from '../../../src/market/index.js'
import { unzipped } from '../dsfinvk-zip.js'
import { type Signer, signerOf } from '../model/signer.js'
import { createTill, requestText, type Stand, type Till } from '../stand.js'
import { type LogMessage, readTar, tarMembers } from './tse-log.js'

const DE = 0x4445_0000_0000_0000n
const IMPLICIT = 0x1_0000_0000n
const V2 = 0x4445_2000_0000_0000n
const CLOSE_ALL = 0x2_0000_0000n
const TRAINING = 0x2_0000n
/** A v2 step of an explicit transaction. */
const step = (digits: bigint): bigint => V2 | (digits << 32n) | 0x3001n

export type Tagging = 'v0' | 'v2'

const CASES = {
  v0: {
    sale: DE | IMPLICIT | 1n,
    start: DE | 8n,
    update: DE | 9n,
    end: DE | 1n,
    order: DE | 0x10n,
    cancel: DE | 0xbn,
    many: DE | IMPLICIT | 0xbn,
    zero: DE | IMPLICIT | 2n,
    daily: DE | IMPLICIT | 7n,
    monthly: DE | IMPLICIT | 5n,
    yearly: DE | IMPLICIT | 6n,
    training: DE | IMPLICIT | TRAINING | 7n,
    trainingSale: DE | IMPLICIT | TRAINING | 1n,
    closeAll: DE | IMPLICIT | CLOSE_ALL | 7n,
    migrationItems: DE | IMPLICIT | 0x19n,
  },
  v2: {
    sale: V2 | 1n,
    start: step(0x011n),
    update: step(0x021n),
    end: V2 | 1n,
    order: V2 | 0x3004n,
    cancel: step(0x041n),
    many: step(0x040n),
    zero: V2 | 0x2000n,
    daily: V2 | 0x2011n,
    monthly: V2 | 0x2012n,
    yearly: V2 | 0x2013n,
    training: DE | IMPLICIT | TRAINING | 5n,
    trainingSale: V2 | TRAINING | 1n,
    closeAll: DE | IMPLICIT | CLOSE_ALL | 7n,
    migrationItems: DE | IMPLICIT | 0x19n,
  },
} as const

export type Act = keyof (typeof CASES)['v0']

const SALES: readonly Act[] = ['sale', 'trainingSale', 'end', 'order', 'migrationItems']
const WITH_ITEMS: ReadonlySet<Act> = new Set(SALES)
const NAMED: ReadonlySet<Act> = new Set(['start', 'update', 'end', 'order', 'cancel'])

export interface Call {
  act: Act
  queue: number
  server: number
  tagging: Tagging
  table: number
  /** Of a fail-transaction receipt for several. */
  numbers: readonly number[]
}

export interface Answered {
  accepted: boolean
  /** Low bits of ftState. */
  state: bigint
  text: string
}

/** Where receipts are signed, and a look at the database from outside. */
export interface TsePlace {
  stand: Stand
  signers: readonly Signer[]
}

export const placeOf = (stands: readonly [Stand, ...Stand[]]): TsePlace => ({
  stand: stands[0],
  signers: stands.map(signerOf),
})

/** One TSE with its three queues; made anew for every history. */
export class SharedTse {
  readonly tills: readonly Till[]
  readonly told: string[] = []
  private readonly place: TsePlace
  private count = 0
  /** Number of the last transaction that an answer has named. */
  private last = 0

  private constructor(place: TsePlace, tills: readonly Till[]) {
    this.place = place
    this.tills = tills
  }

  /** `settings`: parameters of the three queues. */
  static async open(
    place: TsePlace,
    name: number,
    settings: Record<string, unknown> = {},
  ): Promise<SharedTse> {
    const till = (at: number, shares?: Till) =>
      createTill(place.stand, {
        market: 'DE',
        started: false,
        queue: { identification: `T${name}-${at}`, configuration: settings },
        ...(shares === undefined ? {} : { shares }),
      })
    const first = await till(0)
    const tse = new SharedTse(place, [
      first,
      ...(await Promise.all([till(1, first), till(2, first)])),
    ])
    for (const one of tse.tills) await tse.start(one)
    return tse
  }

  get scuId(): string {
    return this.tills[0]?.scuIds[0] ?? ''
  }

  till(at: number): Till {
    const till = this.tills[at]
    if (till === undefined) throw new Error(`there is no queue ${at}`)
    return till
  }

  async sign(call: Call): Promise<Answered> {
    const till = this.till(call.queue)
    this.count += 1
    const text = this.textOf(till, call)
    const result = await this.signerAt(call.server)(till, text)
    const answered = answeredOf(result)
    this.last = Math.max(this.last, Number(NUMBER.exec(answered.text)?.[1] ?? 0))
    this.told.push(`${call.act} ${call.tagging} q${call.queue} ${answered.state.toString(16)}`)
    return answered
  }

  /** The number so many transactions ago; below 0: one that is not there yet. */
  numberAgo(ago: number): number {
    return Math.max(this.last - ago, 1)
  }

  private async start(till: Till): Promise<void> {
    const { startCase: receiptCase } = marketOf(till.market).rollout.demo
    const result = await this.signerAt(0)(till, requestText(till, { receiptCase, cents: null }))
    if (result.kind !== 'answered') throw new Error(`the start receipt was ${result.kind}`)
  }

  private signerAt(at: number): Signer {
    const signer = this.place.signers[at]
    if (signer === undefined) throw new Error(`there is no server ${at}`)
    return signer
  }

  private textOf(till: Till, { act, tagging, table, numbers }: Call): string {
    const reference = NAMED.has(act) ? `table-${table}` : `r-${this.count}`
    const amount = (this.count % 50) + 1
    const hasItems = WITH_ITEMS.has(act)
    const [chargeCase, payCase] = tagging === 'v2' ? [V2 | 0x13n, V2 | 1n] : [DE | 0x11n, DE | 1n]
    const charge =
      `{"Quantity":1,"Description":"Tee\\r\\nkalt","Amount":${amount},"VATRate":19,` +
      `"ftChargeItemCase":${chargeCase}}`
    const pay =
      `{"Quantity":1,"Description":"Bar","Amount":${amount},` + `"ftPayItemCase":${payCase}}`
    const data = JSON.stringify({ CurrentStartedTransactionNumbers: numbers })
    const caseData = act === 'many' ? `,"ftReceiptCaseData":${JSON.stringify(data)}` : ''
    const named = act === 'many' ? '' : `"cbReceiptReference":"${reference}",`
    return (
      `{"ftCashBoxID":"${till.cashBoxId}","cbTerminalID":"1",${named}` +
      `"cbUser":"Kim","cbReceiptMoment":"${new Date().toISOString()}",` +
      `"cbChargeItems":[${hasItems ? charge : ''}],` +
      `"cbPayItems":[${hasItems && act !== 'order' ? pay : ''}],` +
      `"ftReceiptCase":${CASES[tagging][act]}${caseData}}`
    )
  }

  async fault(steps: { do: string; calls: number; ms?: number }[]): Promise<void> {
    const { store } = this.place.stand
    const deps = { store, marketOf, now: () => new Date(), sandbox: true }
    this.told.push(`fault ${JSON.stringify(steps)}`)
    if (steps.length === 0) await clearFault(deps, { scuId: this.scuId })
    else await setFault(deps, { scuId: this.scuId, steps })
  }

  /** An export of a queue as its reader gets it. */
  async export(at: number, type: bigint): Promise<Buffer> {
    const { accountId, queueId } = this.till(at)
    const range = { from: 0n, to: 0n }
    const deps = { store: this.place.stand.store, marketOf, now: () => new Date() }
    const { body } = await exportJournal(deps, { accountId, queueId, type, range })
    return buffer(Readable.from(body))
  }

  /** What the queue's two TARs hold together. */
  async archive(at: number): Promise<LogMessage[]> {
    const known = new Map<number, LogMessage>()
    for (const type of [DE | 3n, DE | 1n]) {
      for (const one of readTar(await this.export(at, type))) known.set(one.counter, one)
    }
    return [...known.values()].sort((a, b) => a.counter - b.counter)
  }

  /** The counters of the two TARs together, by the names of their members. */
  async counters(at: number): Promise<number[]> {
    const found = new Set<number>()
    for (const type of [DE | 3n, DE | 1n]) {
      for (const { name } of tarMembers(await this.export(at, type))) {
        const counter = /_Sig-(\d+)_/.exec(name)?.[1]
        if (counter !== undefined) found.add(Number(counter))
      }
    }
    return [...found].sort((a, b) => a - b)
  }

  /** Transaction numbers of the DSFinV-K, with kind and signature. */
  async slips(at: number): Promise<string[]> {
    const bytes = await this.export(at, DE | 2n)
    if (bytes.length === 0) return []
    const text = (await unzipped(bytes)).get('transactions_tse.csv')?.toString('utf8') ?? ''
    return text
      .split('\r\n')
      .slice(1, -1)
      .flatMap((row) => {
        // Z_KASSE_ID, Z_ERSTELLUNG, Z_NR, BON_ID, TSE_ID, TSE_TANR, …, TSE_TA_SIG
        const cells = row.split(';')
        return cells[5] === '' ? [] : [`${cells[5]} ${unquoted(cells[10])}`]
      })
  }

  async counter(): Promise<number> {
    const { rows } = await this.place.stand.store.pool.query<{ state: string }>(
      'select state from scu where id = $1',
      [this.scuId],
    )
    return (JSON.parse(rows[0]?.state ?? '{}') as { counter: number }).counter
  }
}

const unquoted = (cell: string | undefined): string => (cell ?? '').replace(/^"|"$/g, '')

/** In ftReceiptIdentification. */
const NUMBER = /"ftReceiptIdentification":"[^"#]*#[A-Z]+(\d+)/

function answeredOf(result: SignResult): Answered {
  if (result.kind !== 'answered') return { accepted: false, state: -1n, text: '' }
  const text = result.responseText
  const state = BigInt(/"ftState":(\d+)/.exec(text)?.[1] ?? 0) & 0xffff_ffffn
  return { accepted: state !== 0xeeee_eeeen, state, text }
}
