// The published examples of the RKSV algorithm, computed and verified outside this program.
import type { JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Example {
  name: string
  title: string
  receiptId: string
  iv: string
  keyStream: string
  /** Turnover counter after the receipt. */
  cents: string
  plain: string
  cipher: string
  cipherBase64: string
  cipher8Base64: string
  field10: string
  chain: string
  payload: string
  payloadBase64url: string
  signatureBase64url: string
  qr: string
  ocr: string
  link: string
  nextChain: string
}

interface Vectors {
  input: {
    kassenId: string
    zda: string
    aesKeyBase64: string
    keyCheckValue: string
    serialHex: string
    kassenIdSha256: string
    jwk: JsonWebKey
    certificateBase64: string
  }
  examples: Example[]
}

const file = new URL('../vectors/rksv-examples.json', import.meta.url)

export const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors

export function example(name: string): Example {
  const found = vectors.examples.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no example ${name}`)
  return found
}
