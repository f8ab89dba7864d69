// Writes what a template plans: new components, changes of known ones, and what the cash box holds
// from then on. Called by execute.ts, in its transaction.
import { createECDH } from 'node:crypto'
import type { Logger } from 'pino'
import { fail } from '../../errors.js'
import { sha256 } from '../../lib/hash.js'
import type { JsonObject } from '../../lib/json.js'
import { rowsMember, textMember, withMembers } from '../../lib/json-object.js'
import { writeJson } from '../../lib/json-write.js'
import { ticksOf } from '../../lib/ticks.js'
import type { Market } from '../../market/market.js'
import type { Transaction } from '../../store/audit.js'
import type { Store } from '../../store/client.js'
import {
  componentSettings,
  findBox,
  findEntries,
  findSettings,
  identificationUse,
  insertBox,
  insertQueueRow,
  insertUnit,
  lockQueue,
  putBoxContents,
  putHelper,
  putQueueUnits,
  putSettings,
  updateBox,
  updateQueueRow,
  updateUnit,
} from '../../store/components.js'
import { cashBoxToken } from '../../store/master-key.js'
import { queueSecrets, scuSecrets } from '../../store/queues.js'
import { marketOfUnit, packageOf } from '../publication/packages.js'
import { publishedDocument, settingsOf } from '../publication/publish.js'
import { cashBoxKey, checked } from '../rollout/create.js'
import { type Ground, invalid } from './execute.js'
import { type BoxPlan, type Component, Faults } from './plan.js'
import { type PlannedQueue, unitRowOf } from './queues.js'

export interface WriteDeps {
  store: Store
  now(): Date
  markets: readonly Market[]
  randomBytes(count: number): Buffer
  /** An identification may be repeated: told in the log only. */
  sandbox: boolean
  /** The address of a remote unit comes from whoever runs this server: it may be private. */
  named: boolean
  log: Pick<Logger, 'warn'>
}

export interface Planned {
  box: BoxPlan
  units: Component[]
  queues: PlannedQueue[]
  helpers: Component[]
  /** Of the account. */
  market: string
}

type Kind = 'cashbox' | 'queue' | 'scu' | 'helper'

/** Ids of the template that the account has already. */
export type KnownIds = ReadonlySet<string>

const UNKNOWN = {
  cashbox: (id: string) => fail('CASH_BOX_UNKNOWN', { cashBox: id }),
  queue: (id: string) => fail('QUEUE_UNKNOWN', { queue: id }),
  scu: (id: string) => fail('SCU_UNKNOWN', { scu: id }),
  helper: (id: string) => fail('HELPER_UNKNOWN', { helper: id }),
} satisfies Record<Kind, (id: string) => Error>

/** Throws …_UNKNOWN for an id of somebody else, or of another kind of thing. */
export async function knownIds(
  tx: Transaction,
  accountId: string,
  { box, units, queues, helpers }: Planned,
): Promise<KnownIds> {
  const kinds = new Map<string, Kind>([[box.id, 'cashbox']])
  for (const { id } of units) kinds.set(id, 'scu')
  for (const { id } of queues) kinds.set(id, 'queue')
  for (const { id } of helpers) kinds.set(id, 'helper')
  const found = await findEntries(tx, [...kinds.keys()])
  for (const { id, kind, accountId: owner } of found) {
    const wanted = kinds.get(id)
    if (wanted === undefined || (owner === accountId && kind === wanted)) continue
    throw UNKNOWN[wanted](id)
  }
  return new Set(found.map(({ id }) => id))
}

export interface Writing {
  planned: Planned
  known: KnownIds
  ground: Ground
}

/** What was published before, where the cash box was known. */
export interface Written {
  accessToken: string
  before: unknown
}

