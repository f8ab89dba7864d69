// What the kinds of a fault script mean for a TSE: which calls they hit, and whether the answer is
// lost after the work was done.
import { type CallLimit, DeviceError } from '../../device/device.js'
import type { FaultKind, FaultStep } from '../faults.js'

export type CallName =
  | 'info'
  | 'start'
  | 'update'
  | 'finish'
  | 'state'
  | 'register'
  | 'unregister'
  | 'time'
  | 'test'
  | 'export'
  | 'erase'

export const FAULTS = [
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
] as const satisfies readonly FaultKind[]

interface Refusal {
  calls: readonly CallName[]
  text: string
}

const TRANSACTIONS = ['start', 'update', 'finish'] as const
/** Setting the time heals a device without one; closing it down always works. */
const LOGGING = [...TRANSACTIONS, 'register', 'unregister'] as const
const PINNED = ['state', 'register', 'unregister', 'time', 'erase'] as const

const REFUSALS: Partial<Record<FaultKind, Refusal>> = {
  'memory-full': { calls: TRANSACTIONS, text: 'the log memory is full' },
  'counter-overflow': { calls: TRANSACTIONS, text: 'the signature counter has reached its end' },
  'too-many-transactions': { calls: ['start'], text: 'there are too many open transactions' },
  'time-not-set': { calls: LOGGING, text: 'the time is not set' },
  'certificate-expired': { calls: LOGGING, text: 'the certificate has expired' },
  'pin-locked': { calls: PINNED, text: 'the PIN of the administrator is locked' },
}

/** Throws when the call is not carried out under this fault. */
export function refuse(fault: FaultStep, name: CallName): void {
  if (fault.do === 'unreachable') throw new DeviceError('the device cannot be reached')
  if (fault.do === 'error') throw new DeviceError('the device reports an error')
  const refusal = REFUSALS[fault.do]
  if (refusal?.calls.includes(name)) throw new DeviceError(refusal.text)
}

/** The work is done, and the caller does not learn of it. */
export function losesAnswer(fault: FaultStep, { timeoutMs }: CallLimit): boolean {
  if (fault.do === 'delay') return (fault.ms ?? 0) >= timeoutMs
  return fault.do === 'error-after' || fault.do === 'garbage' || fault.do === 'wrong-signature'
}

/** How wrong the clock is, in milliseconds. */
export function clockShift(fault: FaultStep | undefined): number {
  return fault?.do === 'wrong-clock' ? (fault.ms ?? 0) : 0
}
