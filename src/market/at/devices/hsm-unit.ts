// A signing device behind a service of a trust service provider, as the queue sees it: who it is,
// signatures over a hash, and what is kept of it. Calls are the provider's business.
import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import {
  type CallLimit,
  DeviceError,
  type DriverTools,
  type ScuHead,
  UnitBroken,
} from '../../../device/device.js'
import {
  mayUse,
  type ProofAsk,
  type ProofLine,
  type UnitDescription,
  type UnitEnvironment,
} from '../../../device/driver.js'
import { verifies, verifiesBeside } from '../../../device/es256.js'
import { readJson } from '../../../device/remote.js'
import {
  certificateEntry,
  type RksvDevice,
  type RksvIdentity,
  type RksvSignature,
  SIGNATURE_BYTES,
  serialHexOf,
} from '../../../device/rksv.js'
import { sha256 } from '../../../lib/hash.js'
import { environmentOf, fingerprintOf, outOfDate, type Told } from './certificate.js'
import { proofOf } from './proof.js'

export interface HsmService {
  /** Who signs, as the service says now. Throws DeviceError. */
  tell(limit: CallLimit): Promise<Told>
  /** R and S over a SHA-256. Throws DeviceError. */
  signHash(hash: Buffer, limit: CallLimit): Promise<Buffer>
  /** Whether the service would sign: a login, where there is one. */
  ready(limit: CallLimit): Promise<void>
  /** Host and settings say that it is one for tests; undefined: they say nothing. */
  place(): UnitEnvironment | undefined
}

/** Of one unit in this process, whichever queues use it. */
export interface Shared<S extends HsmService> {
  service: S
  known: { identity: RksvIdentity; told: Told; since: number } | undefined
  asking: Promise<Told> | undefined
}

/** Units of the same settings share their session and what they know; `tools` are the server's. */
export function sharedOf<S extends HsmService>(
  scu: ScuHead,
  tools: DriverTools,
  make: () => S,
): Shared<S> {
  const { url, configuration, secrets } = scu
  const key = `${scu.id} ${sha256(JSON.stringify([url, configuration, secrets])).toString('hex')}`
  const found = tools.kept?.get(key) as Shared<S> | undefined
  if (found !== undefined) return found
  const made: Shared<S> = { service: make(), known: undefined, asking: undefined }
  tools.kept?.set(key, made)
  return made
}

/** Another certificate of the same unit is noticed after this time, or when one does not verify. */
const IDENTITY_LIFE_MS = 300_000

/** Below the hour of a session. */
const CARE_MS = 600_000

export class HsmUnit implements RksvDevice {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly shared: Shared<HsmService>
  /** What was kept last, and the text that the row has for it. */
  private kept: { told: Told; state: string } | undefined
  private judged: { told: Told; configuration: string; environment: UnitEnvironment } | undefined

  constructor(scu: ScuHead, tools: DriverTools, unit: Shared<HsmService>) {
    this.scu = scu
    this.tools = tools
    this.shared = unit
  }

  async identity(limit: CallLimit): Promise<RksvIdentity> {
    const { known } = this.shared
    const age = known === undefined ? -1 : this.tools.now().getTime() - known.since
    const fresh = known !== undefined && age >= 0 && age < IDENTITY_LIFE_MS
    const { identity, told } = fresh ? known : await this.refresh(limit)
    this.demandUsable(told)
    this.remember(told)
    return identity
  }

  async sign(data: Buffer, limit: CallLimit): Promise<RksvSignature> {
    // an identity that was told for these bytes is not replaced under them, however old it is
    const identity = this.shared.known?.identity ?? (await this.identity(limit))
    const signature = await this.shared.service.signHash(sha256(data), limit)
    const signed = { ...identity, signature }
    if (signature.length === SIGNATURE_BYTES && (await verifiesBeside(data, signed))) return signed
    // the service may have another certificate by now: the next call asks for it
    this.shared.known = undefined
    throw new DeviceError('the signature does not verify with the certificate of the unit')
  }

  /** Every signature was verified above. */
  mustVerify(): boolean {
    return false
  }

  /** Who it is, and whether it lets this server in; nothing is signed. */
  async reach(limit: CallLimit): Promise<void> {
    this.shared.known = undefined
    await this.identity(limit)
    await this.shared.service.ready(limit)
  }

  /** Sessions are renewed and certificates read anew while no receipt waits. */
  nextCare(): Date {
    return new Date(this.tools.now().getTime() + CARE_MS)
  }

  /** A signature of chance bytes proves that the key is there; it costs one. */
  async proof({ limit, probe, holders }: ProofAsk): Promise<ProofLine[]> {
    const told = await this.refresh(limit).then((one) => one.told)
    this.remember(told)
    await this.shared.service.ready(limit)
    const signature = await this.shared.service.signHash(sha256(probe), limit)
    const certificate = certificateEntry(told.der, [...told.chain])
    const isOwn =
      signature.length === SIGNATURE_BYTES && verifies(probe, { signature, certificate })
    const { scu, tools } = this
    const rules = { production: tools.production, now: tools.now(), isOwn, holders }
    return proofOf(told, {
      ...rules,
      environment: environmentOfUnit(scu, this.shared.service.place()),
    })
  }