export async function writeComponents(
  deps: WriteDeps,
  tx: Transaction,
  writing: Writing,
): Promise<Written> {
  const { planned, known, ground } = writing
  const { units, queues, helpers, box } = planned
  const accountId = ground.account.id
  for (const component of [...units, ...queues, ...helpers]) warnOfUnknown(deps, component)
  const written = await writeBox(deps, tx, writing)
  for (const unit of units) await writeUnit(deps, tx, { ...writing, unit })
  for (const queue of queues) await writeQueue(deps, tx, { ...writing, queue })
  for (const [index, helper] of helpers.entries()) {
    const { id, description, package: name, version, urls, settings } = helper
    const { stamp, createdAt } = momentOf(deps, index)
    const url = JSON.stringify(urls)
    const row = { accountId, id, description, package: name, packageVersion: version, url }
    await putHelper(tx, { ...row, timeStamp: stamp, createdAt }, !known.has(id))
    await keepSettings(deps, tx, { accountId, id, settings, stamp })
  }
  await putBoxContents(
    tx,
    { accountId, id: box.id },
    {
      queues: queues.map(({ id }) => id),
      scus: [...new Set([...units.map(({ id }) => id), ...queues.flatMap((one) => one.unitIds)])],
      helpers: helpers.map(({ id }) => id),
    },
  )
  return written
}

/** Components are created a millisecond apart, so that they keep the order of the template. */
function momentOf({ now }: WriteDeps, index: number) {
  const createdAt = new Date(now().getTime() + index)
  return { createdAt, stamp: ticksOf(createdAt.getTime()) }
}

function warnOfUnknown({ markets, log }: WriteDeps, { path, package: name, version }: Component) {
  const kinds = { ftQ: 'queue', ftS: 'scu', hel: 'helper' } as const
  const kind = kinds[path.slice(0, 3) as keyof typeof kinds]
  const found = packageOf(markets, kind, name)
  if (found?.known === true && (version === found.newest || version === '')) return
  log.warn({ package: name, version, path }, 'a template names a package that the table lacks')
}

async function writeBox(deps: WriteDeps, tx: Transaction, writing: Writing): Promise<Written> {
  const { planned, known, ground } = writing
  const { id, description, ipAddress, productType } = planned.box
  const { accountId, outletId, number } = ground.place
  const { createdAt, stamp } = momentOf(deps, 0)
  const place = { outletId, outletNumber: outletId === null ? number : null }
  const data = { ...place, description, ipAddress, productType, timeStamp: stamp }
  const key = { accountId, id }
  if (known.has(id)) {
    const found = await findBox(tx, key)
    if (found === undefined) throw UNKNOWN.cashbox(id)
    const before = await publishedDocument(deps, key)
    await updateBox(tx, key, data)
    const { sealer } = deps.store
    return { accessToken: sealer.open(found.accessTokenSealed, cashBoxToken(id)), before }
  }
  const { accessToken, privateKey } = tokenOf(ground.accessToken)
  await insertBox(tx, {
    ...key,
    ...data,
    accessTokenHash: sha256(accessToken),
    accessTokenSealed: deps.store.sealer.seal(accessToken, cashBoxToken(id)),
    privateKeySealed: deps.store.sealer.seal(privateKey, cashBoxKey(id)),
    createdAt,
  })
  return { accessToken, before: undefined }
}

/** A fresh pair; of a token that another server has made the private half is there only. */
function tokenOf(given: string | undefined): { accessToken: string; privateKey: string } {
  if (given !== undefined) return { accessToken: given, privateKey: '' }
  const pair = createECDH('prime256v1')
  const accessToken = pair.generateKeys('base64')
  return { accessToken, privateKey: pair.getPrivateKey('base64') }
}

async function keepSettings(
  { store }: WriteDeps,
  tx: Transaction,
  kept: { accountId: string; id: string; settings: Component['settings']; stamp: bigint },
): Promise<void> {
  const { accountId, id, settings, stamp } = kept
  const settingsSealed = store.sealer.seal(writeJson(settings), componentSettings(id))
  await putSettings(tx, [{ accountId, id, settingsSealed, timeStamp: stamp }])
}

// ------------------------------------------------------------------- signing units

async function writeUnit(
  deps: WriteDeps,
  tx: Transaction,
  { planned, known, ground, unit }: Writing & { unit: Component },
): Promise<void> {
  const standing = ground.units.find(({ id }) => id === unit.id)
  if (known.has(unit.id)) {
    // one of another outlet is as good as none
    if (standing === undefined) throw UNKNOWN.scu(unit.id)
    if (standing.package.toLowerCase() !== unit.package.toLowerCase()) {
      throw fail('PACKAGE_OTHER', { id: unit.id, package: standing.package })
    }
    if (!unit.short) await changeUnit(deps, tx, { planned, ground, unit })
    return
  }
  await createUnit(deps, tx, { planned, ground, unit })
}

