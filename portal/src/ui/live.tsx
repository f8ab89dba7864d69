// The stream of events: pages are told what has changed, and nothing is asked again and again.
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { linkOf } from '../api/client.js'
import { readJson } from '../api/json.js'
import type { Int64 } from '../api/numbers.js'
import { useSession } from '../api/session.js'
import type { EventType } from '../api/types.js'
import { EVENT_TYPES } from '../generated/operations.js'
import { useText } from '../text/index.js'
import { whenIdle } from './idle.js'

export type LiveState = 'live' | 'catching' | 'away'

export interface LiveEvent {
  seq: Int64
  type: EventType
  subject?: string
  time: string
  source: string
  data: unknown
}

interface Live {
  state: LiveState
  /** The newest first. */
  events: readonly LiveEvent[]
}

const LiveContext = createContext<Live>({ state: 'catching', events: [] })
export const useLive = (): Live => useContext(LiveContext)

const MOST = 200
const BATCH_MS = 250

/** What a type of event makes stale. */
const STALE: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^problem\./, ['listProblems', 'countProblems']],
  [/^(outage|queue|scu|receipt)\./, ['listAllQueues', 'listOutages', 'getCashBox']],
  [/^(scu|outage)\./, ['listAllScus', 'listScus', 'getUnitDetails', 'getScu', 'readOutage']],
  [/^invitation\.|^connection\./, ['listInvitations', 'invitationHistory', 'listOperators']],
  [/^configuration\./, ['getCashBox', 'listCashBoxes']],
  [/^webhook\./, ['listWebhooks']],
  [/^job\./, ['listJobs', 'listInspections', 'getJob', 'getInspection']],
  [/^archive\./, ['listBackups']],
]

/** Everything that an event could make stale: asked again where no stream comes through. */
const ALL_STALE: ReadonlySet<string> = new Set(STALE.flatMap(([, ids]) => ids))
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** From then on pages ask again by themselves. */
const FAILED_TWICE = 2

/**
 * Browsers go on by themselves where a connection breaks, but not behind a refusal, which a proxy
 * gives while the server starts: then another stream is opened, behind what has arrived.
 */
function follow(
  take: (event: LiveEvent) => void,
  tell: (state: LiveState) => void,
  missed: () => void,
) {
  let stream: EventSource
  let last: Int64 | undefined
  let failures = 0
  let later: ReturnType<typeof setTimeout> | undefined
  const arrive = (message: MessageEvent<string>) => {
    const event = readJson(message.data) as LiveEvent
    last = event.seq
    take(event)
  }
  const open = () => {
    stream = new EventSource(linkOf('streamEvents', { query: { after: last } }))
    stream.onopen = () => {
      if (failures > 0) missed()
      failures = 0
      tell('live')
    }
    stream.onerror = () => {
      failures += 1
      const isClosed = stream.readyState === EventSource.CLOSED
      tell(isClosed || failures >= FAILED_TWICE ? 'away' : 'catching')
      if (!isClosed) return
      // what has arrived last may be forgotten there
      if (failures > FAILED_TWICE) last = undefined
      clearTimeout(later)
      later = setTimeout(open, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)))
    }
    // each event is named by its type
    for (const type of EVENT_TYPES) stream.addEventListener(type, arrive)
  }
  open()
  return {
    isAway: () => failures >= FAILED_TWICE,
    close: () => {
      clearTimeout(later)
      stream.close()
    },
  }
}

const ASK_MS = 15_000

export function LiveEvents({ children }: { children: ReactNode }) {
  const { account } = useSession()
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('catching')
  const [events, setEvents] = useState<readonly LiveEvent[]>([])
  const arrived = useRef<LiveEvent[]>([])
  const mayRead = account !== null && account.role !== 'None'
  useEffect(() => {
    if (!mayRead) return
    const forget = (stale: ReadonlySet<string>) =>
      void client.invalidateQueries({ predicate: ({ queryKey }) => stale.has(String(queryKey[0])) })
    const take = (event: LiveEvent) => void arrived.current.push(event)
    let stream: ReturnType<typeof follow> | undefined
    const callOff = whenIdle(() => {
      stream = follow(take, setState, () => forget(ALL_STALE))
    })
    const show = setInterval(() => {
      const batch = arrived.current.splice(0)
      if (batch.length === 0) return
      setEvents((before) => [...batch.toReversed(), ...before].slice(0, MOST))
      forget(staleBy(batch))
    }, BATCH_MS)
    const ask = setInterval(() => {
      if (stream?.isAway() === true) forget(ALL_STALE)
    }, ASK_MS)
    return () => {
      clearInterval(show)
      clearInterval(ask)
      callOff()
      stream?.close()
    }
  }, [client, mayRead])
  return <LiveContext.Provider value={{ state, events }}>{children}</LiveContext.Provider>
}

const staleBy = (batch: readonly LiveEvent[]): ReadonlySet<string> =>
  new Set(
    batch.flatMap(({ type }) => STALE.flatMap(([pattern, ids]) => (pattern.test(type) ? ids : []))),
  )

export function LiveBadge() {
  const t = useText()
  const { state } = useLive()
  const text = { live: t.common.live, catching: t.common.catching, away: t.common.away }[state]
  return (
    <span className={state === 'live' ? 'live on' : 'live'} role="status">
      <i aria-hidden="true" />
      <span>{text}</span>
    </span>
  )
}
