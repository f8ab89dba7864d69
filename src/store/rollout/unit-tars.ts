// Exports of security devices in parts. One of a unit is on its way at a time, written by whoever
// holds it; time is the database's.
import { UNIX_EPOCH_TICKS } from '../../lib/ticks.js'
import { reaching, type Store } from '../client.js'
import type { UnitKey } from './scus.js'

export interface TarRow {
  id: string
  token: string
  bytes: number
  parts: number
  /** JSON text; '': it is on its way. */
  facts: string
}

interface Columns extends Omit<TarRow, 'bytes'> {
  bytes: string | bigint
}

const COLUMNS = 't.id, t.token, t.bytes, t.parts, t.facts'
const tarOf = ({ bytes, ...row }: Columns): TarRow => ({ ...row, bytes: Number(bytes) })

export interface TarKey {
  accountId: string
  id: string
}

/** An archive row is written behind its export. The list of kinds proves the index. */
const UNNAMED = `not exists (select from market_journal m
  where m.account_id = t.account_id and m.scu_id = t.scu_id and m.kind = 'archive'
    and m.kind in ('archive', 'ended')
    and m.time_stamp >= (extract(epoch from t.created_at - interval '1 hour') * 10000000)::int8
      + ${UNIX_EPOCH_TICKS}
    and position(t.id::text in m.content) > 0)`

/** The oldest whole one that its device gives no second time, and that no archive names. */
export async function waitingTar(
  { pool }: Store,
  { accountId, id }: UnitKey,
): Promise<TarRow | undefined> {
  const found = await reaching(() =>
    pool.query<Columns>({
      text: `select ${COLUMNS} from unit_tar t
        where account_id = $1 and scu_id = $2 and facts <> '' and gone and ${UNNAMED}
        order by created_at, id limit 1`,
      values: [accountId, id],
    }),
  )
  return found.rows.map(tarOf)[0]
}

export interface Holding {
  holder: string
  holdMs: number
}

/** The one on its way, now held; `taken`: somebody else writes it. */
export async function takeTar(
  { pool }: Store,
  { accountId, id }: UnitKey,
  { holder, holdMs }: Holding,
): Promise<TarRow | 'taken' | undefined> {
  return reaching(async () => {
    const mine = await pool.query<Columns>({
      text: `update unit_tar t set holder = $3,
          held_until = now() + $4 * interval '1 millisecond'
        where account_id = $1 and scu_id = $2 and facts = ''
          and (holder is null or held_until <= now()) returning ${COLUMNS}`,
      values: [accountId, id, holder, holdMs],
    })
    const [row] = mine.rows
    if (row !== undefined) return tarOf(row)
    const other = await pool.query(
      `select from unit_tar where account_id = $1 and scu_id = $2 and facts = ''`,
      [accountId, id],
    )
    return other.rowCount === 0 ? undefined : 'taken'
  })
}

/** What was begun and what lies here for nothing goes. False: another one is on its way. */
export async function beginTar(
  store: Store,
  { accountId, id: scuId }: UnitKey,
  { id, holder, holdMs, now }: Holding & { id: string; now: Date },
): Promise<boolean> {
  await dropWhere(store, [accountId, scuId], {
    where: `scu_id = $2 and ((facts = '' and (holder is null or held_until <= now()))
      or (facts <> '' and not gone and created_at < now() - interval '1 hour' and ${UNNAMED}))`,
  })
  const made = await reaching(() =>
    store.pool.query({
      text: `insert into unit_tar (account_id, id, scu_id, holder, held_until, created_at)
        values ($1, $2, $3, $4, now() + $5 * interval '1 millisecond', $6)
        on conflict do nothing`,
      values: [accountId, id, scuId, holder, holdMs, now],
    }),
  )
  return made.rowCount === 1
}

export interface Part extends Holding {
  /** Of the last one that is here: the next has the number behind it. */
  parts: number
  /** Of the whole so far. */
  bytes: number
  /** As they come, and compressed. */
  length: number
  content: Buffer
}

/** False: somebody else holds it, or it is gone. */
export async function addPart(
  { pool }: Store,
  { accountId, id }: TarKey,
  { holder, holdMs, parts, bytes, length, content }: Part,
): Promise<boolean> {
  const done = await reaching(() =>
    pool.query({
      text: `with held as (update unit_tar set bytes = bytes + $6, parts = parts + 1,
          held_until = now() + $4 * interval '1 millisecond'
          where account_id = $1 and id = $2 and holder = $3 and parts = $5 returning id)
        insert into unit_tar_part (account_id, tar_id, number, start, content)
          select $1, id, $5, $7, $8 from held`,
      values: [accountId, id, holder, holdMs, parts, length, bytes, content],
    }),
  )
  return done.rowCount === 1
}

export interface TarChange {
  token?: string
  facts?: string
  gone?: boolean
  isLeft?: boolean
}

