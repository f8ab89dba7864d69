// Who is written to when a webhook is disabled: the account and whoever administers it.
import type { Language } from '../../lib/language.js'
import { addressOf } from '../../notify/address.js'
import { findAccount } from '../../store/account/accounts.js'
import { listEmployees } from '../../store/account/people.js'
import type { Store } from '../../store/client.js'
import type { Connection } from '../../store/transaction.js'
import { enqueueMessage, type NewMessage } from '../message/enqueue.js'
import { WEBHOOK_DISABLED_KIND, type WebhookDisabledData } from '../message/webhook-disabled.js'

export interface LetterDeps {
  store: Store
  now(): Date
  /** In which people of a market are written to. */
  languageOf(market: string): Language
  /** Where the portal is reached; undefined: letters have no link. */
  publicUrl: string | undefined
}

export interface DisabledWebhook {
  accountId: string
  id: string
  url: string
  reason: WebhookDisabledData['reason']
  error: string
}

/** Letters about one webhook. */
const MOST = 10

/**
 * Reads who is to be told and gives back what writes the letters in the transaction that disables
 * the webhook: the server may die, and either both are there or none.
 */
export async function lettersAbout(
  deps: LetterDeps,
  webhook: DisabledWebhook,
): Promise<(on: Connection) => Promise<void>> {
  const { accountId, id, url, reason, error } = webhook
  const account = await findAccount(deps.store, accountId)
  if (account === undefined) return async () => undefined
  const administrators = (await listEmployees(deps.store, accountId)).filter(
    ({ role, active }) => role === 'Administrator' && active,
  )
  const wished = [account.email, ...administrators.map(({ email }) => email)]
  // an account may have an address that no e-mail can go to
  const to = wished.flatMap((email) => addressOf('email', email) ?? [])
  const data: WebhookDisabledData = {
    ...{ company: account.name, host: new URL(url).host, reason, error },
    link: deps.publicUrl === undefined ? null : `${deps.publicUrl}/portal/events`,
  }
  const letter: Omit<NewMessage, 'to'> = {
    ...{ accountId, kind: WEBHOOK_DISABLED_KIND, channel: 'email', data },
    ...{ language: deps.languageOf(account.market), subject: `webhook/${id}` },
  }
  return async (on) => {
    for (const one of [...new Set(to)].slice(0, MOST)) {
      await enqueueMessage(deps, on, { ...letter, to: one })
    }
  }
}
