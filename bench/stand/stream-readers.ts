// Accounts that may read a merchant, and connections that follow their events.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connectAccounts, createAccount } from '../../src/core/accounts/accounts.js'
import { createSealer } from '../../src/lib/seal.js'
import { openStore } from '../../src/store/client.js'
import type { Cluster } from './cluster.js'

export interface Access {
  accountId: string
  accessToken: string
}

export async function openReaders(
  cluster: Cluster,
  { masterKey, count, of }: { masterKey: Buffer; count: number; of: string },
): Promise<Access[]> {
  const store = openStore({
    ...{ connection: cluster.config, size: 2, sealer: createSealer([masterKey]) },
    onBroken: (error) => console.warn(error.message),
  })
  try {
    const deps = { store, now: () => new Date() }
    const made: Access[] = []
    while (made.length < count) {
      const { accountId, accessToken } = await createAccount(deps, {
        ...{ kind: 'PosDealer', name: `Reader ${made.length}`, market: 'AT', country: 'AT' },
        ...{
          email: `reader-${made.length}@bench.example`,
          roles: ['PosDealer'],
          autoInvite: false,
        },
      })
      await connectAccounts(deps, { accountId, toAccountId: of, rights: 'Read' })
      made.push({ accountId, accessToken })
    }
    return made
  } finally {
    await store.close()
  }
}

/** Begins with what comes next. */
export async function follow(
  url: string,
  { accountId, accessToken }: Access,
  hear: (text: string) => void,
): Promise<{ close(): void }> {
  const headers = { accountid: accountId, accesstoken: accessToken }
  const call = request(`${url}/platform/v1/events/stream`, { headers, agent: false })
  call.on('error', () => undefined)
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`a listener was answered ${answer.statusCode}`)
  answer.setEncoding('utf8')
  let open = ''
  answer.on('data', (chunk: string) => {
    const text = open + chunk
    const end = text.lastIndexOf('\n\n') + 2
    if (end > 1) hear(text.slice(0, end))
    open = end > 1 ? text.slice(end) : text
  })
  answer.on('error', () => undefined)
  return { close: () => call.destroy() }
}
