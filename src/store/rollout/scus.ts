// Signing units by themselves: who holds them, and their changes outside the sign path.
// Docs/decisions/0009-scu-version.md.
import type pg from 'pg'
import type { DeviceAction, ScuHead } from '../../device/device.js'
import { orderedId } from '../../lib/id.js'
import { ticksOf } from '../../lib/ticks.js'
import type { Store } from '../client.js'
import { scuOf } from '../sign/queues.js'
import { inTransaction } from '../transaction.js'
import { demandUnserved } from './unit-links.js'

export interface UnitKey {
  accountId: string
  id: string
}

export interface BoxKey {
  accountId: string
  cashBoxId: string
}

/** What becomes of a unit; `actions` go into the action journal of every queue that uses it. */
export interface UnitChange {
  state: string
  faultScript: string | null
  /** Left out: stays as it is. */
  mode?: number
  /** Left out: stays as it is. */
  configuration?: string
  /** Sealed; left out: stay as they are. */
  secretsSealed?: Buffer
  actions: readonly DeviceAction[]
}

type RawUnit = Record<string, unknown> & { account_id: string }

const SCU_COLUMNS = `s.account_id, s.id, s.market, s.package, s.mode, s.url, s.configuration,
  encode(s.secrets_sealed, 'base64') as secrets_sealed, s.state, s.fault_script,
  s.version::text as version, s.description`

function unitsOf(store: Store, rows: readonly RawUnit[]): ScuHead[] {
  return rows.map((row) => scuOf(store, row.account_id, row))
}

export interface HeldUnit {
  unit: ScuHead
  /** A queue signs with it. */
  linked: boolean
}

/** Every unit that a cash box holds, oldest first. */
export async function findHeldUnits(store: Store, box: BoxKey): Promise<HeldUnit[]> {
  const found = await store.pool.query<RawUnit & { linked: boolean }>({
    name: 'held-units',
    text: `select ${SCU_COLUMNS}, exists (select 1 from queue_scu qs
        where qs.account_id = s.account_id and qs.scu_id = s.id) as linked
      from cash_box_scu h
      join scu s on s.account_id = h.account_id and s.id = h.scu_id
      where h.account_id = $1 and h.cash_box_id = $2 order by s.created_at, s.id`,
    values: [box.accountId, box.cashBoxId],
  })
  const units = unitsOf(store, found.rows)
  return units.map((unit, at) => ({ unit, linked: found.rows[at]?.linked === true }))
}

/** Any unit of this server by its id, for whoever runs it. */
export async function findUnit(store: Store, id: string): Promise<ScuHead | undefined> {
  const found = await store.pool.query<RawUnit>({
    name: 'unit',
    text: `select ${SCU_COLUMNS} from directory d
      join scu s on s.account_id = d.account_id and s.id = d.id
      where d.id = $1 and d.kind = 'scu'`,
    values: [id],
  })
  return unitsOf(store, found.rows)[0]
}

export interface UnitsAsked {
  /** The last one that was read. */
  after: UnitKey | undefined
  limit: number
  /** Left out: all. */
  packages?: readonly string[]
}

/**
 * Units that a queue signs with, or that have signed for other servers, neither disabled nor
 * hidden, by their keys, of all accounts. Each is looked up by itself, in the order of the key: a
 * page of many reads no more than what is on it.
 */
export async function unitsInUse(
  store: Store,
  { after, limit, packages }: UnitsAsked,
): Promise<ScuHead[]> {
  const found = await store.pool.query<RawUnit>({
    name: 'units-in-use',
    text: `select ${SCU_COLUMNS} from scu s
      where (s.account_id, s.id) > ($1::uuid, $2::uuid)
        and (s.mode & 255) < ${DISABLED} and not s.hidden
        and ($4::text[] is null or s.package = any($4))
        and coalesce(
          (select true from queue_scu u join queue q
           on q.account_id = u.account_id and q.id = u.queue_id and q.stop_moment is null
           where u.account_id = s.account_id and u.scu_id = s.id limit 1),
          (select true from served_log l
           where l.account_id = s.account_id and l.scu_id = s.id limit 1))
      order by s.account_id, s.id limit $3`,
    values: [after?.accountId ?? BEFORE_ALL, after?.id ?? BEFORE_ALL, limit, packages ?? null],
  })
  return unitsOf(store, found.rows)
}

/** No id is smaller. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Modes from here on are not used. */
const DISABLED = 99

/** Writes state and script of a unit when its version is still the given one. */
export async function moveUnit(
  store: Store,
  { accountId, id, version, state, faultScript }: Readonly<ScuHead>,
  now: Date,
): Promise<boolean> {
  const done = await store.pool.query({
    name: 'unit-move',
    text: `update scu set version = version + 1, state = $4, fault_script = $5, time_stamp = $6
      where account_id = $1 and id = $2 and version = $3`,
    values: [accountId, id, version, state, faultScript, ticksOf(now.getTime())],
  })
  return done.rowCount === 1
}

