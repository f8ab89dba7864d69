// Log messages of devices of the field, put together here by hand and signed with keys of OpenSSL:
// time formats, algorithms and curves that a remote TSE may have.
import { createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { DeviceError } from '../../../../src/device/device.js'
import { readElements } from '../../../../src/device/tse/der.js'
import { logName } from '../../../../src/device/tse/log-name.js'
import type { TseIdentity } from '../../../../src/device/tse/tse.js'
import { identityOfState } from '../../../../src/market/de/devices/remote-identity.js'
import { type Claim, provenMessage } from '../../../../src/market/de/devices/remote-proof.js'
import { readLogMessage } from '../../../../src/verify/de/log-message.js'
import { int, tlv } from '../../../support/tse-device.js'
import { inFolder, run } from '../support/openssl.js'

interface Made {
  key: KeyObject
  der: Buffer
}

const made = new Map<string, Made>()
const CURVES = ['prime256v1', 'secp384r1', 'brainpoolP256r1', 'brainpoolP384r1', 'secp521r1']

beforeAll(() => {
  for (const curve of CURVES) made.set(curve, newDevice(curve))
})

function newDevice(curve: string): Made {
  return inFolder((folder) => {
    const [key, certificate] = [join(folder, 'key'), join(folder, 'certificate')]
    const curveOption = ['-pkeyopt', `ec_paramgen_curve:${curve}`]
    const files = ['-nodes', '-keyout', key, '-out', certificate]
    run('openssl', ['req', '-x509', '-newkey', 'ec', ...curveOption, ...files, '-subj', '/CN=TSE'])
    const raw = new X509Certificate(readFileSync(certificate)).raw
    return { key: createPrivateKey(readFileSync(key)), der: Buffer.from(raw) }
  })
}

function deviceOf(curve: string): Made {
  const found = made.get(curve)
  if (found === undefined) throw new Error(`no device on ${curve}`)
  return found
}

function identityOf(curve: string, facts: object = {}): TseIdentity {
  const state = {
    algorithm: 'ecdsa-plain-SHA256',
    logTimeFormat: 'unixTime',
    certificationId: 'BSI-K-TR-0000-2026',
    certificatesBase64: [deviceOf(curve).der.toString('base64')],
    ...facts,
  }
  const identity = identityOfState(JSON.stringify(state))
  if (identity === undefined) throw new Error('no identity')
  return identity
}

const MOMENT = new Date('2026-01-01T09:00:03.250Z')
const SECOND = new Date('2026-01-01T09:00:03Z')
const SECONDS = 1767258003

interface Wanted {
  curve?: string
  hash?: string
  /** End of the algorithm's object identifier. */
  oid?: string
  time?: Buffer
  processType?: string
  /** The element of processData, whole. */
  processData?: Buffer
}

/** The elements of BSI TR-03151 1.0.1, chapter 2, one after the other. */
function finished(wanted: Wanted): { input: Buffer; signature: Buffer } {
  const { key, der } = deviceOf(wanted.curve ?? 'prime256v1')
  const spki = new X509Certificate(der).publicKey.export({ type: 'spki', format: 'der' })
  // the point is the content of the last bit string, behind its octet of unused bits
  const point = spki.subarray(spki.indexOf(Buffer.of(0, 4), 16) + 1)
  const input = Buffer.concat([
    int(0x02, 2),
    tlv(0x06, Buffer.from('04007f000703070101', 'hex')),
    tlv(0x80, 'FinishTransaction'),
    tlv(0x81, 'KASSE-0001'),
    wanted.processData ?? tlv(0x82, 'Beleg^^'),
    tlv(0x83, wanted.processType ?? 'Kassenbeleg-V1'),
    int(0x85, 128),
    tlv(0x04, createHash('sha256').update(point).digest()),
    tlv(0x30, tlv(0x06, Buffer.from(wanted.oid ?? '04007f00070101040103', 'hex'))),
    int(0x02, 300),
    wanted.time ?? int(0x02, SECONDS),
  ])
  const how = { key, dsaEncoding: 'ieee-p1363' } as const
  return { input, signature: sign(wanted.hash ?? 'sha256', input, how) }
}

function claim(signature: Buffer, moment = SECOND): Claim {
  return {
    operation: 'finish',
    call: {
      clientId: 'KASSE-0001',
      processType: 'Kassenbeleg-V1',
      processData: Buffer.from('Beleg^^'),
      queueItemId: 'item',
      isRetry: false,
    },
    transactionNumber: 128,
    moment,
    signatureCounter: 300,
    signature,
  }
}

describe('the message behind an answer', () => {
  it('is found again, octet by octet', () => {
    const { input, signature } = finished({})
    const { der, signatureCounter } = provenMessage(identityOf('prime256v1'), claim(signature))
    expect(der).toEqual(tlv(0x30, input, tlv(0x04, signature)))
    expect(signatureCounter).toBe(300)
  })

  it('may hold processData in pieces of unknown length, as D-Trust units write it', () => {
    // A2 80, an octet string, end of contents
    const processData = Buffer.concat([
      Buffer.from('a2800407', 'hex'),
      Buffer.from('Beleg^^'),
      Buffer.from('0000', 'hex'),
    ])
    const { input, signature } = finished({ processData })
    const { der } = provenMessage(identityOf('prime256v1'), claim(signature))
    expect(der).toEqual(tlv(0x30, input, tlv(0x04, signature)))
    // its name in an export, and what an auditor reads of it
    const name = `Unixt_${SECONDS}_Sig-300_Log-Tra_No-128_Finish_Client-KASSE-0001.log`
    expect(logName(der)).toBe(name)
    const { body } = readLogMessage(der)
    expect(body).toMatchObject({ kind: 'transaction', processData: Buffer.from('Beleg^^') })
    expect(readElements(processData)).toEqual([{ tag: 0x82, content: Buffer.from('Beleg^^') }])
    // it ends at any byte: refused, and not read on without end
    for (let end = 1; end < processData.length; end += 1) {
      expect(() => readElements(processData.subarray(0, end)), String(end)).toThrow()
    }
  })

  it.each([
    ['utcTime', 0x17, '260101090003Z'],
    ['utcTime', 0x17, '2601010900Z'],
    ['utcTimeWithSeconds', 0x17, '260101090003Z'],
    ['generalizedTime', 0x18, '20260101090003Z'],
    ['generalizedTimeWithMilliseconds', 0x18, '20260101090003.250Z'],
  ])('has a log time as %s (tag %i, %s)', (logTimeFormat, tag, text) => {
    const { input, signature } = finished({ time: tlv(tag, text) })
    const identity = identityOf('prime256v1', { logTimeFormat })
    const { der } = provenMessage(identity, claim(signature, MOMENT))
    expect(der).toEqual(tlv(0x30, input, tlv(0x04, signature)))
  })

  it.each([
    ['secp384r1', 'sha384', 'ecdsa-plain-SHA384', '04'],
    ['brainpoolP256r1', 'sha256', 'ecdsa-plain-SHA256', '03'],
    ['brainpoolP384r1', 'sha384', 'ecdsa-plain-SHA384', '04'],
    ['brainpoolP384r1', 'sha3-384', 'ecdsa-plain-SHA3-384', '0a'],
    ['secp521r1', 'sha512', 'ecdsa-plain-SHA512', '05'],
  ])('may be signed on %s with %s', (curve, hash, algorithm, last) => {
    const oid = `04007f000701010401${last}`
    const { input, signature } = finished({ curve, hash, oid })
    const { der } = provenMessage(identityOf(curve, { algorithm }), claim(signature))
    expect(der).toEqual(tlv(0x30, input, tlv(0x04, signature)))
  })

  it.each<[string, Wanted, object, string]>([
    ['another processType', { processType: ' ' }, {}, 'does not verify'],
    ['the key of another device', { curve: 'brainpoolP256r1' }, {}, 'does not verify'],
    ['EC-Schnorr', {}, { algorithm: 'ecsdsa-plain-SHA256' }, 'algorithm'],
    ['an unknown time format', {}, { logTimeFormat: 'stardate' }, 'time format'],
  ])('is none with %s', (_name, wanted, facts, expected) => {
    const { signature } = finished(wanted)
    const identity = identityOf('prime256v1', facts)
    const proof = () => provenMessage(identity, claim(signature))
    expect(proof).toThrow(DeviceError)
    expect(proof).toThrow(expected)
  })
})
