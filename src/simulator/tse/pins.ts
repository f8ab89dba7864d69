// PINs of the administrator and of the time administrator: kept as keyed hashes, locked by the
// third wrong one in a row.
import { createHmac } from 'node:crypto'
import { DeviceError } from '../../device/device.js'
import { type ModuleState, readState, stateText } from './state.js'

export type Role = 'admin' | 'timeAdmin'

/** What the settings give now; the secret keys the hashes. */
export interface GivenPins extends Record<Role, string> {
  secret: string
}

const MOST_FAILURES = 3
const HASH_BYTES = 16
const NAMES: Record<Role, string> = { admin: 'administrator', timeAdmin: 'time administrator' }

function hashOf(given: GivenPins, role: Role): string {
  const hash = createHmac('sha256', given.secret).update(`${role} ${given[role]}`).digest()
  return hash.subarray(0, HASH_BYTES).toString('base64')
}

/** The PINs that the settings give now are those of the device from now on. */
export function setPins(state: ModuleState, given: GivenPins): void {
  state.pins = { admin: hashOf(given, 'admin'), timeAdmin: hashOf(given, 'timeAdmin') }
  state.failures = {}
}

/**
 * Throws DeviceError for a wrong PIN, which counts, and for a locked one. Another PIN than the one
 * that locked it unlocks: it came from the settings.
 */
export function authenticate(state: ModuleState, given: GivenPins, role: Role): void {
  const tried = hashOf(given, role)
  const failed = state.failures[role]
  if (isLocked(state, role) && failed?.tried === tried) throw locked(role)
  if (state.pins[role] === tried) {
    if (failed !== undefined) delete state.failures[role]
    return
  }
  const count = isLocked(state, role) ? 1 : (failed?.count ?? 0) + 1
  state.failures[role] = { count, tried }
  if (count >= MOST_FAILURES) throw locked(role)
  throw new DeviceError(`the PIN of the ${NAMES[role]} is wrong`)
}

/** One of them suffices; the time administrator is asked first. */
export function authenticateEither(state: ModuleState, given: GivenPins): void {
  try {
    authenticate(state, given, 'timeAdmin')
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    authenticate(state, given, 'admin')
  }
}

const isLocked = (state: ModuleState, role: Role): boolean =>
  (state.failures[role]?.count ?? 0) >= MOST_FAILURES

export const locked = (role: Role): DeviceError =>
  new DeviceError(`the PIN of the ${NAMES[role]} is locked`)

/** The state text after an administrator has cleared the faults: no PIN is locked. */
export function unlocked(text: string): string {
  const state = readState(text)
  if (Object.keys(state.failures).length === 0) return text
  return stateText({ ...state, failures: {} })
}
