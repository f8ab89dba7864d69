// The worked examples of two TSEs: computed and checked outside this program.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ProfileName } from '../../../../src/device/tse/profile.js'

export interface ExampleTse {
  /** Private number d, hexadecimal. */
  privateKey: string
  point: string
  serial: string
  /** In the order of the signature counter, from 1 on. */
  logs: { counter: number; name: string; der: string }[]
  /** Leaf, then root. */
  certificates: { name: string; der: string }[]
  /** Hash of the signature input of message 7. */
  finish2InputHash: string
  /** Of transaction 2. */
  qr: string
}

const file = new URL('../vectors/tse-examples.json', import.meta.url)
const examples = JSON.parse(readFileSync(file, 'utf8')) as Record<ProfileName, ExampleTse>

export const PROFILE_NAMES = ['P-256', 'P-384'] as const

export function exampleOf(profile: ProfileName): ExampleTse {
  return examples[profile]
}

export const SIGNATURE_BYTES = { 'P-256': 64, 'P-384': 96 } as const
export const HASHES = { 'P-256': 'sha256', 'P-384': 'sha384' } as const

export function exampleKey(profile: ProfileName): KeyObject {
  const { privateKey, point } = examples[profile]
  const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  const half = (point.length - 2) / 2
  const key = {
    kty: 'EC',
    crv: profile,
    d: base64url(privateKey),
    x: base64url(point.slice(2, 2 + half)),
    y: base64url(point.slice(2 + half)),
  }
  return createPrivateKey({ key, format: 'jwk' })
}
