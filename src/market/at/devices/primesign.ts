// Driver of PrimeSign's RKSV HSM: a token, and a raw signature over a hash.
import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import {
  type CallLimit,
  DeviceError,
  type DriverTools,
  type ScuHead,
  UnitBroken,
} from '../../../device/device.js'
import type { UnitEnvironment } from '../../../device/driver.js'
import { LetIn } from '../../../device/let-in.js'
import { accessToken, addressOf, callDevice, lowerNames } from '../../../device/remote.js'
import { bodyOf, MAX_ANSWER_BYTES, read } from './atrust-answer.js'
import type { Told } from './certificate.js'
import { hsmDriver } from './hsm-driver.js'
import { certificateIn, type HsmService, settingsOf, signatureIn } from './hsm-unit.js'

export const PRIMESIGN_PACKAGE = 'fiskalwerk.SCU.AT.PrimeSign'

/** The provider's number among the trust service providers of the RKSV. */
const ZDA = 'AT3'

const issuers = z
  .array(z.base64().refine(isCertificate, { error: 'expected an X.509 certificate' }))
  .default([])

const configuration = z.preprocess(
  lowerNames,
  z.object({
    /** Of the customer; the service asks for nothing else. */
    sharedsecret: accessToken,
    /** Issuers of the certificate, nearest first, Base64: the service does not deliver them. */
    certificatechain: issuers,
  }),
)

const configAnswer = z
  .object({
    TspId: z.string(),
    User: z
      .object({ UserId: z.string(), Enabled: z.boolean(), DefaultKey: z.string().min(1) })
      .loose(),
  })
  .loose()

export const primesignDriver = hsmDriver({
  configuration,
  async create(input) {
    const { sharedsecret, certificatechain } = configuration.parse(input.configuration)
    return {
      configuration: JSON.stringify({ certificatechain }),
      secrets: JSON.stringify({ sharedSecret: sharedsecret }),
      state: '{}',
    }
  },
  serviceOf: (scu, tools) => new PrimeSign(scu, tools),
})

const storedConfiguration = z.object({ certificatechain: issuers })
const storedSecrets = z.object({ sharedSecret: accessToken })

interface Call {
  name: string
  path: string
  body?: Buffer
}

class PrimeSign implements HsmService {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly door: LetIn

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
    this.door = new LetIn(tools, scu, () => [this.token()])
  }

  /** Each customer has an address of its own: it says nothing. */
  place(): UnitEnvironment | undefined {
    return undefined
  }

  tell(limit: CallLimit): Promise<Told> {
    return this.door.call(limit, () => this.ask(limit))
  }

  ready(limit: CallLimit): Promise<void> {
    return this.door.ready(limit, () => this.tell(limit))
  }

  async signHash(hash: Buffer, limit: CallLimit): Promise<Buffer> {
    await this.ready(limit)
    const call = { name: 'r1raw', path: 'rs/rk/signatures/r1raw', body: hash }
    const answer = await this.door.call(limit, () => this.call(call, limit))
    return signatureIn(answer.toString('latin1').trim())
  }

  private async ask(limit: CallLimit): Promise<Told> {
    const config = read(
      await this.call({ name: 'config', path: 'rs/rk/config' }, limit),
      configAnswer,
      'config',
    )
    if (!config.User.Enabled) throw new UnitBroken('the user of the service is disabled')
    // TspId is a name, or a number that must be the provider's
    if (/^AT\d+$/.test(config.TspId) && config.TspId !== ZDA) {
      throw new UnitBroken(`the service is one of ${config.TspId}, not of ${ZDA}`)
    }
    const key = encodeURIComponent(config.User.DefaultKey)
    const path = `rs/keys/${key}/certificate.cer`
    const der = certificateIn(await this.call({ name: 'certificate', path }, limit))
    const { certificatechain } = storedConfiguration.parse(JSON.parse(this.scu.configuration))
    const chain = certificatechain.map((one) => Buffer.from(one, 'base64'))
    return { zda: ZDA, der, chain }
  }

  private token(): string {
    const found = storedSecrets.safeParse(JSON.parse(this.scu.secrets || '{}'))
    if (found.success) return found.data.sharedSecret
    throw new DeviceError('the signing unit has no shared secret')
  }

  private async call({ name, path, body }: Call, limit: CallLimit): Promise<Buffer> {
    const request = {
      url: `${addressOf(this.scu)}/${path}`,
      credentials: { 'x-auth-token': this.token() },
      // the 32 bytes as they are, although the service wants them to be called JSON
      ...(body === undefined ? {} : { body, contentType: 'application/json;charset=utf-8' }),
      maxBytes: MAX_ANSWER_BYTES,
      repeatable: true,
      named: settingsOf(this.scu).named,
    }
    return bodyOf(name, await callDevice(this.tools, request, limit))
  }
}

function isCertificate(base64: string): boolean {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).raw.length > 0
  } catch {
    return false
  }
}
