// Lists that grow: as a whole, written while they are read, or page by page with `limit` and
// `after`. Called by the operations that list.
import { z } from 'zod'
import { isUuid } from '../../lib/id.js'
import { writeJson } from '../../lib/json-write.js'
import { parseMoment } from '../../lib/moment.js'
import { sentenceOf } from '../../notify/message.js'
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

type Kind = 'uuid' | 'moment' | 'number' | 'text'
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

export type PagedCall = Pick<AnyCall, 'request' | 'culture'> & {
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

/** A list that is short enough to be read at once. */
export function pagedList<T>(
  call: PagedCall,
  idOf: (row: T) => string,
  read: () => Promise<readonly T[]>,
): Promise<Answer> {
  return paged<{ row: T; at: number }>(call, {
    key: ['number', 'text'],
    keyOf: ({ row, at }) => [String(at), idOf(row)],
    rows: async (after, most) => {
      const all = (await read()).map((row, at) => ({ row, at }))
      if (after === undefined) return all.slice(0, most)
      const [number, id] = after
      const known = all.findIndex(({ row }) => idOf(row) === id)
      // a row that is gone meanwhile has left its place to the one behind it
      const from = known < 0 ? Math.max(0, Number(number)) : known + 1
      return all.slice(from, from + most)
    },
    shown: ({ row }) => row,
    whole: Number.MAX_SAFE_INTEGER,
  })
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

function nextOf({ request }: PagedCall, limit: number, key: Key): Record<string, string> {
  const [path = '', asked = ''] = request.url.split('?')
  const query = new URLSearchParams(asked)
  for (const name of [...query.keys()]) {
    if (['limit', 'after'].includes(name.toLowerCase())) query.delete(name)
  }
  query.set('limit', String(limit))
  query.set('after', Buffer.from(JSON.stringify(key)).toString('base64url'))
  return { link: `<${path}?${query.toString()}>; rel="next"` }
}

const FITS: Readonly<Record<Kind, (text: string) => boolean>> = {
  uuid: isUuid,
  moment: (text) => parseMoment(text) !== undefined,
  number: (text) => /^-?\d{1,9}$/.test(text),
  text: (text) => !text.includes('\0'),
}

/** Throws SHAPE_INVALID for what no page of such a list has named. */
function keyIn<T>({ culture }: PagedCall, after: string, { key }: Listing<T>): Key {
  const read = listIn(Buffer.from(after, 'base64url').toString())
  const texts = read.filter((one): one is string => typeof one === 'string')
  const fits = texts.length === key.length && read.length === key.length
  if (fits && key.every((kind, at) => FITS[kind](texts[at] ?? ''))) return texts
  throw invalid({ after: [sentenceOf('afterUnknown', culture.language)] })
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