/** False: somebody else holds it, or it is gone. */
export async function changeTar(
  { pool }: Store,
  { accountId, id }: TarKey,
  { holder, token, facts, gone, isLeft }: TarChange & { holder: string },
): Promise<boolean> {
  const done = await reaching(() =>
    pool.query({
      text: `update unit_tar set token = coalesce($4, token), facts = coalesce($5, facts),
          gone = coalesce($6, gone), holder = case when $7 then null else holder end
        where account_id = $1 and id = $2 and holder = $3`,
      values: [accountId, id, holder, token ?? null, facts ?? null, gone ?? null, isLeft === true],
    }),
  )
  return done.rowCount === 1
}

export async function dropTar(store: Store, { accountId, id }: TarKey): Promise<void> {
  await dropWhere(store, [accountId, id], { where: 'id = $2' })
}

async function dropWhere(
  { pool }: Store,
  values: string[],
  { where }: { where: string },
): Promise<void> {
  await reaching(() =>
    pool.query({
      text: `with gone as (delete from unit_tar t where account_id = $1 and ${where} returning id)
        delete from unit_tar_part where account_id = $1 and tar_id in (select id from gone)`,
      values,
    }),
  )
}

export async function findTar(
  { pool }: Store,
  { accountId, id: scuId }: UnitKey,
  id: string,
): Promise<TarRow | undefined> {
  const found = await reaching(() =>
    pool.query<Columns>({
      text: `select ${COLUMNS} from unit_tar t
        where account_id = $1 and scu_id = $2 and id = $3 and facts <> ''`,
      values: [accountId, scuId, id],
    }),
  )
  return found.rows.map(tarOf)[0]
}

/** Compressed parts from this byte on, one at a time: `start` is that of the first byte in it. */
export async function* tarParts(
  { pool }: Store,
  { accountId, id }: TarKey,
  from = 0,
): AsyncGenerator<{ start: number; content: Buffer }, void, undefined> {
  let after: number | null = null
  for (;;) {
    const row: PartColumns | undefined = await nextPart(pool, [accountId, id, after, from])
    if (row === undefined) return
    after = row.number
    yield { start: Number(row.start), content: row.content }
  }
}

async function nextPart(
  pool: Store['pool'],
  values: (string | number | null)[],
): Promise<PartColumns | undefined> {
  const { rows } = await reaching(() =>
    pool.query<PartColumns>({
      name: 'part-of-tar',
      text: `select number, start, content from unit_tar_part
        where account_id = $1 and tar_id = $2 and number >= coalesce($3::int + 1,
          (select max(number) from unit_tar_part
            where account_id = $1 and tar_id = $2 and start <= $4))
        order by number limit 1`,
      values,
    }),
  )
  return rows[0]
}

interface PartColumns {
  number: number
  start: string | bigint
  content: Buffer
}

/** The next bytes for whoever fetches it: where they begin and end. */
export async function takeBytes(
  { pool }: Store,
  { accountId, id }: TarKey,
  most: number,
): Promise<{ from: number; to: number } | undefined> {
  const found = await reaching(() =>
    pool.query<{ from: string | bigint; to: string | bigint }>({
      text: `update unit_tar t set sent = least(t.sent + $3, t.bytes)
        from (select id, sent from unit_tar where account_id = $1 and id = $2 for update) b
        where t.account_id = $1 and t.id = b.id
        returning b.sent as "from", t.sent as "to"`,
      values: [accountId, id, most],
    }),
  )
  return found.rows.map(({ from, to }) => ({ from: Number(from), to: Number(to) }))[0]
}

/** What is here of one that is held is of no use. False: somebody else holds it, or it is gone. */
export async function emptyTar(
  { pool }: Store,
  { accountId, id }: TarKey,
  holder: string,
): Promise<boolean> {
  const done = await reaching(() =>
    pool.query({
      text: `with held as (update unit_tar set bytes = 0, parts = 0
          where account_id = $1 and id = $2 and holder = $3 returning id),
        emptied as (delete from unit_tar_part
          where account_id = $1 and tar_id in (select id from held))
        select from held`,
      values: [accountId, id, holder],
    }),
  )
  return done.rowCount === 1
}

/** From its first byte again. */
export async function rewindTar({ pool }: Store, { accountId, id }: TarKey): Promise<void> {
  await reaching(() =>
    pool.query('update unit_tar set sent = 0 where account_id = $1 and id = $2', [accountId, id]),
  )
}

/** Units with an export on its way that nobody writes now. */
export async function unitsWithTars({ pool }: Store): Promise<string[]> {
  const found = await pool.query<{ scu_id: string }>({
    name: 'units-with-tars',
    text: `select scu_id from unit_tar
      where facts = '' and (holder is null or held_until <= now())`,
  })
  return found.rows.map((row) => row.scu_id)
}
