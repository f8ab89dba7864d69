// Parameters behind the question mark of an address.
import type { FastifyRequest } from 'fastify'

/** The last value of a parameter, its name in any case; an empty one counts as missing. */
export function queryValue(
  request: Pick<FastifyRequest, 'query'>,
  name: string,
): string | undefined {
  const lower = name.toLowerCase()
  const given = Object.entries(Object(request.query) as Record<string, unknown>)
  const value = given.findLast(([key]) => key.toLowerCase() === lower)?.[1]
  const last: unknown = Array.isArray(value) ? value.at(-1) : value
  return typeof last === 'string' && last !== '' ? last : undefined
}
