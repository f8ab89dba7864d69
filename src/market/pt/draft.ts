// One receipt on its way through the Portuguese queue: what it found, and what it leaves behind.
import type { PtDevice } from '../../device/pt/unit.js'
import { LocalTime } from '../../lib/local-time.js'
import type { ReceiptInput } from '../contract.js'
import type { QueueDraft } from '../kit/draft.js'
import type { PtState, QueueConfiguration } from './queue.js'

export type PtInput = ReceiptInput<PtState, PtDevice>
export type PtDraft = QueueDraft<PtState, PtDevice, QueueConfiguration>

const lisbon = new LocalTime('Europe/Lisbon')
const azores = new LocalTime('Atlantic/Azores')

/** `2026-06-15T10:30:15` where the register stands. */
export function localText(moment: Date, { region }: Pick<QueueConfiguration, 'region'>): string {
  return (region === 'PT-AC' ? azores : lisbon).text(moment)
}

export const localDay = (moment: Date, settings: Pick<QueueConfiguration, 'region'>): string =>
  localText(moment, settings).slice(0, 10)
