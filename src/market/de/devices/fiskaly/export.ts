// Exports of the cloud service: begun once, asked for until they are done, over several closings
// where they take long. The service erases nothing, so what was fetched is a mark in the row.
import { DeviceError } from '../../../../device/device.js'
import type { MemoryExport } from '../../../../device/tse/tse.js'
import { MOST_TAR_BYTES } from '../../queue.js'
import type { CertifiedUnit } from '../certified-unit.js'
import { countersIn, rangeOf } from '../remote-export.js'
import type { TimeBudget } from '../remote-link.js'
import { answers, CallRefused } from './answer.js'
import { workId } from './ids.js'
import type { FiskalyLink } from './link.js'

/** At most twelve looks a minute. */
const PAUSE_MS = 5_000
/** A small one is done at once. */
const FIRST_PAUSE_MS = 200

export interface Exporting {
  unit: CertifiedUnit
  link: FiskalyLink
  budget: TimeBudget
  /** The last signature counter of the unit. */
  last: number
}

/** Throws DeviceError `busy` while it is not done; the next call goes on with it. */
export async function exportOf({ unit, link, budget, last }: Exporting): Promise<MemoryExport> {
  const { exportedTo = 0, exporting } = unit.state()
  const { tssId } = JSON.parse(unit.scu.configuration) as { tssId: string }
  const order = exporting ?? {
    id: workId('export', tssId, String(exportedTo), String(last)),
    ...{ from: exportedTo + 1, to: last },
  }
  if (order.to < order.from) return { from: order.from, to: order.to, without: [], erased: false }
  await begin(link, order, budget)
  unit.change({ exporting: order })
  await wait(link, order.id, budget)
  const tar = await fetched(link, order.id, budget)
  const counters = await countersIn(tar)
  unit.change({ exportedTo: order.to, exporting: undefined })
  return { ...rangeOf(counters), erased: false, tar }
}

interface Order {
  id: string
  from: number
  to: number
}

/** Begun before: that one is asked for. */
async function begin(link: FiskalyLink, { id, from, to }: Order, budget: TimeBudget) {
  const range = `start_signature_counter=${from}&end_signature_counter=${to}`
  const path = `/export/${id}?${range}`
  try {
    await link.ask({ method: 'PUT', path, body: {}, schema: answers.export }, budget)
  } catch (error) {
    if (!(error instanceof CallRefused) || error.code !== 'E_DUPLICATE_EXPORT') throw error
  }
}

async function wait(link: FiskalyLink, id: string, budget: TimeBudget): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = PAUSE_MS) {
    const call = { method: 'GET', path: `/export/${id}`, schema: answers.export } as const
    const { state } = await link.ask(call, budget)
    if (state === 'COMPLETED') return
    if (state === 'CANCELLED' || state === 'ERROR') {
      throw new DeviceError(`the export ended as ${state}`, { kind: 'unavailable' })
    }
    const { timeoutMs } = budget.limit()
    if (timeoutMs <= pause) {
      throw new DeviceError('the export is not done yet', { kind: 'busy', retryAfterMs: PAUSE_MS })
    }
    await budget.sleep(pause)
  }
}

async function fetched(link: FiskalyLink, id: string, budget: TimeBudget): Promise<Buffer> {
  const parts: Buffer[] = []
  const sink = (part: Buffer): void => {
    parts.push(part)
  }
  const path = `/export/${id}/file`
  const call = {
    method: 'GET',
    path,
    schema: answers.none,
    sink,
    maxBytes: MOST_TAR_BYTES,
  } as const
  await link.ask(call, budget)
  return Buffer.concat(parts)
}
