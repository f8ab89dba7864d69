// What a cash box is published with: everything that the document is made of, and the document.

import { plainBytes } from '../bytes.js'
import type { Store } from '../client.js'
import type { Transaction } from '../transaction.js'

export interface BoxKey {
  accountId: string
  id: string
}

export interface PublishedUnit {
  id: string
  market: string
  driver: string
  packageName: string
  packageVersion: string
  urls: string
  mode: number
  configuration: string
  createdAt: Date
  settingsSealed: Uint8Array | null
  settingsStamp: bigint | null
}

export interface PublishedHelper {
  id: string
  package: string
  packageVersion: string
  url: string
  createdAt: Date
  settingsSealed: Uint8Array | null
  settingsStamp: bigint | null
}

export interface PublishedQueue extends PublishedHelper {
  market: string
  identification: string
  startMoment: Date | null
  stopMoment: Date | null
  timeoutMs: number
}

export interface PublishedBox {
  timeStamp: bigint
  accountId: string
  accountName: string
  line1: string
  postalCode: string
  city: string
  country: string
  vatId: string
  taxId: string
  outlet: { id: string; name: string; details: string } | null
}

/** Locked, so that the document of a rebuild shows what the rows are. */
export async function readBox(tx: Transaction, key: BoxKey): Promise<PublishedBox | undefined> {
  const rows = await tx.$queryRaw<PublishedBox[]>`
    select c.time_stamp as "timeStamp", a.id as "accountId", a.name as "accountName", a.line1,
      a.postal_code as "postalCode", a.city, a.country, a.vat_id as "vatId", a.tax_id as "taxId",
      (select json_build_object('id', o.id, 'name', o.name, 'details', o.details) from outlet o
        where o.account_id = c.account_id and (o.id = c.outlet_id
          or c.outlet_id is null and o.number = coalesce(c.outlet_number, 1))) as outlet
    from cash_box c join account a on a.id = c.account_id
    where c.account_id = ${key.accountId}::uuid and c.id = ${key.id}::uuid
    for no key update of c`
  return rows[0]
}

export function readUnits(tx: Transaction, key: BoxKey): Promise<PublishedUnit[]> {
  return tx.$queryRaw<PublishedUnit[]>`
    select s.id, s.market, s.package as driver, s.package_name as "packageName",
      s.package_version as "packageVersion", s.urls, s.mode, s.configuration,
      s.created_at as "createdAt", t.settings_sealed as "settingsSealed",
      t.time_stamp as "settingsStamp"
    from cash_box_scu h join scu s on s.account_id = h.account_id and s.id = h.scu_id
    left join component_settings t on t.account_id = s.account_id and t.id = s.id
    where h.account_id = ${key.accountId}::uuid and h.cash_box_id = ${key.id}::uuid
    order by s.created_at, s.id`
}

export function readQueues(tx: Transaction, key: BoxKey): Promise<PublishedQueue[]> {
  return tx.$queryRaw<PublishedQueue[]>`
    select q.id, q.market, q.identification, q.start_moment as "startMoment",
      q.stop_moment as "stopMoment", q.timeout_ms as "timeoutMs", q.package,
      q.package_version as "packageVersion", q.url, q.created_at as "createdAt",
      t.settings_sealed as "settingsSealed", t.time_stamp as "settingsStamp"
    from queue q
    left join component_settings t on t.account_id = q.account_id and t.id = q.id
    where q.account_id = ${key.accountId}::uuid and q.cash_box_id = ${key.id}::uuid
    order by q.created_at, q.id`
}

/** Queue to units, in the order in which they are tried. */
export function readLinks(
  tx: Transaction,
  key: BoxKey,
): Promise<{ queueId: string; scuId: string }[]> {
  return tx.$queryRaw`
    select u.queue_id as "queueId", u.scu_id as "scuId" from queue_scu u
    join queue q on q.account_id = u.account_id and q.id = u.queue_id
    where q.account_id = ${key.accountId}::uuid and q.cash_box_id = ${key.id}::uuid
    order by u.queue_id, u.position`
}

