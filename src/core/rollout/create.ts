// Rolls out the things of an operator: cash box with its access token, queue, signing unit.

import { createECDH, randomBytes } from 'node:crypto'
import { DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver } from '../../device/driver.js'
import { fail } from '../../errors.js'
import { sha256 } from '../../lib/hash.js'
import { guidBytes, randomId } from '../../lib/id.js'
import { ticksOf } from '../../lib/ticks.js'
import type { Market } from '../../market/contract.js'
import type { Store } from '../../store/client.js'
import { cashBoxToken } from '../../store/master-key.js'
import { insertCashBox, insertQueue, insertScu } from '../../store/rollout/rollout.js'
import { queueSecrets, scuSecrets } from '../../store/sign/queues.js'
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

/**
 * A cash box. Its access token is the Base64 of an uncompressed P-256 point (65 bytes), because the
 * field's launchers load the token as an ECDH public key; the private half is kept sealed.
 */
export async function createCashBox(
  { store, now }: RolloutDeps,
  box: { accountId: string; outletId: string | null; description: string },
): Promise<{ cashBoxId: string; accessToken: string }> {
  const id = randomId()
  const pair = createECDH('prime256v1')
  const accessToken = pair.generateKeys('base64')
  const created = now()
  await insertCashBox(store, {
    ...box,
    id,
    accessTokenHash: sha256(accessToken),
    accessTokenSealed: store.sealer.seal(accessToken, cashBoxToken(id)),
    privateKeySealed: store.sealer.seal(pair.getPrivateKey('base64'), cashBoxKey(id)),
    timeStamp: ticksOf(created.getTime()),
    createdAt: created,
  })
  return { cashBoxId: id, accessToken }
}

/** ftCashBoxIdentification when none is given: the short Base64 form of the queue's id. */
export function shortIdentification(queueId: string): string {
  return guidBytes(queueId)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
}

export interface NewQueue {
  accountId: string
  cashBoxId: string
  market: string
  description: string
  identification?: string
  configuration?: Record<string, unknown>
  /** As the country reads it; '' or left out: it makes its own. */
  secrets?: string
  timeoutMs?: number
  /** In the order in which they are tried. */
  scuIds: string[]
}

export async function createQueue(
  { store, marketOf, now }: RolloutDeps,
  queue: NewQueue,
): Promise<string> {
  const market = marketOf(queue.market)
  const id = randomId()
  const created = now()
  const identification = queue.identification ?? shortIdentification(id)
  checkIdentification(market, identification)
  const { secrets = '' } = queue
  await insertQueue(store, {
    accountId: queue.accountId,
    cashBoxId: queue.cashBoxId,
    market: queue.market,
    description: queue.description,
    id,
    identification,
    configuration: checked(market.queue.configuration, queue.configuration ?? {}),
    secretsSealed: secrets === '' ? null : store.sealer.seal(secrets, queueSecrets(id)),
    timeoutMs: queue.timeoutMs ?? 0,
    state: JSON.stringify(market.queue.state.parse(market.queue.initial())),
    timeStamp: ticksOf(created.getTime()),
    createdAt: created,
    scuIds: queue.scuIds,
  })
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
  const created = now()
  const configuration = JSON.parse(
    checked(driver.configuration, scu.configuration ?? {}),
  ) as unknown
  const made = await driver.create({ id, configuration, now: created, randomBytes })
  const unit = {
    ...{ accountId: scu.accountId, id, market: scu.market, package: scu.package },
    description: scu.description,
    mode: scu.mode ?? 0,
    url: scu.url ?? null,
    configuration: scu.named === true ? named(made.configuration) : made.configuration,
  }
  const head = { ...unit, secrets: made.secrets, state: made.state }
  const state = scu.untried === true ? made.state : await triedState(deps, driver, head)
  await insertScu(store, {
    ...unit,
    cashBoxId: scu.cashBoxId,
    secretsSealed: made.secrets === '' ? null : store.sealer.seal(made.secrets, scuSecrets(id)),
    state,
    timeStamp: ticksOf(created.getTime()),
    createdAt: created,
  })
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
  if (tools === undefined || driver.reach === undefined) return first.state
  const head = { ...first, faultScript: null, version: 0n, changed: false, actions: [] }
  try {
    await driver.reach(driver.open(head, tools), { timeoutMs: FIRST_CALL_MS })
    return head.state
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    throw fail('DEVICE_FAILED', { scu: first.url ?? 'without address', reason: error.message })
  }
}

/** The driver's configuration with the mark that it may call a private address. */
function named(configuration: string): string {
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
