// demo --month: the last calendar month of three businesses in every market, signed through the
// PosSystem API of a server in this process, whose clock goes through that month. Sent again it is
// replayed: every receipt has an operation id that is made of its register and its place.
import { createHash } from 'node:crypto'
import {
  type Demo,
  type DemoCashBox,
  type DemoDeps,
  ensureCashBoxes,
  ensureMerchant,
} from '../core/rollout/demo.js'
import { marketOf, markets } from '../market/index.js'
import { type InProcess, serveInProcess } from '../serve/in-process.js'
import type { Context } from './command.js'
import {
  BUSINESSES,
  type Business,
  caseOf,
  receiptOf,
  type Step,
  stepsOf,
} from './demo-month-plan.js'

export interface Month {
  /** `2026-10`. */
  month: string
  merchants: { name: string; accountId: string; cashBoxes: DemoCashBox[] }[]
  /** Receipts that were signed, and what a market does not know, by kind. */
  receipts: number
  without: string[]
}

interface Stage {
  call: InProcess['call']
  clock: { at: Date }
  without: Set<string>
}

interface Till extends DemoCashBox {
  business: Business
}

interface Making {
  demo: Demo
  progress?: (day: number, days: number, text: string) => void
  /** Left out: all of a month of so many days. */
  steps?: (days: number) => Step[]
}

export async function demoMonth(context: Context, making: Making): Promise<Month> {
  const { demo, progress, steps = stepsOf } = making
  const today = new Date()
  const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1))
  const days = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 0)).getUTCDate()
  const clock = { at: first }
  const server = await serveInProcess({ ...context, now: () => clock.at })
  try {
    const merchants = await merchantsOf(server, demo, first)
    const tills = merchants.flatMap(({ business, cashBoxes }) =>
      cashBoxes.map((box) => ({ ...box, business })),
    )
    const stage = { call: server.call, clock, without: new Set<string>() }
    let receipts = 0
    for (const step of steps(days)) {
      clock.at = momentOf(first, step)
      receipts += await stepAt(stage, tills, { step, first })
      if (step.kind === 'daily') progress?.(step.day, days, `${receipts} receipts`)
    }
    return {
      month: first.toISOString().slice(0, 7),
      merchants: merchants.map(({ business, ...rest }) => ({ name: business.name, ...rest })),
      ...{ receipts, without: [...stage.without].toSorted() },
    }
  } finally {
    await server.close()
  }
}

async function merchantsOf({ deps: { store, signing } }: InProcess, { dealer }: Demo, at: Date) {
  // accounts are made today: the merchant of the demo stays the first one
  const today: DemoDeps = {
    ...{ store, signing, software: true, now: () => new Date(), markets, marketOf },
  }
  const list = []
  for (const business of BUSINESSES) {
    const { name, email } = business
    const accountId = await ensureMerchant(today, { dealerId: dealer.accountId, name, email })
    const cashBoxes = await ensureCashBoxes({ ...today, now: () => at }, accountId)
    list.push({ business, accountId, cashBoxes })
  }
  return list
}

const momentOf = (first: Date, { day, hour }: Pick<Step, 'day' | 'hour'>): Date =>
  new Date(first.getTime() + ((day - 1) * 24 + hour) * 3_600_000)

interface Now {
  step: Step
  first: Date
}

/** One step on all tills at once; how many of them have a receipt of it. */
async function stepAt(stage: Stage, tills: readonly Till[], now: Now): Promise<number> {
  const done = await Promise.all(tills.map((till) => receipt(stage, till, now)))
  return done.filter(Boolean).length
}

async function receipt(stage: Stage, till: Till, { step, first }: Now): Promise<boolean> {
  const { kind } = step
  const rates = ratesOf(till.market)
  const made = receiptOf(till.business, step, rates)
  const { previous } = made
  const name = (one: Pick<Step, 'day' | 'hour'>) => momentOf(first, one).toISOString().slice(0, 13)
  const body = {
    ...{ cbTerminalID: '1', cbUser: till.business.user, cbReceiptReference: name(step) },
    ...{ cbReceiptMoment: momentOf(first, step).toISOString(), ftReceiptCase: caseOf(made) },
    ...(previous === undefined ? {} : { cbPreviousReceiptReference: name(previous) }),
    ...{ cbChargeItems: made.cbChargeItems, cbPayItems: made.cbPayItems },
  }
  const call = { till, body, id: idOf(till, name(step)) }
  const isPlain = kind === 'cash' || kind === 'card' || kind === 'mixed'
  if (!isPlain && !(await isAccepted(stage, call)) && !(await isKnown(stage, call))) {
    stage.without.add(`${till.market} ${kind}`)
    return false
  }
  if (kind === 'outage') await fault(stage, till, 'PUT')
  const answer = await sign(stage, call)
  if (kind === 'outage') await fault(stage, till, 'DELETE')
  if (answer.statusCode < 300 && !answer.body.includes('"uncaught-exeption"')) return true
  // a law without unsigned receipts, or an authority that knows more than a dry run: the till is
  // told no, and sells in another way
  if (isPlain) throw new Error(`${till.market} ${kind}: ${answer.body}`)
  stage.without.add(`${till.market} ${kind}`)
  return false
}

/** Rates of the sale that the market shows, the normal one first. */
function ratesOf(market: string): number[] {
  const { cbChargeItems } = marketOf(market).rollout.demo.sale as {
    cbChargeItems: readonly Record<string, unknown>[]
  }
  return [...new Set(cbChargeItems.map((item) => Number(item.VATRate ?? item.vatRate)))]
}

interface Call {
  till: Till
  body: Record<string, unknown>
  id: string
}

function sign({ call }: Stage, { till, body, id }: Call, dryRun = false) {
  const headers = {
    ...{ 'x-cashbox-id': till.cashBoxId, 'x-cashbox-accesstoken': till.accessToken },
    ...{ 'x-possystem-id': 'demo', 'x-operation-id': id, 'content-type': 'application/json' },
    ...(dryRun ? { 'x-dry-run': 'true' } : {}),
  }
  return call({ method: 'POST', url: '/v2/sign', headers, payload: JSON.stringify(body) })
}

async function isAccepted(stage: Stage, call: Call): Promise<boolean> {
  const { statusCode, body } = await sign(stage, call, true)
  return statusCode < 300 && JSON.parse(body).Accepted === true
}

/** Made before: what it asks for has happened, and cannot happen again. */
async function isKnown({ call }: Stage, { till, id }: Call): Promise<boolean> {
  const headers = { 'x-cashbox-id': till.cashBoxId, 'x-cashbox-accesstoken': till.accessToken }
  const { body } = await call({ url: `/v2/operation/${id}`, headers })
  return JSON.parse(body).State === 'done'
}

async function fault({ call }: Stage, till: Till, method: 'PUT' | 'DELETE'): Promise<void> {
  const headers = { cashboxid: till.cashBoxId, accesstoken: till.accessToken }
  for (const scuId of till.scuIds) {
    const payload = method === 'PUT' ? { steps: [{ do: 'unreachable' }] } : undefined
    const url = `/sandbox/scus/${scuId}/fault`
    await call({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  }
}

/** The same for the same receipt, whoever makes the month. */
function idOf({ cashBoxId }: Till, reference: string): string {
  const hash = createHash('sha256').update(`${cashBoxId} ${reference}`).digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `5${hash.slice(13, 16)}`]
  return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
