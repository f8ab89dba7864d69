// What the row of a certified device keeps: who it is, where it stands, how far its log was
// fetched.
import { z } from 'zod'
import type { UnitEnvironment } from '../../../device/driver.js'
import { readJson } from '../../../device/remote.js'
import type { TseIdentity } from '../../../device/tse/tse.js'
import { identityOfState, stateOfIdentity } from './remote-identity.js'

const facts = z.object({
  environment: z.enum(['test', 'live', 'unknown']).optional(),
  /** The last signature counter that an export has fetched, where the device erases nothing. */
  exportedTo: z.int().min(0).optional(),
  /** The newest signature counter that this server knows of the device. */
  lastCounter: z.int().min(0).optional(),
  /** Of a device that does not tell which transactions are open: those that may be. */
  maybeOpen: z.array(z.int().min(0)).optional(),
  /** The newest transaction that this server knows of such a device. */
  lastNumber: z.int().min(0).optional(),
  /** Shares of what it can do, to the hundredth, as it told itself. */
  signaturesUsed: z.number().optional(),
  memoryUsed: z.number().optional(),
})

export type CertifiedFacts = z.infer<typeof facts>

export interface CertifiedState extends CertifiedFacts {
  identity: TseIdentity | undefined
}

export function readCertified(state: string): CertifiedState {
  const found = facts.safeParse(readJson(state)).data ?? {}
  return { ...found, identity: identityOfState(state) }
}

export function writeCertified({ identity, ...rest }: CertifiedState): string {
  const known = identity === undefined ? {} : JSON.parse(stateOfIdentity(identity))
  return JSON.stringify({ ...known, ...rest })
}

/** Undefined: the device was never asked. */
export function environmentOf(state: string): UnitEnvironment | undefined {
  return readCertified(state).environment
}

/** To the hundredth: a row is not written with each receipt. Undefined: it tells no limit. */
export function shareOf(used: number, most: number): number | undefined {
  const isLimit = most > 0 && most < Number.MAX_SAFE_INTEGER
  return isLimit ? Math.floor((100 * used) / most) / 100 : undefined
}
