// Who took an issued receipt: which events count as its delivery, and what is told about them.
import { sha256 } from '../../lib/hash.js'
import { reaching, type Store } from '../../store/client.js'
import {
  type DeliverySummary,
  insertDelivery,
  listDeliveries,
  type StoredDelivery,
  summarize,
  type UndeliveredMessage,
  undeliveredMessages,
} from '../../store/receipt/deliveries.js'
import type { ReceiptKey } from '../../store/receipt/issued.js'
import type { Connection } from '../../store/transaction.js'

export type DeliveryMethod =
  | 'customeraccepted'
  | 'viewed'
  | 'printed'
  | 'email'
  | 'sms'
  | 'whatsapp'
  | 'downloaded'
  | 'uploaded'
  | 'linked'

/** Who did it: a person with the address, a third-party app, the register, a link preview. */
export type DeliveryKind = 'customer' | 'app' | 'pos' | 'robot'

/**
 * Apps that show a receipt and robots that preview its link are noted and deliver nothing; what an
 * app does with a receipt says itself whether it counts.
 */
const DELIVERS: Record<DeliveryKind, boolean> = {
  customer: true,
  app: false,
  pos: true,
  robot: false,
}

export interface DeliveryEvent {
  method: DeliveryMethod
  kind: DeliveryKind
  moment: Date
  appId: string | undefined
  userAgent: string | undefined
  /** Network address of the caller; only its hash is kept. */
  address: string
  /** Left out: as usual for its kind. */
  counts?: boolean
  /** Marketing campaign code of the link that led here. */
  campaign?: string | undefined
}

/** Longest campaign code (mcc). */
const CAMPAIGN_LENGTH = 64

/** As many characters of a user agent as are kept. */
const USER_AGENT_LENGTH = 400
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out
const CONTROLS = /[\u0000-\u001f\u007f]/g

export async function recordDelivery(
  on: Store['pool'] | Connection,
  { accountId, queueId, queueItemId, verified }: ReceiptKey & { verified: boolean },
  event: DeliveryEvent,
): Promise<void> {
  const userAgent = plain(event.userAgent, USER_AGENT_LENGTH)
  await insertDelivery(on, {
    accountId,
    queueId,
    queueItemId,
    moment: event.moment,
    method: event.method,
    kind: event.kind,
    counts: event.counts ?? DELIVERS[event.kind],
    appId: event.appId ?? null,
    userAgent,
    campaign: plain(event.campaign, CAMPAIGN_LENGTH),
    // the unguessable ids keep addresses of different receipts from being compared
    addressHash: sha256(`${queueId}/${queueItemId}/${event.address}`),
    journalled: verified,
  })
}

function plain(text: string | undefined, most: number): string | null {
  return text?.replace(CONTROLS, ' ').slice(0, most) ?? null
}

/** What is told about a delivered receipt; `Printed` stands for every kind of delivery. */
export interface DeliveryStatus {
  state: 'Printed'
  message: string
  DeliveryMethod: string
  DeliveredMoment: Date
  Count: number
}

export function statusOf({ count, method, moment }: DeliverySummary): DeliveryStatus {
  const time = moment.toISOString().replace('Z', '')
  return {
    state: 'Printed',
    message: `Receipt delivered via ${method} at ${time} UTC. DeliveryMethod: ${method}`,
    DeliveryMethod: method,
    DeliveredMoment: moment,
    Count: count,
  }
}

/** Undefined while nobody took the receipt. */
export async function deliveryStatus(
  on: Store['pool'] | Connection,
  key: ReceiptKey,
): Promise<DeliveryStatus | undefined> {
  const summary = await reaching(() => summarize(on, key))
  return summary === undefined ? undefined : statusOf(summary)
}

/** Most events that are listed; `count` is that of all deliveries. */
const MOST_LISTED = 1000

/** An event, or a message that did not arrive, or perhaps did. */
export interface ListedDelivery extends StoredDelivery {
  /** Masked; of such a message only. */
  address?: string
  reason?: string
}

const UNDELIVERED = { failed: 'refused', unsure: 'unsure' } as const

export async function deliveriesOf(
  store: Store,
  key: ReceiptKey,
): Promise<{ count: number; items: ListedDelivery[] }> {
  return reaching(async () => {
    const count = (await summarize(store.pool, key))?.count ?? 0
    const events = await listDeliveries(store, key, MOST_LISTED)
    const failed = await undeliveredMessages(store, key, { kind: 'receipt', most: MOST_LISTED })
    const items = [...failed.map(listed), ...events].sort(newestFirst)
    return { count, items: items.slice(0, MOST_LISTED) }
  })
}

function listed({ moment, channel, state, ...message }: UndeliveredMessage): ListedDelivery {
  const { addressMasked: address, reason } = message
  const event = { moment, method: channel, kind: UNDELIVERED[state], appId: null, userAgent: null }
  return { ...event, address, reason: reason ?? '' }
}

const newestFirst = (a: StoredDelivery, b: StoredDelivery): number =>
  b.moment.getTime() - a.moment.getTime()
