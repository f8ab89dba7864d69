// Client of a signing service behind another server's group C (REST, /api/v0/iatsscd): what the
// units of every market have in common that sign with a certificate.
import type { CertificateEntry } from '../../model/journal.js'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../device.js'
import { verifiesBeside } from '../es256.js'
import { callDevice, demandLetIn } from '../remote.js'
import { certificateEntry } from '../rksv.js'
import { certificateOf, signatureOf } from './answer.js'
import { accessOf } from './settings.js'

/** A new certificate is noticed after this time, or at once when a signature does not verify. */
const IDENTITY_LIFE_MS = 300_000
/** A certificate has about 1 KiB; nothing that the service answers comes near this. */
const MAX_ANSWER_BYTES = 64 * 1024

export interface Certified {
  certificate: CertificateEntry
}

export interface ServiceCall {
  name: 'sign' | 'certificate' | 'zda'
  /** Left out: a GET. */
  body?: string
}

export type Ask = (call: ServiceCall, limit: CallLimit) => Promise<Buffer>

export interface ServiceUnit<I extends Certified> {
  scu: ScuHead
  tools: DriverTools
  /** What the market adds to the certificate; `certificate` is what the service has just told. */
  identityOf(certificate: Promise<CertificateEntry>, ask: Ask, limit: CallLimit): Promise<I>
  /** Members of the state beside the certificate. */
  stateOf(identity: I): object
}

export class SigningService<I extends Certified> {
  private readonly unit: ServiceUnit<I>
  private known: { identity: I; since: number } | undefined

  constructor(unit: ServiceUnit<I>) {
    this.unit = unit
  }

  async identity(limit: CallLimit): Promise<I> {
    return this.fresh() ?? this.refresh(limit)
  }

  /** Verified with the certificate of the identity that comes with it. */
  async sign(data: Buffer, limit: CallLimit): Promise<I & { signature: Buffer }> {
    // an identity that was told for these bytes is not replaced under them, however old it is
    const known = this.known?.identity
    const body = JSON.stringify({ dataBase64: data.toString('base64') })
    const [signature, identity] = await Promise.all([
      this.ask({ name: 'sign', body }, limit).then(signatureOf),
      known ?? this.refresh(limit),
    ])
    const signed = { ...identity, signature }
    if (await verifiesBeside(data, signed)) return signed
    // the device may have a new certificate: the next call asks for it
    this.known = undefined
    throw new DeviceError('the signature does not verify with the certificate of the device')
  }

  private fresh(): I | undefined {
    if (this.known === undefined) return undefined
    const age = this.unit.tools.now().getTime() - this.known.since
    return age >= 0 && age < IDENTITY_LIFE_MS ? this.known.identity : undefined
  }

  private async refresh(limit: CallLimit): Promise<I> {
    const { chain } = accessOf(this.unit.scu)
    const certificate = this.ask({ name: 'certificate' }, limit).then((body) =>
      certificateEntry(certificateOf(body), chain),
    )
    const ask: Ask = (call, left) => this.ask(call, left)
    const identity = await this.unit.identityOf(certificate, ask, limit)
    this.known = { identity, since: this.unit.tools.now().getTime() }
    this.remember(identity)
    return identity
  }

  /** Status exports show the certificate without asking the device: it is kept in the SCU row. */
  private remember(identity: I): void {
    const { scu, stateOf } = this.unit
    const certificateBase64 = identity.certificate.der.toString('base64')
    const state = JSON.stringify({ ...stateOf(identity), certificateBase64 })
    if (state === scu.state) return
    scu.state = state
    scu.changed = true
  }

  private async ask(call: ServiceCall, limit: CallLimit): Promise<Buffer> {
    const { address, cashBoxId, accessToken, named } = accessOf(this.unit.scu)
    const request = {
      url: `${address}/api/v0/iatsscd/${call.name}`,
      credentials: { cashboxid: cashBoxId, accesstoken: accessToken },
      body: call.body,
      maxBytes: MAX_ANSWER_BYTES,
      // the device keeps nothing of what it signs: signing twice moves nothing
      repeatable: true,
      named,
    }
    const answer = await callDevice(this.unit.tools, request, limit)
    if (answer.status === 200) return answer.body
    demandLetIn(call.name, answer.status)
    throw new DeviceError(`${call.name} was answered with status ${answer.status}`)
  }
}
