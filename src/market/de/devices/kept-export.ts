// The way of an export out of a device, whatever its length: bytes lie outside of memory as they
// come, and what is not done within the time of a closing goes on behind it, where the device can.
import { z } from 'zod'
import { DeviceError, type DriverTools, type ScuHead } from '../../../device/device.js'
import { readJson } from '../../../device/remote.js'
import type { TimeBudget } from '../../../device/time-budget.js'
import type { GrowingTar, KeptTars, WholeTar } from '../../../device/tse/kept-tars.js'
import type { MemoryExport } from '../../../device/tse/tse.js'
import { type Scanned, scanTar } from './tar-scan.js'

/** Longest export; a device that sends for ever must not fill the disk. */
export const MOST_TAR_BYTES = 16 * 1024 ** 3
/** A call that begins later would be cut off by the end of the time. */
export const SPARE_MS = 300
/** While somebody else fetches the same export. */
const BUSY_PAUSE_MS = 200

const order = z.object({
  erase: z.boolean(),
  /** Everything is here. */
  isWhole: z.boolean().default(false),
  /** Of the driver. */
  session: z.string().default(''),
})

/** What was begun at the device. */
export type ExportOrder = z.infer<typeof order>

/** The order and where its bytes go. */
export class Fetching {
  readonly tar: GrowingTar
  order: ExportOrder

  constructor(tar: GrowingTar, begun: ExportOrder) {
    this.tar = tar
    this.order = begun
  }

  /** From here on it can be gone on with. */
  async keep(change: Partial<ExportOrder> = {}): Promise<void> {
    this.order = { ...this.order, ...change }
    await this.tar.keep(JSON.stringify(this.order))
  }

  /** The device gives each byte once: what is asked for now may be lost on the way. */
  async risk(): Promise<void> {
    await this.tar.keep('')
  }
}

export interface Ended {
  erased: boolean
  /** The device gives these messages no second time. */
  gone: boolean
}

export interface ExportSteps {
  /** What is told where the device has nothing new; left out: nobody knows before. */
  nothing?(): Promise<MemoryExport | undefined>
  /** At the device. What goes on with it. */
  begin(erase: boolean): Promise<string>
  /** True when everything is here; false: the time is over, and `keep` was called. */
  fetch(fetching: Fetching): Promise<boolean>
  /** Everything is here and is what it has to be. */
  end(scanned: Scanned, order: ExportOrder): Promise<Ended>
  /** It is of no use. */
  giveUp(order: ExportOrder): Promise<void>
}

export interface Exporting {
  scu: ScuHead
  tools: DriverTools
  budget: TimeBudget
  steps: ExportSteps
}

/** Throws DeviceError, `busy` while it is not done: the next call goes on with it. */
export async function exportKept(on: Exporting, erase: boolean): Promise<MemoryExport> {
  const tars = tarsOf(on)
  const waiting = await tars.waiting(on.scu)
  if (waiting !== undefined) return memoryOf(waiting)
  const fetching = await taken(on, tars)
  // one of somebody else may have come to its end meanwhile
  const theirs = fetching === undefined ? await tars.waiting(on.scu) : undefined
  if (theirs !== undefined) return memoryOf(theirs)
  if (fetching !== undefined) return run(on, fetching)
  const nothing = await on.steps.nothing?.()
  return nothing ?? run(on, await begun(on, tars, erase))
}

/** Where a closing has begun one. False: nothing is on its way. */
export async function goOnWithExport(on: Exporting): Promise<boolean> {
  const { tars } = on.tools
  const fetching = tars === undefined ? undefined : await taken(on, tars)
  if (fetching === undefined) return false
  await run(on, fetching)
  return true
}

function tarsOf({ tools }: Exporting): KeptTars {
  if (tools.tars !== undefined) return tools.tars
  throw new DeviceError('there is no place for an export here', { kind: 'unavailable' })
}

/** The one on its way; one that cannot be gone on with is given up. */
async function taken(on: Exporting, tars: KeptTars): Promise<Fetching | undefined> {
  for (;;) {
    try {
      const tar = await tars.resume(on.scu, on.budget.left())
      if (tar === undefined) return undefined
      const known = order.safeParse(readJson(tar.token))
      if (known.success) return new Fetching(tar, known.data)
      await tar.drop()
      return undefined
    } catch (error) {
      if (!(error instanceof DeviceError) || error.kind !== 'busy') throw error
      if (on.budget.left() <= BUSY_PAUSE_MS) throw error
      await on.budget.sleep(BUSY_PAUSE_MS)
    }
  }
}

async function begun({ scu, budget, steps }: Exporting, tars: KeptTars, erase: boolean) {
  const tar = await tars.begin(scu, budget.left())
  try {
    const session = await steps.begin(erase)
    const fetching = new Fetching(tar, { erase, session, isWhole: false })
    await fetching.keep()
    return fetching
  } catch (error) {
    await tar.drop()
    throw error
  }
}

/** Ways to fail that say nothing against what is here. */
const PASSING: ReadonlySet<string> = new Set(['busy', 'unavailable', 'unknown-outcome'])

async function run(on: Exporting, fetching: Fetching): Promise<MemoryExport> {
  const { steps, budget } = on
  const { tar } = fetching
  try {
    if (!fetching.order.isWhole) {
      if (!(await steps.fetch(fetching))) throw notYet(tar.bytes)
      await fetching.keep({ isWhole: true })
    }
    const scanned = await scanTar(tar.read(), () => {
      if (budget.left() <= 0) throw notYet(tar.bytes)
    })
    const ended = await steps.end(scanned, fetching.order)
    const { newest: _, ...facts } = scanned
    return memoryOf(await tar.finish({ ...facts, ...ended }))
  } catch (error) {
    const isPassing = error instanceof DeviceError ? PASSING.has(error.kind) : true
    if (isPassing && tar.token !== '') {
      await tar.leave()
      throw error
    }
    await tar.drop()
    await steps.giveUp(fetching.order).catch((second: unknown) => {
      if (!(second instanceof DeviceError)) throw second
    })
    throw error
  }
}

function notYet(bytes: number): DeviceError {
  const text = `the export is not done yet: ${bytes} bytes are here, and it is gone on with`
  return new DeviceError(text, { kind: 'busy' })
}

function memoryOf(tar: WholeTar): MemoryExport {
  const { from, to, without, erased } = tar.facts
  return { from, to, without, erased, tar }
}

/** Throws DeviceError for more than anybody keeps. */
export function mustFit(length: number): void {
  if (length <= MOST_TAR_BYTES) return
  const text = `the export has more than ${MOST_TAR_BYTES} bytes`
  throw new DeviceError(text, { kind: 'refused' })
}
