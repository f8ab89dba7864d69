// a.sign RK Online: a session per unit and process, which pays once for what a signature without
// one pays each time. Docs/going-live-at.md says what to order.
import { z } from 'zod'
import {
  type CallLimit,
  CredentialsRefused,
  DeviceError,
  type DriverTools,
  type ScuHead,
} from '../../../device/device.js'
import type { UnitEnvironment } from '../../../device/driver.js'
import { logIn } from '../../../device/login.js'
import { callDevice } from '../../../device/remote.js'
import { bodyOf, MAX_ANSWER_BYTES, read, toldBy } from './atrust-answer.js'
import type { Told } from './certificate.js'
import { type HsmService, signatureIn } from './hsm-unit.js'

/** As the vendor's manual says. */
const HOSTS = {
  live: 'https://rksv.a-trust.at/asignrkonline/v2',
  test: 'https://hs-abnahme.a-trust.at/asignrkonline/v2',
} as const
const TEST_HOST = 'hs-abnahme.a-trust.at'

export interface OnlineUnit {
  scu: ScuHead
  tools: DriverTools
  environment: 'test' | 'live'
  named: boolean
  place(): UnitEnvironment | undefined
  login: { user: string; password: string }
}

const sessionAnswer = z
  .object({ sessionid: z.string().regex(/^[a-z]{32}$/), sessionkey: z.string().min(1) })
  .loose()
const signatureAnswer = z.object({ signature: z.string() }).loose()

type Session = z.infer<typeof sessionAnswer>

interface Call {
  path: string
  method: 'GET' | 'POST' | 'PUT'
  body?: object
}

export class RkOnline implements HsmService {
  private readonly unit: OnlineUnit
  private session: Session | undefined
  private opening: Promise<Session> | undefined

  constructor(unit: OnlineUnit) {
    this.unit = unit
  }

  place(): UnitEnvironment | undefined {
    return this.unit.place()
  }

  async tell(limit: CallLimit): Promise<Told> {
    const user = encodeURIComponent(this.unit.login.user)
    const [certificate, provider] = await Promise.all([
      this.call('Certificate', { method: 'GET', path: `${user}/Certificate` }, limit),
      this.call('ZDA', { method: 'GET', path: `${user}/ZDA` }, limit),
    ])
    return toldBy(certificate, provider)
  }

  async ready(limit: CallLimit): Promise<void> {
    await this.open(limit)
  }

  async signHash(hash: Buffer, limit: CallLimit): Promise<Buffer> {
    const session = await this.open(limit)
    try {
      return await this.signIn(session, hash, limit)
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error
      // sessions end by an hour, by midnight and by a restart; one new login tells them from a
      // password that is no longer good
      if (this.session === session) this.session = undefined
      const fresh = await this.open(limit)
      return this.again(fresh, hash, limit)
    }
  }

  private async again(session: Session, hash: Buffer, limit: CallLimit): Promise<Buffer> {
    try {
      return await this.signIn(session, hash, limit)
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error
      this.session = undefined
      throw new DeviceError('a new session is refused as well', { kind: 'unavailable' })
    }
  }

  private async signIn({ sessionid, sessionkey }: Session, hash: Buffer, limit: CallLimit) {
    const body = { sessionkey, hash: hash.toString('base64') }
    const call = { method: 'POST', path: `Session/${sessionid}/Sign/Hash`, body } as const
    const answer = await this.call('Sign/Hash', call, limit)
    return signatureIn(read(answer, signatureAnswer, 'Sign/Hash').signature)
  }

  private open(limit: CallLimit): Promise<Session> {
    if (this.session !== undefined) return Promise.resolve(this.session)
    this.opening ??= this.logIn(limit).finally(() => {
      this.opening = undefined
    })
    return this.opening
  }

  private async logIn(limit: CallLimit): Promise<Session> {
    const { scu, tools, login } = this.unit
    const { user, password } = login
    const path = `Session/${encodeURIComponent(user)}`
    this.session = await logIn(tools, {
      ...{ scu, limit, credentials: [this.base(), user, password] },
      work: async () => {
        const call = { method: 'PUT', path, body: { password } } as const
        return read(await this.call('Session', call, limit), sessionAnswer, 'Session')
      },
    })
    return this.session
  }

  private base(): string {
    const { scu, environment } = this.unit
    return scu.url !== null && scu.url !== '' ? scu.url.replace(/\/+$/, '') : HOSTS[environment]
  }

  private async call(name: string, { path, method, body }: Call, limit: CallLimit) {
    const { tools, named } = this.unit
    const request = {
      url: `${this.base()}/${path}`,
      method,
      credentials: {},
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      maxBytes: MAX_ANSWER_BYTES,
      // a login is one try; a hash that is signed twice costs a signature and nothing more
      repeatable: method !== 'PUT',
      named,
    }
    return bodyOf(name, await callDevice(tools, request, limit))
  }
}

export function isTestHost(address: string): boolean {
  return URL.canParse(address) && new URL(address).hostname === TEST_HOST
}
