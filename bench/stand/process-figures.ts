// What a process takes: processor time and memory, read from /proc; null where there is none.
import * as fs from 'node:fs'

/** Of CLK_TCK, which is 100 on every Linux that Node runs on. */
const TICK_MS = 10

/** User and system time of a process since its start, in milliseconds. */
export function cpuMs(pid: number): number | null {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === undefined) return null
  // the name in brackets may hold blanks; fields count from behind it
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

export interface Memory {
  /** Resident now, and at most so far, in bytes. */
  now: number
  peak: number
}

export function memoryOf(pid: number): Memory | null {
  const status = read(`/proc/${pid}/status`)
  if (status === undefined) return null
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

const LOOK_EVERY_MS = 20

/** Highest resident memory of a process while it is watched, in bytes. */
export function peakWatch(pid: number): { end(): number } {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, memoryOf(pid)?.now ?? 0)
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    end: () => {
      clearInterval(timer)
      look()
      return peak
    },
  }
}

function read(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
