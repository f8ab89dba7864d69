// A row of the portal's own table: sessions and people. Everything else that the portal does is an
// operation of groups A and F.
import type * as shared from '../shared/account/operation.js'
import { operationOf } from '../shared/account/operation.js'
import type { SessionApiDeps } from './deps.js'

export type Operation = shared.Operation<SessionApiDeps>

export const operation = operationOf<SessionApiDeps>('portal')

/** They ask for the session themselves: some have none, and some need no account. */
export const OWN = { access: 'open', problemsOnly: true } as const
