// Puts a message on its way: the row and its job commit with whatever else the caller's transaction
// writes.
import { randomId } from '../../lib/id.js'
import type { Language } from '../../lib/language.js'
import { maskedAddress } from '../../notify/address.js'
import type { Channel } from '../../notify/transport.js'
import type { Store } from '../../store/client.js'
import { insertMessage, messageAddress, messageSecrets } from '../../store/message/messages.js'
import type { Connection } from '../../store/transaction.js'

export interface NewMessage {
  accountId: string
  /** A word of kinds.ts. */
  kind: string
  channel: Channel
  /** As notify/address.ts gives it back. */
  to: string
  language: Language
  /** What its kind reads. */
  data: object
  /** What it is about, for counting; no personal data. */
  subject: string
  /** On whose behalf. */
  cashBoxId?: string
  /** False: it is stored and goes nowhere. */
  send?: boolean
}

export interface MessageDeps {
  store: Pick<Store, 'sealer'>
  now(): Date
}

/** Returns the id of the message. */
export async function enqueueMessage(
  { store, now }: MessageDeps,
  on: Connection,
  message: NewMessage,
): Promise<string> {
  const id = randomId()
  const { sealer } = store
  await insertMessage(on, {
    accountId: message.accountId,
    id,
    kind: message.kind,
    channel: message.channel,
    language: message.language,
    subject: message.subject,
    cashBoxId: message.cashBoxId ?? null,
    addressSealed: sealer.seal(message.to, messageAddress(id)),
    dataSealed: sealer.seal(JSON.stringify(message.data), messageSecrets(id)),
    addressMasked: maskedAddress(message.to),
    state: message.send === false ? 'stored' : 'queued',
    createdAt: now(),
  })
  return id
}
