// The autopilot of a shop with times that a test can wait for, what it has done, and the devices of
// the shop out of order.

import { type Autopilot, createAutopilot } from '../../src/core/event/autopilot/autopilot.js'
import { PROBE_TIMES, type ProbeTimes } from '../../src/core/event/autopilot/machine.js'
import { type FailPoints, noFailPoints } from '../../src/core/fail-point.js'
import type { Deps } from '../../src/deps.js'
import { actingMarkets, marketOf } from '../../src/market/index.js'
import type { Shop } from './shop.js'

export const SHORT: ProbeTimes = {
  ...PROBE_TIMES,
  ...{ soonMs: 50, firstMs: 60, longestMs: 200, restMs: 200 },
}

export interface PilotOptions {
  sandbox?: boolean
  failPoints?: FailPoints
  times?: Partial<ProbeTimes>
}

export function pilotOf(
  { store, signing, operations, log }: Pick<Deps, 'store' | 'signing' | 'operations' | 'log'>,
  { sandbox = true, failPoints = noFailPoints, times = SHORT }: PilotOptions = {},
): Autopilot {
  const now = () => new Date()
  const fetch = () => Promise.reject(new Error('no device outside'))
  return createAutopilot({
    ...{ store, marketOf, signing, operations, failPoints, log, now, times },
    tools: { fetch, now, sleep: (ms) => new Promise((done) => setTimeout(done, ms)) },
    random: () => 0.5,
    acting: actingMarkets(sandbox),
    software: true,
  })
}

interface Step {
  do: string
  calls?: number
  ms?: number
}

/** A script for a unit of a box; none: it works again. */
export async function setFault(
  { url }: Pick<Shop, 'url'>,
  box: Pick<Shop['box'], 'cashBoxId' | 'accessToken' | 'scuIds'>,
  steps: Step[] = [],
  unit = 0,
): Promise<void> {
  const answer = await fetch(`${url}/sandbox/scus/${box.scuIds[unit]}/fault`, {
    method: steps.length === 0 ? 'DELETE' : 'PUT',
    headers: {
      ...{ cashboxid: box.cashBoxId, accesstoken: box.accessToken },
      'content-type': 'application/json',
    },
    ...(steps.length === 0 ? {} : { body: JSON.stringify({ steps }) }),
  })
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
}

export interface StoredOutage {
  id: string
  cause: string
  ended: boolean
  closedBy: string | null
  receipts: number | null
  attempts: number
  beganItem: string | null
  closingItem: string | null
}

/** Of a queue, the oldest first. */
export async function outagesOf({ deps }: Pick<Shop, 'deps'>, queueId: string) {
  const { rows } = await deps.store.pool.query<StoredOutage>(
    `select id, cause, ended_at is not null as ended, closed_by as "closedBy", receipts, attempts,
       began_item as "beganItem", closing_item as "closingItem"
     from outage where queue_id = $1 order by began_at, id`,
    [queueId],
  )
  return rows
}
