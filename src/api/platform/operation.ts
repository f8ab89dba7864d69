// A row of the Platform's table: what all tables of accounts have, with the parts of this group.
// Every refusal comes as problem details.
import type * as shared from '../shared/account/operation.js'
import { operationOf } from '../shared/account/operation.js'
import type { PlatformDeps } from './deps.js'

export type Operation = shared.Operation<PlatformDeps>
export type AnyCall = shared.AnyCall<PlatformDeps>
export type Call<P, Q, B, S> = shared.Call<P, Q, B, S, PlatformDeps>

export const operation = operationOf<PlatformDeps>('platform')

/** Of every row: whoever has an account may call, and refusals have one shape. */
export const OWN = { access: 'any', problemsOnly: true } as const
