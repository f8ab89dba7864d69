// One receipt on its way through the Italian queue: what it found, and what it leaves behind.
import type { RtDevice } from '../../device/it/unit.js'
import type { ReceiptInput } from '../contract.js'
import { type Draft, newDraft as plainDraft } from '../kit/draft.js'
import { LocalTime } from '../kit/local-time.js'
import type { ItState, QueueConfiguration } from './queue.js'

export type ItInput = ReceiptInput<ItState, RtDevice>

export interface ItDraft extends Draft<ItState, RtDevice> {
  readonly settings: QueueConfiguration
  stateData: string | null
  /** A zero receipt that did not reach the device. */
  unreached: boolean
}

export function newDraft(input: ItInput): ItDraft {
  const settings = input.queue.configuration as QueueConfiguration
  return { ...plainDraft(input), settings, stateData: null, unreached: false }
}

export const rome = new LocalTime('Europe/Rome')

/** `02-07-2026` of `2026-07-02`. */
export const dayOf = (date: string): string => date.slice(0, 10).split('-').reverse().join('-')
export const four = (number: number): string => String(number).padStart(4, '0')
