// A dry run: everything that a receipt would meet, short of being stored or signed. Reads the queue
// as it is; nothing is written and no unit is asked.
import { randomBytes } from 'node:crypto'
import { caseName } from '../../case/names.js'
import type { CaseFault } from '../../case/rules.js'
import { fail } from '../../errors.js'
import { Decimal } from '../../lib/decimal.js'
import { orderedId, randomId } from '../../lib/id.js'
import { JsonNumber } from '../../lib/json.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import type { Change, Market, Preview } from '../../market/contract.js'
import {
  type DecodedPosRequest,
  decodePosText,
  decodePosTextInSlices,
} from '../../model/pos-request.js'
import type { QueueHead } from '../../model/queue.js'
import type { Signature } from '../../model/receipt.js'
import { reaching, type Store } from '../../store/client.js'
import { loadHead } from '../../store/sign/queues.js'
import { printLines } from '../receipt-rules/print.js'
import { errorsOf, type Problem } from '../receipt-rules/problem.js'
import { remarksOf } from '../receipt-rules/remarks.js'
import { sumOf } from '../receipt-rules/rules.js'
import { vatRows } from '../receipt-rules/sums.js'
import type { SignJob } from './job.js'
import { isMeant } from './membership.js'
import {
  type PosCommand,
  type PosReceipt,
  type RenewingDeps,
  readAnew,
  readReceipt,
  workOf,
} from './pos-receipt.js'
import { withPrevious, withReferences } from './references.js'
import { findReceipt, isErrorAnswer } from './replay.js'

export interface PreviewDeps {
  store: Store
  marketOf(code: string): Market
  now(): Date
  sandbox: boolean
}

/** The answer to a dry run, ready to be written as JSON. */
export interface DryRun {
  DryRun: true
  /** Whether the real call would be answered without an error state. */
  Accepted: boolean
  Case: { Value: bigint; Market: string; Name: string; V0: bigint | null }
  Problems: { Path: string; Code: string; Message: string }[]
  Sums: {
    VATRate: JsonNumber
    Letter: string
    Net: JsonNumber
    Tax: JsonNumber
    Gross: JsonNumber
  }[]
  ChargeTotal: JsonNumber
  PayTotal: JsonNumber
  Print: string[]
  Changes: { What: string; From: string | number; To: string | number }[]
}

/** `remarks`: what is told beside the problems, whatever becomes of the receipt. */
type Tried = SignJob & { market: string; remarks?: readonly CaseFault[] }

export interface TryingDeps extends PreviewDeps, RenewingDeps {}

/** The receipt of a call that only asks. Throws FiscalError for what the real call refuses too. */
export async function tryReceipt(deps: TryingDeps, command: PosCommand): Promise<DryRun> {
  try {
    return await tried(deps, { command, read: await readReceipt(deps, command) })
  } catch (error) {
    return tried(deps, await readAnew(deps, { command, error }))
  }
}

async function tried(
  deps: TryingDeps,
  { command, read }: { command: PosCommand; read: PosReceipt },
): Promise<DryRun> {
  // read once more: the cases of the first reading are complete already
  const { request } = await decodedAgain(command.bodyText)
  const remarks = remarksOf(request, read.market.cases)
  return previewReceipt(deps, { ...workOf(command, read), remarks })
}

function decodedAgain(text: string): DecodedPosRequest | Promise<DecodedPosRequest> {
  return text.length < LARGE ? decodePosText(text) : decodePosTextInSlices(text)
}

/** Throws FiscalError QUEUE_UNKNOWN, DATABASE_AWAY. */
async function previewReceipt(deps: PreviewDeps, tried: Tried): Promise<DryRun> {
  const key = { accountId: tried.accountId, id: tried.queueId }
  const head = await reaching(() => loadHead(deps.store, key))
  if (head === undefined || !isMeant(head, tried))
    throw fail('QUEUE_UNKNOWN', { queue: tried.queueId })
  const market = deps.marketOf(head.market)
  const found = await foundOf(deps, { market, head, tried })
  const { store } = deps
  const job = await reaching(() =>
    withPrevious({ store, job: withReferences(tried, market), cases: market.cases }),
  )
  const preview = await previewOf(deps, { market, head, job })
  const { remarks = [] } = tried
  // what is shown of thousands of items takes as long as the market's decision on them
  await nextTurn()
  const said = saidOf(job, { preview, found })
  const print = printLines({
    ...{ market, register: head.identification, request: job.request, words: job.words },
    signatures: said.signatures,
  })
  await nextTurn()
  const result = shown({ market, head, job }, { preview, said, remarks, print })
  await nextTurn()
  return result
}

interface Trial {
  market: Market
  head: QueueHead
  job: SignJob
}

interface Found {
  problems: Problem[]
  /** The request is answered with what is stored: nothing becomes of it. */
  isAnswered: boolean
}

