// A server's sign path in a process of its own. Forked by test/support/model/signer.ts.
import type { SignResult } from '../../../src/core/sign/job.js'
import { openStand, type Till } from '../stand.js'
import { serveCalls } from './serve-calls.js'
import { type SignGiven, signerOf } from './signer.js'

function open({ connection, masterKey }: SignGiven) {
  let clock: number | undefined
  const stand = openStand(connection, {
    masterKey: Buffer.from(masterKey, 'base64'),
    deps: { now: () => (clock === undefined ? new Date() : new Date(clock)) },
  })
  const sign = signerOf(stand)
  const calls = {
    /** From now on it is this moment, in Unix milliseconds. */
    setClock: (unixMilliseconds: number): void => {
      clock = unixMilliseconds
    },
    sign: (till: Till, text: string): Promise<SignResult> => sign(till, text),
  }
  return Promise.resolve({ calls, close: stand.close })
}

export type SignCalls = Awaited<ReturnType<typeof open>>['calls']

serveCalls(open)
