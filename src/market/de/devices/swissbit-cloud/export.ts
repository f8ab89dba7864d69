// Exports of Swissbit's cloud service: one at a time, asked for until it is ready, fetched where
// the service says. Its removal erases what it holds, and is asked for when all of that is here.
import { DeviceError, DeviceRefusal } from '../../../../device/device.js'
import type { TimeBudget } from '../../../../device/time-budget.js'
import { type ExportSteps, MOST_TAR_BYTES, SPARE_MS } from '../kept-export.js'
import { answers, type SwissbitLink } from './link.js'

const PAUSE_MS = 5_000
/** A small one is done at once. */
const FIRST_PAUSE_MS = 200

export interface SwissbitExport {
  link: SwissbitLink
  budget: TimeBudget
}

export function swissbitExport({ link, budget }: SwissbitExport): ExportSteps {
  return {
    begin: () => begun(link, budget),
    async fetch({ tar, order }) {
      const url = await readyAt(link, order.session, budget)
      if (url === undefined) return false
      // from its first byte: nobody tells how a file is gone on with
      if (tar.bytes > 0) await tar.restart()
      await link.download(
        url,
        { sink: (part) => tar.write(part), maxBytes: MOST_TAR_BYTES },
        budget,
      )
      return true
    },
    async end(_, { erase, session }) {
      if (erase) await remove(link, session, budget)
      return { erased: erase, gone: erase }
    },
    // removed it would erase what nobody has
    giveUp: () => Promise.resolve(),
  }
}

/** One that nobody has fetched to its end is gone on with: the service makes no second one. */
async function begun(link: SwissbitLink, budget: TimeBudget): Promise<string> {
  const call = { path: 'export', body: {}, schema: answers.exported } as const
  try {
    return (await link.ask({ ...call, method: 'POST' }, budget)).id
  } catch (error) {
    if (!(error instanceof DeviceRefusal)) throw error
    const list = { method: 'GET', path: 'export', schema: answers.exports } as const
    const known = (await link.ask(list, budget)).at(-1)
    if (known === undefined) throw error
    return known.id
  }
}

/** Undefined: not within this time. */
async function readyAt(
  link: SwissbitLink,
  id: string,
  budget: TimeBudget,
): Promise<string | undefined> {
  for (let pause = FIRST_PAUSE_MS; ; pause = PAUSE_MS) {
    const path = `export/${encodeURIComponent(id)}`
    const call = { method: 'GET', path, schema: answers.exported } as const
    const { status, downloadUrl } = await link.ask(call, budget)
    if (status === 'success' && typeof downloadUrl === 'string') return downloadUrl
    if (status !== 'processing') {
      throw new DeviceError(`the export ended as ${status.slice(0, 40)}`, { kind: 'refused' })
    }
    if (budget.left() <= pause + SPARE_MS) return undefined
    await budget.sleep(pause)
  }
}

/** Without an answer it may have erased them: these bytes may be all that is left. */
async function remove(link: SwissbitLink, id: string, budget: TimeBudget): Promise<void> {
  const path = `export/${encodeURIComponent(id)}`
  try {
    await link.ask({ method: 'DELETE', path, schema: answers.none }, budget)
  } catch (error) {
    const isUnknown = error instanceof DeviceError && error.kind === 'unknown-outcome'
    if (!isUnknown) throw error
  }
}
