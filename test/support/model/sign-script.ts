// A server's sign path in a process of its own. Forked by test/support/model/signer.ts.
import type { SignResult } from '../../../src/core/sign/job.js'
import { openStand, type Till } from '../stand.js'
import { serveCalls } from './serve-calls.js'
import { type SignGiven, signerOf } from './signer.js'

function open({ connection, masterKey }: SignGiven) {
  const stand = openStand(connection, { masterKey: Buffer.from(masterKey, 'base64') })
  const sign = signerOf(stand)
  const calls = {
    sign: (till: Till, text: string): Promise<SignResult> => sign(till, text),
  }
  return Promise.resolve({ calls, close: stand.close })
}

export type SignCalls = Awaited<ReturnType<typeof open>>['calls']

serveCalls(open)
