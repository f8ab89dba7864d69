// The Portuguese software unit: an RSA key of its own, sealed in the server, and the emulated
// authority beside it. Not certified, and it says so: number 9999.
import {
  randomBytes as chance,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { z } from 'zod'
import { type CallLimit, DeviceError, type DriverTools, type ScuHead } from '../../device/device.js'
import type { Driver } from '../../device/driver.js'
import { answerOf, envelopeOf, type SeriesRequest } from '../../device/pt/series.js'
import { KEY_BITS, type PtDevice } from '../../device/pt/unit.js'
import { type FaultKind, takeFault } from '../faults.js'
import { opening } from '../opened.js'
import { reachSoftly, signSoftly } from '../soft-key.js'
import { EMPTY_REGISTER, register, serve } from './authority.js'

/** An issuer that nobody is: its check digit is right. */
const SANDBOX_NIF = '500000000'
const SUB_USER = 1
const PASSWORD_BYTES = 12
const AUTHORITY_BITS = 2048
const AES_BYTES = 16

const configuration = z.looseObject({
  nif: z
    .string()
    .regex(/^\d{9}$/, { error: '9 digits' })
    .default(SANDBOX_NIF),
})
const secrets = z.object({
  privateKeyPkcs8Base64: z.string(),
  authorityKeyPkcs8Base64: z.string(),
  password: z.string(),
})
const state = z.object({ register: register.default(EMPTY_REGISTER) })

/** What a script may ask of it; the last three are about the line to the authority. */
const FAULTS = [
  ...(['unreachable', 'error', 'error-after', 'delay', 'garbage', 'wrong-signature'] as const),
  ...(['authority-away', 'authority-error', 'authority-error-after'] as const),
] as const satisfies readonly FaultKind[]

const keyOf = (base64: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })

interface Opened {
  nif: string
  publicKey: string
  key: KeyObject
  password: string
  authorityKey: KeyObject
}

const openUnit = opening(
  ({ secrets: sealed, configuration: given }) => [sealed, given],
  (scu): Opened => {
    const { nif } = configuration.parse(JSON.parse(scu.configuration))
    const opened = secrets.parse(JSON.parse(scu.secrets))
    const key = keyOf(opened.privateKeyPkcs8Base64)
    return {
      nif,
      publicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64'),
      key,
      password: opened.password,
      authorityKey: keyOf(opened.authorityKeyPkcs8Base64),
    }
  },
)

const rsa = (key: KeyObject, data: Buffer): Buffer => createSign('sha1').update(data).sign(key)

function open(scu: ScuHead, tools: DriverTools): PtDevice {
  const { nif, publicKey, key } = openUnit(scu)
  return {
    identity: async () => ({ nif, publicKey, certificateNumber: '9999' }),
    sign: async (data, limit) => signSoftly({ scu, tools, key, signs: rsa }, data, limit),
    series: (request, limit) => communicate({ scu, tools }, request, limit),
  }
}

/** A message is written, read by the emulated authority, and its answer read. */
async function communicate(
  { scu, tools }: { scu: ScuHead; tools: DriverTools },
  request: SeriesRequest,
  limit: CallLimit,
) {
  const fault = takeFault(scu)?.do
  if (fault === 'authority-away' || fault === 'unreachable' || limit.timeoutMs <= 0) {
    throw new DeviceError('the authority does not answer')
  }
  if (fault === 'authority-error') {
    return { code: '5000', message: 'Erro técnico.', series: [] }
  }
  const { nif, password, authorityKey } = openUnit(scu)
  const username = `${nif}/${SUB_USER}`
  const now = tools.now()
  const credentials = { username, password, authorityKey: createPublicKey(authorityKey) }
  const message = envelopeOf(request, credentials, { secret: chance(AES_BYTES), now })
  const stored = state.parse(JSON.parse(scu.state))
  const authority = { register: stored.register, username, password, key: authorityKey, now }
  const answer = serve(authority, message)
  scu.state = JSON.stringify({ ...stored, register: authority.register })
  scu.changed = true
  if (fault === 'authority-error-after') throw new DeviceError('the answer was lost')
  return answerOf(answer, request.operation)
}

export const emulator: Driver<PtDevice> = {
  configuration,
  async create({ configuration: given, randomBytes }) {
    const made = generateKeyPairSync('rsa', { modulusLength: KEY_BITS })
    const authority = generateKeyPairSync('rsa', { modulusLength: AUTHORITY_BITS })
    const pkcs8 = (key: KeyObject) =>
      key.export({ format: 'der', type: 'pkcs8' }).toString('base64')
    return {
      configuration: JSON.stringify(configuration.parse(given ?? {})),
      secrets: JSON.stringify({
        privateKeyPkcs8Base64: pkcs8(made.privateKey),
        authorityKeyPkcs8Base64: pkcs8(authority.privateKey),
        password: randomBytes(PASSWORD_BYTES).toString('base64url'),
      }),
      state: JSON.stringify({ register: EMPTY_REGISTER }),
    }
  },
  open,
  reach: (scu, tools, limit) => reachSoftly({ scu, tools }, limit),
  remote: false,
  stateful: true,
  software: true,
  faults: FAULTS,
  async describe(scu) {
    const { nif, publicKey } = openUnit(scu)
    return { certificateBase64: '', serial: publicKey, members: { Nif: nif, PublicKey: publicKey } }
  },
}
