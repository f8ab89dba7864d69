// Named places where a test makes the program die, fail or wait. Switched on by the test
// that starts the program, never in production; without it every place is passed without a trace.
import { setTimeout as sleep } from 'node:timers/promises'

/** The places, in the order in which a receipt and its message pass them. */
export const failPointNames = [
  /** The market and its device are asked next; nothing is stored except a remote device's item. */
  'before-device',
  /** The device has signed; nobody but it knows. */
  'after-device',
  /** Everything is computed; the statement goes out next. */
  'before-commit',
  /** Committed; the caller has no answer. */
  'after-commit',
  /** A remote device's item is stored, the device not yet asked. */
  'item-stored',
  /** A message is claimed by this server; nobody outside has heard of it. */
  'message-claimed',
  /** It is on record that a message may arrive from now on; its last byte goes out next. */
  'message-fenced',
  /** Somebody has taken the message; nothing of that is stored. */
  'message-handed',
  /** That it was taken is stored; its job is not done yet. */
  'message-recorded',
  /** This server is about to sign what ends an outage. */
  'closing-claimed',
  /** That was signed, or not; what came of it is not noted. */
  'closing-signed',
] as const

export type FailPointName = (typeof failPointNames)[number]

/** What happens at a place; `at`: only the n-th time that it is passed, otherwise every time. */
export interface FailPointSetting {
  name: string
  act: 'kill' | 'throw' | 'wait'
  waitMs: number
  at: number | null
}

export interface FailPoints {
  /** Undefined where nothing is to happen, so that awaiting it costs nothing. */
  reach(name: FailPointName): Promise<void> | undefined
}

export const noFailPoints: FailPoints = { reach: () => undefined }

const FAIL_POINT = /^([a-z-]+)=(kill|throw|wait:(\d{1,6}))(?:@(\d{1,9}))?$/

/**
 * `before-commit=kill@3,before-device=wait:250`: what happens at a place, `@3` only the third time.
 * Throws for anything else.
 */
export function readFailPoints(text: string): FailPointSetting[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', act = '', waitMs = '0', at] = FAIL_POINT.exec(part) ?? []
      if (name === '') {
        const expected = 'expected place=kill, place=throw or place=wait:milliseconds'
        throw new Error(`fail points: ${expected}, and perhaps @number`)
      }
      const kind = act === 'kill' || act === 'throw' ? act : 'wait'
      return { name, act: kind, waitMs: Number(waitMs), at: at === undefined ? null : Number(at) }
    })
}

/** Those of a server, from their text. Throws for a wrong text, and for any in production. */
export function failPointsOf(text: string, { production }: { production: boolean }): FailPoints {
  const settings = readFailPoints(text)
  if (settings.length > 0 && production) {
    throw new Error('fail points: for tests only, refused in production')
  }
  return createFailPoints(settings)
}

/** Throws for a name that is no place. */
export function createFailPoints(settings: readonly FailPointSetting[]): FailPoints {
  const known: readonly string[] = failPointNames
  const wrong = settings.find((setting) => !known.includes(setting.name))
  if (wrong !== undefined) {
    throw new Error(`fail points: ${wrong.name} is none of ${known.join(', ')}`)
  }
  if (settings.length === 0) return noFailPoints
  const passed = new Map<string, number>()
  return {
    reach: (name) => {
      const count = (passed.get(name) ?? 0) + 1
      passed.set(name, count)
      const due = settings.find((one) => one.name === name && (one.at ?? count) === count)
      return due === undefined ? undefined : act(due)
    },
  }
}

async function act({ act, name, waitMs }: FailPointSetting): Promise<void> {
  if (act === 'throw') throw new Error(`fail point ${name}`)
  // the signal comes before anything else can run
  if (act === 'kill') process.kill(process.pid, 'SIGKILL')
  await sleep(waitMs)
}
