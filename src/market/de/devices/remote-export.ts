// The memory of a TSE behind another server: an export session, from its start to the checksum that
// lets the device erase.
import { extract } from 'tar-stream'
import { DeviceError } from '../../../device/device.js'
import type { MemoryExport } from '../../../device/tse/tse.js'
import { sha256 } from '../../../lib/hash.js'
import { MOST_TAR_BYTES } from '../queue.js'
import { answers, MOST_PART_BYTES, partBytes } from './remote-answer.js'
import type { RemoteLink, TimeBudget } from './remote-link.js'

/** While the device prepares the export: growing pauses, as callers of the interface do it. */
const FIRST_PAUSE_MS = 100
const PAUSE_GROWTH = 1.5
const LONGEST_PAUSE_MS = 30_000

export interface ExportOrder {
  erase: boolean
  budget: TimeBudget
  /** Throws DeviceError for another device than the one that is known. */
  mustBe(serial: string | null | undefined): void
}

/** The device erases only after all bytes are here and read as what they have to be. */
export async function exportOf(link: RemoteLink, order: ExportOrder): Promise<MemoryExport> {
  const { erase, budget } = order
  const start = { name: 'startexportsession', body: { ClientId: '', Erase: erase } }
  const opened = await link.ask({ ...start, schema: answers.exportStart }, budget.limit())
  order.mustBe(opened.tseserialnumberoctet)
  const tar = await download(link, opened.tokenid, budget)
  const counters = await countersIn(tar)
  const erased = await end(link, { token: opened.tokenid, tar, order })
  return { ...rangeOf(counters), erased, tar }
}

async function download(link: RemoteLink, token: string, budget: TimeBudget): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  let pause = FIRST_PAUSE_MS
  const call = {
    name: 'exportdata',
    body: { TokenId: token, MaxChunkSize: 0 },
    schema: answers.exportPart,
    maxBytes: MOST_PART_BYTES,
  }
  for (;;) {
    const answer = await link.ask(call, budget.limit())
    const isReady = answer.totaltarfilesizeavailable
    mustFit(answer.totaltarfilesize)
    const part = isReady ? partBytes(answer.tarfilebytechunkbase64) : Buffer.alloc(0)
    parts.push(part)
    length += part.length
    mustFit(length)
    if (isReady && answer.tarfileendoffile) {
      mustBeWhole(length, answer.totaltarfilesize)
      return Buffer.concat(parts, length)
    }
    if (part.length > 0) continue
    await budget.sleep(pause)
    pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)
  }
}

function mustFit(length: number): void {
  if (length <= MOST_TAR_BYTES) return
  throw new DeviceError(`the export has more than ${MOST_TAR_BYTES} bytes`)
}

/** -1: the device does not say how long it is. */
function mustBeWhole(length: number, told: number): void {
  if (told < 0 || told === length) return
  throw new DeviceError(`the export has ${length} bytes, not ${told}`)
}

interface Ending {
  token: string
  tar: Buffer
  order: ExportOrder
}

/**
 * Without an answer nobody knows whether the memory was erased: the bytes may be all that is left,
 * and are kept as if it was.
 */
async function end(link: RemoteLink, { token, tar, order }: Ending): Promise<boolean> {
  const { erase, budget } = order
  const checksum = sha256(tar).toString('base64')
  const body = { TokenId: token, Sha256ChecksumBase64: checksum, Erase: erase }
  let answer: { isvalid: boolean; iserased: boolean }
  try {
    const call = { name: 'endexportsession', body, schema: answers.exportEnd }
    answer = await link.ask(call, budget.limit())
  } catch (error) {
    if (error instanceof DeviceError) return erase
    throw error
  }
  if (answer.isvalid) return answer.iserased
  throw new DeviceError('the device has exported other bytes than those that arrived')
}

const COUNTER = /_Sig-(\d{1,15})_Log-/

/** Signature counters of the members, ascending. Throws DeviceError for what is no export. */
export async function countersIn(tar: Buffer): Promise<number[]> {
  const counters: number[] = []
  let members = 0
  const reader = extract()
  reader.end(tar)
  try {
    for await (const entry of reader) {
      members += 1
      const found = COUNTER.exec(entry.header.name)
      if (found !== null) counters.push(Number(found[1]))
      entry.resume()
    }
  } catch (error) {
    throw new DeviceError('the export of the device is no TAR', { cause: error })
  }
  if (members === 0) throw new DeviceError('the export of the device is empty')
  return counters.sort((a, b) => a - b)
}

/** No message: the end lies before the begin. */
export function rangeOf(
  counters: readonly number[],
): Pick<MemoryExport, 'from' | 'to' | 'without'> {
  const without: [number, number][] = []
  counters.forEach((counter, at) => {
    const before = counters[at - 1] ?? counter
    if (counter > before + 1) without.push([before + 1, counter - 1])
  })
  return { from: counters[0] ?? 1, to: counters.at(-1) ?? 0, without }
}
