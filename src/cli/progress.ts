// How far a long command is: a bar on a terminal, with the time that is left. Elsewhere nothing, so
// that files and other programs get what they asked for alone.

export interface Bar {
  /** `total`: left out where nobody knows it. `note`: what is being done. */
  at(done: number, total?: number, note?: string): void
  /** The line is gone. */
  end(): void
}

/** What a bar is written to. */
export type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>

const WIDTH = 24
/** Milliseconds between two drawings: faster nobody reads. */
const PAUSE_MS = 100
/** So much must be done before the rest can be guessed. */
const LEAST_SHARE = 0.02
const ERASE = '\r\u001b[K'
const NARROW = 80

/** On the error stream: the output is the result. */
export function barOf(stream: Terminal = process.stderr, now = () => performance.now()): Bar {
  if (!stream.isTTY) return { at: () => undefined, end: () => undefined }
  const started = now()
  let drawn = Number.NEGATIVE_INFINITY
  return {
    at: (done, total, note = '') => {
      const moment = now()
      if (moment - drawn < PAUSE_MS) return
      drawn = moment
      const line = lineOf({ done, total, note, ms: moment - started })
      stream.write(ERASE + line.slice(0, (stream.columns ?? NARROW) - 1))
    },
    end: () => {
      if (drawn !== Number.NEGATIVE_INFINITY) stream.write(ERASE)
    },
  }
}

interface Reached {
  done: number
  total: number | undefined
  note: string
  ms: number
}

function lineOf({ done, total, note, ms }: Reached): string {
  if (total === undefined || total <= 0) return [note, clock(ms)].filter(Boolean).join('  ')
  const share = Math.min(1, done / total)
  const full = Math.round(share * WIDTH)
  const bar = `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}]`
  const left = share < LEAST_SHARE ? '' : `${clock((ms / share) * (1 - share))} left`
  const percent = `${Math.floor(share * 100)} %`.padStart(5)
  return [`${bar} ${percent}`, left, note].filter(Boolean).join('  ')
}

/** `1:05`, `2:03:04` */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, at) => (at === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':')
}
