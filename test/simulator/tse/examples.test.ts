// The emulator against the worked examples of two TSEs, byte for byte, and against OpenSSL.
import { createHash, createPublicKey, createVerify, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FinishSignature, LogMessage } from '../../../src/device/tse/tse.js'
import { TSE_STATES } from '../../../src/device/tse/tse.js'
import { qrText, valuesOf } from '../../../src/market/de/receipt-draft.js'
import { opensslVerdict } from '../../market/de/support/openssl.js'
import { CLIENT, FIRST_SECOND, LIMIT, TseStand } from '../../market/de/support/tse-stand.js'
import {
  exampleOf,
  HASHES,
  PROFILE_NAMES,
  SIGNATURE_BYTES,
} from '../../market/de/support/vectors.js'

const SALE = 'Beleg^11.90_5.35_0.00_0.00_0.00^10.00:Bar_7.25:Unbar'

/** Everything that the example's device did, at the same seconds. */
async function liveThrough(stand: TseStand): Promise<FinishSignature> {
  const at = (second: number) => {
    stand.time = (FIRST_SECOND + second) * 1000
  }
  const other = (text: string) => ({
    processType: 'SonstigerVorgang',
    processData: Buffer.from(text),
  })
  stand.seconds.push(FIRST_SECOND, FIRST_SECOND, FIRST_SECOND + 1)
  await stand.tse.setState(TSE_STATES.initialized, LIMIT)
  at(2)
  await stand.tse.registerClient(CLIENT, LIMIT)
  at(3)
  await stand.transaction(other('initial operation receipt / start-receipt'))
  at(60)
  const { transactionNumber } = await stand.start()
  at(72)
  const sale = { processType: 'Kassenbeleg-V1', processData: Buffer.from(SALE) }
  const finish = await stand.finish(transactionNumber, sale)
  at(3600)
  await stand.transaction(other('daily-closing'))
  return finish
}

describe.each(PROFILE_NAMES)('the worked example %s', (profile) => {
  const example = exampleOf(profile)
  const signatureBytes = SIGNATURE_BYTES[profile]
  const hash = HASHES[profile]
  const [leaf, root] = example.certificates.map(({ der }) => Buffer.from(der, 'hex'))
  const certificate = leaf ?? Buffer.alloc(0)
  let stand: TseStand
  let finish: FinishSignature
  let ours: LogMessage[]

  beforeAll(async () => {
    stand = await TseStand.example(profile)
    finish = await liveThrough(stand)
    ours = stand.logged()
  })

  const vector = (counter: number) => Buffer.from(example.logs[counter - 1]?.der ?? '', 'hex')
  const own = (counter: number) => ours[counter - 1]?.der ?? Buffer.alloc(0)
  const counters = example.logs.map(({ counter }) => counter)

  function verifies(der: Buffer): boolean {
    const header = (der[1] ?? 0) < 0x80 ? 2 : 2 + ((der[1] ?? 0) & 0x7f)
    const input = der.subarray(header, der.length - signatureBytes - 2)
    const key = new X509Certificate(certificate).publicKey
    return createVerify(hash)
      .update(input)
      .verify({ key, dsaEncoding: 'ieee-p1363' }, der.subarray(-signatureBytes))
  }

  it('has nine messages with the counters 1 to 9', () => {
    expect(counters).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(ours.map(({ signatureCounter }) => signatureCounter)).toEqual(counters)
  })

  it.each(counters)('message %i is the same, but for the random signature', (counter) => {
    const part = (der: Buffer) => der.subarray(0, -signatureBytes).toString('hex')
    expect(part(own(counter))).toBe(part(vector(counter)))
    expect(own(counter).length).toBe(vector(counter).length)
  })

  it.each(counters)('message %i verifies with OpenSSL, theirs and ours', (counter) => {
    const checked = { certificate, hash, signatureBytes }
    expect(opensslVerdict({ ...checked, der: vector(counter) })).toBe('Verified OK')
    expect(opensslVerdict({ ...checked, der: own(counter) })).toBe('Verified OK')
  })

  it.each(counters)('message %i verifies with Node, theirs and ours', (counter) => {
    expect([verifies(vector(counter)), verifies(own(counter))]).toEqual([true, true])
  })

  it('a message with one other byte verifies with neither', () => {
    const changed = Buffer.from(own(7))
    const at = changed.indexOf('11.90')
    changed[at] = 0x32
    expect(at).toBeGreaterThan(0)
    expect(verifies(changed)).toBe(false)
    const checked = { certificate, hash, signatureBytes, der: changed }
    expect(opensslVerdict(checked)).not.toContain('Verified OK')
  })

  it('the input of the second finish has the published hash', () => {
    const der = own(7)
    const header = (der[1] ?? 0) & 0x7f
    const input = der.subarray(2 + header, der.length - signatureBytes - 2)
    expect(createHash(hash).update(input).digest('hex')).toBe(example.finish2InputHash)
  })

  it('serial number and public key are those of the example', () => {
    const { serialHex, publicKey, algorithm, logTimeFormat } = stand.tse.identity()
    expect([serialHex, publicKey.toString('hex')]).toEqual([example.serial, example.point])
    expect(algorithm).toBe(`ecdsa-plain-SHA${profile.slice(2)}`)
    expect(logTimeFormat).toBe('unixTime')
    expect(stand.tse.identity().certificate.chain).toEqual([root])
  })

  it('the QR text of the example comes out, character by character', () => {
    const signature = vector(7).subarray(-signatureBytes)
    const identity = stand.tse.identity()
    const sale = {
      processType: 'Kassenbeleg-V1',
      processData: SALE,
      startSignature: null,
      identity,
    }
    const codeOf = (given: FinishSignature) => qrText(valuesOf(CLIENT, { ...sale, finish: given }))
    expect(codeOf({ ...finish, signature })).toBe(example.qr)
    expect(codeOf(finish).length).toBe(example.qr.length)
  })

  it('the answer of the finish says what the message says', () => {
    expect(finish).toEqual({
      transactionNumber: 2,
      signatureCounter: 7,
      moment: new Date('2026-01-01T09:01:12.000Z'),
      startMoment: new Date('2026-01-01T09:01:00.000Z'),
      signature: own(7).subarray(-signatureBytes),
    })
  })

  it('the key of the example belongs to its certificate', () => {
    const key = createPublicKey(
      new X509Certificate(certificate).publicKey.export({
        format: 'pem',
        type: 'spki',
      }),
    )
    expect(key.export({ format: 'der', type: 'spki' }).toString('hex')).toContain(example.point)
  })
})
