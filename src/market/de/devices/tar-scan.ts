// What an export holds: its bytes pass by once, whatever their number.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import { DeviceError } from '../../../device/device.js'
import type { TarFacts } from '../../../device/tse/kept-tars.js'

export interface Scanned extends Pick<TarFacts, 'from' | 'to' | 'without' | 'sha256'> {
  /** Log time of the newest message, in seconds, where the names tell seconds. */
  newest?: number
}

const COUNTER = /_Sig-(\d{1,15})_Log-/
const SECONDS = /^Unixt_(\d{1,12})_/

/** Throws DeviceError for what is no export; `next`: called with each piece, may throw. */
export async function scanTar(bytes: AsyncIterable<Buffer>, next: () => void): Promise<Scanned> {
  const hash = createHash('sha256')
  const counters = new Runs()
  let members = 0
  let newest = -1
  const reader = extract()
  const broken: unknown[] = []
  async function* watched() {
    try {
      for await (const piece of bytes) {
        next()
        hash.update(piece)
        yield piece
      }
    } catch (error) {
      broken.push(error)
      throw error
    }
  }
  const piping = pipeline(Readable.from(watched()), reader)
  const reading = (async () => {
    for await (const entry of reader) {
      members += 1
      const found = COUNTER.exec(entry.header.name)
      if (found !== null) counters.add(Number(found[1]))
      newest = Math.max(newest, Number(SECONDS.exec(entry.header.name)?.[1] ?? -1))
      entry.resume()
    }
  })()
  const [piped, read] = await Promise.allSettled([piping, reading])
  if (broken.length > 0) throw broken[0]
  for (const ended of [piped, read]) if (ended.status === 'rejected') throw noTar(ended.reason)
  if (members === 0) {
    throw new DeviceError('the export of the device is empty', { kind: 'refused' })
  }
  const found = { ...counters.range(), sha256: hash.digest('hex') }
  return newest < 0 ? found : { ...found, newest }
}

function noTar(error: unknown): DeviceError {
  const text = 'the export of the device is no TAR'
  return new DeviceError(text, { cause: error, kind: 'refused' })
}

/** Counters in runs without a gap: few numbers, however many there are. */
class Runs {
  private readonly runs: [from: number, to: number][] = []

  add(counter: number): void {
    const last = this.runs.at(-1)
    if (last !== undefined && counter === last[1] + 1) last[1] = counter
    else this.runs.push([counter, counter])
  }

  /** No message: the end lies before the begin. */
  range(): Pick<TarFacts, 'from' | 'to' | 'without'> {
    const sorted = this.runs.toSorted(([a], [b]) => a - b)
    const without: [number, number][] = []
    let to = (sorted[0]?.[0] ?? 1) - 1
    for (const [first, last] of sorted) {
      if (first > to + 1) without.push([to + 1, first - 1])
      to = Math.max(to, last)
    }
    return { from: sorted[0]?.[0] ?? 1, to, without }
  }
}
