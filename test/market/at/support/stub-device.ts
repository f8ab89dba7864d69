// A signing device under the control of a test: it signs, or fails as told, and counts the tries.
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import type { CallLimit, ScuHead } from '../../../../src/device/device.js'
import type { RksvDevice, RksvIdentity, RksvSignature } from '../../../../src/device/rksv.js'
import { certificateEntry } from '../../../../src/device/rksv.js'
import { vectors } from './vectors.js'

export class StubDevice implements RksvDevice {
  /** Tries to sign, failed ones included. */
  tries = 0
  limits: number[] = []
  /** The reason why it does not sign, or undefined while it works. */
  broken: string | undefined
  verified = false
  /** Given out in this order instead of signatures of its own. */
  prepared: Buffer[] = []
  /** Called in every try, before anything else. */
  onTry: () => void = () => undefined
  /** Changes the answer before it is given. */
  spoil: (answer: RksvSignature) => RksvSignature = (answer) => answer
  readonly own: RksvIdentity
  private readonly key: KeyObject

  constructor(own: Partial<RksvIdentity> = {}) {
    this.own = {
      zda: vectors.input.zda,
      serialHex: vectors.input.serialHex,
      certificate: certificateEntry(Buffer.from(vectors.input.certificateBase64, 'base64')),
      ...own,
    }
    this.key = createPrivateKey({ key: vectors.input.jwk, format: 'jwk' })
  }

  async identity(): Promise<RksvIdentity> {
    return this.own
  }

  async sign(data: Buffer, limit: CallLimit): Promise<RksvSignature> {
    this.tries += 1
    this.limits.push(limit.timeoutMs)
    this.onTry()
    if (this.broken !== undefined) throw new Error(this.broken)
    const signature =
      this.prepared.shift() ??
      createSign('sha256').update(data).sign({ key: this.key, dsaEncoding: 'ieee-p1363' })
    return this.spoil({ ...this.own, signature })
  }

  mustVerify(): boolean {
    return this.verified
  }
}

export function scuHead(id: string, mode = 0): ScuHead {
  return {
    accountId: '00000000-0000-4000-8000-0000000000aa',
    id,
    market: 'AT',
    package: 'test',
    mode,
    url: null,
    configuration: '{}',
    secrets: '',
    state: '{}',
    faultScript: null,
    version: 0n,
    changed: false,
    actions: [],
  }
}
