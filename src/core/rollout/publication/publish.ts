// The published configuration of a cash box: made of its rows, sealed, and the same in every place
// that shows it.
import { fail } from '../../../errors.js'
import { orderedId } from '../../../lib/id.js'
import { JsonNumber, JsonObject, type JsonValue, objectIn } from '../../../lib/json.js'
import {
  jsonObject,
  memberOf,
  objectMember,
  rowsMember,
  textMember,
  withMembers,
  withoutMembers,
} from '../../../lib/json-object.js'
import { writeJson } from '../../../lib/json-write.js'
import { isoText, ticksOf } from '../../../lib/ticks.js'
import type { Market } from '../../../market/contract.js'
import type { RolloutRules } from '../../../model/rollout.js'
import type { Store } from '../../../store/client.js'
import { insertEvent } from '../../../store/event/inbox.js'
import { componentSettings, publicationText } from '../../../store/rollout/components.js'
import {
  type BoxKey,
  findPublication,
  findPublicationIn,
  type PublishedBox,
  type PublishedQueue,
  type PublishedUnit,
  putMasterData,
  putPublication,
  readBox,
  readHelpers,
  readLinks,
  readPosSystems,
  readQueues,
  readUnits,
} from '../../../store/rollout/publications.js'
import type { Transaction } from '../../../store/transaction.js'

export interface PublishDeps {
  store: Store
  now(): Date
  markets: readonly Market[]
}

/**
 * Writes a new snapshot: the cash box is up to date afterwards. Throws CASH_BOX_UNKNOWN, and
 * QUEUE_WITHOUT_UNIT for a queue that cannot work.
 */
export async function publish(
  deps: PublishDeps,
  tx: Transaction,
  key: BoxKey,
): Promise<JsonObject> {
  const box = await readBox(tx, key)
  if (box === undefined) throw fail('CASH_BOX_UNKNOWN', { cashBox: key.id })
  // a time stamp that stands still would be an old one to the middleware
  const wanted = ticksOf(deps.now().getTime())
  const timeStamp = wanted > box.timeStamp ? wanted : box.timeStamp + 1n
  const document = await documentOf(deps, tx, { key, box, timeStamp })
  await hand(deps, tx, { accountId: key.accountId, document })
  const text = writeJson(document)
  const documentSealed = deps.store.sealer.seal(text, publicationText(key.id))
  await putPublication(tx, { ...key, documentSealed, timeStamp })
  const at = deps.now()
  await insertEvent(tx, {
    ...{ type: 'configuration.published', accountId: key.accountId, alsoAccountId: null, at },
    ...{ id: orderedId(at.getTime()), cashBoxId: key.id },
    subject: { kind: 'cashbox', id: key.id },
    data: { timeStamp: timeStamp.toString() },
  })
  return document
}

/** Queues of countries that want them get the master data of the document. */
async function hand(
  { markets }: PublishDeps,
  tx: Transaction,
  { accountId, document }: { accountId: string; document: JsonObject },
): Promise<void> {
  for (const item of rowsMember(document, 'ftQueues')) {
    const settings = objectMember(item, 'Configuration')
    const code = textMember(rowsMember(settings, 'init_ftQueue')[0], 'CountryCode')
    const market = markets.find(({ facts }) => facts.code === code)
    const masterData = objectMember(settings, 'init_masterData')
    const id = textMember(item, 'Id')
    if (market?.rollout.templates?.masterData !== true) continue
    if (masterData === undefined || id === undefined) continue
    await putMasterData(tx, { accountId, id }, writeJson(masterData))
  }
}

/**
 * The last snapshot with the names of the downloaded file; undefined: never published. Whoever has
 * a transaction asks within it, and waits for no further connection.
 */
export async function publishedDocument(
  { store }: Pick<PublishDeps, 'store'>,
  key: BoxKey,
  tx?: Transaction,
): Promise<JsonObject | undefined> {
  const sealed = await (tx === undefined ? findPublication(store, key) : findPublicationIn(tx, key))
  if (sealed === undefined) return undefined
  return objectIn(store.sealer.open(Buffer.from(sealed), publicationText(key.id)))
}

