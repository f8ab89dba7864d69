// Driver of an RKSV card (a.sign RK CHIP) in a reader: asked through the helper process beside the
// reader (card/), which has the PIN. Here are its address and its token.
import { z } from 'zod'
import {
  type CallLimit,
  CredentialsRefused,
  DeviceError,
  type DriverTools,
  type ScuHead,
  UnitBroken,
} from '../../../device/device.js'
import type { UnitEnvironment } from '../../../device/driver.js'
import { LetIn } from '../../../device/let-in.js'
import type { OutboundResponse } from '../../../device/outbound.js'
import { accessToken, addressOf, callDevice, lowerNames } from '../../../device/remote.js'
import { MAX_ANSWER_BYTES, read } from './atrust-answer.js'
import type { Told } from './certificate.js'
import { hsmDriver } from './hsm-driver.js'
import { certificateIn, type HsmService, settingsOf, signatureIn } from './hsm-unit.js'

export const CARD_PACKAGE = 'fiskalwerk.SCU.AT.Card'

const issuers = z.array(z.base64()).default([])

const configuration = z.preprocess(
  lowerNames,
  z.object({
    /** Of the helper. */
    token: accessToken,
    /** Issuers of the certificate, nearest first, Base64: the card has its own alone. */
    certificatechain: issuers,
  }),
)

const identityAnswer = z.object({
  zda: z.string(),
  certificate: z.base64(),
  card: z.string(),
  certifiedUntil: z.iso.date().optional(),
})
const signatureAnswer = z.object({ signature: z.string() })

export const cardDriver = hsmDriver({
  configuration,
  async create(input) {
    const { token, certificatechain } = configuration.parse(input.configuration)
    return {
      configuration: JSON.stringify({ certificatechain }),
      secrets: JSON.stringify({ token }),
      state: '{}',
    }
  },
  serviceOf: (scu, tools) => new CardHelper(scu, tools),
})

const storedConfiguration = z.object({ certificatechain: issuers })
const storedSecrets = z.object({ token: accessToken })

class CardHelper implements HsmService {
  private readonly scu: ScuHead
  private readonly tools: DriverTools
  private readonly door: LetIn

  constructor(scu: ScuHead, tools: DriverTools) {
    this.scu = scu
    this.tools = tools
    this.door = new LetIn(tools, scu, () => [this.token()])
  }

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
    const body = JSON.stringify({ hash: hash.toString('base64') })
    const answer = await this.door.call(limit, () => this.call('sign', body, limit))
    return signatureIn(read(answer, signatureAnswer, 'sign').signature)
  }

  private async ask(limit: CallLimit): Promise<Told> {
    const answer = await this.call('identity', undefined, limit)
    const told = read(answer, identityAnswer, 'identity')
    const { certifiedUntil: until, card } = told
    const isOver = until !== undefined && this.tools.now() > new Date(`${until}T23:59:59Z`)
    if (isOver && this.tools.production === true) {
      throw new UnitBroken(`cards ${card} are not certified since ${until}`)
    }
    const { certificatechain } = storedConfiguration.parse(JSON.parse(this.scu.configuration))
    const chain = certificatechain.map((one) => Buffer.from(one, 'base64'))
    return { zda: told.zda, der: certificateIn(Buffer.from(told.certificate, 'base64')), chain }
  }

  private token(): string {
    const found = storedSecrets.safeParse(JSON.parse(this.scu.secrets || '{}'))
    if (found.success) return found.data.token
    throw new DeviceError('the signing unit has no token')
  }

  private async call(name: string, body: string | undefined, limit: CallLimit): Promise<Buffer> {
    const request = {
      url: `${addressOf(this.scu)}/${name}`,
      credentials: { authorization: `Bearer ${this.token()}` },
      ...(body === undefined ? {} : { body }),
      maxBytes: MAX_ANSWER_BYTES,
      repeatable: true,
      named: settingsOf(this.scu).named,
    }
    return bodyOf(name, await callDevice(this.tools, request, limit))
  }
}

/** Throws DeviceError for everything but an answer. */
function bodyOf(name: string, { status, body }: OutboundResponse): Buffer {
  if (status === 200) return body
  const text = `${name} was answered with status ${status}`
  if (status === 401) throw new CredentialsRefused(`${text}: see the token`)
  // the helper sends this PIN no more: somebody has to look at card and PIN
  if (status === 423) throw new UnitBroken('the card has refused its PIN')
  throw new DeviceError(text, { kind: status === 503 ? 'unavailable' : 'unknown-outcome' })
}
