// Fault scripts of sandbox signing devices: show, set and clear.
import { z } from 'zod'
import type { ScuHead } from '../device/device.js'
import { fail } from '../errors.js'
import { isUuid } from '../lib/id.js'
import type { Market } from '../market/contract.js'
import {
  type FaultStep,
  faultAction,
  faultSteps,
  newFaultScript,
  stepsOf,
  unknownSteps,
} from '../simulator/faults.js'
import { reaching, type Store } from '../store/client.js'
import {
  type BoxKey,
  changeUnit,
  findHeldUnits,
  findUnit,
  type UnitChange,
} from '../store/rollout/scus.js'
import { driverOf } from './drivers.js'

export interface FaultView {
  scuId: string
  steps: FaultStep[]
}

export interface UnitName {
  scuId: string
  /** Only a unit that this cash box holds; without: any, for whoever runs the server. */
  box?: BoxKey
}

export interface FaultDeps {
  store: Store
  marketOf(code: string): Market
  now(): Date
  sandbox: boolean
}

/** Throws NOT_IN_PRODUCTION, and SCU_UNKNOWN for a unit that is not there or not the caller's. */
export async function showFault(deps: FaultDeps, name: UnitName): Promise<FaultView> {
  const unit = await unitOf(deps, name)
  return { scuId: unit.id, steps: stepsOf(unit.faultScript) }
}

/** Replaces the script. Throws like showFault; REQUEST_INVALID and FIELD_INVALID name a step. */
export async function setFault(
  deps: FaultDeps,
  { steps: given, ...name }: UnitName & { steps: unknown },
): Promise<FaultView> {
  const unit = await unitOf(deps, name)
  const steps = checkedSteps(deps, unit, given)
  return change(deps, unit, (current) => ({
    state: current.state,
    faultScript: newFaultScript(steps),
    actions: [faultAction('set', unit.id, steps)],
  }))
}

/** The device works again. Throws like showFault. */
export async function clearFault(deps: FaultDeps, name: UnitName): Promise<FaultView> {
  const unit = await unitOf(deps, name)
  const cleared = (state: string) => driverOf(deps.marketOf(unit.market), unit).cleared?.(state)
  const healed = (state: string) => cleared(state) ?? state
  if (unit.faultScript === null && healed(unit.state) === unit.state) {
    return { scuId: unit.id, steps: [] }
  }
  return change(deps, unit, (current) => ({
    state: healed(current.state),
    faultScript: null,
    actions: [faultAction('cleared', unit.id, stepsOf(current.faultScript))],
  }))
}

async function unitOf(deps: FaultDeps, { scuId, box }: UnitName): Promise<ScuHead> {
  if (!deps.sandbox) throw fail('NOT_IN_PRODUCTION')
  const id = scuId.toLowerCase()
  const unit = isUuid(id) ? await reaching(() => find(deps, id, box)) : undefined
  if (unit === undefined) throw fail('SCU_UNKNOWN', { scu: scuId })
  return unit
}

async function find({ store }: FaultDeps, id: string, box?: BoxKey): Promise<ScuHead | undefined> {
  if (box === undefined) return findUnit(store, id)
  const held = await findHeldUnits(store, box)
  return held.find(({ unit }) => unit.id === id)?.unit
}

function checkedSteps(deps: FaultDeps, unit: ScuHead, given: unknown): FaultStep[] {
  const parsed = faultSteps.safeParse(given)
  if (!parsed.success) throw stepFault(parsed.error)
  const known = driverOf(deps.marketOf(unit.market), unit).faults
  const [unknown] = unknownSteps(parsed.data, known)
  if (unknown === undefined) return parsed.data
  throw fail('FIELD_INVALID', {
    field: `steps[${unknown}].do`,
    expected:
      known.length === 0 ? 'no script for this kind of device' : `one of ${known.join(', ')}`,
  })
}

function stepFault(error: z.ZodError): Error {
  const issue = error.issues[0]
  const field = z.core.toDotPath(['steps', ...(issue?.path ?? [])])
  return fail('REQUEST_INVALID', {
    field,
    reason: `${field} is not valid: ${issue?.message ?? 'expected something else'}.`,
  })
}

async function change(
  { store, now }: FaultDeps,
  unit: ScuHead,
  next: (current: ScuHead) => UnitChange,
): Promise<FaultView> {
  const key = { accountId: unit.accountId, id: unit.id, now: now() }
  const done = await reaching(() => changeUnit(store, key, next))
  if (done === undefined) throw fail('SCU_UNKNOWN', { scu: unit.id })
  return { scuId: unit.id, steps: stepsOf(done.faultScript) }
}
