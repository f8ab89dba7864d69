// The autopilot with times that a test can wait for, on a stand whose clock a test moves, and what
// a queue has stored afterwards.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { checkData } from '../../src/core/audit/check/check.js'
import { type Autopilot, createAutopilot } from '../../src/core/event/autopilot/autopilot.js'
import { PROBE_TIMES, type ProbeTimes } from '../../src/core/event/autopilot/machine.js'
import { type FailPoints, noFailPoints } from '../../src/core/fail-point.js'
import { clearFault, setFault as scriptFault } from '../../src/core/faults.js'
import type { Operations } from '../../src/core/operation/operation.js'
import { createOperations } from '../../src/core/operation/operations.js'
import type { SignDeps } from '../../src/core/sign/job.js'
import type { Deps } from '../../src/deps.js'
import { actingMarkets, marketOf } from '../../src/market/index.js'
import { moveEvents } from '../../src/store/event/mover.js'
import { type Ledger, readLedger, verifyLedger } from './ledger.js'
import type { Shop } from './shop.js'
import { answer, job, openStand, type Stand, type Till, type Wanted } from './stand.js'

export const SHORT: ProbeTimes = {
  ...PROBE_TIMES,
  ...{ soonMs: 5, firstMs: 10, longestMs: 40, restMs: 20 },
}

export interface PilotOptions {
  sandbox?: boolean
  failPoints?: FailPoints
  times?: Partial<ProbeTimes>
}

type PilotParts = Pick<Deps, 'store' | 'signing' | 'operations'> & Pick<SignDeps, 'log' | 'tools'>

export function pilotOf(
  { store, signing, operations, log, tools }: PilotParts,
  { sandbox = true, failPoints = noFailPoints, times = SHORT }: PilotOptions = {},
): Autopilot {
  const { now } = tools
  return createAutopilot({
    ...{ store, marketOf, signing, operations, failPoints, log, now, times, tools },
    ...{ random: () => 0.5, acting: actingMarkets(sandbox), software: true },
  })
}

// ------------------------------------------------------------------- a server without the server

export interface PilotStand extends Stand {
  operations: Operations
  pilot: Autopilot
  /** Events become outages, and the autopilot looks once. */
  look(): Promise<void>
  /** The same until no outage of the till goes on; fails when that does not come. */
  closed(till: Till): Promise<void>
  /** The clock of the sign path, in milliseconds from the real one. */
  move(milliseconds: number): void
  sign(till: Till, wanted?: Wanted): Promise<string>
  fault(till: Till, steps?: Step[], unit?: number): Promise<void>
}

export interface PilotStandOptions extends PilotOptions {
  masterKey?: Buffer
  allow?: string[]
}

export function openPilot(connection: pg.PoolConfig, options: PilotStandOptions): PilotStand {
  let moved = 0
  const now = () => new Date(Date.now() + moved)
  const { masterKey, allow = [] } = options
  const stand = openStand(connection, {
    ...{ deps: { now, failPoints: options.failPoints ?? noFailPoints }, allow },
    ...(masterKey === undefined ? {} : { masterKey }),
  })
  const { store, signing, deps } = stand
  const operations = createOperations({
    ...{ store, runner: randomInt(2 ** 31 - 1), now, log: deps.log },
    failureOf: () => ({ status: 500, contentType: 'application/json', body: '{}' }),
  })
  const pilot = pilotOf({ ...deps, signing, operations }, options)
  const look = async () => {
    while ((await moveEvents(store))?.isMore === true);
    await pilot.look()
  }
  return {
    ...stand,
    ...{ operations, pilot, look },
    move: (milliseconds) => {
      moved = milliseconds
    },
    closed: async (till) => {
      for (let round = 0; round < 400; round += 1) {
        // nobody waits a minute behind a closing that failed
        await store.pool.query('update outage set next_at = null where ended_at is null')
        await look()
        const outages = await outagesOf({ deps: stand }, till.queueId)
        if (outages.every(({ ended }) => ended)) return
        await sleep(10)
      }
      throw new Error('the outage goes on')
    },
    sign: (till, wanted) => answer(signing.sign(job(till, wanted))),
    fault: async (till, steps, unit = 0) => {
      const name = { scuId: till.scuIds[unit] ?? '' }
      await (steps === undefined ? clearFault(deps, name) : scriptFault(deps, { ...name, steps }))
    },
    close: async () => {
      await pilot.stop()
      await operations.close()
      await stand.close()
    },
  }
}

/** What the checker of stored data says of all queues; empty when all is well. */
export async function violationsOf({ deps }: Pick<Stand, 'deps'>): Promise<string[]> {
  const found: string[] = []
  await checkData(deps, (violation) => found.push(JSON.stringify(violation)))
  return found
}

export interface Journal extends Ledger {
  /** F: without signature, S: signed, C: signed and ends an outage. */
  course: string
  /** Items of the autopilot. */
  own: Ledger['items']
}

/** An Austrian queue as it is stored, its chain checked by other code than that which made it. */
export async function journalOf(
  client: pg.Client,
  { store }: Pick<Stand, 'store'>,
  { queueId, scuIds }: Till,
): Promise<Journal> {
  const ledger = await readLedger(client, queueId)
  // that code knows one certificate
  if (scuIds.length === 1) verifyLedger(ledger, store.sealer)
  const answers = new Map(ledger.items.map(({ id, response }) => [id, response ?? '']))
  const course = ledger.signatures.map(({ scuId, itemId }) => {
    if (scuId === null) return 'F'
    return answers.get(itemId)?.includes('"Sammelbeleg"') === true ? 'C' : 'S'
  })
  const own = ledger.items.filter(({ terminalId }) => terminalId === 'AUTOPILOT')
  return { ...ledger, course: course.join(''), own }
}

// ---------------------------------------------------------------------------------- a real server

export interface Step {
  do: string
  calls?: number
  ms?: number
}

/** A script for the first unit of a box; none: it works again. */
export async function setFault(
  { url }: Pick<Shop, 'url'>,
  box: Pick<Shop['box'], 'cashBoxId' | 'accessToken' | 'scuIds'>,
  steps: Step[] = [],
): Promise<void> {
  const answer = await fetch(`${url}/sandbox/scus/${box.scuIds[0]}/fault`, {
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
export async function outagesOf(
  { deps }: { deps: Pick<Deps, 'store'> },
  queueId: string,
): Promise<StoredOutage[]> {
  const { rows } = await deps.store.pool.query<StoredOutage>(
    `select id, cause, ended_at is not null as ended, closed_by as "closedBy", receipts, attempts,
       began_item as "beganItem", closing_item as "closingItem"
     from outage where queue_id = $1 order by began_at, id`,
    [queueId],
  )
  return rows
}
