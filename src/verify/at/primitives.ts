// SHA-256, AES and ES256 straight from node:crypto: a fault in the server's own wrappers must not
// be shared.
import * as crypto from 'node:crypto'

type OneShot = (algorithm: string, data: string | Uint8Array, encoding: 'buffer') => Buffer
// crypto.hash came with Node 20.12 and is missing in the type package of the runtime's line
const oneShot = (crypto as unknown as { hash: OneShot }).hash

export function digest(text: string): Buffer {
  return oneShot('sha256', text, 'buffer')
}

/** The chaining value over a text: base64 of the first 8 bytes of its SHA-256 (Annex). */
export function chainOver(text: string): string {
  return digest(text).toString('base64', 0, 8)
}

/** ECDSA P-256 with SHA-256; the signature is R and S, 32 bytes each. */
export function signatureHolds(signed: string, key: crypto.KeyObject, signature: Buffer): boolean {
  const input = Buffer.from(signed, 'latin1')
  return crypto.verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/**
 * AES-256 in counter mode for texts of at most one block: the key stream is then the initial
 * counter block, encrypted. One cipher object serves a million receipts.
 */
export class OneBlockCounterMode {
  private readonly cipher: crypto.Cipher

  constructor(key: Uint8Array) {
    this.cipher = crypto.createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  }

  decrypt(initialBlock: Uint8Array, text: Uint8Array): Buffer {
    const plain = this.cipher.update(initialBlock).subarray(0, text.length)
    for (let at = 0; at < plain.length; at += 1) plain[at] = (plain[at] ?? 0) ^ (text[at] ?? 0)
    return plain
  }
}
