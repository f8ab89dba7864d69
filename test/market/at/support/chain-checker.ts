// An independent look at a chain of receipts: written from the law, shares nothing with the market.
import { createCipheriv, createHash, createVerify, type KeyObject } from 'node:crypto'

export interface ChainInput {
  kassenId: string
  key: Buffer
  publicKey: KeyObject
  /** Compact JWS of the receipts in order. */
  receipts: string[]
}

export interface Checked {
  /** Counter after each receipt in cents, as decrypted or carried on. */
  counters: bigint[]
  failed: boolean[]
}

const FAILED = Buffer.from('Sicherheitseinrichtung ausgefallen').toString('base64url')

/** Throws on the first receipt that is not what the law wants. */
export function checkChain({ kassenId, key, publicKey, receipts }: ChainInput): Checked {
  let previous = kassenId
  let counter = 0n
  const result: Checked = { counters: [], failed: [] }
  const numbers = new Set<string>()
  for (const jws of receipts) {
    const [header = '', payload = '', signature = ''] = jws.split('.')
    want(Buffer.from(header, 'base64url').toString() === '{"alg":"ES256"}', 'header')
    const fields = Buffer.from(payload, 'base64url').toString().split('_')
    want(fields.length === 13 && fields[0] === '', `field count of ${fields.join('_')}`)
    const [, suite, id, number = '', time = '', ...rest] = fields
    want(/^R1-AT[1-9]\d*$/.test(suite ?? '') && id === kassenId, 'suite or Kassen-ID')
    want(!numbers.has(number), `number ${number} twice`)
    numbers.add(number)
    want(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(time), `time ${time}`)
    const amounts = rest.slice(0, 5).map(cents)
    const [turnover = '', , chain] = rest.slice(5)
    if (turnover !== 'VFJB') counter += amounts.reduce((sum, amount) => sum + amount, 0n)
    if (turnover !== 'VFJB' && turnover !== 'U1RP') {
      want(decrypt(turnover, key, kassenId + number) === counter, `counter of ${number}`)
    }
    const hash = createHash('sha256').update(previous).digest().subarray(0, 8)
    want(chain === hash.toString('base64'), `chain of ${number}`)
    const failed = signature === FAILED
    if (!failed) {
      const raw = Buffer.from(signature, 'base64url')
      const verify = createVerify('sha256').update(`${header}.${payload}`)
      const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
      want(raw.length === 64 && verify.verify(options, raw), `signature of ${number}`)
    }
    result.counters.push(counter)
    result.failed.push(failed)
    previous = jws
  }
  return result
}

function cents(text: string): bigint {
  want(/^-?\d+,\d\d$/.test(text) && text !== '-0,00', `amount ${text}`)
  return BigInt(text.replace(',', ''))
}

/** One block of the counter mode by hand: the key stream is the encrypted initial block. */
function decrypt(field: string, key: Buffer, salt: string): bigint {
  const iv = createHash('sha256').update(salt).digest().subarray(0, 16)
  const stream = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(iv)
  const cipher = Buffer.from(field, 'base64')
  let value = 0n
  cipher.forEach((byte, at) => {
    value = (value << 8n) | BigInt(byte ^ (stream[at] ?? 0))
  })
  const half = 1n << BigInt(cipher.length * 8 - 1)
  return value >= half ? value - 2n * half : value
}

function want(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the chain is broken: ${what}`)
}
