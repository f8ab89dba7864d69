// What group B needs from the outside. Put together by src/deps.ts.
import type { exportJournal } from '../../core/journal/export.js'
import type { Signing } from '../../core/sign/sign.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import type { CallerDeps } from '../shared/caller.js'
import type { AddressDeps } from '../shared/receipt-address.js'
import type { BrowserRules } from './browsers.js'

export interface MiddlewareDeps extends CallerDeps {
  /** The configuration of a cash box counts at once; undefined: of the one that is local. */
  refresh(access: CashBoxAccess | undefined): Promise<void>
  signing: Signing
  journal(input: Parameters<typeof exportJournal>[1]): ReturnType<typeof exportJournal>
  /** False in the locally hosted form: no headers are asked for. */
  authentication: boolean
  defaultQueue: string | undefined
  /** Lower-case first path segment to queue id. */
  aliases: ReadonlyMap<string, string>
  /** Id or alias of the queue of calls that name none, by the port on which they come; filled when
   *  the ports are listened on. */
  portQueues: Map<number, string>
  bodyLimit: number
  /** Answers carry hints for programmers. */
  sandbox: boolean
  /** For the address in the WSDL. */
  address: AddressDeps
  /** Items and signatures of an answer are named in Pascal case instead of lower camel. */
  pascal: boolean
  browsers: BrowserRules
}