/** What a receipt request finds; undefined: it is none, or it becomes a receipt. */
async function foundOf(
  deps: PreviewDeps,
  { market, head, tried }: { market: Market; head: QueueHead; tried: Tried },
): Promise<Found | undefined> {
  if (!tried.words.asks) return undefined
  const answer = await reaching(() => findReceipt(deps, tried, market.cases))
  if (answer !== undefined) {
    const problems = isErrorAnswer(answer.response) ? [problem('ReceiptIsError')] : []
    return { problems, isAnswered: true }
  }
  const { receiptrequestmode: mode } = configurationOf(market, head) as {
    receiptrequestmode?: number
  }
  return mode === 1 ? undefined : { problems: [problem('ReceiptNotFound')], isAnswered: true }
}

const MESSAGES = {
  ReceiptIsError: 'The stored receipt with this reference and these items is an error.',
  ReceiptNotFound: 'No finished receipt has this reference and these items.',
} as const

function problem(code: keyof typeof MESSAGES): Problem {
  return { code, path: 'ftReceiptCase', message: MESSAGES[code], always: true }
}

function configurationOf(market: Market, head: QueueHead): unknown {
  return market.queue.configuration.parse(JSON.parse(head.configuration))
}

async function previewOf(deps: PreviewDeps, { market, head, job }: Trial) {
  const now = deps.now()
  const moment = head.lastMoment !== null && head.lastMoment > now ? head.lastMoment : now
  return market.preview({
    receipt: {
      ...{ request: job.request, words: job.words, answersV2: true },
      ...{ id: randomId(), row: head.queuedRow + 1 },
    },
    queue: {
      id: head.id,
      cashBoxId: job.cashBoxId,
      identification: head.identification,
      configuration: configurationOf(market, head),
      startMoment: head.startMoment,
      stopMoment: head.stopMoment,
      lastMoment: head.lastMoment,
      receiptNumerator: head.receiptNumerator,
    },
    state: market.queue.state.parse(JSON.parse(head.state)),
    secrets: head.secrets,
    units: head.scus,
    moment,
    previous: job.previous ?? [],
    seller: head.seller,
    journal: head,
    tools: {
      newId: () => orderedId(moment.getTime()),
      randomBytes: (count) => randomBytes(count),
      once: () => false,
      elapsedMs: () => 0,
      sandbox: deps.sandbox,
    },
  })
}

interface Said {
  answered: boolean
  accepted: boolean
  problems: readonly Problem[]
  /** None for a receipt that is an error. */
  signatures: readonly Signature[]
}

function saidOf(
  job: SignJob,
  { preview, found }: { preview: Preview<unknown>; found: Found | undefined },
): Said {
  const rules = job.pos ?? { strict: false, problems: [], references: [] }
  const answered = found?.isAnswered === true
  const refusals = answered ? [] : refusalsOf(preview)
  const problems = [...(found?.problems ?? []), ...rules.problems, ...refusals]
  const errors = answered ? found.problems : [...errorsOf(rules), ...refusals]
  const accepted = errors.length === 0
  const signatures =
    accepted && preview.outcome.faults.length === 0 ? preview.outcome.signatures : []
  return { answered, accepted, problems, signatures }
}

interface Shown {
  preview: Preview<unknown>
  said: Said
  remarks: readonly CaseFault[]
  print: string[]
}

function shown({ market, head, job }: Trial, { preview, said, remarks, print }: Shown): DryRun {
  const { request, words } = job
  const { answered, accepted, problems } = said
  return {
    DryRun: true,
    Accepted: accepted,
    Case: {
      Value: request.receiptCase,
      Market: market.facts.code,
      Name: caseName(words.receipt),
      V0: preview.v0,
    },
    Problems: [...problems, ...remarks].map(({ path, code, message }) => ({
      Path: path,
      Code: code,
      Message: message,
    })),
    Sums: vatRows(job, market.cases).map(({ rate, letter, net, tax, gross }) => ({
      VATRate: shortest(rate),
      Letter: letter,
      Net: shortest(Decimal.cents(net)),
      Tax: shortest(Decimal.cents(tax)),
      Gross: shortest(Decimal.cents(gross)),
    })),
    ChargeTotal: shortest(sumOf(request.chargeItems)),
    PayTotal: shortest(sumOf(request.payItems)),
    Print: print,
    Changes: answered ? [] : changesOf(head, accepted ? preview.changes : undefined),
  }
}

/** Numbers of this API leave without zeros at their end. */
function shortest(value: Decimal): JsonNumber {
  return new JsonNumber(value.toShortString())
}

function refusalsOf({ outcome }: Preview<unknown>): Problem[] {
  return outcome.faults.map(({ code = 'MarketRule', member = '', message }) => ({
    ...{ code, path: member, message, always: true },
  }))
}

/** An error takes a row, and nothing else. */
function changesOf(head: QueueHead, changes: Change[] | undefined): DryRun['Changes'] {
  const row = { what: 'Row', from: head.queuedRow, to: head.queuedRow + 1 }
  const { receiptNumerator: number } = head
  const numerator = { what: 'ReceiptNumerator', from: number, to: number + 1 }
  const all = changes === undefined ? [row] : [row, numerator, ...changes]
  return all.map(({ what, from, to }) => ({ What: what, From: from, To: to }))
}
