// What group D needs from the outside. Put together by src/deps.ts.
import type { FastifyRequest } from 'fastify'
import type { Pairing } from '../../core/accounts/pairing/pairing.js'
import type { JournalExport, JournalInput } from '../../core/journal/export.js'
import type { Operations } from '../../core/operation/operation.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import type { CallerDeps } from '../shared/caller.js'
import type { Perform, Prepare } from './call.js'
import type { Legacy } from './legacy.js'
import type { PinLimit } from './pin-limit.js'
import type { Respond } from './read.js'

export interface PosSystemDeps extends CallerDeps {
  operations: Operations
  journal(input: JournalInput): Promise<JournalExport>
  /** What is remembered of a cash box and its queues is read anew. */
  forget(access: CashBoxAccess): Promise<void>
  pairing: Pairing
  pins: PinLimit
  /** The operations that other files of this folder make; one that is missing has no route. */
  parts: PosSystemParts
  settings: PosSystemSettings
}

export interface PosSystemParts {
  pay?: Prepare
  sign?: Perform
  /** `/sign` with `x-dry-run: true`. */
  dryRun?: Respond
  issue?: Prepare
  /** PUT of an issued receipt. */
  updateIssued?: Prepare
  readIssued?: Respond
  qrCode?: Respond
  delivered?: Respond
  deliveries?: Respond
  /** The short link of a receipt, signed. */
  link?: Respond
  /** Headers of an answer to PUT that has no body. */
  linkHeaders?(request: FastifyRequest): Record<string, string>
  documents?: Respond
  document?: Respond
  /** What devices in the store are told, as it happens. */
  events?: Respond
  /** The server stops: nobody is told anything any more. */
  endEvents?(): void
  /** The asynchronous calls of older launchers. */
  legacy?: Legacy
}

export interface PosSystemSettings {
  /** x-possystem-id has to be sent. */
  posSystemIdRequired: boolean
  /** How long a call waits for its answer before its connection is closed; 0: for ever. */
  waitMaxMs: number
  echoStatus: 200 | 201
  cors: boolean
  /** Of the mount point, without trailing slash: no part of what makes an operation. */
  prefix: string
}
