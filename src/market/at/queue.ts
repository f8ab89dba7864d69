// How an Austrian queue is configured, under the names that templates and portals use, and what it
// remembers. Parsing a checked configuration gives the same again.
import { z } from 'zod'
import { heldSince } from '../kit/held.js'
import { NO_LATE_ENTRIES, usedFailed, usedFailedMembers } from '../kit/late-entry.js'
import { flag, number, queueSettings } from '../kit/settings.js'
import { count, id, moment } from '../kit/state.js'

const NOT_SUPPORTED = 'closed systems (AT0) are not supported'

export const queueConfiguration = z.looseObject({
  /** Rounds over the signing units after the first one. */
  'scu-max-retries': number.pipe(z.int().min(0).max(100)).default(3),
  ...queueSettings,
  /** Sign every receipt, whatever the decision table says. */
  SignAll: flag.default(false),
  /** Bytes of the turnover counter in the machine-readable code (RKSV: at least 5). */
  'rksv-counter-bytes': number.pipe(z.int().min(5).max(8)).default(5),
  /** Caption of the machine-readable code. */
  'rksv-caption': z.string().max(1023).default(''),
  EnableMonthlyExport: flag.default(true),
  ClosedSystemKind: z.literal('', { error: NOT_SUPPORTED }).nullish(),
  ClosedSystemValue: z.string().nullish(),
  ClosedSystemNote: z.string().nullish(),
})

export type QueueConfiguration = z.infer<typeof queueConfiguration>

/** Kassen-ID: 1 to 64 characters that pass every verifier; `_` would end the field. */
export const KASSEN_ID = /^(?! )[A-Za-z0-9.:+/ -]{1,64}(?<! )$/

export const identification = z.string().regex(KASSEN_ID, {
  error: '1 to 64 characters A-Z a-z 0-9 . : + / - and spaces inside',
})

// ------------------------------------------------------------------------------- what it remembers

/** Receipt identification of a remembered item; null until that item is finished. */
const itemIdentification = z.string().nullable()

export const atState = z.object({
  /** Number of signed receipts, "failed" ones included. */
  cashNumerator: count,
  /** Turnover counter (Umsatzzähler), exact, two decimals. */
  cashTotalizer: z.string().regex(/^-?\d+\.\d\d$/),
  /** Field 12 of the next receipt: 8 bytes in base64; '' before the start receipt. */
  lastSignatureHash: z.string(),
  /**
   * Local time in the code of the last receipt, `2025-01-05T08:00:00`; '' before the first, and in
   * queues that were stored before it was kept.
   */
  lastLocalTime: z.string().default(''),
  /** Trust service provider and certificate of the last valid signature; '' before the first. */
  lastSignatureZda: z.string(),
  /** Lower-case hexadecimal, as in the machine-readable code. */
  lastSignatureCertificateSerialNumber: z.string(),
  /** SHA-256 of that certificate, hexadecimal. */
  lastSignatureCertificateFingerprint: z.string(),
  /** 1 to 12; 0 before the start receipt. */
  lastSettlementMonth: z.int().min(0).max(12),
  lastSettlementMoment: moment,
  lastSettlementQueueItemId: id,
  /** Receipts since the signing devices failed. */
  sscdFailCount: count,
  sscdFailMoment: moment,
  sscdFailQueueItemId: id,
  sscdFailIdentification: itemIdentification,
  sscdFailMessageSent: moment,
  /** Receipts entered later because the queue could not be reached. */
  ...usedFailedMembers,
  /** When the last of them arrived: until then the queue could not be reached. */
  usedFailedReached: moment.default(null),
  usedFailedIdentification: itemIdentification,
  /** Handwritten receipts entered later. */
  usedMobileCount: count,
  usedMobileMoment: moment,
  usedMobileQueueItemId: id,
  usedMobileIdentification: itemIdentification,
  /** Notifications that the next signed zero receipt has to deliver. */
  messageCount: count,
  messageMoment: moment,
  /** Data of the waiting notification, a JSON text. */
  messageData: z.string().nullable(),
  /** Place of the signing unit in use among the usable ones. */
  activeScu: count,
  /** Of the journal that is to lie outside as well (§ 7 (3) RKSV). */
  heldSince,
})

export type AtState = z.infer<typeof atState>

export function initial(): AtState {
  return {
    cashNumerator: 0,
    cashTotalizer: '0.00',
    lastSignatureHash: '',
    lastLocalTime: '',
    lastSignatureZda: '',
    lastSignatureCertificateSerialNumber: '',
    lastSignatureCertificateFingerprint: '',
    lastSettlementMonth: 0,
    lastSettlementMoment: null,
    lastSettlementQueueItemId: null,
    ...noSignerFailure,
    ...noLateSigning,
    ...noHandwritten,
    ...noMessage,
    activeScu: 0,
    heldSince: null,
  }
}

/** Members as they are while the signing devices work. */
export const noSignerFailure = {
  sscdFailCount: 0,
  sscdFailMoment: null,
  sscdFailQueueItemId: null,
  sscdFailIdentification: null,
  sscdFailMessageSent: null,
} as const

export const noLateSigning = {
  ...usedFailed(NO_LATE_ENTRIES),
  usedFailedReached: null,
  usedFailedIdentification: null,
} as const

export const noHandwritten = {
  usedMobileCount: 0,
  usedMobileMoment: null,
  usedMobileQueueItemId: null,
  usedMobileIdentification: null,
} as const

export const noMessage = { messageCount: 0, messageMoment: null, messageData: null } as const

/** In the order of the schema, which a copy keeps. */
const FRESH = atState.parse(initial())

/**
 * A copy that the steps of a receipt change. States have had different histories, and V8 copies
 * objects of many shapes member by member into one that grows: five times the memory.
 */
export function workingCopy(state: AtState): AtState {
  return Object.assign({ ...FRESH }, state)
}

/** The turnover counter in cents. */
export function totalizerCents(state: AtState): bigint {
  return BigInt(state.cashTotalizer.replace('.', ''))
}
