// A signing unit for whoever looks after it: what is known of it, asked and proved now, and other
// settings. What the command line does as well, with a row that tells of it.
import type { UnitEnvironment } from '../../device/driver.js'
import { fail } from '../../errors.js'
import { certificateEnd } from '../../lib/certificate-end.js'
import { parseJson } from '../../lib/json.js'
import { findUnit } from '../../store/rollout/scus.js'
import { type Actor, audited } from '../audit/audit.js'
import { masked } from '../audit/mask.js'
import { driverOf } from '../drivers.js'
import {
  type CheckDeps,
  checkUnit,
  configureUnit,
  confirmIssuer,
  tryAgain,
  type UnitCheck,
} from './check.js'

export interface UnitKey {
  accountId: string
  scuId: string
}

export interface UnitView {
  id: string
  market: string
  package: string
  mode: number
  serialNumber: string | null
  certificationId: string | null
  tseState: number | null
  certificateBase64: string | null
  certificateEnds: Date | null
  /** Its key lies in this server. */
  isSoftware: boolean
  environment: UnitEnvironment | null
  /** What exports say of it. */
  facts: Record<string, string>
  /** Settings that are no secrets. */
  settings: unknown
  /** Fingerprints that it told, for somebody to confirm. */
  issuers: string[]
}

export interface UnitDesk {
  /** Throws SCU_UNKNOWN. */
  view(key: UnitKey): Promise<UnitView>
  /** Throws SCU_UNKNOWN, and FIELD_INVALID for an issuer that it did not tell. */
  check(actor: Actor, key: UnitKey & { confirm?: string; again?: boolean }): Promise<UnitCheck>
  /** Throws SCU_UNKNOWN, FIELD_INVALID, DEVICE_FAILED. */
  configure(
    actor: Actor,
    key: UnitKey & { configuration: Record<string, unknown> },
  ): Promise<{ scuId: string }>
}

export function createUnitDesk(deps: CheckDeps): UnitDesk {
  return {
    view: (key) => viewOf(deps, key),
    check: async (actor, { confirm, again, ...key }) => {
      const { scuId } = await ownUnit(deps, key)
      if (again === true) await tryAgain(deps, scuId)
      if (confirm !== undefined) await confirmIssuer(deps, { scuId, issuer: confirm })
      const result = await checkUnit(deps, scuId)
      const bad = result.lines.filter(({ level }) => level === 'bad').map(({ name }) => name)
      const after = { confirmed: confirm ?? null, again: again === true, bad }
      return audited(deps, actor, async () => ({ result, subjects: { scuId }, after }))
    },
    configure: async (actor, { configuration, ...key }) => {
      const { scuId } = await ownUnit(deps, key)
      const result = await configureUnit(deps, { scuId, configuration })
      const after = { members: Object.keys(configuration).sort() }
      return audited(deps, actor, async () => ({ result, subjects: { scuId }, after }))
    },
  }
}

/** A unit of somebody else looks like one that does not exist. */
async function ownUnit({ store }: CheckDeps, { accountId, scuId }: UnitKey) {
  const scu = await findUnit(store, scuId)
  if (scu === undefined || scu.accountId !== accountId) throw fail('SCU_UNKNOWN', { scu: scuId })
  return { scu, scuId: scu.id }
}

async function viewOf(deps: CheckDeps, key: UnitKey): Promise<UnitView> {
  const { scu } = await ownUnit(deps, key)
  const driver = driverOf(deps.marketOf(scu.market), scu)
  const { certificateBase64, serial, members } = await driver.describe(scu)
  const module = driver.module?.(scu)
  const facts = Object.entries(members).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [[name, value] as const],
  )
  return {
    ...{ id: scu.id, market: scu.market, package: scu.package, mode: scu.mode },
    serialNumber: serial === '' ? null : serial,
    certificationId: module?.certificationId ?? null,
    tseState: module?.state ?? null,
    certificateBase64: certificateBase64 === '' ? null : certificateBase64,
    certificateEnds: certificateEnd(certificateBase64),
    isSoftware: driver.software,
    environment: driver.environment?.(scu) ?? null,
    facts: Object.fromEntries(facts),
    settings: masked(parseJson(scu.configuration)),
    issuers: driver.issuers?.(scu) ?? [],
  }
}
