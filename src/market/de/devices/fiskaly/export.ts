// Exports of the cloud service: begun once, asked for until they are done, also behind the closing
// where they take long. The service erases nothing, so what was fetched is a mark in the row.
import { z } from 'zod'
import { DeviceError } from '../../../../device/device.js'
import { readJson } from '../../../../device/remote.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import type { CertifiedUnit } from '../certified-unit.js'
import { type ExportSteps, type Fetching, MOST_TAR_BYTES, SPARE_MS } from '../kept-export.js'
import { answers, CallRefused } from './answer.js'
import { workId } from './ids.js'
import type { FiskalyLink } from './link.js'

/** At most twelve looks a minute. */
const PAUSE_MS = 5_000
/** A small one is done at once. */
const FIRST_PAUSE_MS = 200
/** The service makes no longer one. */
const MOST_MESSAGES = 1_000_000

const range = z.object({ id: z.string(), from: z.int().min(0), to: z.int().min(0) })
type Range = z.infer<typeof range>

export interface FiskalyExport {
  unit: CertifiedUnit
  link: FiskalyLink
  budget: TimeBudget
  /** The last signature counter of the unit. */
  last(): Promise<number>
}

export function fiskalyExport({ unit, link, budget, last }: FiskalyExport): ExportSteps {
  return {
    async nothing() {
      const { exportedTo = 0 } = unit.state()
      if ((await last()) > exportedTo) return undefined
      return { from: exportedTo + 1, to: exportedTo, without: [], erased: false }
    },
    async begin() {
      const order = nextRange(unit, await last())
      await begin(link, order, budget)
      return JSON.stringify(order)
    },
    async fetch(fetching) {
      const order = rangeOf(fetching)
      if (!(await isDone(link, order.id, budget))) return false
      await fetched(link, fetching, budget)
      return true
    },
    async end(_, { session }) {
      const { to } = range.parse(readJson(session))
      unit.change({ exportedTo: to })
      return { erased: false, gone: true }
    },
    async giveUp({ session }) {
      const { id } = range.parse(readJson(session))
      await link.ask({ method: 'DELETE', path: `/export/${id}`, schema: answers.none }, budget)
    },
  }
}

function rangeOf({ order }: Fetching): Range {
  return range.parse(readJson(order.session))
}

/** Behind the last one. */
function nextRange(unit: CertifiedUnit, last: number): Range {
  const { exportedTo = 0 } = unit.state()
  const { tssId } = JSON.parse(unit.scu.configuration) as { tssId: string }
  const from = exportedTo + 1
  const to = Math.min(last, exportedTo + MOST_MESSAGES)
  return { id: workId('export', tssId, String(exportedTo), String(to)), from, to }
}

/** Begun before: that one is asked for. */
async function begin(link: FiskalyLink, { id, from, to }: Range, budget: TimeBudget) {
  const asked = `start_signature_counter=${from}&end_signature_counter=${to}`
  const path = `/export/${id}?${asked}`
  try {
    await link.ask({ method: 'PUT', path, body: {}, schema: answers.export }, budget)
  } catch (error) {
    if (!(error instanceof CallRefused) || error.code !== 'E_DUPLICATE_EXPORT') throw error
  }
}

/** False: not within this time. */
async function isDone(link: FiskalyLink, id: string, budget: TimeBudget): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; ; pause = PAUSE_MS) {
    const call = { method: 'GET', path: `/export/${id}`, schema: answers.export } as const
    const { state } = await link.ask(call, budget)
    if (state === 'COMPLETED') return true
    if (state === 'CANCELLED' || state === 'ERROR') {
      throw new DeviceError(`the export ended as ${state}`, { kind: 'refused' })
    }
    if (budget.left() <= pause + SPARE_MS) return false
    await budget.sleep(pause)
  }
}

/** From its first byte: the service tells of no way to go on with a file. */
async function fetched(link: FiskalyLink, fetching: Fetching, budget: TimeBudget): Promise<void> {
  const { tar } = fetching
  if (tar.bytes > 0) await tar.restart()
  const path = `/export/${rangeOf(fetching).id}/file`
  const sink = (part: Buffer) => tar.write(part)
  const call = { method: 'GET', path, schema: answers.none, sink } as const
  await link.ask({ ...call, maxBytes: MOST_TAR_BYTES }, budget)
}
