// Rolls out the things of an operator: cash box with its access token, queue, signing unit.

import { createECDH, randomBytes } from 'node:crypto'
import { DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver } from '../../device/driver.js'
import { fail } from '../../errors.js'
import { sha256 } from '../../lib/hash.js'
import { randomId, shortId } from '../../lib/id.js'
import { ticksOf } from '../../lib/ticks.js'
import type { Market } from '../../market/contract.js'
import { type Store, TRANSACTION } from '../../store/client.js'
import { cashBoxToken } from '../../store/master-key.js'
import {
  insertBox,
  insertQueueRow,
  insertUnit,
  type NewBoxRow,
  type NewQueueRow,
  type NewUnitRow,
  putBoxUnit,
} from '../../store/rollout/components.js'
import { isDouble } from '../../store/rollout/rollout.js'
import { putQueueUnits } from '../../store/rollout/unit-links.js'
import { queueSecrets, scuSecrets } from '../../store/sign/queues.js'
import type { Transaction } from '../../store/transaction.js'
import { EXPECTED_ONLY } from '../shape-fault.js'

export interface RolloutDeps {
  store: Store
  marketOf(code: string): Market
  now(): Date
  /** Units behind an address are tried with these before they are stored; left out: not tried. */
  tools?: DriverTools
  /** False: this server will refuse software signing devices, so none is made. */
  software?: boolean
}

export const cashBoxKey = (id: string): string => `cash-box-key:${id}`

/** A pair; of a token that another server has made the private half is there only. */
function tokenOf(given: string | undefined): { accessToken: string; privateKey: string } {
  if (given !== undefined) return { accessToken: given, privateKey: '' }
  const pair = createECDH('prime256v1')
  const accessToken = pair.generateKeys('base64')
  return { accessToken, privateKey: pair.getPrivateKey('base64') }
}

type NewBox = Omit<NewBoxRow, 'accessTokenHash' | 'accessTokenSealed' | 'privateKeySealed'>

/**
 * Its access token, fresh unless one is given, is the Base64 of an uncompressed P-256 point (65
 * bytes), because the field's launchers load the token as an ECDH public key; the private half is
 * kept sealed.
 */
export async function makeBox(
  { sealer }: Pick<Store, 'sealer'>,
  tx: Transaction,
  { given, ...box }: NewBox & { given?: string | undefined },
): Promise<string> {
  const { accessToken, privateKey } = tokenOf(given)
  await insertBox(tx, {
    ...box,
    accessTokenHash: sha256(accessToken),
    accessTokenSealed: sealer.seal(accessToken, cashBoxToken(box.id)),
    privateKeySealed: sealer.seal(privateKey, cashBoxKey(box.id)),
  })
  return accessToken
}

export async function createCashBox(
  { store, now }: RolloutDeps,
  box: { accountId: string; outletId: string | null; description: string },
): Promise<{ cashBoxId: string; accessToken: string }> {
  const cashBoxId = randomId()
  const createdAt = now()
  const timeStamp = ticksOf(createdAt.getTime())
  const row = { ...box, id: cashBoxId, timeStamp, createdAt }
  const accessToken = await store.prisma.$transaction((tx) => makeBox(store, tx, row), TRANSACTION)
  return { cashBoxId, accessToken }
}

export interface NewQueue {
  accountId: string
  cashBoxId: string
  market: string
  description: string
  /** Left out: made of its id. */
  identification?: string
  configuration?: Record<string, unknown>
  /** As the country reads it; '' or left out: it makes its own. */
  secrets?: string
  timeoutMs?: number
  /** In the order in which they are tried. */
  scuIds: string[]
}

type QueueInput = Omit<NewQueueRow, 'market' | 'secretsSealed' | 'state'> & {
  market: Market
  /** As the country reads it; '': it makes its own. */
  secrets: string
  scuIds: string[]
}

/** A queue that nobody has started, with its units. */
export async function makeQueue(
  { sealer }: Pick<Store, 'sealer'>,
  tx: Transaction,
  { market, secrets, scuIds, ...queue }: QueueInput,
): Promise<void> {
  const { accountId, id } = queue
  await insertQueueRow(tx, {
    ...queue,
    market: market.facts.code,
    secretsSealed: secrets === '' ? null : sealer.seal(secrets, queueSecrets(id)),
    state: JSON.stringify(market.queue.state.parse(market.queue.initial())),
  })
  await putQueueUnits(tx, { accountId, queueId: id, scuIds })
}

export async function createQueue(
  { store, marketOf, now }: RolloutDeps,
  queue: NewQueue,
): Promise<string> {
  const market = marketOf(queue.market)
  const { accountId, cashBoxId, description, scuIds, secrets = '', timeoutMs = 0 } = queue
  const id = randomId()
  const createdAt = now()
  const identification = queue.identification ?? shortId(id)
  checkIdentification(market, identification)
  const row = {
    ...{ accountId, cashBoxId, market, description, id, identification, secrets, timeoutMs },
    configuration: checked(market.queue.configuration, queue.configuration ?? {}),
    timeStamp: ticksOf(createdAt.getTime()),
    ...{ createdAt, scuIds },
  }
  try {
    await store.prisma.$transaction((tx) => makeQueue(store, tx, row), TRANSACTION)
  } catch (error) {
    throw isDouble(error) ? fail('IDENTIFICATION_TAKEN', { identification }) : error
  }
  return id
}