  private async refresh(limit: CallLimit) {
    this.shared.asking ??= this.shared.service.tell(limit).finally(() => {
      this.shared.asking = undefined
    })
    const told = await this.shared.asking
    const certificate = certificateEntry(told.der, [...told.chain])
    const identity = { zda: told.zda, serialHex: serialHexOf(told.der), certificate }
    this.shared.known = { identity, told, since: this.tools.now().getTime() }
    return this.shared.known
  }

  private demandUsable(told: Told): void {
    const { production } = this.tools
    const late = outOfDate(told, this.tools.now())
    if (late !== undefined) {
      throw new UnitBroken(`a certificate is good from ${late.validFrom} to ${late.validTo} only`)
    }
    if (production === undefined) return
    const environment = this.judge(told)
    if (mayUse(environment, production)) return
    const server = production ? 'production' : 'a sandbox'
    const how = environment === 'unknown' ? '; npx fiskalwerk scu check confirms its issuer' : ''
    throw new UnitBroken(`the unit is ${environment}, the server ${server}${how}`)
  }

  /** Read once for each certificate and each state of the settings, not for each receipt. */
  private judge(told: Told): UnitEnvironment {
    const { configuration } = this.scu
    const { judged } = this
    if (judged?.told === told && judged.configuration === configuration) return judged.environment
    const { confirmed } = settingsOf(this.scu)
    const environment = combined(this.shared.service.place(), environmentOf(told, confirmed))
    this.judged = { told, configuration, environment }
    return environment
  }

  /** Status exports show the certificate without asking: it is kept in the row. */
  private remember(told: Told): void {
    const { scu, kept } = this
    if (kept?.told === told && kept.state === scu.state) return
    const { zda, der, chain } = told
    const chainBase64 = chain.map((one) => one.toString('base64'))
    const state = JSON.stringify({ zda, certificateBase64: der.toString('base64'), chainBase64 })
    this.kept = { told, state }
    if (state === scu.state) return
    scu.state = state
    scu.changed = true
  }
}

// ------------------------------------------------------------------------------------- the row

const storedSettings = z.object({
  /** Fingerprints of issuers that somebody has confirmed. */
  confirmed: z.array(z.string()).default([]),
  /** Set by the command line only: the address may be private. */
  named: z.boolean().default(false),
})

export function settingsOf({ configuration }: ScuHead): z.infer<typeof storedSettings> {
  return storedSettings.parse(readJson(configuration) ?? {})
}

const storedState = z.object({
  zda: z.string(),
  certificateBase64: z.base64(),
  chainBase64: z.array(z.base64()).default([]),
})

/** What the unit said last; undefined: it was never reached. */
export function lastTold({ state }: Pick<ScuHead, 'state'>): Told | undefined {
  const found = storedState.safeParse(readJson(state)).data
  if (found === undefined) return undefined
  const bytes = (text: string) => Buffer.from(text, 'base64')
  return {
    zda: found.zda,
    der: bytes(found.certificateBase64),
    chain: found.chainBase64.map(bytes),
  }
}

/** `place`: what host and settings say. */
export function environmentOfUnit(
  scu: ScuHead,
  place: UnitEnvironment | undefined,
): UnitEnvironment | undefined {
  const told = lastTold(scu)
  if (told === undefined) return undefined
  return combined(place, environmentOf(told, settingsOf(scu).confirmed))
}

/** A host for tests outweighs a certificate; live is only what a certificate proves. */
function combined(place: UnitEnvironment | undefined, proven: UnitEnvironment): UnitEnvironment {
  return place === 'test' ? 'test' : proven
}

/** Of the issuers that it told last. */
export function issuersOf(scu: ScuHead): string[] {
  return (lastTold(scu)?.chain ?? []).map(fingerprintOf)
}

export async function describeUnit(scu: ScuHead): Promise<UnitDescription> {
  const told = lastTold(scu)
  if (told === undefined) return { certificateBase64: '', serial: '', members: { ZDA: '' } }
  const certificateBase64 = told.der.toString('base64')
  return { certificateBase64, serial: serialHexOf(told.der), members: { ZDA: told.zda } }
}

/** The DER bytes of a certificate with a key on P-256. Throws DeviceError. */
export function certificateIn(bytes: Buffer): Buffer {
  try {
    const certificate = new X509Certificate(bytes)
    const curve = certificate.publicKey.asymmetricKeyDetails?.namedCurve
    if (curve === 'prime256v1') return Buffer.from(certificate.raw)
  } catch (error) {
    throw new DeviceError('the service answers with a certificate that cannot be read', {
      cause: error,
    })
  }
  throw new DeviceError('the certificate has no P-256 key')
}

/** R and S, in any of the forms of Base64. Throws DeviceError. */
export function signatureIn(text: unknown): Buffer {
  if (typeof text !== 'string' || !/^[\w+/-]+={0,2}$/.test(text)) {
    throw new DeviceError('the answer has no signature')
  }
  const signature = Buffer.from(text, 'base64url')
  if (signature.length === SIGNATURE_BYTES) return signature
  throw new DeviceError(`the signature has ${signature.length} bytes, not ${SIGNATURE_BYTES}`)
}