/** Whether all of them are as they are stored. */
export async function areNewest(
  store: Store,
  units: readonly Pick<ScuHead, 'accountId' | 'id' | 'version'>[],
): Promise<boolean> {
  const found = await store.pool.query({
    name: 'units-newest',
    text: `select 1 from unnest($1::uuid[], $2::uuid[], $3::int8[]) u(account_id, id, version)
      join scu s on s.account_id = u.account_id and s.id = u.id and s.version = u.version`,
    values: [
      units.map(({ accountId }) => accountId),
      units.map(({ id }) => id),
      units.map(({ version }) => version),
    ],
  })
  return found.rowCount === units.length
}

interface QueueMark {
  id: string
  time_stamp: bigint
}

/**
 * Changes a unit while nothing else can, and tells its queues: their action journals get the
 * entries, their versions grow, so that every process reads the unit again before its next receipt.
 * Locks are taken in the order of the sign path: queues by id, then the unit. `change` sees the
 * unit as it is then; when it returns undefined nothing is written. Returns the change.
 */
export async function changeUnit(
  store: Store,
  { accountId, id, now }: UnitKey & { now: Date },
  change: (unit: ScuHead) => UnitChange | undefined,
): Promise<UnitChange | undefined> {
  return inTransaction(store, async (client) => {
    const queues = await client.query<QueueMark>(
      `select q.id, q.time_stamp from queue q
       join queue_scu u on u.account_id = q.account_id and u.queue_id = q.id
       where u.account_id = $1 and u.scu_id = $2 order by q.id for no key update of q`,
      [accountId, id],
    )
    const found = await client.query<RawUnit>(
      `select ${SCU_COLUMNS} from scu s where s.account_id = $1 and s.id = $2
       for no key update of s`,
      [accountId, id],
    )
    const [unit] = unitsOf(store, found.rows)
    const wanted = unit === undefined ? undefined : change(unit)
    if (wanted === undefined) return undefined
    await client.query(
      `update scu set version = version + 1, state = $3, fault_script = $4, time_stamp = $5,
         mode = coalesce($6, mode), configuration = coalesce($7, configuration),
         secrets_sealed = coalesce($8, secrets_sealed)
       where account_id = $1 and id = $2`,
      [
        accountId,
        id,
        wanted.state,
        wanted.faultScript,
        ticksOf(now.getTime()),
        wanted.mode ?? null,
        wanted.configuration ?? null,
        wanted.secretsSealed ?? null,
      ],
    )
    await tellQueues(client, { accountId, queues: queues.rows, actions: wanted.actions, now })
    return wanted
  })
}

interface Telling {
  accountId: string
  queues: readonly QueueMark[]
  actions: readonly DeviceAction[]
  now: Date
}

/** Warnings of nobody's receipt. */
const PRIORITY = 0x20

async function tellQueues(client: pg.PoolClient, telling: Telling): Promise<void> {
  const { accountId, queues, actions, now } = telling
  if (queues.length === 0) return
  const wanted = ticksOf(now.getTime())
  const firsts = queues.map((queue) => (wanted > queue.time_stamp ? wanted : queue.time_stamp + 1n))
  const rows = queues.flatMap(({ id: queueId }, at) =>
    actions.map((action, index) => ({
      ...action,
      queueId,
      timeStamp: (firsts[at] ?? wanted) + BigInt(index),
    })),
  )
  await client.query(
    `insert into action_journal (account_id, queue_id, time_stamp, id, moment, priority, type,
       message, data_json)
     select $1, u.queue_id, u.time_stamp, u.id, $2, $3, u.type, u.message, u.data_json
     from unnest($4::uuid[], $5::int8[], $6::uuid[], $7::text[], $8::text[], $9::text[])
       u(queue_id, time_stamp, id, type, message, data_json)`,
    [
      accountId,
      now,
      PRIORITY,
      rows.map((row) => row.queueId),
      rows.map((row) => row.timeStamp),
      rows.map(() => orderedId(now.getTime())),
      rows.map((row) => row.type),
      rows.map((row) => row.message),
      rows.map((row) => row.dataJson),
    ],
  )
  const span = BigInt(actions.length)
  await client.query(
    `update queue q set version = q.version + 1, time_stamp = greatest(q.time_stamp, u.newest)
     from unnest($2::uuid[], $3::int8[]) u(id, newest)
     where q.account_id = $1 and q.id = u.id`,
    [accountId, queues.map((queue) => queue.id), firsts.map((first) => first + span - 1n)],
  )
}

/**
 * Puts a unit behind those that a queue has; its processes read the queue anew. Throws
 * FIELD_INVALID for one that signs for other servers.
 */
export async function attachUnit(
  store: Store,
  { accountId, queueId, scuId }: { accountId: string; queueId: string; scuId: string },
): Promise<void> {
  await inTransaction(store, async (client) => {
    const ask = async <T>(text: string, values: readonly unknown[]) =>
      (await client.query(text, [...values])).rows as T[]
    await demandUnserved(ask, accountId, [scuId])
    await client.query('update queue set version = version + 1 where account_id = $1 and id = $2', [
      accountId,
      queueId,
    ])
    await client.query(
      `insert into queue_scu (account_id, queue_id, scu_id, position)
       select $1, $2, $3, coalesce(max(position) + 1, 0) from queue_scu
       where account_id = $1 and queue_id = $2`,
      [accountId, queueId, scuId],
    )
  })
}
