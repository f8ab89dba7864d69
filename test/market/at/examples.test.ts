// The published chain of eight receipts, byte for byte through the market's process.

import { createCipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/lib/hash.js'
import { chainValue, linkHash, ocrCode } from '../../../src/market/at/payload.js'
import { encryptTurnover, keyCheckValue } from '../../../src/market/at/turnover.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { OneBlockCounterMode } from '../../../src/verify/at/primitives.js'
import { at, charge, pay, receipt, sale, startReceipt, zeroReceipt } from './support/make.js'
import { fieldOf, qrOf, TestQueue } from './support/test-queue.js'
import { example, vectors } from './support/vectors.js'

const key = Buffer.from(vectors.input.aesKeyBase64, 'base64')
const { kassenId } = vectors.input

interface Step {
  name: string
  /** Vienna time of the example in UTC. */
  moment: string
  request: ReceiptRequest
  /** ftReceiptNumerator before the receipt. */
  numerator: number
}

const TRAINING = 0x2_0000n
const VOID = 0x4_0000n
const mixed = receipt(at(0x1), {
  charges: [
    charge(at(0x3), '12.00'),
    charge(at(0x1), '23.90'),
    charge(at(0x2), '4.50'),
    charge(at(0x4), '3.15'),
  ],
  pays: [pay(at(0x1), '43.55')],
})
const nullRate = receipt(at(0x1), {
  charges: [charge(at(0x5), '1.99')],
  pays: [pay(at(0x1), '1.99')],
})

const steps: Step[] = [
  { name: 'E1', moment: '2025-01-05T07:00:00Z', request: startReceipt, numerator: 0 },
  { name: 'E2', moment: '2025-01-05T07:15:30Z', request: mixed, numerator: 1 },
  { name: 'E3', moment: '2025-01-05T07:17:02Z', request: sale('-12.00', VOID), numerator: 2 },
  { name: 'E4', moment: '2025-01-05T07:20:00Z', request: sale('50.00', TRAINING), numerator: 3 },
  { name: 'E5', moment: '2025-01-05T07:25:10Z', request: nullRate, numerator: 4 },
  { name: 'E6', moment: '2025-01-05T08:00:00Z', request: sale('10.00'), numerator: 5 },
  { name: 'E7', moment: '2025-01-05T09:00:00Z', request: zeroReceipt, numerator: 6 },
  { name: 'E8', moment: '2025-07-01T10:00:00Z', request: sale('-1234.56'), numerator: 26 },
]

describe('the published chain', () => {
  it('comes out of process byte for byte', async () => {
    const queue = new TestQueue()
    for (const { name, moment, request, numerator } of steps) {
      const expected = example(name)
      queue.setTime(moment)
      queue.receiptNumerator = numerator
      queue.device.broken = name === 'E6' ? 'off' : undefined
      queue.device.prepared = [Buffer.from(expected.signatureBase64url, 'base64url')]
      expect(queue.state.lastSignatureHash).toBe(name === 'E1' ? '' : expected.chain)

      const answer = await queue.accept(request)

      expect(answer.identification).toBe(expected.receiptId)
      expect(qrOf(answer)).toBe(expected.qr)
      expect(queue.rows.at(-1)?.content).toBe(
        `eyJhbGciOiJFUzI1NiJ9.${expected.payloadBase64url}.${expected.signatureBase64url}`,
      )
      expect(queue.state.lastSignatureHash).toBe(expected.nextChain)
      expect(queue.state.cashTotalizer.replace('.', '').replace(/^(-?)0*(?=\d)/, '$1')).toBe(
        expected.cents,
      )
    }
    expect(queue.rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('takes a counter of 8 bytes where the queue is configured so', async () => {
    const queue = new TestQueue({ configuration: { 'rksv-counter-bytes': '8' } })
    queue.setTime('2025-01-05T07:00:00Z')
    expect(fieldOf(await queue.accept(startReceipt), 10)).toBe(example('E1').cipher8Base64)
    queue.setTime('2025-01-05T07:15:30Z')
    expect(fieldOf(await queue.accept(mixed), 10)).toBe(example('E2').cipher8Base64)
  })
})

describe.each(vectors.examples)('$name $title', (one) => {
  const cents = BigInt(one.cents)

  it('gives the listed cipher texts of 5 and 8 bytes', () => {
    const input = { key, kassenId, receiptId: one.receiptId, cents }
    expect(encryptTurnover({ ...input, bytes: 5 })).toBe(one.cipherBase64)
    expect(Buffer.from(one.cipherBase64, 'base64').toString('hex')).toBe(one.cipher)
    expect(encryptTurnover({ ...input, bytes: 8 })).toBe(one.cipher8Base64)
  })

  it('is opened again by the verifier from 5 and from 8 bytes', () => {
    const cipher = new OneBlockCounterMode(key)
    const opened = (field: string) => {
      const plain = cipher.decrypt(Buffer.from(one.iv, 'hex'), Buffer.from(field, 'base64'))
      return [plain.length, BigInt.asIntN(8 * plain.length, BigInt(`0x${plain.toString('hex')}`))]
    }
    expect(opened(one.cipherBase64)).toEqual([5, cents])
    expect(opened(one.cipher8Base64)).toEqual([8, cents])
  })

  it('agrees with the listed initial block and key stream', () => {
    const iv = sha256(kassenId + one.receiptId).subarray(0, 16)
    expect(iv.toString('hex')).toBe(one.iv)
    const block = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(iv)
    expect(block.toString('hex')).toBe(one.keyStream)
  })

  it('has the listed OCR and link forms', () => {
    expect(ocrCode(one.qr)).toBe(one.ocr)
    expect(linkHash(one.qr)).toBe(one.link)
  })

  it('gives the listed next chaining value', () => {
    const jws = `eyJhbGciOiJFUzI1NiJ9.${one.payloadBase64url}.${one.signatureBase64url}`
    expect(chainValue(jws)).toBe(one.nextChain)
  })
})

describe('start values', () => {
  it('the chain begins with the Kassen-ID', () => {
    expect(sha256(kassenId).toString('hex')).toBe(vectors.input.kassenIdSha256)
    expect(chainValue(kassenId)).toBe(example('E1').chain)
  })

  it('the check value of the key is four characters of its hash', () => {
    expect(keyCheckValue(vectors.input.aesKeyBase64)).toBe(vectors.input.keyCheckValue)
  })

  it('a counter that does not fit the configured length takes 8 bytes', () => {
    const input = { key, kassenId, receiptId: 'ft0#1', bytes: 5 }
    const lengthOf = (cents: bigint) =>
      Buffer.from(encryptTurnover({ ...input, cents }), 'base64').length
    // ±5 497 558 138.87 EUR is the end of 5 bytes
    expect(lengthOf(549_755_813_887n)).toBe(5)
    expect(lengthOf(549_755_813_888n)).toBe(8)
    expect(lengthOf(-549_755_813_888n)).toBe(5)
    expect(lengthOf(-549_755_813_889n)).toBe(8)
  })
})