interface UnitWriting {
  planned: Planned
  ground: Ground
  unit: Component
}

function rulesOf({ markets }: WriteDeps, { planned, unit }: UnitWriting): Market {
  const code = marketOfUnit(markets, unit.package) ?? planned.market
  const market = markets.find(({ facts }) => facts.code === code)
  if (market?.rollout !== undefined) return market
  const faults = new Faults()
  faults.add(`${unit.path}.Package`, `There is no market ${code} here.`)
  throw invalid(faults)
}

async function createUnit(deps: WriteDeps, tx: Transaction, writing: UnitWriting): Promise<void> {
  const { planned, ground, unit } = writing
  const market = rulesOf(deps, writing)
  const { rollout } = market
  if (rollout === undefined) return
  const driverName = rollout.driverOf(unit)
  const driver = market.drivers[driverName]
  if (driver === undefined) throw new Error(`${driverName} is no driver of its market`)
  const { createdAt, stamp } = momentOf(deps, unit.index)
  const settings: unknown = JSON.parse(
    checkedSettings(driver.configuration, rollout.driverSettings(unit), unit),
  )
  const { id, description, package: packageName, version, urls } = unit
  const { randomBytes } = deps
  const made = await driver.create({ id, configuration: settings, now: createdAt, randomBytes })
  const { accountId, outletId } = ground.place
  const named = deps.named && driver.remote
  await insertUnit(tx, {
    ...{ accountId, id, description, outletId, packageName },
    market: market.facts.code,
    package: driverName,
    packageVersion: version,
    urls: JSON.stringify(urls),
    url: urls[0] ?? null,
    mode: rollout.modeOf(unitRowOf(planned.queues, id)),
    configuration: named
      ? JSON.stringify({ ...(JSON.parse(made.configuration) as object), named: true })
      : made.configuration,
    secretsSealed:
      made.secrets === '' ? null : deps.store.sealer.seal(made.secrets, scuSecrets(id)),
    state: made.state,
    timeStamp: stamp,
    createdAt,
  })
  await keepSettings(deps, tx, { accountId, id, settings: unit.settings, stamp })
}

function checkedSettings(
  schema: Market['configuration'],
  value: unknown,
  { path }: Component,
): string {
  const parsed = schema.safeParse(value)
  if (parsed.success) return checked(schema, value)
  const faults = new Faults()
  for (const issue of parsed.error.issues) {
    faults.add(`${path}.Configuration.${issue.path.map(String).join('.')}`, issue.message)
  }
  throw invalid(faults)
}

async function changeUnit(deps: WriteDeps, tx: Transaction, writing: UnitWriting): Promise<void> {
  const { planned, ground, unit } = writing
  const accountId = ground.account.id
  const { rollout } = rulesOf(deps, writing)
  const { stamp } = momentOf(deps, unit.index)
  const { id, description, version, urls, settings } = unit
  await updateUnit(
    tx,
    { accountId, id },
    {
      packageVersion: version,
      urls: JSON.stringify(urls),
      url: urls[0] ?? null,
      description,
      mode: rollout?.modeOf(unitRowOf(planned.queues, id)) ?? 0,
      timeStamp: stamp,
    },
  )
  await keepSettings(deps, tx, { accountId, id, settings, stamp })
}

// -------------------------------------------------------------------------- queues

async function writeQueue(
  deps: WriteDeps,
  tx: Transaction,
  { planned, known, ground, queue }: Writing & { queue: PlannedQueue },
): Promise<void> {
  const writing = { planned, ground, queue }
  const repeated = await repeatedOf(deps, tx, writing)
  const isKnown = known.has(queue.id)
  const kept = isKnown ? await keptRow(deps, tx, writing) : queue.row
  if (isKnown) await changeQueue(deps, tx, { ...writing, repeated })
  else await createQueue(deps, tx, { ...writing, repeated })
  const { stamp } = momentOf(deps, queue.index)
  const { id, rules } = queue
  const settings = withMembers(queue.settings, { [rules.queueTable.name]: [kept] })
  await keepSettings(deps, tx, { accountId: ground.account.id, id, settings, stamp })
}

