// Cash boxes with everything in them as rows, read and written within one transaction.
import { GLOBAL_HELPER } from '../../model/rollout.js'
import { plainBytes } from '../bytes.js'
import type { Transaction } from '../transaction.js'

/** Sealing contexts: a value opens only in the row that it was sealed for. */
export const componentSettings = (id: string): string => `component:${id}`
export const publicationText = (id: string): string => `publication:${id}`

export interface DirectoryRow {
  id: string
  kind: string
  accountId: string
}

/** Whatever account they belong to. */
export function findEntries(tx: Transaction, ids: readonly string[]): Promise<DirectoryRow[]> {
  return tx.directory.findMany({ where: { id: { in: [...ids] } } })
}

export async function countQueues(tx: Transaction, accountId: string): Promise<number> {
  return tx.queue.count({ where: { accountId } })
}

/** The largest outlet number that a cash box of the account stands at; 0: there is none. */
export async function largestOutletOfBoxes(tx: Transaction, accountId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ largest: number }[]>`
    select coalesce(max(coalesce(c.outlet_number, o.number, 1)), 0) as largest
    from cash_box c left join outlet o on o.account_id = c.account_id and o.id = c.outlet_id
    where c.account_id = ${accountId}::uuid`
  return row?.largest ?? 0
}

export interface OutletPlace {
  accountId: string
  outletId: string | null
  number: number
}

export interface UnitRow {
  id: string
  market: string
  driver: string
  packageName: string
  packageVersion: string
  urls: string
  mode: number
  timeStamp: bigint
  createdAt: Date
  settingsSealed: Uint8Array | null
  settingsStamp: bigint | null
}

/** Signing units that stand at an outlet, by themselves or by a cash box, oldest first. */
export function findStandingUnits(tx: Transaction, place: OutletPlace): Promise<UnitRow[]> {
  const { accountId, outletId, number } = place
  return tx.$queryRaw<UnitRow[]>`
    select s.id, s.market, s.package as driver, s.package_name as "packageName",
      s.package_version as "packageVersion", s.urls, s.mode, s.time_stamp as "timeStamp",
      s.created_at as "createdAt", t.settings_sealed as "settingsSealed",
      t.time_stamp as "settingsStamp"
    from scu s
    left join component_settings t on t.account_id = s.account_id and t.id = s.id
    where s.account_id = ${accountId}::uuid and (s.outlet_id = ${outletId}::uuid
      or s.outlet_id is null and exists (select 1 from cash_box_scu h
        join cash_box c on c.account_id = h.account_id and c.id = h.cash_box_id
        where h.account_id = s.account_id and h.scu_id = s.id
          and (c.outlet_id = ${outletId}::uuid or c.outlet_id is null
            and coalesce(c.outlet_number, 1) = ${number})))
    order by s.created_at, s.id`
}

export interface NewBoxRow {
  accountId: string
  id: string
  outletId: string | null
  outletNumber?: number | null
  description: string
  ipAddress?: string
  productType?: number
  accessTokenHash: Buffer
  accessTokenSealed: Buffer
  privateKeySealed: Buffer
  timeStamp: bigint
  createdAt: Date
}

export async function insertBox(tx: Transaction, row: NewBoxRow): Promise<void> {
  const { accountId, id } = row
  await tx.cashBox.create({
    data: {
      ...row,
      accessTokenHash: plainBytes(row.accessTokenHash),
      accessTokenSealed: plainBytes(row.accessTokenSealed),
      privateKeySealed: plainBytes(row.privateKeySealed),
    },
  })
  await tx.directory.create({ data: { id, kind: 'cashbox', accountId } })
}

export interface BoxRow {
  accessTokenSealed: Uint8Array
  outletId: string | null
  productType: number
}

export async function findBox(
  tx: Transaction,
  key: { accountId: string; id: string },
): Promise<BoxRow | undefined> {
  const found = await tx.cashBox.findUnique({ where: { accountId_id: key } })
  return found ?? undefined
}

export async function updateBox(
  tx: Transaction,
  key: { accountId: string; id: string },
  change: {
    description: string
    ipAddress: string
    productType: number
    outletId: string | null
    outletNumber: number | null
    timeStamp: bigint
  },
): Promise<void> {
  await tx.cashBox.update({ where: { accountId_id: key }, data: change })
}

