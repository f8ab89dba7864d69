// The state of the TSE in ftStateData.

import { tseInfoJson } from '../../device/tse/info-json.js'
import type { TseInfo } from '../../device/tse/tse.js'
import { ask } from './device-calls.js'
import type { ReceiptDraft, TseSlot } from './receipt-draft.js'

/** Adds the TSE's state to ftStateData. Throws DeviceError when it does not tell. */
export async function addTseInfo(draft: ReceiptDraft, slot: TseSlot): Promise<TseInfo> {
  const info = await ask(draft, slot, (device, limit) => device.info(limit))
  draft.stateData = { ...draft.stateData, TseInfo: tseInfoJson(info) }
  return info
}
