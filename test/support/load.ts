// Tills at work: callers that sign receipt after receipt and, like a real till, ask with the
// receipt request flag whenever they got no answer.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from './ledger.js'
import { ASK, member, requestText, saleOf, type Till, type Wanted } from './stand.js'

/** Repeatable chance: the same seed gives the same numbers. */
export class Chance {
  readonly seed: number
  private state: number

  constructor(seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31))) {
    this.seed = seed
    this.state = seed
  }

  /** From `low` up to, but not including, `high`. */
  between(low: number, high: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return low + (this.state / 2 ** 32) * (high - low)
  }
}

interface Answered {
  queueId: string
  itemId: string
  text: string
}

export interface LoadOptions {
  tills: readonly Till[]
  clients: number
  /** Addresses of the servers right now; a caller keeps to one until that one is gone. */
  urls(): readonly string[]
}

const PAUSE_MS = 50
/** Of an answer, in the message of a fault. */
const KEPT_TEXT = 500
/** A caller that gets no definite answer for so long has found a fault. */
const PATIENCE_MS = 60_000
/** So has one whose connection neither answers nor breaks; servers give up long before. */
const SILENT_MS = 40_000

export class Load {
  /** By receipt reference: what the caller got. */
  readonly answered = new Map<string, Answered>()
  /** Every answer that was no 200, by status; 0: no answer at all. */
  readonly refusals = new Map<number, number>()
  readonly faults: string[] = []
  /** Longest time until a definite answer, outages included. */
  longestMs = 0
  private readonly options: LoadOptions
  /** By queue: when it was answered last, and how long it once had to wait for that. */
  private readonly silences = new Map<string, { since: number; longestMs: number }>()
  private readonly callers: Promise<void>[] = []
  private ended = 0
  private running = true

  constructor(options: LoadOptions) {
    this.options = options
    for (let client = 0; client < options.clients; client += 1) {
      this.callers.push(this.call(client).finally(() => (this.ended += 1)))
    }
  }

  /** Lets every caller finish its receipt. */
  async stop(): Promise<void> {
    this.running = false
    await Promise.all(this.callers)
  }

  /** Resolves when so many more receipts are answered; rejects when no caller is left. */
  async more(count: number): Promise<void> {
    const wanted = this.answered.size + count
    while (this.answered.size < wanted && this.running) {
      if (this.ended === this.callers.length) throw new Error(this.faults.join('\n'))
      await sleep(10)
    }
  }

  /** From now on `silenceMs` counts. */
  watchSilence(): void {
    const since = performance.now()
    for (const { queueId } of this.options.tills) {
      this.silences.set(queueId, { since, longestMs: 0 })
    }
  }

  /** Longest time that any till was without an answer, up to now. */
  get silenceMs(): number {
    const now = performance.now()
    const each = [...this.silences.values()]
    return Math.max(...each.map(({ since, longestMs }) => Math.max(longestMs, now - since)))
  }

  /** Whether every till got an answer after that moment. */
  areAnsweredSince(moment: number): boolean {
    return [...this.silences.values()].every(({ since }) => since > moment)
  }

  /** One line about what happened. */
  get figures(): string {
    const refused = [...this.refusals].map(([status, count]) => `${count} x ${status || 'broken'}`)
    const longest = Math.round(this.longestMs)
    const others = refused.join(', ') || 'none refused'
    return `${this.answered.size} answered, ${others}, longest ${longest} ms`
  }

  /** Answers that callers got and that are not stored with exactly these bytes. */
  missing({ queueId, items }: Ledger): string[] {
    const stored = new Map(items.map((item) => [item.id, item.response]))
    return [...this.answered]
      .filter(([, one]) => one.queueId === queueId && stored.get(one.itemId) !== one.text)
      .map(([reference, { itemId }]) => `answer ${itemId} of receipt ${reference} is not stored`)
  }

  /** References with more than one receipt. */
  doubled({ items }: Ledger): string[] {
    const seen = new Map<string, number>()
    for (const { receiptReference: reference, done, request } of items) {
      if (!done || !reference.startsWith('c')) continue
      const name = `${reference} ${caseIn(request)}`
      seen.set(name, (seen.get(name) ?? 0) + 1)
    }
    return [...seen]
      .filter(([, count]) => count > 1)
      .map(([name]) => `receipt ${name} is there twice`)
  }

