// In whose name passes of wallets are made: one row for an account and a maker.
import { randomUUID } from 'node:crypto'
import type { WalletIssuer, WalletMaker } from '../../model/wallet.js'
import { reaching, type Store } from '../client.js'
import type { Connection } from '../transaction.js'

export const walletSecrets = (id: string): string => `wallet:${id}`

interface Row {
  id: string
  maker: WalletMaker
  document: string
  secrets_sealed: Buffer
}

/** Without their secrets. */
export interface ToldIssuer {
  maker: WalletMaker
  told: WalletIssuer['told']
}

const toldIn = (document: string): WalletIssuer['told'] => JSON.parse(document)

/** By maker. */
export async function listIssuers(store: Store, accountId: string): Promise<ToldIssuer[]> {
  const found = await reaching(() =>
    store.pool.query<Row>(
      'select maker, document from wallet_issuer where account_id = $1 order by maker',
      [accountId],
    ),
  )
  return found.rows.map(({ maker, document }) => ({ maker, told: toldIn(document) }))
}

export async function findIssuer(
  { pool, sealer }: Store,
  { accountId, maker }: { accountId: string; maker: WalletMaker },
): Promise<WalletIssuer | undefined> {
  const found = await reaching(() =>
    pool.query<Row>(
      `select id, document, secrets_sealed from wallet_issuer
       where account_id = $1 and maker = $2`,
      [accountId, maker],
    ),
  )
  const [row] = found.rows
  if (row === undefined) return undefined
  const { id, document, secrets_sealed: sealed } = row
  return { told: toldIn(document), secrets: JSON.parse(sealer.open(sealed, walletSecrets(id))) }
}

export interface IssuerKey {
  accountId: string
  maker: WalletMaker
}

/** What was there before is replaced; undefined: nothing was. */
export async function putIssuer(
  on: Connection,
  { sealer }: Store,
  { accountId, maker, told, secrets }: IssuerKey & WalletIssuer,
): Promise<WalletIssuer['told'] | undefined> {
  const before = await removeIssuer(on, { accountId, maker })
  const id = randomUUID()
  await on.query(
    `insert into wallet_issuer (account_id, id, maker, document, secrets_sealed, created_at)
     values ($1::uuid, $2::uuid, $3, $4, $5, clock_timestamp())`,
    [
      ...[accountId, id, maker, JSON.stringify(told)],
      sealer.seal(JSON.stringify(secrets), walletSecrets(id)),
    ],
  )
  return before
}

/** What was told of it; undefined: there was none. Pages of receipts are made anew from now on. */
export async function removeIssuer(
  on: Connection,
  { accountId, maker }: IssuerKey,
): Promise<WalletIssuer['told'] | undefined> {
  // two calls at the same moment wait for each other here
  await on.query(
    `insert into receipt_settings (account_id, id, document, version, changed_at)
     values ($1::uuid, $1::uuid, '{}', $2::uuid, clock_timestamp())
     on conflict (account_id, id) do update set version = excluded.version`,
    [accountId, randomUUID()],
  )
  const gone = await on.query<Row>(
    'delete from wallet_issuer where account_id = $1::uuid and maker = $2 returning document',
    [accountId, maker],
  )
  const [row] = gone.rows
  return row === undefined ? undefined : toldIn(row.document)
}
