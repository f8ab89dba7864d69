// Seals every secret anew with the first master key, so that older keys can be taken away.
// Called by the command `reseal`; may run beside servers that know both keys.
import type { Store } from '../store/client.js'
import { queueSecrets, scuSecrets } from '../store/queues.js'
import { replaceSealed, SEALED_COLUMNS, type SealedColumn, sealedValues } from '../store/sealed.js'
import { accountSecrets, appSecrets } from './onboarding/accounts.js'
import { cashBoxKey, cashBoxToken } from './rollout/create.js'

type Name = `${SealedColumn['table']}.${SealedColumn['column']}`

/** The place that a value was bound to when it was sealed. */
const CONTEXTS: Partial<Record<Name, (id: string) => string>> = {
  'account.access_token_sealed': accountSecrets,
  'receipt_app.secret_sealed': appSecrets,
  'cash_box.access_token_sealed': cashBoxToken,
  'cash_box.private_key_sealed': cashBoxKey,
  'scu.secrets_sealed': scuSecrets,
  'queue.secrets_sealed': queueSecrets,
}

/** Throws when a value was sealed with a key that is not there; everything before it is done. */
export async function resealAll(store: Store): Promise<{ resealed: number; kept: number }> {
  const counts = { resealed: 0, kept: 0 }
  for (const column of SEALED_COLUMNS) {
    const contextOf = CONTEXTS[`${column.table}.${column.column}`]
    if (contextOf === undefined) throw new Error(`no context for ${column.table}.${column.column}`)
    for await (const values of sealedValues(store, column)) {
      for (const value of values) {
        const { sealer } = store
        if (sealer.isSealedFirst(value.sealed)) {
          counts.kept += 1
          continue
        }
        const context = contextOf(value.id)
        const next = sealer.seal(sealer.open(value.sealed, context), context)
        // somebody else was faster; if that was with an older key, the next run finds it
        if (await replaceSealed(store, column, { ...value, next })) counts.resealed += 1
        else counts.kept += 1
      }
    }
  }
  return counts
}
