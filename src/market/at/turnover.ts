// The encrypted turnover counter (Umsatzzähler) of the RKSV, and the key it is encrypted with.
import { type Cipher, createCipheriv } from 'node:crypto'
import { sha256, sha256Text } from '../../lib/hash.js'
import { putInt64BE } from '../../lib/ticks.js'

const KEY_BYTES = 32
/** Counters longer than 8 bytes are not offered. */
const LONGEST = 8

/** What stands in place of the counter on training and void receipts: base64 of TRA and STO. */
export const TRAINING_MARK = 'VFJB'
export const VOID_MARK = 'U1RP'

export interface TurnoverInput {
  key: Buffer
  kassenId: string
  /** Belegnummer, e.g. ft1#2. */
  receiptId: string
  cents: bigint
  /** Bytes of the counter, 5 to 8; a value that does not fit takes 8. */
  bytes: number
}

/**
 * Field 10 of the machine-readable code: AES-256 in counter mode over the counter as big-endian
 * two's complement, with the first 16 bytes of SHA-256(Kassen-ID + Belegnummer) as initial block.
 * Throws when the value needs more than 8 bytes. Source: RKSV Annex, turnover counter.
 */
export function encryptTurnover({ key, kassenId, receiptId, cents, bytes }: TurnoverInput): string {
  const length = fitsTurnover(cents, bytes) ? bytes : LONGEST
  const plain = Buffer.allocUnsafe(LONGEST)
  putInt64BE(plain, cents, 0)
  const start = LONGEST - length
  // two blocks, of which the first one is wanted: cheaper than cutting the hash in half
  const stream = blockCipher(key).update(sha256Text(kassenId + receiptId, 'latin1'), 'latin1')
  for (let at = start; at < LONGEST; at += 1) {
    plain[at] = (plain[at] ?? 0) ^ (stream[at - start] ?? 0)
  }
  return plain.toString('base64', start)
}

const blockCiphers = new WeakMap<Buffer, Cipher>()

/**
 * AES of single blocks, kept per key. The counter is shorter than a block, so counter mode is the
 * encrypted initial block XOR the counter; making a cipher per receipt would cost ten times as
 * much.
 */
function blockCipher(key: Buffer): Cipher {
  const known = blockCiphers.get(key)
  if (known !== undefined) return known
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  blockCiphers.set(key, cipher)
  return cipher
}

/** True when the value fits into so many bytes of two's complement. */
export function fitsTurnover(cents: bigint, bytes = LONGEST): boolean {
  return BigInt.asIntN(bytes * 8, cents) === cents
}

/** Check value for registering the key by hand: 4 characters (FinanzOnline, form of the BMF). */
export function keyCheckValue(keyBase64: string): string {
  return sha256(keyBase64).subarray(0, 3).toString('base64').slice(0, 4)
}

// ----------------------------------------------------------------------- secrets

export type QueueKey =
  | { kind: 'key'; key: Buffer; base64: string }
  | { kind: 'missing' }
  | { kind: 'invalid' }

const KEY_BASE64 = /^[A-Za-z0-9+/]{43}=$/
const MISSING: QueueKey = { kind: 'missing' }
const INVALID: QueueKey = { kind: 'invalid' }

const MAX_CACHED = 4096
const cached = new Map<string, QueueKey>()

/** The AES key in the opened secrets of a queue; kept in memory by the text it was read from. */
export function openKey(secrets: string): QueueKey {
  const known = cached.get(secrets)
  if (known !== undefined) return known
  const opened = readKey(secrets)
  if (cached.size >= MAX_CACHED) cached.clear()
  cached.set(secrets, opened)
  return opened
}

export function sealableSecrets(key: Buffer): string {
  return JSON.stringify({ encryptionKeyBase64: key.toString('base64') })
}

export function newKey(randomBytes: (count: number) => Buffer): Buffer {
  return randomBytes(KEY_BYTES)
}

function readKey(secrets: string): QueueKey {
  if (secrets === '') return MISSING
  const content: unknown = JSON.parse(secrets)
  if (typeof content !== 'object' || content === null) return INVALID
  const base64 = 'encryptionKeyBase64' in content ? content.encryptionKeyBase64 : undefined
  if (base64 === undefined || base64 === null || base64 === '') return MISSING
  if (typeof base64 !== 'string' || !KEY_BASE64.test(base64)) return INVALID
  return { kind: 'key', key: Buffer.from(base64, 'base64'), base64 }
}