/** Throws FIELD_INVALID. */
export function checkIdentification(market: Market, identification: string): void {
  const fits = market.queue.identification.safeParse(identification, EXPECTED_ONLY)
  if (fits.success) return
  const expected = fits.error.issues[0]?.message ?? 'another text'
  throw fail('FIELD_INVALID', { field: 'identification', expected })
}

export interface NewScuInput {
  accountId: string
  cashBoxId: string
  market: string
  package: string
  description: string
  mode?: number
  url?: string
  configuration?: Record<string, unknown>
  /** Whoever runs the server gave the address: it may be private. */
  named?: boolean
  /** True: it is stored whether its device answers or not. */
  untried?: boolean
}

type MadeUnit = Awaited<ReturnType<Driver<unknown>['create']>>

/** A signing unit with what its driver has made. */
export async function makeUnit(
  { sealer }: Pick<Store, 'sealer'>,
  tx: Transaction,
  {
    made,
    named,
    ...unit
  }: Omit<NewUnitRow, 'configuration' | 'secretsSealed' | 'state'> & {
    made: MadeUnit
    /** Whoever runs the server gave the address: it may be private. */
    named: boolean
  },
): Promise<void> {
  const { configuration, secrets, state } = made
  await insertUnit(tx, {
    ...unit,
    configuration: named ? withName(configuration) : configuration,
    secretsSealed: secrets === '' ? null : sealer.seal(secrets, scuSecrets(unit.id)),
    state,
  })
}

/**
 * A signing unit with what its driver needs; a software device gets its key and certificate here.
 */
export async function createScu(deps: RolloutDeps, scu: NewScuInput): Promise<string> {
  const { store, marketOf, now, software } = deps
  const driver = marketOf(scu.market).drivers[scu.package]
  if (driver === undefined) {
    throw fail('FIELD_INVALID', {
      field: 'package',
      expected: Object.keys(marketOf(scu.market).drivers).join(' or '),
    })
  }
  if (software === false && driver.software) {
    throw fail('SOFTWARE_DEVICE', { scu: `The signing unit ${scu.package}` })
  }
  const id = randomId()
  const createdAt = now()
  const configuration: unknown = JSON.parse(checked(driver.configuration, scu.configuration ?? {}))
  const made = await driver.create({ id, configuration, now: createdAt, randomBytes })
  const { accountId, cashBoxId, market, description, mode = 0, url = null, named = false } = scu
  const unit = { accountId, id, market, package: scu.package, description, mode, url }
  const first = {
    ...made,
    configuration: named ? withName(made.configuration) : made.configuration,
  }
  const state = scu.untried ? made.state : await triedState(deps, driver, { ...unit, ...first })
  const row = { ...unit, named, timeStamp: ticksOf(createdAt.getTime()), createdAt }
  await store.prisma.$transaction(async (tx) => {
    await makeUnit(store, tx, { ...row, made: { ...made, state } })
    await putBoxUnit(tx, { accountId, cashBoxId, scuId: id })
  }, TRANSACTION)
  return id
}

/** How long a first answer may take: somebody waits for the command. */
const FIRST_CALL_MS = 10_000

type FirstHead = Omit<ScuHead, 'faultScript' | 'version' | 'changed' | 'actions'>

/** What the unit remembers of its first call. Throws DEVICE_FAILED when nobody answers it. */
async function triedState(
  { tools }: RolloutDeps,
  driver: Driver<unknown>,
  first: FirstHead,
): Promise<string> {
  if (tools === undefined || !driver.remote) return first.state
  const head = { ...first, faultScript: null, version: 0n, changed: false, actions: [] }
  try {
    await driver.reach(head, tools, { timeoutMs: FIRST_CALL_MS })
    return head.state
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    throw fail('DEVICE_FAILED', { scu: first.url ?? 'without address', reason: error.message })
  }
}

/** The driver's configuration with the mark that it may call a private address. */
function withName(configuration: string): string {
  return JSON.stringify({ ...(JSON.parse(configuration) as object), named: true })
}

/** The configuration as the schema completes it, or a refusal that names the member. */
export function checked(schema: Market['queue']['configuration'], value: unknown): string {
  const parsed = schema.safeParse(value, EXPECTED_ONLY)
  if (parsed.success) return JSON.stringify(parsed.data)
  const issue = parsed.error.issues[0]
  throw fail('FIELD_INVALID', {
    field: `configuration.${issue?.path.join('.') ?? ''}`,
    expected: issue?.message ?? 'another value',
  })
}
