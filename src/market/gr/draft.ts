// One receipt on its way through the Greek queue: what it found, and what it leaves behind.
import type { GrDevice, GrIdentity } from '../../device/gr/unit.js'
import { LocalTime } from '../../lib/local-time.js'
import type { Unit } from '../contract.js'
import type { QueueDraft } from '../kit/draft.js'
import type { GrState, QueueConfiguration } from './queue.js'

export type FoundUnit = Unit<GrDevice> & { identity: GrIdentity }
export type GrDraft = QueueDraft<GrState, GrDevice, QueueConfiguration>

const athens = new LocalTime('Europe/Athens')

/** `2026-06-01`, in Athens. */
export const dayOf = (moment: Date): string => athens.text(moment).slice(0, 10)
