// The payload of a document: one flat JSON object, read without making numbers of its amounts.
import { amountOf, amountText } from './amount.js'

export interface Payload {
  texts: ReadonlyMap<string, string>
  /** Exactly as they are written. */
  numbers: ReadonlyMap<string, string>
}

const MEMBER = /"([a-z0-9-]+)":(?:("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?))(,|\}$)/y

/** The second part of a compact JWS. */
export const payloadText = (jws: string): string =>
  Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()

/** Undefined: it is anything else. */
export function readPayload(text: string): Payload | undefined {
  const texts = new Map<string, string>()
  const numbers = new Map<string, string>()
  if (!text.startsWith('{')) return undefined
  MEMBER.lastIndex = 1
  for (;;) {
    const found = MEMBER.exec(text)
    if (found === null) return undefined
    const [, name = '', quoted, number, end] = found
    if (texts.has(name) || numbers.has(name)) return undefined
    if (quoted === undefined) numbers.set(name, number ?? '')
    else texts.set(name, textOf(quoted))
    if (end !== ',') return { texts, numbers }
  }
}

function textOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted // an escape that JSON does not know: compared as it stands
  }
}

const RATES = ['ci-n', 'ci-r1', 'ci-r2', 'ci-rs', 'ci-z', 'ci-u'] as const
const PAYMENTS = ['pi-c', 'pi-n', 'pi-i', 'pi-u'] as const

/** Total, then six rates, then four kinds of payment. */
export const MEMBERS = ['total', ...RATES, ...PAYMENTS] as const
export type Member = (typeof MEMBERS)[number]
export type Block = ReadonlyMap<Member, bigint>

/** The members with this prefix (`d-`) that are there; undefined: none of them. */
export function blockOf({ numbers }: Payload, prefix: string): Block | undefined {
  const there = MEMBERS.filter((member) => numbers.has(prefix + member))
  if (there.length === 0) return undefined
  return new Map(
    there.map((member) => [member, amountOf(numbers.get(prefix + member) ?? '0') ?? 0n]),
  )
}

const at = (block: Block | undefined, member: Member): bigint => block?.get(member) ?? 0n

export function plus(one: Block, other: Block | undefined): Block {
  return new Map(MEMBERS.map((member) => [member, at(one, member) + at(other, member)]))
}

/** `total 12.5, expected 13`; undefined: they are the same. */
export function difference(
  expected: Block,
  found: Block | undefined,
  members: readonly Member[] = MEMBERS,
): string | undefined {
  const wrong = members.find((member) => at(expected, member) !== at(found, member))
  if (wrong === undefined) return undefined
  const [wanted, is] = [expected, found].map((block) => amountText(at(block, wrong)))
  return `expected ${wrong} ${wanted}, found ${is}`
}

/** The sum of the rates as a total. */
export function sumOf(block: Block): bigint {
  return RATES.reduce((sum, member) => sum + at(block, member), 0n)
}

export const WITHOUT_PAYMENTS: readonly Member[] = ['total', ...RATES]
