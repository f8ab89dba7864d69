// Fault scripts: how long a step lasts, what is remembered, what is written into the journal.
import { describe, expect, it } from 'vitest'
import type { ScuHead } from '../../src/device/device.js'
import {
  type FaultStep,
  faultAction,
  faultKinds,
  faultSteps,
  newFaultScript,
  stepsOf,
  takeFault,
  unknownSteps,
} from '../../src/simulator/faults.js'
import { scuHead } from '../market/at/support/stub-device.js'

function scriptedUnit(steps: FaultStep[]): ScuHead {
  return { ...scuHead('scu-1'), faultScript: newFaultScript(steps) }
}

const kindsOf = (scu: ScuHead, calls: number) =>
  Array.from({ length: calls }, () => takeFault(scu)?.do)

describe('a script', () => {
  it('lets each step last its calls, one after the other, and is gone after the last', () => {
    const scu = scriptedUnit([
      { do: 'error', calls: 2 },
      { do: 'garbage', calls: 1 },
    ])
    expect(kindsOf(scu, 4)).toEqual(['error', 'error', 'garbage', undefined])
    expect(scu.faultScript).toBeNull()
  })

  it('never leaves a step without calls', () => {
    const scu = scriptedUnit([{ do: 'unreachable' }, { do: 'garbage' }])
    const before = scu.faultScript
    expect(kindsOf(scu, 5)).toEqual(Array.from({ length: 5 }, () => 'unreachable'))
    expect([scu.faultScript, scu.changed, scu.actions]).toEqual([before, false, []])
  })

  it('marks the unit as changed with every call that counts', () => {
    const scu = scriptedUnit([{ do: 'error', calls: 3 }])
    takeFault(scu)
    expect(scu.changed).toBe(true)
    expect(stepsOf(scu.faultScript)).toEqual([{ do: 'error', calls: 3 }])
  })

  it('goes on where it stood when the unit is loaded again', () => {
    const first = scriptedUnit([
      { do: 'error', calls: 2 },
      { do: 'garbage', calls: 1 },
    ])
    takeFault(first)
    const second = { ...scuHead('scu-1'), faultScript: first.faultScript }
    expect(kindsOf(second, 3)).toEqual(['error', 'garbage', undefined])
  })

  it('writes the end of each step into the journal', () => {
    const step = { do: 'delay', calls: 1, ms: 5 } as const
    const scu = scriptedUnit([step, { do: 'error', calls: 2 }])
    kindsOf(scu, 2)
    expect(scu.actions).toEqual([faultAction('ended', 'scu-1', [step])])
    expect(scu.actions[0]).toMatchObject({
      type: 'FaultScript-ended',
      dataJson: '{"scuId":"scu-1","steps":[{"do":"delay","calls":1,"ms":5}]}',
    })
  })

  it('without a script a call is free', () => {
    const scu = scuHead('scu-1')
    expect([takeFault(scu), scu.changed]).toEqual([undefined, false])
    expect(stepsOf(null)).toEqual([])
  })
})

describe('the steps of a script', () => {
  const accepts = (steps: unknown) => faultSteps.safeParse(steps).success

  it('may be of every kind of the vocabulary', () => {
    expect(accepts(faultKinds.map((kind) => ({ do: kind, ms: 1 })))).toBe(true)
  })

  it('are refused when they say nothing, too much, or nothing sensible', () => {
    expect(accepts([])).toBe(false)
    expect(accepts([{ do: 'explode' }])).toBe(false)
    expect(accepts([{ do: 'error', calls: 0 }])).toBe(false)
    expect(accepts([{ do: 'error', calls: 1.5 }])).toBe(false)
    expect(accepts([{ do: 'error', call: 1 }])).toBe(false)
    expect(accepts({ do: 'error' })).toBe(false)
    expect(accepts(Array.from({ length: 101 }, () => ({ do: 'error' })))).toBe(false)
  })

  it('need milliseconds where these say how long or how wrong', () => {
    expect(accepts([{ do: 'delay' }])).toBe(false)
    expect(accepts([{ do: 'delay', ms: -1 }])).toBe(false)
    expect(accepts([{ do: 'delay', ms: 0 }])).toBe(true)
    expect(accepts([{ do: 'wrong-clock' }])).toBe(false)
    expect(accepts([{ do: 'wrong-clock', ms: -5000 }])).toBe(true)
  })

  it('that a driver does not know are named by their place', () => {
    const steps: FaultStep[] = [{ do: 'error' }, { do: 'memory-full' }, { do: 'pin-locked' }]
    expect(unknownSteps(steps, ['error'])).toEqual([1, 2])
    expect(unknownSteps(steps, faultKinds)).toEqual([])
  })
})
