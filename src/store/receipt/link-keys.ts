// Keys that sign links to receipts, sealed.
import { randomBytes } from 'node:crypto'
import { randomId } from '../../lib/id.js'
import { reaching, type Store } from '../client.js'

/** The owner of the installation's key; every other owner is a cash box. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000'

/** Where a key is sealed for, by its own id. */
export const linkKeySecret = (id: string): string => `link-key:${id}`

const KEY_BYTES = 32
/** The newest key, and the one before while links of both are about. */
const BELIEVED = 2

/** Keys of some owners, the newest in front; none for an owner who never had one. */
export async function findLinkKeys(
  store: Store,
  owners: readonly string[],
): Promise<Map<string, Buffer[]>> {
  const { rows } = await reaching(() =>
    store.pool.query<{ owner: string; id: string; sealed: Buffer }>({
      name: 'link-keys',
      text: `select k.owner_id as owner, k.id, k.key_sealed as sealed from unnest($1::uuid[]) o(id)
        cross join lateral (select * from link_key where owner_id = o.id
          order by generation desc limit ${BELIEVED}) k`,
      values: [owners],
    }),
  )
  const keys = new Map<string, Buffer[]>()
  for (const { owner, id, sealed } of rows) {
    const key = Buffer.from(store.sealer.open(sealed, linkKeySecret(id)), 'base64')
    keys.set(owner, [...(keys.get(owner) ?? []), key])
  }
  return keys
}

/**
 * Makes a key. `first`: unless there is one; `next`: a newer one, which leaves the one that was
 * newest believed. Two servers at once make one.
 */
export async function insertLinkKey(
  store: Store,
  owner: string,
  which: 'first' | 'next',
): Promise<void> {
  const id = randomId()
  const key = randomBytes(KEY_BYTES).toString('base64')
  const generation =
    which === 'first'
      ? '1'
      : '(select coalesce(max(generation), 0) + 1 from link_key where owner_id = $1)'
  await reaching(() =>
    store.pool.query(
      `insert into link_key (owner_id, generation, id, key_sealed, created_at)
       values ($1, ${generation}, $2, $3, clock_timestamp()) on conflict do nothing`,
      [owner, id, store.sealer.seal(key, linkKeySecret(id))],
    ),
  )
}
