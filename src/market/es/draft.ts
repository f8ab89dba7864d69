// One receipt on its way through the Spanish queue: what it found, and what it leaves behind.
import type { EsDevice, EsIdentity } from '../../device/es/unit.js'
import { LocalTime } from '../../lib/local-time.js'
import type { ReceiptInput, Unit } from '../contract.js'
import { newQueueDraft, type QueueDraft } from '../kit/draft.js'
import type { EsState, QueueConfiguration } from './queue.js'

export type EsInput = ReceiptInput<EsState, EsDevice>

export interface EsDraft extends QueueDraft<EsState, EsDevice, QueueConfiguration> {
  /** The first unit that answers; undefined: none does, and what was heard of them. */
  readonly unit: (Unit<EsDevice> & { identity: EsIdentity }) | undefined
  readonly silence: string
}

export const newDraft = (input: EsInput, found: Pick<EsDraft, 'unit' | 'silence'>): EsDraft => ({
  ...newQueueDraft<EsState, EsDevice, QueueConfiguration>(input),
  ...found,
})

const zones = {
  'Europe/Madrid': new LocalTime('Europe/Madrid'),
  'Atlantic/Canary': new LocalTime('Atlantic/Canary'),
} as const
type Zoned = Pick<QueueConfiguration, 'zone'>

/** `2026-06-15T10:30:15+02:00` where the register stands. */
export function stampOf(moment: Date, { zone }: Zoned): string {
  const text = zones[zone].text(moment)
  const minutes = Math.round((Date.parse(`${text}Z`) - moment.getTime()) / 60_000)
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0')
  return `${text}+${hours}:${String(minutes % 60).padStart(2, '0')}`
}

/** `15-06-2026` */
export function dayOf(moment: Date, { zone }: Zoned): string {
  const [year, month, day] = zones[zone].text(moment).slice(0, 10).split('-')
  return `${day}-${month}-${year}`
}

/** `10:30:15` */
export const timeOf = (moment: Date, { zone }: Zoned): string => zones[zone].text(moment).slice(11)
