// Journal of group B: query → type, range and format; the body of the call is never read.
import type { FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import type { CallOrigin } from '../shared/caller.js'
import { leavingOf } from '../shared/leaving.js'
import { callerOf, chooseQueue } from './auth.js'
import type { MiddlewareDeps } from './deps.js'
import type { RouteSpelling } from './routes.js'

type Format = 'json' | 'csv' | 'xml'
const FORMATS = new Set<string>(['json', 'csv', 'xml'])

/** Paths with the word xml ask for the form by query only: their clients accept nothing but XML. */
export async function restJournal(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  { format: word }: Pick<RouteSpelling, 'format'>,
) {
  const query = lowerCaseNames(request.query as Record<string, unknown>)
  const asked = formatOf(query.get('format'))
  const format = asked ?? (word === 'xml' ? undefined : acceptedFormat(request))
  const leaving = leavingOf(request)
  return journal(deps, request, { query, leaving, ...(format === undefined ? {} : { format }) })
}

export interface JournalCall {
  /** Parameters, their names in lower case. */
  query: Map<string, string>
  format?: Format
  leaving: AbortSignal
}

export async function journal(
  deps: MiddlewareDeps,
  request: CallOrigin,
  { query, format, leaving }: JournalCall,
) {
  const caller = await callerOf(deps, request, { former: true })
  const queue = chooseQueue(caller, null)
  const typeText = query.get('type') ?? query.get('ftjournaltype')
  if (typeText === undefined || typeText.trim() === '') {
    throw fail('FIELD_MISSING', { field: 'type', expected: 'an ftJournalType' })
  }
  const view = query.get('view')
  if (view !== undefined && view !== 'receipts') {
    throw fail('FIELD_INVALID', { field: 'view', expected: 'receipts' })
  }
  return deps.journal({
    accountId: caller.access.accountId,
    queueId: queue.id,
    type: BigInt.asUintN(64, int64(typeText, 'type')),
    range: { from: int64(query.get('from'), 'from'), to: int64(query.get('to'), 'to') },
    options: query,
    leaving,
    ...(format === undefined ? {} : { format }),
    ...(view === undefined ? {} : { view }),
  })
}

function lowerCaseNames(query: Record<string, unknown>): Map<string, string> {
  return new Map(
    Object.entries(query).map(([name, value]) => [
      name.toLowerCase(),
      String(Array.isArray(value) ? value.at(-1) : value),
    ]),
  )
}

/** Decimal or `0x…`; missing or empty is 0. A plus sign arrives as a blank. */
function int64(given: string | undefined, field: string): bigint {
  const text = (given ?? '').trim()
  if (text === '') return 0n
  if (/^0x[0-9a-f]{1,16}$/i.test(text)) return BigInt(text)
  if (/^[+-]?\d{1,20}$/.test(text)) {
    const value = BigInt(text)
    if (value > -(1n << 63n) && value < 1n << 64n) return value
  }
  throw fail('FIELD_INVALID', { field, expected: 'a 64-bit integer, decimal or 0x…' })
}

function formatOf(text: string | undefined): Format | undefined {
  if (text === undefined) return undefined
  const format = text.toLowerCase()
  if (FORMATS.has(format)) return format as Format
  throw fail('FIELD_INVALID', { field: 'format', expected: 'json, csv or xml' })
}

/** By the Accept header; undefined: the type's own format. */
function acceptedFormat(request: FastifyRequest): Format | undefined {
  const accept = request.headers.accept ?? ''
  if (/^\s*text\/csv\b/i.test(accept)) return 'csv'
  if (/^\s*(application|text)\/xml\b/i.test(accept)) return 'xml'
  return undefined
}
