// One call of a webhook, by Standard Webhooks 1.0: what is sent, how it is signed, and what the
// answer means.
import { type OutboundCall, OutboundError, type OutboundResponse } from '../../device/outbound.js'
import type { Sealer } from '../../lib/seal.js'
import { PROCESSING_VERSION } from '../../lib/version.js'
import { type WebhookRow, webhookOldSecret, webhookSecret } from '../../store/event/webhooks.js'
import { signaturesBy } from './webhook-keys.js'

export interface CallDeps {
  fetch: OutboundCall
  sealer: Sealer
  now(): Date
}

export interface Parcel {
  /** The same whenever it is sent again: receivers know by it what they have. */
  id: string
  body: string
  contentType: string
}

/**
 * taken: 2xx. later: no, not now; `retryAfterMs` where the receiver has said when. gone: 410, it
 * wants nothing any more.
 */
export type CallEnd =
  | { kind: 'taken'; status: number; ms: number }
  | { kind: 'gone'; status: number; ms: number; error: string }
  | {
      kind: 'later'
      status: number | null
      ms: number
      error: string
      retryAfterMs: number | undefined
    }

const TIMEOUT_MS = 15_000
const MOST_BYTES = 64 * 1024
const GONE = 410

export async function callWebhook(
  deps: CallDeps,
  webhook: WebhookRow,
  { parcel, signal }: { parcel: Parcel; signal?: AbortSignal },
): Promise<CallEnd> {
  const began = performance.now()
  const passed = () => Math.round(performance.now() - began)
  try {
    const answer = await deps.fetch(webhook.url, {
      method: 'POST',
      headers: headersOf(deps, webhook, parcel),
      body: parcel.body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      // receivers tell repeated calls by their webhook-id
      repeatable: true,
      ...(signal === undefined ? {} : { signal }),
    })
    return endOf(answer, passed())
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const text = `${error.reason}: ${error.message}`
    const ms = passed()
    return { kind: 'later', status: null, ms, error: text, retryAfterMs: undefined }
  }
}

function endOf({ status, retryAfter }: OutboundResponse, ms: number): CallEnd {
  if (status >= 200 && status < 300) return { kind: 'taken', status, ms }
  const error = `answered ${status}`
  if (status === GONE) return { kind: 'gone', status, ms, error }
  return { kind: 'later', status, ms, error, retryAfterMs: pauseOf(retryAfter) }
}

/** Seconds or a date (RFC 9110); undefined for anything else. */
function pauseOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - Date.now())
}

function headersOf(
  { sealer, now }: CallDeps,
  { id, secretSealed, oldSecretSealed, oldUntil }: WebhookRow,
  parcel: Parcel,
): Record<string, string> {
  const moment = now()
  const secrets = [sealer.open(secretSealed, webhookSecret(id))]
  if (oldSecretSealed !== null && oldUntil !== null && oldUntil > moment) {
    secrets.push(sealer.open(oldSecretSealed, webhookOldSecret(id)))
  }
  const { id: parcelId, body } = parcel
  const signatures = secrets.flatMap((one) => signaturesBy(one, { id: parcelId, at: moment, body }))
  return {
    'content-type': parcel.contentType,
    'user-agent': `fiskalwerk/${PROCESSING_VERSION}`,
    'webhook-id': parcel.id,
    'webhook-timestamp': String(Math.floor(moment.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
