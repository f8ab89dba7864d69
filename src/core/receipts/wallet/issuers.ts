// In whose name passes of wallets are made: what a merchant enters is checked by the driver,
// sealed, and never told again.
import { WALLET_DRIVERS } from '../../../device/wallet/drivers.js'
import { fail } from '../../../errors.js'
import type { WalletIssuer, WalletMaker } from '../../../model/wallet.js'
import { simulatedApple, simulatedGoogle } from '../../../simulator/wallet/keys.js'
import type { Store } from '../../../store/client.js'
import { connectionOf } from '../../../store/raw.js'
import {
  listIssuers,
  putIssuer,
  removeIssuer,
  type ToldIssuer,
} from '../../../store/receipt/wallet-issuers.js'
import { type Actor, audited } from '../../audit/audit.js'

export interface WalletDeps {
  store: Store
  now(): Date
  /** Simulated makers are allowed. */
  sandbox: boolean
}

interface IssuerWish {
  accountId: string
  maker: WalletMaker
  /** The members as they were sent. */
  entered: Readonly<Record<string, unknown>>
}

/** Where the simulated maker takes passes. */
const SIMULATED_SAVE = '/sandbox/wallet?token='

export interface WalletDesk {
  list(accountId: string): Promise<ToldIssuer[]>
  /** Throws FIELD_MISSING, FIELD_INVALID; nothing was changed then. */
  put(actor: Actor, wish: IssuerWish): Promise<ToldIssuer>
  /** Also where there is none. */
  remove(actor: Actor, wish: Omit<IssuerWish, 'entered'>): Promise<void>
}

export function createWalletDesk(deps: WalletDeps): WalletDesk {
  return {
    list: (accountId) => listIssuers(deps.store, accountId),
    put: async (actor, { accountId, maker, entered }) => {
      const { told, secrets } = await issuerOf(deps, { accountId, maker, entered })
      return audited(deps, actor, async (tx) => {
        const key = { accountId, maker }
        const before = await putIssuer(connectionOf(tx), deps.store, { ...key, told, secrets })
        const subjects = { accountId }
        return { result: { maker, told }, subjects, before, after: { maker, ...told } }
      })
    },
    remove: (actor, { accountId, maker }) =>
      audited(deps, actor, async (tx) => {
        const before = await removeIssuer(connectionOf(tx), { accountId, maker })
        if (before === undefined) return { result: undefined, unchanged: true }
        return { result: undefined, subjects: { accountId }, before: { maker, ...before } }
      }),
  }
}

async function issuerOf(
  { now, sandbox }: WalletDeps,
  { accountId, maker, entered }: IssuerWish,
): Promise<WalletIssuer> {
  const driver = WALLET_DRIVERS[maker]
  const { simulated } = entered
  if (simulated !== true) return driver.issuerOf(entered, now())
  if (!sandbox) {
    throw fail('FIELD_INVALID', { field: 'simulated', expected: 'false in production' })
  }
  const made = maker === 'apple' ? await simulatedApple(now()) : await simulatedGoogle(accountId)
  const { told, secrets } = driver.issuerOf({ ...made }, now())
  const own = maker === 'google' ? { saveAt: SIMULATED_SAVE } : {}
  return { told: { ...told, ...own, simulated: 'true' }, secrets }
}
