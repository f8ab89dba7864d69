// What group B needs from the outside. Put together by src/deps.ts.
import type { Credentials } from '../../core/credentials.js'
import type { exportJournal } from '../../core/journal/export.js'
import type { Signing } from '../../core/sign/sign.js'
import type { FailureLimit } from '../shared/failure-limit.js'

export interface MiddlewareDeps {
  credentials: Credentials
  signing: Signing
  journal(input: Parameters<typeof exportJournal>[1]): ReturnType<typeof exportJournal>
  failures: FailureLimit
  /** False in the locally hosted form: no headers are asked for. */
  authentication: boolean
  defaultQueue: string | undefined
  /** Lower-case first path segment to queue id. */
  aliases: ReadonlyMap<string, string>
  bodyLimit: number
}