export interface Settings {
  accountId: string
  id: string
  settingsSealed: Buffer
  timeStamp: bigint
}

export async function putSettings(tx: Transaction, rows: readonly Settings[]): Promise<void> {
  for (const { accountId, id, settingsSealed, timeStamp } of rows) {
    await tx.$executeRaw`insert into component_settings
      (account_id, id, settings_sealed, time_stamp)
      values (${accountId}::uuid, ${id}::uuid, ${plainBytes(settingsSealed)}, ${timeStamp})
      on conflict (account_id, id) do update
      set settings_sealed = excluded.settings_sealed, time_stamp = excluded.time_stamp`
  }
}

export async function findSettings(
  tx: Transaction,
  key: { accountId: string; id: string },
): Promise<Uint8Array | undefined> {
  const found = await tx.componentSettings.findUnique({ where: { accountId_id: key } })
  return found?.settingsSealed
}

export interface NewUnitRow {
  accountId: string
  id: string
  market: string
  /** The driver. */
  package: string
  packageName?: string
  packageVersion?: string
  urls?: string
  url: string | null
  description: string
  mode: number
  outletId?: string | null
  configuration: string
  secretsSealed: Buffer | null
  state: string
  timeStamp: bigint
  createdAt: Date
}

export async function insertUnit(tx: Transaction, row: NewUnitRow): Promise<void> {
  const { secretsSealed, accountId, id } = row
  await tx.scu.create({
    data: { ...row, secretsSealed: secretsSealed === null ? null : plainBytes(secretsSealed) },
  })
  await tx.directory.create({ data: { id, kind: 'scu', accountId } })
}

/** Its queues read it again before their next receipt. */
export async function updateUnit(
  tx: Transaction,
  key: { accountId: string; id: string },
  change: {
    packageVersion: string
    urls: string
    url: string | null
    description: string
    mode: number
    timeStamp: bigint
  },
): Promise<void> {
  const { accountId, id } = key
  await tx.$executeRaw`update queue q set version = q.version + 1 from queue_scu u
    where u.account_id = q.account_id and u.queue_id = q.id
      and u.account_id = ${accountId}::uuid and u.scu_id = ${id}::uuid`
  await tx.scu.update({
    where: { accountId_id: key },
    data: { ...change, version: { increment: 1 } },
  })
}

export interface NewQueueRow {
  accountId: string
  id: string
  cashBoxId: string
  market: string
  description: string
  identification: string
  repeated?: number
  configuration: string
  secretsSealed: Buffer | null
  timeoutMs: number
  state: string
  package?: string
  packageVersion?: string
  url?: string
  purchaseDate?: Date | null
  commissioningDate?: Date | null
  timeStamp: bigint
  createdAt: Date
}

export async function insertQueueRow(tx: Transaction, row: NewQueueRow): Promise<void> {
  const { secretsSealed, accountId, id } = row
  await tx.queue.create({
    data: { ...row, secretsSealed: secretsSealed === null ? null : plainBytes(secretsSealed) },
  })
  await tx.directory.create({ data: { id, kind: 'queue', accountId } })
}

/** How often the account has this identification already, and the number of a further one. */
export async function identificationUse(
  tx: Transaction,
  { accountId, identification, but }: { accountId: string; identification: string; but: string },
): Promise<{ next: number; used: boolean }> {
  const [row] = await tx.$queryRaw<{ next: number; used: boolean }[]>`
    select coalesce(max(repeated) + 1, 0)::int as next, count(*) > 0 as used
    from queue where account_id = ${accountId}::uuid and identification = ${identification}
      and id <> ${but}::uuid`
  return row ?? { next: 0, used: false }
}

export interface LockedQueue {
  market: string
  identification: string
  secretsSealed: Uint8Array | null
  startMoment: Date | null
}

export async function lockQueue(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
): Promise<LockedQueue | undefined> {
  const rows = await tx.$queryRaw<LockedQueue[]>`
    select market, identification, secrets_sealed as "secretsSealed", start_moment as "startMoment"
    from queue where account_id = ${accountId}::uuid and id = ${id}::uuid for no key update`
  return rows[0]
}

