// Driver of a signing device behind another server's group C service (REST, /api/v0/iatsscd).
// The market's driver table lists it under its package name; the sign path calls the device.

import type { CallLimit, DriverTools, ScuHead } from '../../../device/device.js'
import { DeviceError } from '../../../device/device.js'
import type { Driver } from '../../../device/driver.js'
import { callDevice } from '../../../device/remote.js'
import {
  certificateEntry,
  type RksvDevice,
  type RksvIdentity,
  type RksvSignature,
  serialHexOf,
} from '../../../device/rksv.js'
import { verifies } from '../../kit/es256.js'
import { certificateOf, signatureOf, zdaOf } from './remote-answer.js'
import {
  type RemoteAccess,
  remoteAccessOf,
  remoteConfiguration,
  remoteStateOf,
} from './remote-settings.js'

/** Package under which the driver is configured. */
export const REMOTE_PACKAGE = 'fiskalwerk.SCU.AT.Remote'

/** A new certificate is noticed after this time, or at once when a signature does not verify. */
const IDENTITY_LIFE_MS = 300_000
/** A certificate has about 1 KiB; nothing that the service answers comes near this. */
const MAX_ANSWER_BYTES = 64 * 1024

export const remoteDriver: Driver<RksvDevice> = {
  configuration: remoteConfiguration,
  remote: true,
  stateful: false,
  software: false,
  // what goes wrong on the other side is scripted there
  faults: [],
  async create(input) {
    const given = remoteConfiguration.parse(input.configuration)
    return {
      configuration: JSON.stringify({ certificateChain: given.certificatechain }),
      secrets: JSON.stringify({ cashBoxId: given.cashboxid, accessToken: given.accesstoken }),
      state: '{}',
    }
  },
  open: (scu, tools) => new RemoteDevice(scu, tools),
  reach: (device, limit) => device.identity(limit),
  async describe(scu) {
    const seen = remoteStateOf(scu.state)
    if (seen === undefined) return { certificateBase64: '', serial: '', members: { ZDA: '' } }
    const { certificateBase64, zda } = seen
    const serial = serialHexOf(Buffer.from(certificateBase64, 'base64'))
    return { certificateBase64, serial, members: { ZDA: zda } }
  },
}

class RemoteDevice implements RksvDevice {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private known: { identity: RksvIdentity; since: number } | undefined

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
  }

  async identity(limit: CallLimit): Promise<RksvIdentity> {
    return this.fresh() ?? this.refresh(limit)
  }

  async sign(data: Buffer, limit: CallLimit): Promise<RksvSignature> {
    // an identity that was told for these bytes is not replaced under them, however old it is
    const known = this.known?.identity
    const body = JSON.stringify({ dataBase64: data.toString('base64') })
    const [signature, identity] = await Promise.all([
      this.ask({ name: 'sign', body }, limit).then(signatureOf),
      known ?? this.refresh(limit),
    ])
    const signed = { ...identity, signature }
    if (verifies(data, signed)) return signed
    // the device may have a new certificate: the next call asks for it
    this.known = undefined
    throw new DeviceError('the signature does not verify with the certificate of the device')
  }

  /** `sign` verifies every signature itself before it gives it out. */
  mustVerify(): boolean {
    return false
  }

  private fresh(): RksvIdentity | undefined {
    if (this.known === undefined) return undefined
    const age = this.tools.now().getTime() - this.known.since
    return age >= 0 && age < IDENTITY_LIFE_MS ? this.known.identity : undefined
  }

  private async refresh(limit: CallLimit): Promise<RksvIdentity> {
    const access = this.access()
    const [der, zda] = await Promise.all([
      this.ask({ name: 'certificate' }, limit).then(certificateOf),
      this.ask({ name: 'zda' }, limit).then(zdaOf),
    ])
    const certificate = certificateEntry(der, access.chain)
    const identity = { zda, serialHex: serialHexOf(der), certificate }
    this.known = { identity, since: this.tools.now().getTime() }
    this.remember(identity)
    return identity
  }

  /** Status exports show the certificate without asking the device: it is kept in the SCU row. */
  private remember({ zda, certificate }: RksvIdentity): void {
    const certificateBase64 = certificate.der.toString('base64')
    const state = JSON.stringify({ zda, certificateBase64 })
    if (state === this.scu.state) return
    this.scu.state = state
    this.scu.changed = true
  }

  private access(): RemoteAccess {
    return remoteAccessOf(this.scu)
  }

  private async ask(call: Call, limit: CallLimit): Promise<Buffer> {
    const { address, cashBoxId, accessToken, named } = this.access()
    const request = {
      url: `${address}/api/v0/iatsscd/${call.name}`,
      credentials: { cashboxid: cashBoxId, accesstoken: accessToken },
      body: call.body,
      maxBytes: MAX_ANSWER_BYTES,
      // signing twice moves nothing in an Austrian device
      repeatable: true,
      named,
    }
    const answer = await callDevice(this.tools, request, limit)
    if (answer.status === 200) return answer.body
    throw new DeviceError(`${call.name} was answered with status ${answer.status}`)
  }
}

interface Call {
  name: 'sign' | 'certificate' | 'zda'
  /** Left out: a GET. */
  body?: string
}
