// What signs the calls of a webhook, by Standard Webhooks 1.0: a secret that both sides know (v1),
// and where the receiver asks for it an Ed25519 key of which it knows the public half (v1a).
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const SECRET_BYTES = 32
/** Prefixes of the standard: a private key, which lies as `d` and `x` (RFC 8037), and its half. */
const [PRIVATE, PUBLIC] = ['whsk_', 'whpk_']
const HALF = 32

/** As they are sealed: the secret, and behind a blank the private key where there is one. */
export type WebhookKeys = string

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export function newKeys(asymmetric: boolean): WebhookKeys {
  return asymmetric ? withKey(newSecret()) : newSecret()
}

export const secretOf = (keys: WebhookKeys): string => keys.split(' ')[0] ?? ''

/** `whpk_…`; null: there is none. */
export function publicKeyOf(keys: WebhookKeys): string | null {
  const key = privateKeyOf(keys)
  return key === undefined ? null : `${PUBLIC}${key.subarray(HALF).toString('base64')}`
}

/** The same secret with a private key, the one that it has or a new one. */
export function withKey(keys: WebhookKeys): WebhookKeys {
  if (privateKeyOf(keys) !== undefined) return keys
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const both = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')])
  return `${secretOf(keys)} ${PRIVATE}${both.toString('base64')}`
}

export interface Signed {
  id: string
  at: Date
  body: string
}

/** Entries of the header `webhook-signature`. */
export function signaturesBy(keys: WebhookKeys, { id, at, body }: Signed): string[] {
  const signatures = [new Webhook(secretOf(keys)).sign(id, at, body)]
  const key = privateKeyOf(keys)
  if (key !== undefined) {
    const content = Buffer.from(`${id}.${Math.floor(at.getTime() / 1000)}.${body}`)
    signatures.push(`v1a,${sign(null, content, keyObject(key)).toString('base64')}`)
  }
  return signatures
}

function privateKeyOf(keys: WebhookKeys): Buffer | undefined {
  const [, text] = keys.split(' ')
  return text === undefined ? undefined : Buffer.from(text.slice(PRIVATE.length), 'base64')
}

function keyObject(key: Buffer) {
  const [d, x] = [key.toString('base64url', 0, HALF), key.toString('base64url', HALF)]
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
}