export interface QueueChange {
  cashBoxId: string
  description: string
  configuration: string
  timeoutMs: number
  package: string
  packageVersion: string
  url: string
  secretsSealed?: Buffer | null
  identification?: string
  repeated?: number
  purchaseDate?: Date
  commissioningDate?: Date
}

/** Every server reads the queue again before its next receipt. */
export async function updateQueueRow(
  tx: Transaction,
  key: { accountId: string; id: string },
  { secretsSealed, ...change }: QueueChange,
): Promise<void> {
  const sealed = secretsSealed === undefined || secretsSealed === null ? undefined : secretsSealed
  await tx.queue.update({
    where: { accountId_id: key },
    data: {
      ...change,
      ...(sealed === undefined ? {} : { secretsSealed: plainBytes(sealed) }),
      version: { increment: 1 },
    },
  })
}

export async function putBoxUnit(
  tx: Transaction,
  unit: { accountId: string; cashBoxId: string; scuId: string },
): Promise<void> {
  await tx.cashBoxScu.create({ data: unit })
}

/** What a cash box holds from now on; queues that are not among them are in none. */
export async function putBoxContents(
  tx: Transaction,
  box: { accountId: string; id: string },
  held: { queues: string[]; scus: string[]; helpers: string[] },
): Promise<void> {
  const { accountId, id: cashBoxId } = box
  await tx.$executeRaw`update queue set cash_box_id = null, version = version + 1
    where account_id = ${accountId}::uuid and cash_box_id = ${cashBoxId}::uuid
      and id <> all(${held.queues}::uuid[])`
  await tx.cashBoxScu.deleteMany({ where: { accountId, cashBoxId } })
  await tx.cashBoxScu.createMany({
    data: held.scus.map((scuId) => ({ accountId, cashBoxId, scuId })),
  })
  await tx.cashBoxHelper.deleteMany({ where: { accountId, cashBoxId } })
  await tx.cashBoxHelper.createMany({
    data: held.helpers.map((helperId) => ({ accountId, cashBoxId, helperId })),
  })
}

export interface HeldElsewhere {
  id: string
  cashBoxId: string
}

/** Queues of these that another cash box of the account holds. */
export function queuesElsewhere(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
  queueIds: readonly string[],
): Promise<HeldElsewhere[]> {
  return tx.$queryRaw<HeldElsewhere[]>`
    select id, cash_box_id as "cashBoxId" from queue
    where account_id = ${accountId}::uuid and id = any(${[...queueIds]}::uuid[])
      and cash_box_id <> ${id}::uuid
    order by id for no key update`
}

/** The other cash boxes that hold one of these signing units or helpers. */
export async function boxesBeside(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
  { scus, helpers }: { scus: readonly string[]; helpers: readonly string[] },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select cash_box_id as id from cash_box_scu where account_id = ${accountId}::uuid
      and scu_id = any(${[...scus]}::uuid[]) and cash_box_id <> ${id}::uuid
    union select cash_box_id from cash_box_helper where account_id = ${accountId}::uuid
      and helper_id = any(${[...helpers]}::uuid[]) and cash_box_id <> ${id}::uuid
    order by 1`
  return rows.map((row) => row.id)
}

/** What a download of it gives is no longer what it holds. */
export async function markBoxesChanged(
  tx: Transaction,
  { accountId, ids, stamp }: { accountId: string; ids: readonly string[]; stamp: bigint },
): Promise<void> {
  await tx.$executeRaw`update cash_box
    set time_stamp = greatest(time_stamp + 1, coalesce(published_at, 0) + 1, ${stamp})
    where account_id = ${accountId}::uuid and id = any(${[...ids]}::uuid[])`
}

export interface HelperRow {
  accountId: string
  id: string
  description: string
  package: string
  packageVersion: string
  url: string
  timeStamp: bigint
}

export async function putHelper(
  tx: Transaction,
  row: HelperRow & { createdAt: Date },
  isNew: boolean,
): Promise<void> {
  const { accountId, id, createdAt, ...rest } = row
  const where = { accountId_id: { accountId, id } }
  await tx.helper.upsert({ where, create: row, update: rest })
  // that one is nobody's
  if (!isNew || id === GLOBAL_HELPER) return
  await tx.directory.create({ data: { id, kind: 'helper', accountId } })
}
