// What a signing unit is, asked and proved in one run; its credentials given anew; an issuer that
// somebody has looked at.
import { randomBytes } from 'node:crypto'
import { DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver, ProofLine } from '../../device/driver.js'
import { tseInfoJson } from '../../device/tse/info-json.js'
import { isTseInfo } from '../../device/tse/tse.js'
import { fail } from '../../errors.js'
import { certificateEnd } from '../../lib/certificate-end.js'
import { isUuid } from '../../lib/id.js'
import { findCompany } from '../../store/account/company.js'
import type { Store } from '../../store/client.js'
import { changeUnit, findUnit } from '../../store/rollout/scus.js'
import { forgetLogin } from '../../store/rollout/unit-logins.js'
import { openQueueTurns } from '../../store/sign/queue-turns.js'
import { scuSecrets } from '../../store/sign/queues.js'
import { driverOf } from '../drivers.js'
import { checked, type RolloutDeps } from './create.js'
import { watchClock } from './device-clock.js'
import { checkNames } from './parameters.js'

export type CheckDeps = RolloutDeps & { tools: DriverTools }

export interface UnitCheck {
  scuId: string
  package: string
  lines: ProofLine[]
  /** What a TSE told of itself, member by member; null: it is none, or did not answer. */
  tse: Record<string, unknown> | null
}

/** Somebody waits for the command. */
const LIMIT = { timeoutMs: 30_000 }
/** Receipts wait for the device meanwhile, shorter than they may. */
const SHORT_LIMIT = { timeoutMs: 8_000 }
const PROBE_BYTES = 32
/** Longest wait for a receipt that is with the device. */
const TURN_MS = 10_000

/** Throws SCU_UNKNOWN. A unit that does not answer is a line of the answer. */
export async function checkUnit(deps: CheckDeps, scuId: string): Promise<UnitCheck> {
  const { scu, driver } = await unitOf(deps, scuId)
  try {
    const clock = watchClock(deps.tools)
    const told = await linesOf({ ...deps, tools: clock.tools }, scu, driver)
    const line = told.some(({ name }) => name === 'clock') ? undefined : clock.line()
    const lines = line === undefined ? told : [...told, line]
    return { scuId: scu.id, package: scu.package, lines, tse: await toldBy(deps, scu, driver) }
  } finally {
    await keepState(deps, scu)
  }
}

async function linesOf(
  deps: CheckDeps,
  scu: ScuHead,
  driver: Driver<unknown>,
): Promise<ProofLine[]> {
  try {
    if (driver.proof === undefined) return await seenOf(deps, scu, driver)
    const company = await findCompany(deps.store, scu.accountId)
    const { vatId = '', taxId = '', taxNumber = '' } = company ?? {}
    const ask = {
      limit: LIMIT,
      probe: randomBytes(PROBE_BYTES),
      holders: [vatId, taxId, taxNumber],
    }
    return await driver.proof(scu, deps.tools, ask)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    return [{ name: 'place', level: 'bad', text: error.message, next: nextOf(error) }]
  }
}

/** The whole TseInfo; a unit without an answer has said why in its lines. */
async function toldBy({ tools }: CheckDeps, scu: ScuHead, driver: Driver<unknown>) {
  if (driver.module === undefined) return null
  try {
    const answer = await driver.reach(scu, tools, LIMIT)
    return isTseInfo(answer) ? tseInfoJson(answer) : null
  } catch (error) {
    if (error instanceof DeviceError) return null
    throw error
  }
}

/** Of a driver that proves nothing: it answers, and this is its certificate. */
async function seenOf(
  { tools }: CheckDeps,
  scu: ScuHead,
  driver: Driver<unknown>,
): Promise<ProofLine[]> {
  if (driver.remote) await driver.reach(scu, tools, LIMIT)
  const { certificateBase64, serial } = await driver.describe(scu)
  const ends = certificateEnd(certificateBase64)
  const isOver = ends !== null && ends < tools.now()
  const until = ends === null ? 'has shown no certificate' : `ends ${ends.toISOString()}`
  const text = driver.software ? 'its key lies in this server: for tests only' : 'it answers'
  return [
    { name: 'place', level: driver.software ? 'warn' : 'ok', text },
    { name: 'certificate', level: isOver ? 'bad' : 'ok', text: `serial ${serial}, ${until}` },
  ]
}

function nextOf({ kind }: DeviceError): string {
  if (kind === 'credentials') {
    return 'Give other credentials (scu configure), or have it unblocked and check with --again.'
  }
  return 'Look at the device and the way to it; OUTBOUND_ALLOW names private addresses.'
}

