// Exports of a D-Trust unit: everything from the beginning of its time until now, in halves where
// that is too much at once. What is acknowledged is erased: never more than what is here.
import { z } from 'zod'
import { DeviceError, type DriverTools } from '../../../../device/device.js'
import { readJson } from '../../../../device/remote.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import { type Ended, type ExportSteps, type Fetching, MOST_TAR_BYTES } from '../kept-export.js'
import type { Scanned } from '../tar-scan.js'
import { answers, FccRefusal } from './answer.js'
import { Base64Bytes } from './base64-bytes.js'
import { JoinedTar } from './joined-tar.js'
import type { FccLink } from './link.js'

/** Before any of these units. */
const FIRST = Date.parse('2020-01-01T00:00:00Z')
/** What is younger is not acknowledged by the connector; it answers as if it had failed. */
const YOUNG_MS = 61_000
const SECOND_MS = 1_000
const NOT_FOUND = 404
const TOO_LARGE = 413

const order = z.object({ until: z.int(), isSplit: z.boolean().default(false) })

export interface FccExport {
  link: FccLink
  tools: Pick<DriverTools, 'now'>
  budget: TimeBudget
}

interface Range {
  from: number
  to: number
}

export function fccExport(on: FccExport): ExportSteps {
  return {
    begin: async () => JSON.stringify({ until: secondOf(on.tools.now().getTime()) }),
    async fetch(fetching) {
      const { until } = order.parse(readJson(fetching.order.session))
      // from its first byte: nobody tells how one is gone on with
      if (fetching.tar.bytes > 0) await fetching.tar.restart()
      const whole = { from: FIRST, to: until }
      const isSplit = !(await fetchedWhole(on, fetching, whole))
      if (isSplit) await fetchedInParts(on, fetching, halvesOf(whole))
      await fetching.keep({ session: JSON.stringify({ until, isSplit }) })
      return true
    },
    async end(scanned, { erase, session }) {
      const { isSplit } = order.parse(readJson(session))
      return erase ? acknowledged(on, scanned, isSplit) : KEPT
    },
    // nothing was begun at the connector
    giveUp: () => Promise.resolve(),
  }
}

const KEPT: Ended = { erased: false, gone: false }

const secondOf = (moment: number): number => Math.floor(moment / SECOND_MS) * SECOND_MS

/** False: it is too much at once. */
async function fetchedWhole(on: FccExport, { tar }: Fetching, range: Range): Promise<boolean> {
  const bytes = new Base64Bytes((part) => tar.write(part))
  if ((await fetched(on, range, bytes)) === 'too-large') return false
  await bytes.end()
  return true
}

/** One file of many: the end of a file stands behind the last of them. */
async function fetchedInParts(on: FccExport, { tar }: Fetching, first: Range[]): Promise<void> {
  const joined = new JoinedTar((part) => tar.write(part))
  const ranges = [...first]
  for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
    const bytes = new Base64Bytes((part) => joined.write(part))
    if ((await fetched(on, range, bytes)) === 'too-large') {
      ranges.unshift(...halvesOf(range))
      continue
    }
    await bytes.end()
    joined.next()
  }
  await joined.end()
}

/** Throws DeviceError for a single second. */
function halvesOf({ from, to }: Range): Range[] {
  if (to - from < SECOND_MS) {
    throw new DeviceError('one second of the memory is too much for the connector', {
      kind: 'refused',
    })
  }
  const middle = secondOf((from + to) / 2)
  return [
    { from, to: middle },
    { from: middle + SECOND_MS, to },
  ]
}

async function fetched(
  { link, budget }: FccExport,
  range: Range,
  bytes: Base64Bytes,
): Promise<'done' | 'too-large'> {
  try {
    const sink = (part: Buffer) => bytes.write(part)
    const path = pathOf(range)
    const call = { as: 'admin', method: 'GET', path, schema: answers.none, sink } as const
    await link.ask({ ...call, maxBytes: 2 * MOST_TAR_BYTES }, budget)
    return 'done'
  } catch (error) {
    if (!(error instanceof FccRefusal)) throw error
    if (error.status === TOO_LARGE) return 'too-large'
    // of this time there is nothing
    if (error.status === NOT_FOUND) return 'done'
    throw error
  }
}

function pathOf({ from, to }: Range): string {
  const [start, end] = [from, to].map((one) => `${new Date(one).toISOString().slice(0, 19)}Z`)
  return `export/transactions/time?startDate=${start}&endDate=${end}`
}

/**
 * Everything older than the newest message that is here: the clock of the unit never runs back, so
 * that none of it can have come after the export. Nothing while a transaction is open, since nobody
 * says what becomes of its start; nothing where an export in parts has gaps.
 */
async function acknowledged(
  { link, tools, budget }: FccExport,
  { newest, without }: Scanned,
  isSplit: boolean,
): Promise<Ended> {
  if (newest === undefined || (isSplit && without.length > 0)) return KEPT
  const last = Math.min(newest * SECOND_MS - SECOND_MS, tools.now().getTime() - YOUNG_MS)
  if (last < FIRST || (await hasOpen(link, budget))) return KEPT
  const path = pathOf({ from: FIRST, to: last })
  const call = { as: 'admin', method: 'POST', path, body: 'ACK', schema: answers.none } as const
  try {
    await link.ask(call, budget)
  } catch (error) {
    if (error instanceof FccRefusal && error.status === NOT_FOUND) return KEPT
    // without an answer it may have erased them: these bytes may be all that is left
    if (!(error instanceof DeviceError) || error.kind !== 'unknown-outcome') throw error
  }
  return { erased: true, gone: true }
}

async function hasOpen(link: FccLink, budget: TimeBudget): Promise<boolean> {
  const call = { as: 'basic', method: 'GET', path: 'info', schema: answers.limits } as const
  return (await link.ask(call, budget)).currentNumberOfTransactions > 0
}
