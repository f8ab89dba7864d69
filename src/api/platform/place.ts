// Places in lists: opaque for callers, and checked when they come back.
import { z } from 'zod'
import type { Culture } from '../../lib/language.js'
import type { Direction } from '../../model/direction.js'
import { sentenceOf } from '../../notify/message.js'
import { invalid } from '../shared/account/read.js'
import { int32 } from '../shared/account/schemas.js'

const MOST = 200
const USUAL = 100
const LONGEST = 500

/** Of every list. */
export const pageQuery = {
  limit: int32(1, MOST).default(USUAL).describe('Most entries of the answer.'),
  after: z.string().max(LONGEST).optional().describe('`next` of the page before.'),
}

/** By what a list can be sorted, the usual way first, in pairs of both directions. */
export const SORTS = {
  listOutages: ['-beganAt', 'beganAt'],
  listAudit: ['-at', 'at'],
  listJobs: ['-createdAt', 'createdAt'],
  listSubmissions: ['due', '-due'],
  listProblems: ['-severity', 'severity', '-since', 'since', 'due', '-due'],
} as const

/** Of a list that goes both ways. */
export const sortQuery = (list: keyof typeof SORTS) => ({
  sort: z
    .enum(SORTS[list])
    .default(SORTS[list][0])
    .describe('By this member, with `-` the greatest first. `after` goes on in this direction.'),
})

export const directionOf = (sort: string): Direction => (sort.startsWith('-') ? 'desc' : 'asc')

export const nextPlace = () =>
  z.string().nullable().describe('`after` of the next page; null: this is the last one.')

/** One more row was asked for than is shown: it tells whether there is a next page. */
export function pageOf<T>(rows: readonly T[], limit: number, placeOf: (last: T) => object) {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const next = last === undefined ? null : packed(placeOf(last))
  return { shown, next }
}

const packed = (place: object): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Throws SHAPE_INVALID for what no page has named. */
export function placeIn<T>(
  schema: z.ZodType<T>,
  after: string | undefined,
  culture: Culture,
): T | undefined {
  if (after === undefined) return undefined
  const parsed = schema.safeParse(jsonIn(Buffer.from(after, 'base64url').toString()))
  if (parsed.success) return parsed.data
  throw invalid({ after: [sentenceOf('afterUnknown', culture.language)] })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
