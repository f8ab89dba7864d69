// a.sign RK HSM in the own house: keys by their label, with or without a login of its own.
import { z } from 'zod'
import {
  type CallLimit,
  CredentialsRefused,
  type DriverTools,
  type ScuHead,
} from '../../../device/device.js'
import type { UnitEnvironment } from '../../../device/driver.js'
import { logIn } from '../../../device/login.js'
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
  private isLetIn = false

  constructor(unit: ApplianceUnit) {
    this.unit = unit
  }

  place(): UnitEnvironment | undefined {
    return this.unit.place()
  }

  async tell(limit: CallLimit): Promise<Told> {
    const ask = async () => {
      const certificate = await this.call('Certificate', undefined, limit)
      return toldBy(certificate, await this.call('ZDA', undefined, limit))
    }
    const { scu, tools, login } = this.unit
    // what was let in once is not counted again: only the first call can be a wrong password
    if (login === undefined || this.isLetIn) return this.letIn(ask)
    const credentials = [login.user, login.password]
    return logIn(tools, { scu, credentials, limit, work: () => this.letIn(ask) })
  }

  async ready(limit: CallLimit): Promise<void> {
    if (!this.isLetIn) await this.tell(limit)
  }

  async signHash(hash: Buffer, limit: CallLimit): Promise<Buffer> {
    if (!this.isLetIn) await this.tell(limit)
    const sign = async () => {
      const body = JSON.stringify({ hash: hash.toString('base64') })
      return read(await this.call('Sign/Hash', body, limit), signatureAnswer, 'Sign/Hash')
    }
    return signatureIn((await this.letIn(sign)).signature)
  }

  private async letIn<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.isLetIn = true
      return result
    } catch (error) {
      if (error instanceof CredentialsRefused) this.isLetIn = false
      throw error
    }
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
