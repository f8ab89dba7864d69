// Lists that grow: as a whole, written while they are read, or page by page with `limit` and
// `after`.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isUuid } from '../../../lib/id.js'
import { writeJson } from '../../../lib/json-write.js'
import { parseMoment } from '../../../lib/moment.js'
import { sentenceOf } from '../../../notify/message.js'
import { Answer, type AnyCall } from './operation.js'
import { invalid } from './read.js'
import { JSON_TYPE } from './refusal.js'
import { int32 } from './schemas.js'

const MOST = 1_000
const USUAL = 100
/** Rows that are held at the same time while a whole list is written. */
const PIECE = 500

const members = {
  limit: int32(1, MOST).optional(),
  after: z.string().max(2_000).optional(),
}

export const PAGING =
  'With `limit` (1 to 1,000) or `after` one page; the header `Link` with `rel="next"` then names ' +
  'the next one, and is missing on the last.'

/** `limit` and `after`, beside what else a list is asked for. */
export const pageQuery = <S extends z.ZodRawShape>(more: S = {} as S) =>
  z.object({ ...more, ...members })

type Kind = 'uuid' | 'moment' | 'instant' | 'number' | 'text'
export type Key = readonly string[]

export interface Listing<T> {
  /** What the list is sorted by, the last one unique. */
  key: readonly Kind[]
  keyOf(row: T): Key
  /** In order, behind `after`. */
  rows(after: Key | undefined, most: number): Promise<readonly T[]>
  shown(row: T): unknown
  /** Without `limit` and `after`: so many at most. */
  whole?: number
}

export type PagedCall = Pick<AnyCall, 'request' | 'culture' | 'account'> & {
  query: { limit?: number | undefined; after?: string | undefined }
}

/** Rows that come in between move nothing: a page begins behind a row, not at a number. */
export async function paged<T>(call: PagedCall, list: Listing<T>): Promise<Answer> {
  const { limit, after } = call.query
  if (limit === undefined && after === undefined) return whole(list)
  const most = limit ?? USUAL
  const found = await list.rows(
    after === undefined ? undefined : keyIn(call, after, list),
    most + 1,
  )
  const page = found.slice(0, most)
  const last = page.at(-1)
  const more = found.length > most && last !== undefined
  const text = writeJson(page.map((row) => list.shown(row)))
  return new Answer(text, JSON_TYPE, more ? { headers: nextOf(call, most, list.keyOf(last)) } : {})
}

async function whole<T>(list: Listing<T>): Promise<Answer> {
  const first = await list.rows(undefined, list.whole ?? PIECE)
  // what fits is one text; only what is longer is written while it is read
  if (list.whole !== undefined || first.length < PIECE) {
    return new Answer(writeJson(first.map((row) => list.shown(row))), JSON_TYPE)
  }
  return new Answer(written(list, first), JSON_TYPE)
}

async function* written<T>(list: Listing<T>, first: readonly T[]): AsyncGenerator<string> {
  let mark = '['
  for (let rows = first; ; ) {
    const texts = rows.map((row) => writeJson(list.shown(row)))
    if (texts.length > 0) yield `${mark}${texts.join(',')}`
    const last = rows.at(-1)
    if (last === undefined || rows.length < PIECE) break
    mark = ','
    rows = await list.rows(list.keyOf(last), PIECE)
  }
  yield ']'
}

function nextOf(call: PagedCall, limit: number, key: Key): Record<string, string> {
  const [path = '', asked = ''] = call.request.url.split('?')
  const query = new URLSearchParams(asked)
  for (const name of [...query.keys()]) {
    if (['limit', 'after'].includes(name.toLowerCase())) query.delete(name)
  }
  query.set('limit', String(limit))
  query.set('after', Buffer.from(JSON.stringify([...key, markOf(call, key)])).toString('base64url'))
  return { link: `<${path}?${query.toString()}>; rel="next"` }
}

const FITS: Readonly<Record<Kind, (text: string) => boolean>> = {
  uuid: isUuid,
  moment: (text) => parseMoment(text) !== undefined,
  number: (text) => /^-?\d{1,9}$/.test(text),
  text: (text) => !text.includes('\0'),
  // as the database writes it, to the microsecond
  instant: (text) =>
    /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/.test(text) &&
    parseMoment(text) !== undefined,
}

/** Throws SHAPE_INVALID for what no page of this list has named. */
function keyIn<T>(call: PagedCall, after: string, { key }: Listing<T>): Key {
  const read = listIn(Buffer.from(after, 'base64url').toString())
  const texts = read.filter((one): one is string => typeof one === 'string')
  const [mark, found] = [texts.at(-1), texts.slice(0, -1)]
  const fits = found.length === key.length && read.length === texts.length
  const isOurs = fits && mark === markOf(call, found)
  if (isOurs && key.every((kind, at) => FITS[kind](found[at] ?? ''))) return found
  throw invalid({ after: [sentenceOf('afterUnknown', call.culture.language)] })
}

/**
 * Tells a place in this list from one of another list or account, and from one that was damaged on
 * its way. No secret: whoever makes one sees what he would see without.
 */
function markOf({ request, account }: PagedCall, key: Key): string {
  const [path = ''] = request.url.toLowerCase().split('?')
  const list = path.replace(/^.*?\/api(?=\/)/, '').replace(/\/+$/, '')
  const text = JSON.stringify([list, account.id, ...key])
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** Empty for everything but a list. */
function listIn(text: string): unknown[] {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read : []
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return []
  }
}
