// The end of a connection between a dealer and a merchant, asked for by either or by whoever runs
// the server.
import { fail } from '../../errors.js'
import type { Language } from '../../lib/language.js'
import { addressOf } from '../../notify/address.js'
import { revokeActivations } from '../../store/account/activations.js'
import {
  type ConnectionView,
  lockConnection,
  type Party,
  setEnd,
} from '../../store/account/connection-ends.js'
import { connectionOf } from '../../store/raw.js'
import type { Connection } from '../../store/transaction.js'
import { type Actor, type AuditDeps, audited } from '../audit/audit.js'
import { CONNECTION_END_KIND, type ConnectionEndData } from '../message/connection-end.js'
import { enqueueMessage } from '../message/enqueue.js'

export interface EndDeps extends AuditDeps {
  /** In which people of a market are written to. */
  languageOf(market: string): Language
}

export type EndedBy = ConnectionEndData['by']

export interface End {
  dealerId: string
  operatorId: string
  /** Undefined, or past: at once. A connection that waits for its merchant ends at once. */
  on: Date | undefined
  by: EndedBy
}

/**
 * From then on the dealer has no right any more, in every server. An end can be brought forward and
 * not put off: the other side relies on it. Throws CONNECTION_UNKNOWN.
 */
export function endConnection(deps: EndDeps, actor: Actor, end: End): Promise<ConnectionView> {
  const { dealerId, operatorId } = end
  const key = { accountId: dealerId, toAccountId: operatorId }
  // a merchant acts for himself, and it is the dealer who has to find out
  const who = end.by === 'operator' ? { ...actor, concerns: dealerId } : actor
  return audited(deps, who, async (tx) => {
    const on = connectionOf(tx)
    const found = await lockConnection(on, key)
    if (found === undefined || found.state === 'ended') {
      throw fail('CONNECTION_UNKNOWN', {
        account: actor.accountId === dealerId ? operatorId : dealerId,
      })
    }
    const wanted = found.state === 'pending' ? null : (end.on ?? null)
    if (found.endsAt !== null && wanted !== null && wanted >= found.endsAt) {
      return { result: found, unchanged: true }
    }
    const endsAt = await setEnd(on, found.id, wanted)
    await revokeActivations(on, end)
    const later = wanted !== null && endsAt.getTime() === wanted.getTime()
    await tellBoth(deps, on, { found, endsAt: later ? endsAt : null, by: end.by })
    const result: ConnectionView = { ...found, endsAt, state: later ? found.state : 'ended' }
    return {
      result,
      subjects: { connectionId: found.id, dealerId, operatorId },
      before: { state: found.state, rights: found.rights, endsAt: found.endsAt },
      after: { state: result.state, endsAt, by: end.by },
      event: {
        type: 'connection.changed',
        subject: { kind: 'connection', id: found.id },
        data: { dealerId, operatorId, state: result.state, endsAt: endsAt.toISOString() },
      },
    }
  })
}

interface Told {
  found: ConnectionView
  /** Null: it has ended. */
  endsAt: Date | null
  by: EndedBy
}

async function tellBoth(deps: EndDeps, on: Connection, { found, endsAt, by }: Told): Promise<void> {
  const { dealer, operator, id } = found
  const data: ConnectionEndData = {
    ...{ dealer: dealer.name, company: operator.name, by },
    on: endsAt?.toISOString() ?? null,
  }
  const write = async (party: Party): Promise<void> => {
    const to = addressOf('email', party.email)
    // an account may have an address that no e-mail can go to; the other side still hears of it
    if (to === undefined) return
    await enqueueMessage(deps, on, {
      ...{ accountId: party.id, kind: CONNECTION_END_KIND, channel: 'email', to, data },
      ...{ language: deps.languageOf(party.market), subject: `connection/${id}` },
    })
  }
  await write(dealer)
  await write(operator)
}
