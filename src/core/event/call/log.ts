// The last calls of every caller, in the sandbox. A call costs its caller a place in a list; what
// is kept of it is written beside, a few for each caller however many there were.
import { FiscalError } from '../../../errors.js'
import { orderedId } from '../../../lib/id.js'
import type { CallWay, KeptCall } from '../../../model/kept-call.js'
import type { Store } from '../../../store/client.js'
import { insertCalls, type NewCall } from '../../../store/event/calls.js'
import { MASK } from '../../audit/mask.js'
import { maskedPath, maskedText } from './mask-text.js'

/** A call that has been answered, with what it brought and got as it was. */
export interface SeenCall {
  /** Known, not just said. */
  accountId: string | undefined
  cashBoxId: string | undefined
  /** As the headers say it, where it is not known. */
  said: { accountId: string | undefined; cashBoxId: string | undefined }
  via: CallWay
  api: string
  method: string
  route: string | undefined
  path: string
  status: number
  ms: number
  error: Error | undefined
  traceId: string
  headers: Readonly<Record<string, string>>
  secrets: readonly string[]
  body: Buffer | string | undefined
  answer: Buffer | string | undefined
  isStream: boolean
  answerType: string | undefined
}

/** A call that may be kept; what is known of it is asked only if it is. */
export interface TakenCall {
  /** Its account or CashBox. */
  caller: string
  /** It has shown who it is. */
  isProven: boolean
  seen(): SeenCall
}

export interface CallLog {
  /** False under load: most of so many calls are let go by, and nothing of them is held. */
  wants(): boolean
  take(call: TakenCall): void
  /** What was taken is written. */
  settled(): Promise<void>
}

export interface CallLogDeps {
  store: Store
  now(): Date
  log: { warn(details: object, message: string): void }
}

/** Of each caller, in memory and in the table. */
const MOST_OF_CALLER = 100
/** Of somebody who has not shown who he is. */
const MOST_UNPROVEN = 20
const MOST_AT_ONCE = 60
/** Calls between two writes that are looked at; where more come, only some are written. */
const MANY = 100
const MOST_OF_MANY = 15
const CALLERS_AT_ONCE = 200
const WRITE_MS = 500
/** Characters of a text. */
const LONGEST = 16_384
const LONGEST_PATH = 2_000
const LONGEST_MESSAGE = 1_000
/** Their answer is a secret without a name. */
const SECRET_ANSWERS = /\/pairing-pin$/i
const CODE = /"code"\s*:\s*"([A-Z][A-Z0-9_]{2,60})"/

interface Taken {
  call: TakenCall
  at: number
}

export function createCallLog(deps: CallLogDeps): CallLog {
  return new BoundedLog(deps)
}

class BoundedLog implements CallLog {
  private readonly deps: CallLogDeps
  private callers = new Map<string, Taken[]>()
  private timer: NodeJS.Timeout | undefined
  private writing = Promise.resolve()
  private lastMs = 0
  private arrived = 0
  /** Where many came before the last write, no more are held than will be written. */
  private most = MANY

  constructor(deps: CallLogDeps) {
    this.deps = deps
  }

  wants(): boolean {
    this.arrived += 1
    return this.arrived <= this.most
  }

  take(call: TakenCall): void {
    const { caller, isProven } = call
    const key = isProven ? caller : `? ${caller}`
    let list = this.callers.get(key)
    if (list === undefined) {
      if (this.callers.size >= CALLERS_AT_ONCE) return
      list = []
      this.callers.set(key, list)
    }
    list.push({ call, at: this.deps.now().getTime() })
    const most = isProven ? MOST_OF_CALLER : MOST_UNPROVEN
    // twice as many at most, so that not every one of many calls moves the others
    if (list.length >= 2 * most) list.splice(0, list.length - most)
    this.timer ??= setTimeout(() => void this.settled(), WRITE_MS).unref()
  }

  settled(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const taken = this.callers
    const most = this.arrived > MANY ? MOST_OF_MANY : MOST_AT_ONCE
    this.callers = new Map()
    this.most = this.arrived > MANY ? MOST_OF_MANY : MANY
    this.arrived = 0
    if (taken.size > 0) this.writing = this.writing.then(() => this.write(taken, most))
    return this.writing
  }

  private async write(taken: ReadonlyMap<string, readonly Taken[]>, most: number): Promise<void> {
    const each = Math.max(1, Math.floor(most / taken.size))
    const newest = [...taken.values()].flatMap((list) =>
      list.slice(-Math.min(each, MOST_OF_CALLER)),
    )
    newest.sort((one, other) => one.at - other.at)
    const rows = newest.slice(-most).map((one) => this.rowOf(one))
    try {
      await insertCalls(this.deps.store, rows, { each: MOST_OF_CALLER, unproven: MOST_UNPROVEN })
    } catch (error) {
      // they are a help and nothing else: nobody waits for them
      this.deps.log.warn({ err: error }, 'some calls are missing in the list of the last ones')
    }
  }

  private rowOf({ call: taken, at }: Taken): NewCall {
    this.lastMs = Math.max(this.lastMs + 1, at)
    const { isProven } = taken
    const call = taken.seen()
    const { accountId, cashBoxId, said, secrets, isStream, status, error } = call
    const given = isProven ? textOf(call.body) : null
    const answer = textOf(call.answer)
    const isSecret = status < 400 && SECRET_ANSWERS.test(call.route ?? '')
    const masked = (text: string | null) => (text === null ? null : cut(text, secrets))
    return {
      ...{ id: orderedId(this.lastMs), at: new Date(at), isProven },
      accountId: accountId ?? said.accountId ?? null,
      cashBoxId: cashBoxId ?? (isProven ? null : (said.cashBoxId ?? null)),
      ...{ via: call.via, api: call.api, method: call.method, route: call.route ?? null },
      path: maskedPath(call.path, secrets).slice(0, LONGEST_PATH),
      ...{ status, ms: Math.round(call.ms * 10) / 10 },
      ...refusalIn(error, { status, answer, secrets }),
      ...{ traceId: call.traceId, headers: isProven ? call.headers : {} },
      ...{ body: masked(given), bodyBytes: bytesOf(call.body) },
      answer: isSecret ? MASK : isProven ? masked(answer) : null,
      answerBytes: isStream ? null : bytesOf(call.answer),
      answerType: call.answerType ?? null,
    }
  }
}

function refusalIn(
  error: Error | undefined,
  {
    status,
    answer,
    secrets,
  }: { status: number; answer: string | null; secrets: readonly string[] },
): Pick<KeptCall, 'code' | 'message'> {
  if (error instanceof FiscalError) {
    const message = maskedText(error.message, secrets).slice(0, LONGEST_MESSAGE)
    return { code: error.code, message }
  }
  if (status < 400) return { code: null, message: null }
  return { code: CODE.exec(answer ?? '')?.[1] ?? null, message: null }
}

const bytesOf = (value: Buffer | string | undefined): number =>
  value === undefined ? 0 : Buffer.byteLength(value)

/** Null: there is none, or it is something else than text. */
function textOf(value: Buffer | string | undefined): string | null {
  if (value === undefined || value.length === 0) return null
  if (typeof value === 'string') return value
  const text = value.subarray(0, 4 * LONGEST).toString('utf8')
  return /[\0\ufffd]/.test(text.slice(0, LONGEST)) ? null : text
}

/** What is cut off may end in the middle of a secret: it is masked before. */
function cut(text: string, secrets: readonly string[]): string {
  return maskedText(text.slice(0, 2 * LONGEST), secrets)
    .slice(0, LONGEST)
    .replaceAll('\0', '')
}
