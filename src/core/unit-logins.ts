// Logins to devices as all servers of a database know them (device/login.ts).
import type { Logins } from '../device/logins.js'
import type { Store } from '../store/client.js'
import { claimLogin, settleLogin } from '../store/rollout/unit-logins.js'

/** `unknown`: the device has not judged them, so they may be tried again. */
export function createUnitLogins(store: Store): Logins {
  return {
    claim: (key, holdMs) => claimLogin(store, key, holdMs),
    settle: (key, outcome) => settleLogin(store, key, outcome === 'refused'),
  }
}
