// a.sign RK HSM in the own house: keys by their label, with or without a login of its own.
import { z } from 'zod'
import type { CallLimit, DriverTools, ScuHead } from '../../../device/device.js'
import type { UnitEnvironment } from '../../../device/driver.js'
import { LetIn } from '../../../device/let-in.js'
import { addressOf, callDevice } from '../../../device/remote.js'
import { bodyOf, MAX_ANSWER_BYTES, read, toldBy } from './atrust-answer.js'
import type { Told } from './certificate.js'
import { type HsmService, signatureIn } from './hsm-unit.js'

export interface ApplianceUnit {
  scu: ScuHead
  tools: DriverTools
  named: boolean
  place(): UnitEnvironment | undefined
  keyLabel: string
  /** Of its web server; undefined: it stands in a closed network. */
  login: { user: string; password: string } | undefined
  /** SHA-256 of its own certificate. */
  fingerprint?: string | undefined
}

const signatureAnswer = z.object({ signature: z.string() }).loose()

export class Appliance implements HsmService {
  private readonly unit: ApplianceUnit
  private readonly door: LetIn

  constructor(unit: ApplianceUnit) {
    this.unit = unit
    const { tools, scu, login } = unit
    this.door = new LetIn(tools, scu, () =>
      login === undefined ? [] : [login.user, login.password],
    )
  }

  place(): UnitEnvironment | undefined {
    return this.unit.place()
  }

  tell(limit: CallLimit): Promise<Told> {
    return this.door.call(limit, async () => {
      const certificate = await this.call('Certificate', undefined, limit)
      return toldBy(certificate, await this.call('ZDA', undefined, limit))
    })
  }

  ready(limit: CallLimit): Promise<void> {
    return this.door.ready(limit, () => this.tell(limit))
  }

  async signHash(hash: Buffer, limit: CallLimit): Promise<Buffer> {
    await this.ready(limit)
    const body = JSON.stringify({ hash: hash.toString('base64') })
    const answer = await this.door.call(limit, () => this.call('Sign/Hash', body, limit))
    return signatureIn(read(answer, signatureAnswer, 'Sign/Hash').signature)
  }

  private async call(name: string, body: string | undefined, limit: CallLimit): Promise<Buffer> {
    const { scu, tools, keyLabel, login, fingerprint, named } = this.unit
    const basic = login === undefined ? {} : { authorization: basicOf(login) }
    const request = {
      url: `${addressOf(scu)}/${encodeURIComponent(keyLabel)}/${name}`,
      ...{ credentials: basic, body, fingerprint, named },
      maxBytes: MAX_ANSWER_BYTES,
      // it keeps nothing of what it signs
      repeatable: true,
    }
    return bodyOf(name, await callDevice(tools, request, limit))
  }
}

function basicOf({ user, password }: { user: string; password: string }): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
