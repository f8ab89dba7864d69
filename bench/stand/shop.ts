// A merchant with tills: account, cash boxes, queues and signing units, as the rollout makes them.
import { createAccount } from '../../src/core/accounts/accounts.js'
import { createCashBox, createQueue, createScu } from '../../src/core/rollout/create.js'
import { createSealer } from '../../src/lib/seal.js'
import { type MarketCode, marketOf } from '../../src/market/index.js'
import { openStore, type Store } from '../../src/store/client.js'
import type { Cluster } from './cluster.js'

export interface Till {
  cashBoxId: string
  accessToken: string
  queueId: string
}

export interface Shop {
  accountId: string
  accessToken: string
  tills: Till[]
}

export interface ShopPlan {
  masterKey: Buffer
  tills: number
  /** AT unless told. */
  market?: MarketCode
}

/** A shop with so many tills, each with its own queue and signing unit. */
export async function openShop(
  cluster: Cluster,
  { masterKey, tills, market = 'AT' }: ShopPlan,
): Promise<Shop> {
  const store = openStore({
    connection: cluster.config,
    size: 4,
    sealer: createSealer([masterKey]),
    onBroken: (error) => console.warn(error.message),
  })
  try {
    const now = () => new Date()
    const { accountId, accessToken } = await createAccount(
      { store, now },
      {
        kind: 'PosOperator',
        name: 'Café Bench',
        market,
        country: market,
        email: `bench-${market}@fiskalwerk.example`,
        roles: [],
        autoInvite: false,
      },
    )
    const made: Till[] = []
    while (made.length < tills) made.push(await openTill(store, accountId, market))
    return { accountId, accessToken, tills: made }
  } finally {
    await store.close()
  }
}

async function openTill(store: Store, accountId: string, market: MarketCode): Promise<Till> {
  const deps = { store, marketOf, now: () => new Date() }
  const box = await createCashBox(deps, { accountId, outletId: null, description: 'till' })
  const unit = { accountId, cashBoxId: box.cashBoxId, market, description: 'till' }
  // the software device: a key in the process, what a bench without hardware can have
  const { scuPackage, configuration = {} } = marketOf(market).rollout.demo
  const scuId = await createScu(deps, { ...unit, package: scuPackage })
  const queueId = await createQueue(deps, { ...unit, scuIds: [scuId], configuration })
  return { ...box, queueId }
}
