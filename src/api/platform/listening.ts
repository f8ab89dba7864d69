// GET /events/stream: events as they happen, as server-sent events.
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { EventPage, EventWish } from '../../core/event/events.js'
import { FiscalError } from '../../errors.js'
import { writeJson } from '../../lib/json-write.js'
import { isAway } from '../../store/client.js'
import type { EventRow } from '../../store/event/stream.js'
import { callerOf } from '../shared/account/admit.js'
import { Telling } from '../shared/telling.js'
import type { PlatformDeps } from './deps.js'
import { cloudEventOf } from './event-shape.js'

const PING_MS = 15_000
/** Whoever leaves so many bytes waiting for `PING_MS` is let go; he goes on with Last-Event-ID. */
const MOST_WAITING = 64 * 1024
const PAGE = 200

export interface Listening {
  request: FastifyRequest
  accountId: string
  after: bigint | undefined
  types: readonly string[] | undefined
  cashBoxId: string | undefined
}

/** Throws CURSOR_TOO_OLD and CURSOR_AHEAD before anything is answered. */
export async function listen(
  deps: PlatformDeps,
  { request, accountId, types, cashBoxId, ...from }: Listening,
): Promise<Readable> {
  const leave = deps.listeners.enter(accountId)
  const gone = new AbortController()
  try {
    // without a place it begins with what comes next
    const after = from.after ?? (await deps.events.head(accountId)).seq
    const wish = { accountId, types, cashBoxId, limit: PAGE, signal: gone.signal }
    const first = await deps.events.page({ ...wish, after, waitMs: 0 })
    const telling = new Telling(() => isStillGood(deps, request), MOST_WAITING)
    const { socket } = request.raw
    const hangUp = () => socket.destroy()
    socket.once('end', hangUp)
    telling.stream.once('close', () => {
      socket.off('end', hangUp)
      gone.abort()
      leave()
    })
    void follow(deps, telling, { first, wish, log: request.log })
    return telling.stream
  } catch (error) {
    leave()
    throw error
  }
}

interface Following {
  first: EventPage
  wish: Omit<EventWish, 'after' | 'waitMs'>
  log: FastifyRequest['log']
}

async function follow(
  { events, listeners }: PlatformDeps,
  telling: Telling,
  { first, wish, log }: Following,
): Promise<void> {
  let page = first
  while (!wish.signal.aborted) {
    for (const piece of listeners.piecesOf(page.items, textOf)) {
      // who catches up reads at his own pace; who reads nothing is let go
      if (!(await telling.room(PING_MS))) return void telling.stream.destroy()
      telling.say(piece)
    }
    try {
      page = await events.next({ ...wish, after: page.next, waitMs: PING_MS })
    } catch (error) {
      // he comes back, and is told by a status what is wrong with his place
      if (!(error instanceof FiscalError) && !isAway(error)) {
        log.error({ err: error }, 'a stream of events broke')
      }
      return telling.end()
    }
    if (page.isLast) return telling.end()
    if (page.items.length === 0) telling.ping()
  }
}

function textOf(row: EventRow): string {
  const event = cloudEventOf(row)
  return `id: ${row.seq}\nevent: ${event.type}\ndata: ${writeJson(event)}\n\n`
}

async function isStillGood(deps: PlatformDeps, request: FastifyRequest): Promise<boolean> {
  const { admitted } = deps
  try {
    if (admitted !== undefined) return (await admitted(request)).account !== undefined
    return (await callerOf(deps, request)) !== undefined
  } catch (error) {
    // his session has ended
    if (error instanceof FiscalError && !isAway(error)) return false
    // the database is away: whoever was let in stays
    request.log.debug({ err: error }, 'a listener was not checked again')
    return true
  }
}