/** What a queue was published with once and may not change: the key of its turnover counter. */
async function keptRow(
  { store }: WriteDeps,
  tx: Transaction,
  { ground, queue }: QueueWriting,
): Promise<JsonObject> {
  const { id, rules, row } = queue
  const sealed = await findSettings(tx, { accountId: ground.account.id, id })
  if (sealed === undefined) return row
  const settings = settingsOf(store, { id, settingsSealed: sealed })
  const before = rowsMember(settings, rules.queueTable.name)[0]
  const kept = rules.keptMembers.flatMap((name): [string, string][] => {
    const value = textMember(before, name)
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  return withMembers(row, Object.fromEntries(kept))
}

interface QueueWriting {
  planned: Planned
  ground: Ground
  queue: PlannedQueue
}

async function repeatedOf(
  { sandbox, log }: WriteDeps,
  tx: Transaction,
  { ground, queue }: QueueWriting,
): Promise<number> {
  const { id, identification, path, rules } = queue
  const accountId = ground.account.id
  const { used, next } = await identificationUse(tx, { accountId, identification, but: id })
  if (!used) return 0
  if (sandbox) {
    log.warn({ accountId, identification }, 'an identification is used by several queues')
    return next
  }
  const faults = new Faults()
  const at = `${path}.Configuration.${rules.queueTable.name}[0].CashBoxIdentification`
  faults.add(at, 'Another queue of this account has this identification.')
  throw invalid(faults)
}

async function createQueue(
  deps: WriteDeps,
  tx: Transaction,
  { planned, ground, queue, repeated }: QueueWriting & { repeated: number },
): Promise<void> {
  const { market, id, description, identification, configuration, timeoutMs, urls } = queue
  const { createdAt, stamp } = momentOf(deps, queue.index)
  const accountId = ground.account.id
  const secrets = queue.rules.secretsOf(queue.row)
  await insertQueueRow(tx, {
    ...{ accountId, id, description, identification, repeated, configuration, timeoutMs },
    cashBoxId: planned.box.id,
    market: market.facts.code,
    secretsSealed: secrets === '' ? null : deps.store.sealer.seal(secrets, queueSecrets(id)),
    state: JSON.stringify(market.state.parse(market.initialState())),
    package: queue.package,
    packageVersion: queue.version,
    url: JSON.stringify(urls),
    purchaseDate: queue.purchaseDate,
    commissioningDate: queue.commissioningDate,
    timeStamp: stamp,
    createdAt,
  })
  await putQueueUnits(tx, { accountId, queueId: id, scuIds: queue.unitIds })
}

/**
 * What a later publication can still change: identification, key and units of a queue that was
 * started stay what they are.
 */
async function changeQueue(
  deps: WriteDeps,
  tx: Transaction,
  { planned, ground, queue, repeated }: QueueWriting & { repeated: number },
): Promise<void> {
  const { id, market, rules } = queue
  const accountId = ground.account.id
  const found = await lockQueue(tx, { accountId, id })
  if (found === undefined) throw UNKNOWN.queue(id)
  if (found.market !== market.facts.code) {
    throw fail('PACKAGE_OTHER', { id, package: found.market })
  }
  const isFresh = found.startMoment === null
  const secrets = rules.secretsOf(queue.row)
  const sealed =
    found.secretsSealed === null && secrets !== ''
      ? { secretsSealed: deps.store.sealer.seal(secrets, queueSecrets(id)) }
      : {}
  const { purchaseDate, commissioningDate } = queue
  await updateQueueRow(
    tx,
    { accountId, id },
    {
      cashBoxId: planned.box.id,
      description: queue.description,
      configuration: queue.configuration,
      timeoutMs: queue.timeoutMs,
      package: queue.package,
      packageVersion: queue.version,
      url: JSON.stringify(queue.urls),
      ...sealed,
      ...(isFresh ? { identification: queue.identification, repeated } : {}),
      ...(purchaseDate === null ? {} : { purchaseDate }),
      ...(commissioningDate === null ? {} : { commissioningDate }),
    },
  )
  if (isFresh || rules.unitMember === undefined) {
    await putQueueUnits(tx, { accountId, queueId: id, scuIds: queue.unitIds })
  }
}
