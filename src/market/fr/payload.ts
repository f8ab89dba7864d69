// What is signed: members in their order as one JSON text, and how documents are chained.
import { sha256 } from '../../lib/hash.js'
import { type Amounts, BLOCK, type BlockMember, PERPETUAL } from './totals.js'

/** Name and JSON text of each member. */
export type Members = readonly (readonly [name: string, json: string])[]

/** `{"alg":"ES256","typ":"JWT"}` */
export const HEADER = 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9'

/** Texts that are not there are left out. */
export function texts(values: Readonly<Record<string, string | null>>): Members {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, JSON.stringify(value)] as const],
  )
}

/** Shortest form with at least one place: `18.8`, `0.0`. */
export function amountText(value: string): string {
  return value.includes('.') ? value : `${value}.0`
}

/** The totals of one receipt: buckets without items are left out, the total never. */
export function ticketBlock(amounts: Amounts): Members {
  return BLOCK.flatMap((name) => {
    const value = amounts[name] ?? (name === 'total' ? '0' : undefined)
    return value === undefined ? [] : [[name, amountText(value)] as const]
  })
}

/** The totals of a period, with zeros; `prefix`: `d-`. */
export function fullBlock(prefix: string, amounts: Amounts): Members {
  return block(prefix, amounts, BLOCK)
}

export function perpetualBlock(amounts: Amounts): Members {
  return block('p-', amounts, PERPETUAL)
}

function block(prefix: string, amounts: Amounts, names: readonly BlockMember[]): Members {
  return names.map((name) => [`${prefix}${name}`, amountText(amounts[name] ?? '0')])
}

export function payloadText(members: Members): string {
  return `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`
}

/** Member `hash` of the next document of the same letter. */
export function chainValue(input: string): string {
  return sha256(input).toString('base64')
}
