// What every path checks before a TSE is asked, and what happens when the TSE does not answer.
// Called by process.ts and by the paths.
import { DeviceError } from '../../../device/device.js'
import { tseFailed } from '../failure.js'
import { type Refusal, refuse } from '../refusal.js'
import { refusals } from '../text.js'
import { has, type Turn } from '../turn.js'

/** The flags that contradict the receipt case. */
export function refuseFlags(turn: Turn): Refusal | undefined {
  const { flow, noTraining } = turn.reading.row
  const field = 'ftReceiptCase'
  if (flow === 'I' && !turn.implicit) return refuse(refusals.implicitOnly, field)
  if (flow === 'E' && turn.implicit) return refuse(refusals.explicitOnly, field)
  if (noTraining && has(turn, 'training')) return refuse(refusals.training, field)
  return undefined
}

/** Does the work; a TSE that fails makes this a receipt of failed mode, nothing more. */
export async function withTse(turn: Turn, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    tseFailed(turn, error)
  }
}