const CAMEL: Readonly<Record<string, string>> = {
  Id: 'id',
  Package: 'package',
  Version: 'version',
  Configuration: 'configuration',
  Url: 'url',
  TimeStamp: 'timeStamp',
}

/** It with the outer names of the Dealer API; inside configurations nothing changes. */
export function camelDocument(document: JsonObject): JsonObject {
  const renamed = new JsonObject()
  for (const [at, name] of document.names.entries()) {
    const value = document.values[at] ?? null
    renamed.names.push(CAMEL[name] ?? name)
    renamed.values.push(Array.isArray(value) ? value.map(camelItem) : value)
  }
  return renamed
}

function camelItem(item: JsonValue): JsonValue {
  if (!(item instanceof JsonObject)) return item
  const renamed = new JsonObject()
  renamed.names.push(...item.names.map((name) => CAMEL[name] ?? name))
  renamed.values.push(...item.values)
  return renamed
}

interface Making {
  key: BoxKey
  box: PublishedBox
  timeStamp: bigint
}

async function documentOf(deps: PublishDeps, tx: Transaction, making: Making): Promise<JsonObject> {
  const { key, timeStamp } = making
  const units = await readUnits(tx, key)
  const queues = await readQueues(tx, key)
  const links = await readLinks(tx, key)
  const helpers = await readHelpers(tx, key)
  const systems = await readPosSystems(tx, key.accountId)
  const parts = { units, links, systems, making }
  return jsonObject({
    helpers: helpers.map((helper) =>
      itemOf({ ...helper, settings: settingsOf(deps.store, helper) }),
    ),
    ftCashBoxId: key.id,
    ftSignaturCreationDevices: units.map((unit) =>
      itemOf({
        ...unit,
        package: unit.packageName === '' ? unit.driver : unit.packageName,
        url: unit.urls,
        settings: settingsOf(deps.store, unit),
      }),
    ),
    ftQueues: queues.map((queue) =>
      itemOf({ ...queue, settings: queueSettings(deps, queue, parts) }),
    ),
    TimeStamp: timeStamp,
  })
}

function itemOf(item: {
  id: string
  package: string
  packageVersion: string
  url: string
  settings: JsonObject
}): JsonObject {
  return jsonObject({
    Id: item.id,
    Package: item.package,
    Version: item.packageVersion,
    Configuration: item.settings,
    Url: JSON.parse(item.url) as string[],
  })
}

interface Stored {
  id: string
  settingsSealed: Uint8Array | null
}

export function settingsOf({ sealer }: Store, { id, settingsSealed }: Stored): JsonObject {
  if (settingsSealed === null) return new JsonObject()
  return objectIn(sealer.open(settingsSealed, componentSettings(id))) ?? new JsonObject()
}

interface Parts {
  units: readonly PublishedUnit[]
  links: readonly { queueId: string; scuId: string }[]
  systems: Awaited<ReturnType<typeof readPosSystems>>
  making: Making
}

const stampOf = ({ settingsStamp, createdAt }: { settingsStamp: bigint | null; createdAt: Date }) =>
  settingsStamp ?? ticksOf(createdAt.getTime())

const zero = new JsonNumber('0')

const QUEUE_FRESH = {
  ftCurrentRow: zero,
  ftQueuedRow: zero,
  ftReceiptNumerator: zero,
  ftReceiptTotalizer: zero,
  ftReceiptHash: null,
  StartMoment: null,
}

/** The settings with the tables that a middleware starts with. */
function queueSettings(deps: PublishDeps, queue: PublishedQueue, parts: Parts): JsonObject {
  const settings = settingsOf(deps.store, queue)
  const { key, timeStamp } = parts.making
  const stamp = stampOf(queue)
  const general = rowsMember(settings, 'init_ftQueue')[0] ?? new JsonObject()
  const base = withMembers(settings, {
    init_ftCashBox: jsonObject({ ftCashBoxId: key.id, TimeStamp: timeStamp }),
    init_ftQueue: [
      withMembers(general, {
        ftQueueId: queue.id,
        ftCashBoxId: key.id,
        ...QUEUE_FRESH,
        StopMoment: queue.stopMoment === null ? null : isoText(queue.stopMoment),
        CountryCode: queue.market,
        Timeout: queue.timeoutMs,
        TimeStamp: stamp,
      }),
    ],
    init_masterData: masterDataOf(parts, objectMember(settings, 'init_masterData')),
  })
  return marketTables(deps, base, { queue, parts, stamp })
}

