// Seals secrets at rest with the master key: AES-256-GCM, the key's id in front so that keys can
// rotate.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sha256 } from './hash.js'

const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + 4
const HASH_KEY_BYTES = 32

export interface Sealer {
  /** `context` names the place (table and id); a sealed value opens only under the same one. */
  seal(text: string, context: string): Buffer
  /** Throws when no key fits or the bytes were changed. */
  open(sealed: Uint8Array, context: string): string
  /** True when the first key sealed it, so that no other key is needed. */
  isSealedFirst(sealed: Uint8Array): boolean
  /**
   * Hashes of a short secret that nobody without the keys can try out, one for each key, the first
   * key's in front: with that one it is stored, with all of them it is looked up.
   */
  keyedHashes(text: string, context: string): Buffer[]
}

/** The first key seals, all of them open. Each key has 32 bytes. */
export function createSealer(keys: readonly Buffer[]): Sealer {
  const first = keys[0]
  if (first === undefined) throw new Error('a sealer needs a key')
  const byId = new Map(keys.map((key) => [keyId(key).toString('hex'), key]))
  return {
    seal: (text, context) => seal(first, text, context),
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed)
      const key = byId.get(bytes.subarray(1, HEAD_BYTES).toString('hex'))
      if (bytes[0] !== FORMAT || key === undefined) {
        throw new Error('a secret was sealed with a master key that this server does not have')
      }
      return open(key, bytes, context)
    },
    isSealedFirst: (sealed) => keyId(first).equals(sealed.subarray(1, HEAD_BYTES)),
    keyedHashes: (text, context) => keys.map((key) => keyedHash(key, text, context)),
  }
}

function keyId(key: Buffer): Buffer {
  return sha256(key).subarray(0, 4)
}

/** The key of the hashes is derived: what seals must not hash as well. */
function keyedHash(key: Buffer, text: string, context: string): Buffer {
  const own = Buffer.from(hkdfSync('sha256', key, '', `hash:${context}`, HASH_KEY_BYTES))
  return createHmac('sha256', own).update(text, 'utf8').digest()
}

function seal(key: Buffer, text: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(FORMAT), keyId(key), nonce, cipher.getAuthTag(), body])
}

function open(key: Buffer, bytes: Buffer, context: string): string {
  const tagAt = HEAD_BYTES + NONCE_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(HEAD_BYTES, tagAt), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(tagAt, tagAt + TAG_BYTES))
  const body = bytes.subarray(tagAt + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
