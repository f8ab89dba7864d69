// Parameters of a queue that somebody gives by hand: a misspelt one is told, and the key of an
// Austrian turnover counter is used. Called by units.ts.
import { z } from 'zod'
import { fail } from '../../errors.js'
import { JsonObject, objectIn } from '../../lib/json.js'
import type { Market } from '../../market/market.js'

export interface QueueParameters {
  configuration: Record<string, unknown>
  /** Sealed by whoever stores it; '' for none. */
  secrets: string
}

/** Throws FIELD_INVALID for a parameter that the country does not know, and for a wrong secret. */
export function parametersOf(market: Market, given: Record<string, unknown>): QueueParameters {
  const secret = market.rollout?.keptMembers ?? []
  const known = [...namesOf(market.configuration), ...secret]
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    throw fail('FIELD_INVALID', {
      field: `configuration.${name}`,
      expected: `one of the parameters ${known.toSorted().join(', ')}`,
    })
  }
  const isSecret = ([name]: [string, unknown]) => secret.includes(name)
  const entries = Object.entries(given)
  const configuration = Object.fromEntries(entries.filter((entry) => !isSecret(entry)))
  return { configuration, secrets: secretsOf(market, Object.fromEntries(entries.filter(isSecret))) }
}

function namesOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function secretsOf({ rollout }: Market, given: Record<string, unknown>): string {
  if (rollout === undefined || Object.keys(given).length === 0) return ''
  const row = objectIn(JSON.stringify(given)) ?? new JsonObject()
  const [fault] = rollout.faultsOf(row)
  if (fault !== undefined) {
    throw fail('FIELD_INVALID', {
      field: `configuration.${fault.member}`,
      expected: fault.expected,
    })
  }
  return rollout.secretsOf(row)
}
