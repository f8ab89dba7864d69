// The state of the TSE in ftStateData.
// Called by the receipts that have to show the state of the TSE.
import { ask } from './device-calls.js'
import { tseInfoJson } from './tse/info-json.js'
import type { TseInfo } from './tse/tse.js'
import type { TseSlot, Turn } from './turn.js'

/** Adds the TSE's state to ftStateData. Throws DeviceError when it does not tell. */
export async function addTseInfo(turn: Turn, slot: TseSlot): Promise<TseInfo> {
  const info = await ask(turn, slot, (device, limit) => device.info(limit))
  turn.stateData = { ...turn.stateData, TseInfo: tseInfoJson(info) }
  return info
}