function marketTables(
  { markets }: PublishDeps,
  settings: JsonObject,
  { queue, parts, stamp }: { queue: PublishedQueue; parts: Parts; stamp: bigint },
): JsonObject {
  let whole = settings
  for (const { facts, rollout } of markets) {
    const { templates } = rollout
    if (templates === undefined) continue
    const { queueTable, unitTable, unitMember } = templates
    if (facts.code !== queue.market) {
      whole = withMembers(whole, { [queueTable.name]: [], [unitTable.name]: [] })
      continue
    }
    const used = parts.links.filter((link) => link.queueId === queue.id).map((link) => link.scuId)
    const units = used.flatMap((id) => parts.units.find((unit) => unit.id === id) ?? [])
    const [unitId] = used
    if (unitId === undefined && unitMember !== undefined) {
      throw fail('QUEUE_WITHOUT_UNIT', { queue: queue.id })
    }
    const row = rowsMember(settings, queueTable.name)[0] ?? new JsonObject()
    whole = withMembers(whole, {
      [queueTable.name]: [
        withMembers(row, {
          [queueTable.id]: queue.id,
          CashBoxIdentification: queue.identification,
          ...(unitMember === undefined ? {} : { [unitMember]: unitId ?? null }),
          ...queueTable.fresh,
          TimeStamp: stamp,
        }),
      ],
      [unitTable.name]: units.map((unit) => unitRow(templates, settings, unit)),
    })
  }
  return whole
}

function unitRow(
  { unitTable, unitRow: own }: RolloutRules,
  settings: JsonObject,
  unit: PublishedUnit,
): JsonObject {
  const given = rowsMember(settings, unitTable.name).find(
    (row) => textMember(row, unitTable.id)?.toLowerCase() === unit.id,
  )
  const urls = JSON.parse(unit.urls) as string[]
  const live = objectIn(unit.configuration) ?? new JsonObject()
  const base = own({ urls, mode: unit.mode, settings: live })
  const address = textMember(given, 'Url')
  const row = withMembers(given ?? new JsonObject(), {
    [unitTable.id]: unit.id,
    ...base,
    // the queue may reach the unit by another way than the launcher
    ...(address === undefined ? {} : { Url: address }),
    ...unitTable.fresh,
    TimeStamp: stampOf(unit),
  })
  return withoutMembers(row, (name) => memberOf(row, name) === undefined && name in base)
}

/** Of our records; further agencies and systems as the template gives them. */
function masterDataOf(
  { making: { box }, systems }: Parts,
  given: JsonObject | undefined,
): JsonObject {
  const details = (box.outlet === null ? {} : JSON.parse(box.outlet.details)) as {
    street?: string
    zip?: string
    city?: string
    country?: string
    locationId?: string | null
  }
  const own = systems.map((system) =>
    jsonObject({
      PosSystemId: system.id,
      Brand: system.brand,
      Model: system.model,
      SoftwareVersion: system.softwareVersion,
      BaseCurrency: system.baseCurrency,
      Type: system.type,
    }),
  )
  const ids = new Set(systems.map(({ id }) => id))
  const further = rowsMember(given, 'PosSystems').filter(
    (row) => !ids.has(textMember(row, 'PosSystemId')?.toLowerCase() ?? ''),
  )
  return jsonObject({
    Account: jsonObject({
      AccountId: box.accountId,
      AccountName: box.accountName,
      Street: box.line1,
      Zip: box.postalCode,
      City: box.city,
      Country: box.country,
      TaxId: box.taxId,
      VatId: box.vatId,
    }),
    Outlet: jsonObject({
      OutletId: box.outlet?.id ?? '',
      OutletName: box.outlet?.name ?? '',
      Street: details.street ?? '',
      Zip: details.zip ?? '',
      City: details.city ?? '',
      Country: details.country ?? '',
      VatId: box.vatId,
      LocationId: details.locationId ?? '',
    }),
    Agencies: rowsMember(given, 'Agencies'),
    PosSystems: [...own, ...further],
  })
}
