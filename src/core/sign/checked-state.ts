// The state of a market before it is stored: checked by the market's schema as a whole, or only
// what has moved since it was checked last.
import { z } from 'zod'

/**
 * What the schema makes of the state. `before` is one that was checked already: a member that is
 * still the same is not checked again, which is most of them and most of the memory that a check
 * takes. What members hold is frozen from then on, so that the same is the same. Throws ZodError.
 */
export function checkedState<S>(schema: z.ZodType<S>, state: S, before: unknown): S {
  if (isCheckedByMember(schema) && isMade(schema, state, before)) return state
  const made = schema.parse(state)
  freezeMembers(state)
  return made
}

/** A state as it was stored, checked. Throws ZodError. */
export function storedState<S>(schema: z.ZodType<S>, stored: unknown): S {
  const made = schema.parse(stored)
  freezeMembers(made)
  return made
}

function freezeMembers(value: unknown): void {
  if (!isHolder(value)) return
  for (const member of Object.values(value)) freezeAll(member)
}

function freezeAll(value: unknown): void {
  // what is frozen was frozen here, in whole
  if (!isHolder(value) || Object.isFrozen(value)) return
  Object.freeze(value)
  freezeMembers(value)
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

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
    const value = now[name]
    // left out where it may be: it is in no text either
    if (value === undefined && shape[name] instanceof z.ZodOptional && !(name in now)) continue
    count -= 1
    if (isHolder(value) && !Object.isFrozen(value)) return false
    if (value === then[name]) continue
    if (isHolder(value) || shape[name]?.parse(value) !== value) return false
  }
  return count === 0
}
