// Fault scripts of a sandbox signing device: which fault hits the next call, and when a step ends.
// Whoever sets or clears a script uses it too.
import { z } from 'zod'
import type { DeviceAction, ScuHead } from '../device/device.js'

/** Everything a script can ask for; the table of a market's driver says which of it it knows. */
export const faultKinds = [
  'unreachable',
  'error',
  'error-after',
  'delay',
  'garbage',
  'wrong-signature',
  'certificate-expired',
  'memory-full',
  'too-many-transactions',
  'time-not-set',
  'wrong-clock',
  'counter-overflow',
  'pin-locked',
  'authority-away',
  'authority-error',
  'authority-error-after',
  'paper-out',
  'cover-open',
  'journal-full',
  'closing-needed',
  'transmission-failed',
  'printed-then-silent',
] as const

export type FaultKind = (typeof faultKinds)[number]

/** Kinds whose `ms` says how long or how wrong. */
const NEEDS_MS: ReadonlySet<FaultKind> = new Set<FaultKind>(['delay', 'wrong-clock'])

const MAX_STEPS = 100
const CALLS = 'expected a whole number from 1 on'

/** One step: it lasts for `calls` calls of the device; without `calls`, until it is cleared. */
export const faultStep = z
  .strictObject(
    {
      do: z.enum(faultKinds, { error: `expected one of ${faultKinds.join(', ')}` }),
      calls: z.int(CALLS).min(1, CALLS).optional(),
      ms: z.int('expected whole milliseconds').optional(),
    },
    { error: 'expected {"do":…,"calls":…,"ms":…} and nothing else' },
  )
  .refine((step) => !NEEDS_MS.has(step.do) || step.ms !== undefined, {
    path: ['ms'],
    error: 'expected milliseconds, which this kind needs',
  })
  .refine((step) => step.do !== 'delay' || (step.ms ?? 0) >= 0, {
    path: ['ms'],
    error: 'expected milliseconds from 0 on',
  })

export type FaultStep = z.infer<typeof faultStep>

const STEPS = `expected a list of 1 to ${MAX_STEPS} steps`

export const faultSteps = z.array(faultStep, STEPS).min(1, STEPS).max(MAX_STEPS, STEPS)

/** A script and where it stands: the number of the running step and the calls it has had. */
const faultScript = z.object({
  steps: z.array(faultStep),
  position: z.int().min(0),
  calls: z.int().min(0),
})

type FaultScript = z.infer<typeof faultScript>

/** The steps that a driver does not know, by their position; empty: the script is fine for it. */
export function unknownSteps(steps: readonly FaultStep[], known: readonly string[]): number[] {
  return steps.flatMap((step, at) => (known.includes(step.do) ? [] : [at]))
}

/** Text for `ScuHead.faultScript` that starts a script at its first step. */
export function newFaultScript(steps: readonly FaultStep[]): string {
  return JSON.stringify({ steps, position: 0, calls: 0 })
}

/** The steps of a stored script, for whoever shows it; none without a script. */
export function stepsOf(script: string | null): FaultStep[] {
  return script === null ? [] : readScript(script).steps
}

/**
 * The fault for one call of the device, or undefined when no script is set. Counts the call: the
 * script moves on, `changed` is set and the end of a step is put into `actions`. After its last
 * step the script is gone.
 */
export function takeFault(scu: ScuHead): FaultStep | undefined {
  if (scu.faultScript === null) return undefined
  const script = readScript(scu.faultScript)
  const step = script.steps[script.position]
  if (step === undefined) throw new Error(`the fault script of ${scu.id} stands beyond its end`)
  if (step.calls === undefined) return step
  const calls = script.calls + 1
  scu.changed = true
  if (calls < step.calls) {
    scu.faultScript = JSON.stringify({ ...script, calls })
    return step
  }
  scu.actions.push(faultAction('ended', scu.id, [step]))
  const next = script.position + 1
  scu.faultScript =
    next < script.steps.length ? JSON.stringify({ ...script, position: next, calls: 0 }) : null
  return step
}

const MESSAGES = {
  set: 'A fault script was set for signing unit {scu}.',
  ended: 'A step of the fault script of signing unit {scu} ended.',
  cleared: 'The fault script of signing unit {scu} was cleared.',
} as const

/** The action journal entry for setting a script, the end of a step, or clearing it. */
export function faultAction(
  event: keyof typeof MESSAGES,
  scuId: string,
  steps: readonly FaultStep[],
): DeviceAction {
  return {
    type: `FaultScript-${event}`,
    message: MESSAGES[event].replace('{scu}', scuId),
    dataJson: JSON.stringify({ scuId, steps }),
  }
}

function readScript(text: string): FaultScript {
  return faultScript.parse(JSON.parse(text))
}
