// Headers and path of a group B call to the cash box and queue that it is for.
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import type { CashBoxAccess, CashBoxQueue } from '../../store/rollout/cashboxes.js'
import { boxOfHeaders, type CallOrigin, header } from '../shared/caller.js'
import type { MiddlewareDeps } from './deps.js'

export interface Caller {
  access: CashBoxAccess
  /** The queue of the path, when it names one. */
  pathQueue: CashBoxQueue | undefined
  /** That of the header `queueid`, or of the port, when the path names none. */
  headerQueue: CashBoxQueue | undefined
  /** The cash box that the headers name, in lower case. */
  headerBox: string | undefined
}

/** What a call says about its queue, in falling order of weight. */
export interface QueueHints {
  queueId?: string | null
  cashBoxId?: string | null
  /** Queues that the cash box once held will do: for journals. */
  former?: boolean
}

/** Checks the headers; with authentication off only those that name a queue are read. */
export async function callerOf(
  deps: MiddlewareDeps,
  request: CallOrigin,
  hints: QueueHints = {},
): Promise<Caller> {
  const pathId = pathQueueId(deps, request)
  const queueId = pathId ?? (hints.queueId ? undefined : headerQueueId(deps, request))
  const known = deps.authentication
    ? await boxOfHeaders(deps, request)
    : await local(deps, request, { queueId, hints })
  request.box = known
  const isMissing = queueId !== undefined && !holds(known, queueId)
  const access = isMissing ? ((await deps.credentials.renewed(known)) ?? known) : known
  const queue =
    queueId === undefined ? undefined : await queueNamed(deps, { access, queueId, hints })
  const [pathQueue, headerQueue] = pathId === undefined ? [undefined, queue] : [queue, undefined]
  const headerBox = header(request, 'cashboxid')?.toLowerCase()
  return { access, pathQueue, headerQueue, headerBox }
}

/** The same at once, where the credentials are remembered; else undefined, and callerOf looks. */
export function callerAtOnce(deps: MiddlewareDeps, request: CallOrigin): Caller | undefined {
  if (!deps.authentication) return undefined
  const pathId = pathQueueId(deps, request)
  const queueId = pathId ?? headerQueueId(deps, request)
  const box = header(request, 'cashboxid')
  const token = header(request, 'accesstoken')
  if (box === undefined || token === undefined) return undefined
  const access = deps.credentials.known(box, token)
  if (access === undefined) return undefined
  const queue = access.queues.find(({ id }) => id === queueId)
  if (queueId !== undefined && queue === undefined) return undefined
  request.box = access
  return {
    access,
    pathQueue: pathId === undefined ? undefined : queue,
    headerQueue: pathId === undefined ? queue : undefined,
    headerBox: box.toLowerCase(),
  }
}

async function queueNamed(
  { credentials }: MiddlewareDeps,
  { access, queueId, hints }: { access: CashBoxAccess; queueId: string; hints: QueueHints },
): Promise<CashBoxQueue> {
  if (hints.former !== true || holds(access, queueId)) return queueOf(access, queueId)
  return (await credentials.everHeld(access, queueId)) ?? queueOf(access, queueId)
}

function queueWord(request: CallOrigin): string | undefined {
  return (request.params as { queue?: string }).queue
}

/** True when the path has a word for the queue in front, or a header or the port names one. */
export function namesQueue(request: CallOrigin): boolean {
  return queueWord(request) !== undefined || header(request, 'queueid') !== undefined
}

/** True when that word is an id or an alias; whether there is such a queue is not looked at. */
export function namesKnownQueue(deps: MiddlewareDeps, request: CallOrigin): boolean {
  const word = queueWord(request)
  return word !== undefined && (isUuid(word) || deps.aliases.has(word.toLowerCase()))
}

/** The header `queueid`: an id or an alias. A name that is none is no path that is missing. */
function headerQueueId(deps: MiddlewareDeps, request: CallOrigin): string | undefined {
  const queue = header(request, 'queueid')
  if (queue === undefined) return undefined
  const id = isUuid(queue) ? queue.toLowerCase() : deps.aliases.get(queue.toLowerCase())
  if (id === undefined) throw fail('QUEUE_UNKNOWN', { queue })
  return id
}

/** The first path segment: a queue id, or an alias of one. */
export function pathQueueId(deps: MiddlewareDeps, request: CallOrigin): string | undefined {
  const queue = queueWord(request)
  if (queue === undefined) return undefined
  if (isUuid(queue)) return queue.toLowerCase()
  const id = deps.aliases.get(queue.toLowerCase())
  if (id !== undefined) return id
  throw fail('ROUTE_UNKNOWN', { method: request.method, path: request.url.split('?')[0] ?? '' })
}

/** The locally hosted form: whatever names a queue is believed, because only this machine calls. */
async function local(
  deps: MiddlewareDeps,
  request: CallOrigin,
  { queueId, hints }: { queueId: string | undefined; hints: QueueHints },
): Promise<CashBoxAccess> {
  const named = queueId ?? hints.queueId ?? undefined
  if (named !== undefined) {
    const { credentials } = deps
    const holding = await credentials.ofQueue(named)
    const access = holding ?? (hints.former ? await credentials.lastOfQueue(named) : undefined)
    if (access === undefined) throw fail('QUEUE_UNKNOWN', { queue: named })
    return access
  }
  const boxId = header(request, 'cashboxid') ?? hints.cashBoxId ?? undefined
  const box = boxId !== undefined && isUuid(boxId) ? await deps.credentials.ofBox(boxId) : undefined
  if (box !== undefined) return box
  const fallback = deps.defaultQueue ?? (await deps.credentials.onlyQueue())
  if (fallback === undefined) throw fail('QUEUE_NOT_NAMED')
  const access = await deps.credentials.ofQueue(fallback)
  if (access === undefined) throw fail('QUEUE_UNKNOWN', { queue: fallback })
  return { ...access, queues: sorted(access.queues, fallback) }
}

/** The default queue first, so that it is the one a call without a name gets. */
function sorted(queues: CashBoxQueue[], first: string): CashBoxQueue[] {
  return [...queues].sort((a, b) => Number(b.id === first) - Number(a.id === first))
}

const holds = ({ queues }: CashBoxAccess, queueId: string): boolean =>
  queues.some(({ id }) => id === queueId)

/** A queue of another cash box looks like one that does not exist. */
function queueOf(access: CashBoxAccess, queueId: string): CashBoxQueue {
  const queue = access.queues.find((one) => one.id === queueId)
  if (queue === undefined) throw fail('QUEUE_UNKNOWN', { queue: queueId })
  return queue
}

/** The same caller, for a call that wants a queue in use. Throws QUEUE_UNKNOWN for a former one. */
export function holdingIts(caller: Caller): Caller {
  const named = caller.pathQueue ?? caller.headerQueue
  if (named !== undefined) queueOf(caller.access, named.id)
  return caller
}

/** The queue of the path, of the body, of the header or port, else the oldest of the cash box. */
export function chooseQueue(caller: Caller, bodyQueueId: string | null): CashBoxQueue {
  if (caller.pathQueue !== undefined) return caller.pathQueue
  if (bodyQueueId !== null) return queueOf(caller.access, bodyQueueId)
  if (caller.headerQueue !== undefined) return caller.headerQueue
  const oldest = caller.access.queues[0]
  if (oldest === undefined) throw fail('QUEUE_NOT_NAMED')
  return oldest
}
