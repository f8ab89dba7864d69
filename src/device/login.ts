// Logins to devices that lock themselves: refused credentials are never sent again, by no server,
// until somebody changes them. What is kept is a hash.
import { sha256 } from '../lib/hash.js'
import {
  type CallLimit,
  CredentialsRefused,
  DeviceError,
  type DriverTools,
  type ScuHead,
} from './device.js'
import type { LoginKey, Logins } from './logins.js'

export interface Login<T> {
  scu: ScuHead
  /** Everything that the device judges: where, who, with what. Hashed before it is kept. */
  credentials: readonly string[]
  limit: CallLimit
  /** Throws CredentialsRefused where the device says no. */
  work(): Promise<T>
}

const WAIT_MS = 50
/** A server that died while it was trying keeps others from it for this long at most. */
const SPARE_MS = 5_000

/**
 * One try at a time, over all servers. Throws CredentialsRefused without a call where the device
 * has refused the same credentials before, and DeviceError `busy` where another is trying still.
 */
export async function logIn<T>(tools: DriverTools, login: Login<T>): Promise<T> {
  const { scu, credentials, limit, work } = login
  const { logins } = tools
  if (logins === undefined) return work()
  const hash = sha256(JSON.stringify([scu.url, ...credentials])).toString('hex')
  const key = { accountId: scu.accountId, scuId: scu.id, credentials: hash }
  await claimed(tools, logins, { key, limit })
  let outcome: 'accepted' | 'refused' | 'unknown' = 'unknown'
  try {
    const result = await work()
    outcome = 'accepted'
    return result
  } catch (error) {
    if (error instanceof CredentialsRefused) outcome = 'refused'
    throw error
  } finally {
    await logins.settle(key, outcome)
  }
}

interface Claim {
  key: LoginKey
  limit: CallLimit
}

async function claimed(tools: DriverTools, logins: Logins, { key, limit }: Claim): Promise<void> {
  const holdMs = limit.timeoutMs + SPARE_MS
  for (let waited = 0; waited < limit.timeoutMs; waited += WAIT_MS) {
    const answer = await logins.claim(key, holdMs)
    if (answer === 'mine') return
    if (answer === 'refused') {
      throw new CredentialsRefused(
        'the device refused these credentials before; they are not sent again until they change',
      )
    }
    await tools.sleep(WAIT_MS)
  }
  throw new DeviceError('another login to the device takes too long', { kind: 'busy' })
}
