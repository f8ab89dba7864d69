// Whoever signs the text of a receipt for a till: a stand of this process or one in a process of
// its own.
import { withWords } from '../../../src/case/reader.js'
import type { SignResult } from '../../../src/core/sign/job.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import type { Stand, Till } from '../stand.js'
import { ServerProcess } from './server-process.js'
import type { SignCalls } from './sign-script.js'

export type Signer = (till: Till, text: string) => Promise<SignResult>

export const signerOf =
  ({ signing }: Pick<Stand, 'signing'>): Signer =>
  ({ accountId, cashBoxId, queueId, market }, text) => {
    const { request, wcfDates } = decodeRequest(text)
    const key = { accountId, cashBoxId, queueId, market }
    const job = { ...key, version: 'v1', ...withWords(request), requestText: text } as const
    return signing.sign({ ...job, style: { wcfDates, pascal: false } }).then(plain)
  }

/** As it can be sent to another process: an answer makes its text when it is asked for. */
function plain(result: SignResult): SignResult {
  if (result.kind !== 'answered') return result
  const { kind, responseText, queueItemId } = result
  return { kind, responseText, queueItemId, isUnsigned: result.isUnsigned === true }
}

export interface SignGiven {
  connection: Stand['connection']
  masterKey: string
}

const SCRIPT = new URL('sign-script.ts', import.meta.url)

/** A server's sign path in a process of its own. */
export function forkSigner(given: SignGiven): Promise<ServerProcess<SignCalls>> {
  return ServerProcess.fork<SignCalls>(SCRIPT, given)
}

export const signerAt =
  (server: ServerProcess<SignCalls>): Signer =>
  (till, text) =>
    server.call('sign', till, text)
