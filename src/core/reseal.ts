// Seals every secret anew with the first master key, so that older keys can be taken away. May run
// beside servers that know both keys.

import { personCodeSecret } from '../store/account/people.js'
import type { Store } from '../store/client.js'
import { webhookOldSecret, webhookSecret } from '../store/event/webhooks.js'
import { cashBoxToken } from '../store/master-key.js'
import { messageAddress, messageSecrets } from '../store/message/messages.js'
import { idempotentAnswer } from '../store/operation/idempotent-calls.js'
import { linkKeySecret } from '../store/receipt/link-keys.js'
import { walletSecrets } from '../store/receipt/wallet-issuers.js'
import { componentSettings, publicationText } from '../store/rollout/components.js'
import {
  replaceSealed,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedValue,
  sealedValues,
} from '../store/sealed.js'
import { queueSecrets, scuSecrets } from '../store/sign/queues.js'
import { accountSecrets, appSecrets } from './accounts/accounts.js'
import { cashBoxKey } from './rollout/create.js'

type Name = `${SealedColumn['table']}.${SealedColumn['column']}`

/** The place that a value was bound to when it was sealed. */
const CONTEXTS: Partial<Record<Name, (id: string) => string>> = {
  'account.access_token_sealed': accountSecrets,
  'receipt_app.secret_sealed': appSecrets,
  'cash_box.access_token_sealed': cashBoxToken,
  'cash_box.private_key_sealed': cashBoxKey,
  'scu.secrets_sealed': scuSecrets,
  'queue.secrets_sealed': queueSecrets,
  'link_key.key_sealed': linkKeySecret,
  'component_settings.settings_sealed': componentSettings,
  'publication.document_sealed': publicationText,
  'idempotent_call.answer_sealed': idempotentAnswer,
  'message.address_sealed': messageAddress,
  'message.data_sealed': messageSecrets,
  'person.code_secret_sealed': personCodeSecret,
  'webhook.secret_sealed': webhookSecret,
  'webhook.old_secret_sealed': webhookOldSecret,
  'wallet_issuer.secrets_sealed': walletSecrets,
}

export interface ResealCounts {
  /** Sealed anew now. */
  resealed: number
  /** Sealed with the first key before. */
  kept: number
}

/** Throws when a value was sealed with a key that is not there; everything before it is done. */
export async function resealAll(
  store: Store,
  progress?: (done: number, total: undefined, column: string) => void,
): Promise<ResealCounts> {
  const counts = { resealed: 0, kept: 0 }
  for (const column of SEALED_COLUMNS) {
    for await (const value of sealedValues(store, column)) {
      const done = counts.resealed + counts.kept
      progress?.(done, undefined, `${done} ${column.table}.${column.column}`)
      if (await reseal(store, column, value)) counts.resealed += 1
      else counts.kept += 1
    }
  }
  return counts
}

async function reseal(store: Store, column: SealedColumn, value: SealedValue): Promise<boolean> {
  const { sealer } = store
  if (sealer.isSealedFirst(value.sealed)) return false
  const contextOf = CONTEXTS[`${column.table}.${column.column}`]
  if (contextOf === undefined) throw new Error(`no context for ${column.table}.${column.column}`)
  const context = contextOf(value.id)
  const next = sealer.seal(sealer.open(value.sealed, context), context)
  // false: somebody else was faster; if that was with an older key, the next run finds it
  return replaceSealed(store, column, { ...value, next })
}
