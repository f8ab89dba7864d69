// Parameters of a queue or a signing unit that somebody gives by hand: a misspelt one is told, and
// the key of an Austrian turnover counter is used.
import { z } from 'zod'
import type { Driver } from '../../device/driver.js'
import { fail } from '../../errors.js'
import { JsonObject, objectIn } from '../../lib/json.js'
import type { Market } from '../../market/contract.js'

export interface QueueParameters {
  configuration: Record<string, unknown>
  /** Sealed by whoever stores it; '' for none. */
  secrets: string
}

/** Throws FIELD_INVALID for a parameter that the country does not know, and for a wrong secret. */
export function parametersOf(market: Market, given: Record<string, unknown>): QueueParameters {
  const secret = market.rollout.templates?.keptMembers ?? []
  const known = [...namesOf(market.queue.configuration), ...secret]
  for (const name of Object.keys(given)) if (!known.includes(name)) throw unknown(name, known)
  const isSecret = ([name]: [string, unknown]) => secret.includes(name)
  const entries = Object.entries(given)
  const configuration = Object.fromEntries(entries.filter((entry) => !isSecret(entry)))
  return { configuration, secrets: secretsOf(market, Object.fromEntries(entries.filter(isSecret))) }
}

/** Throws FIELD_INVALID for a parameter that the driver of a unit does not know. */
export function checkNames(driver: Driver<unknown>, given: Record<string, unknown>): void {
  const known = namesOf(driver.configuration)
  // where a schema first puts the names into lower case, they may be spelt in any
  const isAnyCase = driver.configuration instanceof z.ZodPipe
  for (const name of Object.keys(given)) {
    if (!known.includes(isAnyCase ? name.toLowerCase() : name)) throw unknown(name, known)
  }
}

function unknown(name: string, known: readonly string[]): Error {
  return fail('FIELD_INVALID', {
    field: `configuration.${name}`,
    expected: `one of the parameters ${known.toSorted().join(', ')}`,
  })
}

function namesOf(schema: unknown): string[] {
  if (schema instanceof z.ZodPipe) return namesOf(schema.out)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function secretsOf({ rollout: { templates } }: Market, given: Record<string, unknown>): string {
  if (templates === undefined || Object.keys(given).length === 0) return ''
  const row = objectIn(JSON.stringify(given)) ?? new JsonObject()
  const [fault] = templates.faultsOf(row)
  if (fault !== undefined) {
    throw fail('FIELD_INVALID', {
      field: `configuration.${fault.member}`,
      expected: fault.expected,
    })
  }
  return templates.secretsOf(row)
}
