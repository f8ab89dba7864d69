// A row of the Dealer API's table: what all tables of accounts have, with the parts of this group.
import type * as shared from '../shared/account/operation.js'
import { operationOf } from '../shared/account/operation.js'
import type { DealerDeps } from './deps.js'

export type Operation = shared.Operation<DealerDeps>
export type AnyCall = shared.AnyCall<DealerDeps>
export type Call<P, Q, B, S> = shared.Call<P, Q, B, S, DealerDeps>

export const operation = operationOf<DealerDeps>('dealer')