export function readHelpers(tx: Transaction, key: BoxKey): Promise<PublishedHelper[]> {
  return tx.$queryRaw<PublishedHelper[]>`
    select p.id, p.package, p.package_version as "packageVersion", p.url,
      p.created_at as "createdAt", t.settings_sealed as "settingsSealed",
      t.time_stamp as "settingsStamp"
    from cash_box_helper h join helper p on p.account_id = h.account_id and p.id = h.helper_id
    left join component_settings t on t.account_id = p.account_id and t.id = p.id
    where h.account_id = ${key.accountId}::uuid and h.cash_box_id = ${key.id}::uuid
    order by p.created_at, p.id`
}

export async function readPosSystems(tx: Transaction, accountId: string) {
  return tx.posSystem.findMany({
    where: { accountId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

/** Published: from now on the cash box is up to date. */
export async function putPublication(
  tx: Transaction,
  {
    accountId,
    id,
    documentSealed,
    timeStamp,
  }: BoxKey & { documentSealed: Buffer; timeStamp: bigint },
): Promise<void> {
  await tx.$executeRaw`insert into publication (account_id, id, document_sealed)
    values (${accountId}::uuid, ${id}::uuid, ${plainBytes(documentSealed)})
    on conflict (account_id, id) do update set document_sealed = excluded.document_sealed`
  await tx.$executeRaw`update cash_box set published_at = ${timeStamp}, time_stamp = ${timeStamp}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}

/** Its middleware has this publication. False: it had it before, or a later one. */
export async function putFetched(
  tx: Transaction,
  { accountId, id, timeStamp }: BoxKey & { timeStamp: bigint },
): Promise<boolean> {
  const noted = await tx.$executeRaw`update publication
    set fetched_at = now(), fetched_stamp = ${timeStamp}
    where account_id = ${accountId}::uuid and id = ${id}::uuid
      and (fetched_stamp is null or fetched_stamp < ${timeStamp})`
  return noted === 1
}

/** Another text for what was published; whether the cash box has changed since then stays. */
export async function replacePublication(
  tx: Transaction,
  { accountId, id, documentSealed }: BoxKey & { documentSealed: Buffer },
): Promise<void> {
  await tx.$executeRaw`update publication set document_sealed = ${plainBytes(documentSealed)}
    where account_id = ${accountId}::uuid and id = ${id}::uuid`
}

/** Undefined: never published. */
export const findPublication = sealedIn({ table: 'publication', column: 'document_sealed' })

/** The same within a transaction, which waits for no further connection. */
export async function findPublicationIn(
  tx: Transaction,
  { accountId, id }: BoxKey,
): Promise<Uint8Array | undefined> {
  const found = await tx.publication.findUnique({
    where: { accountId_id: { accountId, id } },
    select: { documentSealed: true },
  })
  return found?.documentSealed
}

/** The sealed private half of the pair whose public half is the access token. */
export const findBoxKey = sealedIn({ table: 'cash_box', column: 'private_key_sealed' })

/** What a row with the key of a cash box has sealed in this column. */
function sealedIn({ table, column }: { table: string; column: string }) {
  return async ({ pool }: Store, { accountId, id }: BoxKey): Promise<Buffer | undefined> => {
    const { rows } = await pool.query<{ sealed: Buffer }>({
      name: `sealed-${table}`,
      text: `select ${column} as sealed from ${table} where account_id = $1 and id = $2`,
      values: [accountId, id],
    })
    return rows[0]?.sealed
  }
}

/** Into the parameters of a queue; its processes read it anew where that changes something. */
export async function putMasterData(
  tx: Transaction,
  { accountId, id }: BoxKey,
  masterData: string,
): Promise<void> {
  await tx.$executeRaw`update queue set version = version + 1,
      configuration = (configuration::jsonb || jsonb_build_object(
        'init_masterData', ${masterData}::jsonb))::text
    where account_id = ${accountId}::uuid and id = ${id}::uuid
      and configuration::jsonb -> 'init_masterData' is distinct from ${masterData}::jsonb`
}