/** Throws SCU_UNKNOWN, and FIELD_INVALID for an issuer that the unit did not tell. */
export async function confirmIssuer(
  deps: CheckDeps,
  { scuId, issuer }: { scuId: string; issuer: string },
): Promise<void> {
  const { scu, driver } = await unitOf(deps, scuId)
  const wanted = issuer.replaceAll(':', '').toLowerCase()
  const told = driver.issuers?.(scu) ?? []
  if (!told.includes(wanted)) {
    const expected = told.length === 0 ? 'nothing before scu check was run' : told.join(' or ')
    throw fail('FIELD_INVALID', { field: 'confirm', expected })
  }
  await changeUnit(deps.store, { accountId: scu.accountId, id: scu.id, now: deps.now() }, (one) => {
    const settings = JSON.parse(one.configuration) as { confirmed?: string[] }
    const confirmed = [...new Set([...(settings.confirmed ?? []), wanted])]
    const message = `The issuer ${wanted} of signing unit ${one.id} was confirmed.`
    return {
      state: one.state,
      faultScript: one.faultScript,
      configuration: JSON.stringify({ ...settings, confirmed }),
      actions: [{ type: 'SigningUnitIssuerConfirmed', message, dataJson: null }],
    }
  })
}

/** Credentials that the device has refused may be sent once more. */
export async function tryAgain(deps: CheckDeps, scuId: string): Promise<void> {
  const { scu } = await unitOf(deps, scuId)
  await forgetLogin(deps.store, { accountId: scu.accountId, scuId: scu.id })
}

/**
 * Other settings and credentials for a unit; confirmed issuers and the permission of a private
 * address stay. Throws SCU_UNKNOWN, FIELD_INVALID, and DEVICE_FAILED when it does not answer.
 */
export async function configureUnit(
  deps: CheckDeps,
  { scuId, configuration }: { scuId: string; configuration: Record<string, unknown> },
): Promise<{ scuId: string }> {
  const { scu, driver } = await unitOf(deps, scuId)
  if (driver.software) {
    throw fail('FIELD_INVALID', { field: 'scu', expected: 'a unit outside of this server' })
  }
  checkNames(driver, configuration)
  const given: unknown = JSON.parse(checked(driver.configuration, configuration))
  const made = await driver.create({
    id: scu.id,
    configuration: given,
    now: deps.now(),
    randomBytes,
  })
  const isKept = await inTurn(deps.store, scu.id, async () => {
    const { scu: now } = await unitOf(deps, scuId)
    const { confirmed, named } = JSON.parse(now.configuration) as Record<string, unknown>
    const settings = { ...(JSON.parse(made.configuration) as object), confirmed, named }
    const next = { ...now, configuration: JSON.stringify(settings), secrets: made.secrets }
    await reached(deps, driver, next)
    await keepSettings(deps, next)
  })
  if (isKept) return { scuId: scu.id }
  throw fail('DEVICE_FAILED', { scu: scu.id, reason: 'a receipt is with it: try again' })
}

/** Throws DEVICE_FAILED. */
async function reached({ tools }: CheckDeps, driver: Driver<unknown>, scu: ScuHead): Promise<void> {
  try {
    await driver.reach(scu, tools, SHORT_LIMIT)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    throw fail('DEVICE_FAILED', { scu: scu.id, reason: error.message })
  }
}

/** What the device has told now is newer than what receipts have left. */
async function keepSettings({ store, now }: CheckDeps, next: ScuHead): Promise<void> {
  const { accountId, id } = next
  const secretsSealed = store.sealer.seal(next.secrets, scuSecrets(id))
  const message = `Signing unit ${id} has other settings from now on.`
  await changeUnit(store, { accountId, id, now: now() }, (current) => ({
    state: next.changed ? next.state : current.state,
    faultScript: current.faultScript,
    configuration: next.configuration,
    secretsSealed,
    actions: [{ type: 'SigningUnitConfigured', message, dataJson: null }],
  }))
}

/** While no receipt is with the device. False: one was, for too long. */
async function inTurn(store: Store, id: string, work: () => Promise<unknown>): Promise<boolean> {
  const turns = openQueueTurns(store)
  try {
    if (!(await turns.wait(id, TURN_MS))) return false
    await work()
    return true
  } finally {
    await turns.close()
  }
}

async function unitOf({ store, marketOf }: CheckDeps, id: string) {
  const scu = isUuid(id) ? await findUnit(store, id.toLowerCase()) : undefined
  if (scu === undefined) throw fail('SCU_UNKNOWN', { scu: id })
  return { scu, driver: driverOf(marketOf(scu.market), scu) }
}

/** What it told is kept; where a receipt was faster, that one knows better. */
async function keepState({ store, now }: CheckDeps, scu: ScuHead): Promise<void> {
  if (!scu.changed) return
  const { accountId, id, version, state, faultScript } = scu
  await inTurn(store, id, () =>
    changeUnit(store, { accountId, id, now: now() }, (current) =>
      current.version === version ? { state, faultScript, actions: [] } : undefined,
    ),
  )
}
