// What drivers of certified devices have in common: who the device is is kept in its row, another
// one is refused, and only what verifies is believed.
import { z } from 'zod'
import { DeviceError, type DriverTools, type ScuHead, UnitBroken } from '../../../device/device.js'
import {
  type ModuleFacts,
  mayUse,
  type ProofLine,
  type UnitDescription,
  type UnitEnvironment,
} from '../../../device/driver.js'
import { readJson } from '../../../device/remote.js'
import type { Operation } from '../../../device/tse/log-message.js'
import {
  type LogMessage,
  type TransactionCall,
  TSE_STATES,
  type TseIdentity,
  type TseInfo,
  type TseSignature,
} from '../../../device/tse/tse.js'
import { certificationName, doubtOf, isCertified } from './certified-doubt.js'
import { proofLines } from './certified-proof.js'
import { type CertifiedState, readCertified, writeCertified } from './certified-state.js'
import { environmentByChain, issuersOf } from './chain-environment.js'
import { provenMessage } from './remote-proof.js'

export class CertifiedUnit {
  readonly scu: ScuHead
  readonly tools: DriverTools
  private readonly logs: LogMessage[] = []
  /** What the row says and the text that it was read from. */
  private read: { text: string; state: CertifiedState } | undefined
  /** What was judged last, and may be used. */
  private judged: string | undefined

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
  }

  state(): CertifiedState {
    const { state: text } = this.scu
    if (this.read?.text !== text) this.read = { text, state: readCertified(text) }
    return this.read.state
  }

  /** Throws DeviceError while the device was never reached. */
  identity(): TseIdentity {
    const { identity } = this.state()
    if (identity !== undefined) return identity
    throw new DeviceError('the device was never reached: nobody knows who it is')
  }

  change(changes: Partial<CertifiedState>): void {
    const text = writeCertified({ ...this.state(), ...changes })
    if (text === this.scu.state) return
    this.scu.state = text
    this.scu.changed = true
  }

  /**
   * A unit is one device for its whole life. Throws UnitBroken for another one, for one for tests
   * where receipts count or the other way round, and where nobody has looked at one that counts.
   */
  meet(identity: TseIdentity, environment: UnitEnvironment): void {
    const confirmed = confirmedOf(this.scu)
    const known = this.state().identity?.serialHex
    if (known !== undefined && known !== identity.serialHex) {
      throw new UnitBroken('another device answers than the one of this signing unit')
    }
    // kept even where it is refused: somebody may want to know what it is
    this.change({ identity, environment })
    demandUsable(this.tools, { identity, environment, confirmed })
  }

  /**
   * Before each step of a transaction, from what is known: what was refused when it was met is
   * refused from then on. Throws UnitBroken.
   */
  judge(): void {
    const { identity, environment: told = 'unknown' } = this.state()
    if (identity === undefined) return
    const judged = `${identity.serialHex} ${told} ${this.scu.configuration}`
    if (this.judged === judged) return
    const confirmed = confirmedOf(this.scu)
    // somebody may have confirmed it since
    const environment = told === 'unknown' ? environmentByChain(identity, confirmed) : told
    demandUsable(this.tools, { identity, environment, confirmed })
    this.judged = judged
  }

  /** Only what verifies is believed; the log message goes into the journal. */
  proven(operation: Operation, call: TransactionCall, signed: TseSignature): TseSignature {
    this.logs.push(provenMessage(this.identity(), { operation, call, ...signed }))
    return signed
  }

  takeLogs(): LogMessage[] {
    return this.logs.splice(0)
  }
}

/** Throws UnitBroken. Of a server that does not say what it is, everything may be used. */
export function demandUsable(
  { production }: DriverTools,
  seen: { identity: TseIdentity; environment: UnitEnvironment; confirmed: readonly string[] },
): void {
  if (production === undefined) return
  const { environment } = seen
  const doubt = production ? doubtOf(seen) : undefined
  if (doubt !== undefined) {
    throw new UnitBroken(`production does not use a device ${doubt}: see scu check`)
  }
  if (mayUse(environment, production)) return
  const server = production ? 'a server in production' : 'a sandbox'
  throw new UnitBroken(
    `${server} does not use a device whose environment is ${environment}: see scu check`,
  )
}

const settings = z.object({ confirmed: z.array(z.string()).default([]) })

/** Fingerprints and certifications that somebody has looked at (`scu check --confirm`). */
export function confirmedOf({ configuration }: Pick<ScuHead, 'configuration'>): string[] {
  return settings.safeParse(readJson(configuration)).data?.confirmed ?? []
}

/** What somebody may confirm of it: issuers, and a certification that is not known. */
export function issuersOfUnit({ state }: Pick<ScuHead, 'state'>): string[] {
  const { identity } = readCertified(state)
  if (identity === undefined) return []
  const id = identity.certificationId
  return [...issuersOf(identity), ...(isCertified(id, []) ? [] : [certificationName(id)])]
}

/** Of a device that does not tell: by its certificates, from the row alone. */
export function environmentOfUnit(scu: ScuHead): UnitEnvironment | undefined {
  const { identity } = readCertified(scu.state)
  return identity && environmentByChain(identity, confirmedOf(scu))
}

/** What drivers of such devices say of them. */
export const BY_CHAIN = {
  environment: environmentOfUnit,
  doubt: (scu: ScuHead) => doubtOfUnit(scu, environmentOfUnit(scu)),
  issuers: issuersOfUnit,
}

/** What `scu check` tells, from what the device has just said. */
export function proofByChain(
  scu: ScuHead,
  tools: DriverTools,
  info: TseInfo & { hasTime?: boolean },
): ProofLine[] {
  const confirmed = confirmedOf(scu)
  const environment = environmentByChain(info.identity, confirmed)
  const { production } = tools
  const { hasTime } = info
  return proofLines({ info, environment, confirmed, production, now: tools.now(), hasTime })
}

/** From the row alone. */
export function doubtOfUnit(
  scu: ScuHead,
  environment: UnitEnvironment | undefined,
): string | undefined {
  const { identity } = readCertified(scu.state)
  return identity && doubtOf({ identity, environment, confirmed: confirmedOf(scu) })
}

/** For a proof: a device that this server would not use is asked as well. */
export function unjudged({ production: _, ...tools }: DriverTools): DriverTools {
  return tools
}

/** For status exports, from the row alone. */
export async function describeCertified({ state }: ScuHead): Promise<UnitDescription> {
  const { identity } = readCertified(state)
  const certificateBase64 = identity?.certificate.der.toString('base64') ?? ''
  return { certificateBase64, serial: identity?.serialHex ?? '', members: { ZDA: '' } }
}

export function moduleOf({ state }: ScuHead): ModuleFacts {
  const { identity, signaturesUsed, memoryUsed } = readCertified(state)
  return {
    state: identity === undefined ? TSE_STATES.uninitialized : TSE_STATES.initialized,
    certificationId: identity?.certificationId ?? null,
    used: { signaturesUsed, memoryUsed },
  }
}
