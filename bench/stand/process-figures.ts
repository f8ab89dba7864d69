// What a process takes: processor time and memory, read from /proc; null where there is none.
import * as fs from 'node:fs'

/** Of CLK_TCK, which is 100 on every Linux that Node runs on. */
const TICK_MS = 10

/** User and system time of a process since its start, in milliseconds. */
export function cpuMs(pid: number): number | null {
  const fields = statOf(String(pid))
  return fields === undefined ? null : (Number(fields[UTIME]) + Number(fields[UTIME + 1])) * TICK_MS
}

/** The same of a process with its children, also those that have ended. */
export function cpuMsOfTree(pid: number): number | null {
  const own = statOf(String(pid))
  if (own === undefined) return null
  let ticks = sum(own, 4)
  for (const name of fs.readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? statOf(name) : undefined
    if (Number(fields?.[PARENT]) === pid && fields !== undefined) ticks += sum(fields, 2)
  }
  return ticks * TICK_MS
}

export function parentOf(pid: number): number | undefined {
  const fields = statOf(String(pid))
  return fields === undefined ? undefined : Number(fields[PARENT])
}

/** Places behind the name: parent; then user and system time, and both of ended children. */
const PARENT = 1
const UTIME = 11

const sum = (fields: readonly string[], count: number): number =>
  fields.slice(UTIME, UTIME + count).reduce((total, field) => total + Number(field), 0)

function statOf(pid: string): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // the name in brackets may hold blanks; fields count from behind it
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
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