  private async call(client: number): Promise<void> {
    const { tills } = this.options
    for (let round = 0; this.running; round += 1) {
      const till = tills[(client + round) % tills.length]
      if (till === undefined) throw new Error('there is no till')
      const reference = `c${client}-${round}`
      const from = performance.now()
      try {
        for (const step of stepsOf(till, round)) {
          await this.makeReceipt(till, { ...step, reference, client: client + round })
        }
      } catch (error) {
        this.faults.push(`receipt ${reference}: ${String(error)}`)
        return
      }
      this.longestMs = Math.max(this.longestMs, performance.now() - from)
    }
  }

  /** Until a definite answer: sends, and whenever it got none, asks before it sends again. */
  private async makeReceipt(
    till: Till,
    { reference, client, receiptCase, cents }: Step & { reference: string; client: number },
  ): Promise<void> {
    const from = performance.now()
    let last = 'nothing was asked'
    for (let asks = false; performance.now() - from < PATIENCE_MS; ) {
      const urls = this.options.urls()
      const url = urls[client % urls.length] ?? ''
      const reply = await post(url, till, { reference, asks, receiptCase, cents })
      if (reply.status === 200 && reply.text !== 'null') {
        const { queueId } = till
        const itemId = member(reply.text, 'ftQueueItemID')
        const name = `${reference} ${receiptCase}`
        this.answered.set(name, { queueId, itemId, text: reply.text })
        this.endSilence(queueId)
        return
      }
      if (reply.status !== 200) {
        this.refusals.set(reply.status, (this.refusals.get(reply.status) ?? 0) + 1)
        this.judgeRefusal(reply)
        await sleep(PAUSE_MS)
      }
      last = `${reply.status} ${reply.text.slice(0, KEPT_TEXT)}`
      // nothing is stored: it may be sent; anything else: nobody knows yet
      asks = reply.status !== 200
    }
    throw new Error(`no definite answer within ${PATIENCE_MS} ms; the last one was ${last}`)
  }

  private endSilence(queueId: string): void {
    const now = performance.now()
    const { since = now, longestMs = 0 } = this.silences.get(queueId) ?? {}
    this.silences.set(queueId, { since: now, longestMs: Math.max(longestMs, now - since) })
  }

  private judgeRefusal({ status, text, retryAfter }: Reply): void {
    if (status === 0) {
      if (text === SILENCE) this.faults.push(`no answer within ${SILENT_MS} ms, and no end`)
      return
    }
    if (status === 503 && (retryAfter !== null || text.includes('Service Unavailable'))) return
    this.faults.push(`answer ${status} without retry-after or of another kind: ${text}`)
  }
}

type Step = Required<Pick<Wanted, 'receiptCase' | 'cents'>>

const START_TRANSACTION = 0x4445_0000_0000_0008n
const UPDATE_TRANSACTION = 0x4445_0000_0000_0009n
const EXPLICIT_SALE = 0x4445_0000_0000_0001n

/** A sale; of every three at a German till one in steps: start, update, finish. */
function stepsOf(till: Till, round: number): Step[] {
  if (till.market !== 'DE' || round % 3 !== 0) return [{ receiptCase: saleOf(till), cents: 1000 }]
  return [
    { receiptCase: START_TRANSACTION, cents: null },
    { receiptCase: UPDATE_TRANSACTION, cents: null },
    { receiptCase: EXPLICIT_SALE, cents: 1000 },
  ]
}

/** Without the receipt request flag. */
const caseIn = (request: string): bigint =>
  BigInt(/"ftReceiptCase":(\d+)/.exec(request)?.[1] ?? 0) & ~ASK

const SILENCE = 'silence'

interface Reply {
  /** 0: the connection broke. */
  status: number
  text: string
  retryAfter: string | null
}

async function post(
  url: string,
  till: Till,
  { reference, asks, ...step }: Step & { reference: string; asks: boolean },
): Promise<Reply> {
  const receiptCase = asks ? step.receiptCase | ASK : step.receiptCase
  try {
    const reply = await fetch(`${url}/${till.queueId}/json/v1/sign`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cashboxid: till.cashBoxId,
        accesstoken: till.accessToken,
      },
      body: requestText(till, { reference, receiptCase, cents: step.cents }),
      signal: AbortSignal.timeout(SILENT_MS),
    })
    return {
      status: reply.status,
      text: await reply.text(),
      retryAfter: reply.headers.get('retry-after'),
    }
  } catch (error) {
    const isSilent = error instanceof Error && error.name === 'TimeoutError'
    return { status: 0, text: isSilent ? SILENCE : String(error), retryAfter: null }
  }
}
