// One receipt on its way through the Italian queue: what it found, and what it leaves behind.
import type { RtDevice } from '../../device/it/unit.js'
import { LocalTime } from '../../lib/local-time.js'
import type { ReceiptInput } from '../contract.js'
import { newQueueDraft, type QueueDraft } from '../kit/draft.js'
import type { ItState, QueueConfiguration } from './queue.js'

export type ItInput = ReceiptInput<ItState, RtDevice>

export interface ItDraft extends QueueDraft<ItState, RtDevice, QueueConfiguration> {
  /** A zero receipt that did not reach the device. */
  unreached: boolean
}

export const newDraft = (input: ItInput): ItDraft => ({
  ...newQueueDraft<ItState, RtDevice, QueueConfiguration>(input),
  unreached: false,
})

export const rome = new LocalTime('Europe/Rome')

/** `02-07-2026` of `2026-07-02`. */
export const dayOf = (date: string): string => date.slice(0, 10).split('-').reverse().join('-')
export const four = (number: number): string => String(number).padStart(4, '0')
