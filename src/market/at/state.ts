// What an Austrian queue carries from receipt to receipt: the QueueAT record without its key.
// Parsed with every batch, so it is one flat object of numbers and short texts.
import { z } from 'zod'

const count = z.int().min(0)
/** Unix milliseconds. */
const moment = z.int().nullable()
const id = z.string().nullable()
/** Receipt identification of a remembered item; null until that item is finished. */
const identification = z.string().nullable()

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
  sscdFailIdentification: identification,
  sscdFailMessageSent: moment,
  /** Receipts entered later because the queue could not be reached. */
  usedFailedCount: count,
  usedFailedMomentMin: moment,
  usedFailedMomentMax: moment,
  /** When the last of them arrived: until then the queue could not be reached. */
  usedFailedReached: moment.default(null),
  usedFailedQueueItemId: id,
  usedFailedIdentification: identification,
  /** Handwritten receipts entered later. */
  usedMobileCount: count,
  usedMobileMoment: moment,
  usedMobileQueueItemId: id,
  usedMobileIdentification: identification,
  /** Notifications that the next signed zero receipt has to deliver. */
  messageCount: count,
  messageMoment: moment,
  /** Data of the waiting notification, a JSON text. */
  messageData: z.string().nullable(),
  /** Place of the signing unit in use among the usable ones. */
  activeScu: count,
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
  usedFailedCount: 0,
  usedFailedMomentMin: null,
  usedFailedMomentMax: null,
  usedFailedReached: null,
  usedFailedQueueItemId: null,
  usedFailedIdentification: null,
} as const

export const noHandwritten = {
  usedMobileCount: 0,
  usedMobileMoment: null,
  usedMobileQueueItemId: null,
  usedMobileIdentification: null,
} as const

export const noMessage = { messageCount: 0, messageMoment: null, messageData: null } as const

/** The turnover counter in cents. */
export function totalizerCents(state: AtState): bigint {
  return BigInt(state.cashTotalizer.replace('.', ''))
}
