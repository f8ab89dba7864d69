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

interface Following {
  url: string
  access: Access
  hear(text: string): void
  isOver: boolean
  /** Where to go on when it was let go. */
  last: string | undefined
  leave(): void
}

/** Begins with what comes next; whoever is too slow for a moment is let go, and comes back. */
export async function follow(
  url: string,
  access: Access,
  hear: (text: string) => void,
): Promise<{ close(): void }> {
  const following: Following = {
    ...{ url, access, hear, isOver: false, last: undefined },
    leave: () => undefined,
  }
  await open(following)
  return {
    close: () => {
      following.isOver = true
      following.leave()
    },
  }
}

async function open(following: Following): Promise<void> {
  const { accountId, accessToken } = following.access
  const headers = {
    ...{ accountid: accountId, accesstoken: accessToken },
    ...(following.last === undefined ? {} : { 'last-event-id': following.last }),
  }
  const call = request(`${following.url}/platform/v1/events/stream`, { headers, agent: false })
  following.leave = () => call.destroy()
  call.on('error', () => undefined)
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`a listener was answered ${answer.statusCode}`)
  answer.setEncoding('utf8')
  let rest = ''
  answer.on('data', (chunk: string) => {
    const text = rest + chunk
    const end = text.lastIndexOf('\n\n') + 2
    rest = end > 1 ? text.slice(end) : text
    if (end < 2) return
    const whole = text.slice(0, end)
    for (const [, id] of whole.matchAll(/^id: (\d+)$/gm)) following.last = id
    following.hear(whole)
  })
  answer.on('error', () => undefined)
  answer.once('close', () => {
    if (!following.isOver) void open(following)
  })
}
