// The state of a market before it is stored: checked by the market's schema as a whole, or only
// what has moved since it was checked last.
import { z } from 'zod'

/**
 * What the schema makes of the state. `before` is one that the schema has made already: a member
 * that is still the same is not checked again, which is most of them and most of the memory that a
 * check takes. Throws ZodError.
 */
export function checkedState<S>(schema: z.ZodType<S>, state: S, before: unknown): S {
  return isCheckedByMember(schema) && isMade(schema, state, before) ? state : schema.parse(state)
}

/** Of an object whose members are checked one by one, and nothing of them together. */
function isCheckedByMember(schema: z.ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject && (schema.def.checks?.length ?? 0) === 0
}

/** True where the members, their order and each value are what the schema would make of them. */
function isMade({ shape }: z.ZodObject, state: unknown, before: unknown): boolean {
  const now = state as Record<string, unknown>
  const then = before as Record<string, unknown>
  let count = 0
  for (const name in now) count += name in shape ? 1 : Number.NaN
  for (const name in shape) {
    count -= 1
    const value = now[name]
    if (typeof value === 'object' && value !== null) return false
    if (value !== then[name] && shape[name]?.parse(value) !== value) return false
  }
  return count === 0
}
