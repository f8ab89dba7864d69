// The memory of a TSE behind another server: an export session, from its start to the checksum that
// lets the device erase.
import { DeviceError } from '../../../device/device.js'
import type { TimeBudget } from '../../../device/time-budget.js'
import {
  type Ended,
  type ExportOrder,
  type ExportSteps,
  type Fetching,
  mustFit,
  SPARE_MS,
} from './kept-export.js'
import { answers, MOST_PART_BYTES, partBytes } from './remote-answer.js'
import type { RemoteLink } from './remote-link.js'
import type { Scanned } from './tar-scan.js'

/** While the device prepares the export: growing pauses, as callers of the interface do it. */
const FIRST_PAUSE_MS = 100
const PAUSE_GROWTH = 1.5
const LONGEST_PAUSE_MS = 30_000

/** A part is in memory, also as text. */
const MOST_ASKED_BYTES = 1024 * 1024

export interface RemoteExport {
  link: RemoteLink
  budget: TimeBudget
  /** Throws DeviceError for another device than the one that is known. */
  mustBe(serial: string | null | undefined): void
}

/** The device erases only after all bytes are here and read as what they have to be. */
export function remoteExport({ link, budget, mustBe }: RemoteExport): ExportSteps {
  return {
    async begin(erase) {
      const start = { name: 'startexportsession', body: { ClientId: '', Erase: erase } }
      const opened = await link.ask({ ...start, schema: answers.exportStart }, budget.limit())
      mustBe(opened.tseserialnumberoctet)
      return opened.tokenid
    },
    fetch: (fetching) => download(link, fetching, budget),
    end: (scanned, order) => end(link, { scanned, order, budget }),
    // a session that nobody ends is the other server's
    giveUp: async () => {},
  }
}

async function download(
  link: RemoteLink,
  fetching: Fetching,
  budget: TimeBudget,
): Promise<boolean> {
  const { tar, order } = fetching
  let pause = FIRST_PAUSE_MS
  const call = {
    name: 'exportdata',
    body: { TokenId: order.session, MaxChunkSize: MOST_ASKED_BYTES },
    schema: answers.exportPart,
    maxBytes: MOST_PART_BYTES,
  }
  await fetching.risk()
  for (;;) {
    const answer = await link.ask(call, budget.limit())
    const isReady = answer.totaltarfilesizeavailable
    mustFit(answer.totaltarfilesize)
    const part = isReady ? partBytes(answer.tarfilebytechunkbase64) : Buffer.alloc(0)
    await tar.write(part)
    mustFit(tar.bytes)
    if (isReady && answer.tarfileendoffile) {
      mustBeWhole(tar.bytes, answer.totaltarfilesize)
      return true
    }
    if (part.length === 0 && budget.left() > pause) {
      await budget.sleep(pause)
      pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)
    }
    if (budget.left() > SPARE_MS) continue
    await fetching.keep()
    return false
  }
}

/** -1: the device does not say how long it is. */
function mustBeWhole(length: number, told: number): void {
  if (told < 0 || told === length) return
  throw new DeviceError(`the export has ${length} bytes, not ${told}`, { kind: 'refused' })
}

interface Ending {
  scanned: Scanned
  order: ExportOrder
  budget: TimeBudget
}

/**
 * Without an answer nobody knows whether the memory was erased: the bytes may be all that is left,
 * and are kept as if it was.
 */
async function end(link: RemoteLink, { scanned, order, budget }: Ending): Promise<Ended> {
  const { erase, session } = order
  const checksum = Buffer.from(scanned.sha256, 'hex').toString('base64')
  const body = { TokenId: session, Sha256ChecksumBase64: checksum, Erase: erase }
  let answer: { isvalid: boolean; iserased: boolean }
  try {
    const call = { name: 'endexportsession', body, schema: answers.exportEnd }
    answer = await link.ask(call, budget.limit())
  } catch (error) {
    if (error instanceof DeviceError) return { erased: erase, gone: erase }
    throw error
  }
  if (answer.isvalid) return { erased: answer.iserased, gone: answer.iserased }
  const text = 'the device has exported other bytes than those that arrived'
  throw new DeviceError(text, { kind: 'refused' })
}
