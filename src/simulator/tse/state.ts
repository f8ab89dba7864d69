// What the TSE emulator remembers between calls, as one JSON text in its SCU row. It is written
// with every receipt and therefore stays small.
import { z } from 'zod'
import type { LogMessage, MemoryExport, TseState } from '../../device/tse/tse.js'

const count = z.int().min(0)
const range = z.tuple([count, count])

/** Never changed in place. */
export interface OpenTransaction {
  readonly number: number
  readonly client: string
  /** Log time of the start, Unix seconds. */
  readonly start: number
  /** Bytes of its log messages, and their counters: an erasing export leaves them. */
  readonly bytes: number
  readonly logs: readonly number[]
}

/** As a list: there may be hundreds of them, and the text is written with every receipt. */
const openTransaction = z
  .tuple([count, z.string(), count, count], count)
  .transform(([number, client, start, bytes, ...logs]): OpenTransaction => {
    return { number, client, start, bytes, logs }
  })

/** Never changed in place. */
const answer = z.object({
  /** Operation and queue item; a finish also names its transaction. */
  key: z.string(),
  number: count,
  counter: count,
  time: count,
  start: count,
  signature: z.string(),
  /** It did not reach the caller. */
  lost: z.literal(true).optional(),
})

/** Wrong PINs in a row, and the last of them (keyed hash). */
const failures = z.object({ count, tried: z.string() })

const roles = <T extends z.ZodType>(schema: T) => ({
  admin: schema.optional(),
  timeAdmin: schema.optional(),
})

const state = z.object({
  state: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** The signature counter: of the newest message. */
  counter: count,
  /** The newest transaction number. */
  transaction: count,
  /** Log time of the newest message, Unix seconds. */
  time: count,
  clients: z.array(z.string()),
  /** Ascending by number. */
  open: z.array(openTransaction),
  /** Bytes of the messages in the memory. */
  memory: count,
  /** From this counter on the memory is whole. */
  from: count,
  /** Older counters that erasing exports have left. */
  kept: z.array(range),
  /** Keyed hashes of the PINs, since the initialization. */
  pins: z.object(roles(z.string())),
  failures: z.object(roles(failures)),
  answers: z.array(answer),
})

export type ModuleState = z.infer<typeof state>
export type Answer = Readonly<z.infer<typeof answer>>
export type Range = z.infer<typeof range>

export const readState = (text: string): ModuleState => state.parse(JSON.parse(text))

/** Open transactions and kept answers are mostly those of the text before: theirs are kept. */
const texts = new WeakMap<OpenTransaction | Answer, string>()

function textOf<T extends OpenTransaction | Answer>(part: T, write: (part: T) => unknown): string {
  const known = texts.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(write(part))
  texts.set(part, text)
  return text
}

const listOf = ({ number, client, start, bytes, logs }: OpenTransaction) => [
  ...[number, client, start, bytes],
  ...logs,
]

export function stateText({ open, answers, ...others }: ModuleState): string {
  const openTexts = open.map((one) => textOf(one, listOf)).join(',')
  const answerTexts = answers.map((one) => textOf(one, (answer) => answer)).join(',')
  const rest = JSON.stringify(others).slice(0, -1)
  return `${rest},"open":[${openTexts}],"answers":[${answerTexts}]}`
}

export function newState(): ModuleState {
  return {
    state: 0 satisfies TseState,
    counter: 0,
    transaction: 0,
    time: 0,
    clients: [],
    open: [],
    memory: 0,
    from: 1,
    kept: [],
    pins: {},
    failures: {},
    answers: [],
  }
}

/** The counters in the memory: ascending ranges, both ends inclusive. */
export function memoryRanges({ kept, from, counter }: ModuleState): Range[] {
  return from <= counter ? [...kept, [from, counter]] : [...kept]
}

/** What an export of the whole memory holds; nothing: `to` lies before `from`. */
export function memoryExport(state: ModuleState, erased: boolean): MemoryExport {
  const ranges = memoryRanges(state)
  const from = ranges[0]?.[0] ?? state.counter + 1
  const to = ranges.at(-1)?.[1] ?? state.counter
  return { from, to, without: gapsBetween(ranges), erased }
}

function gapsBetween(ranges: readonly Range[]): Range[] {
  const gaps = ranges.slice(1).map(([from], at): Range => [(ranges[at]?.[1] ?? 0) + 1, from - 1])
  return gaps.filter(([from, to]) => from <= to)
}

/** Messages of transactions that are still open stay (BSI TR-03151, export with erase). */
export function erase(state: ModuleState): void {
  const counters = state.open.flatMap(({ logs }) => logs).sort((a, b) => a - b)
  state.kept = rangesOf(counters)
  state.from = state.counter + 1
  state.memory = state.open.reduce((sum, { bytes }) => sum + bytes, 0)
}

function rangesOf(counters: readonly number[]): Range[] {
  const ranges: Range[] = []
  for (const counter of counters) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] + 1 === counter) last[1] = counter
    else ranges.push([counter, counter])
  }
  return ranges
}

/** A message that was just made joins the memory. */
export function remember(state: ModuleState, { signatureCounter, der }: LogMessage): void {
  state.counter = signatureCounter
  state.memory += der.length
}
