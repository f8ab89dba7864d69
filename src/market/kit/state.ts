// Parts of what queues remember. A state is looked at with every receipt: these are the fast forms.
import { z } from 'zod'

export const count = z.int().min(0)
/** Unix milliseconds; null: there was none. */
export const moment = z.int().nullable()
export const id = z.string().nullable()

/** Of named members, any of which may be missing. */
export function anyOf<K extends string, T extends z.ZodType>(names: readonly K[], type: T) {
  const shape = names.map((name) => [name, z.exactOptional(type)])
  return z.object(Object.fromEntries(shape) as Record<K, z.ZodExactOptional<T>>)
}
