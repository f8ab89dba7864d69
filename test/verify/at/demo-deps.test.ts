// The constellation of the ministry's eight demo collection protocols: several signing devices in
// turn without certificate in the file, devices that are damaged for a while, certificates that
// are younger than the receipts, closed systems. Rows after TESTSUITE_TEST_SZENARIO_1 of
// BMF-RKSV-Technik/at-registrierkassen-mustercode (Apache License 2.0).
import { describe, expect, it } from 'vitest'
import {
  type Amounts,
  depOf,
  newSigner,
  type Plan,
  Register,
  type Signer,
} from '../../support/dep7-maker.js'
import { brief, findingsOf } from '../../support/dep7-scene.js'

const KEY = 'WQRtiiya3hYh/Uz44Bv3x8ETl1nrH6nCdErn69g5/lU='

/** Device, `!` when it is damaged, then nothing for a zero receipt, or its kind and cents. */
const ROWS = `2|1|2|1!|1!|2! N 14123 11918 2292 3523 7944|0!|0! T 10973 14930 -73 -4716 7737|0!
2! S 8027 10158 16782 -1947 14634|1!|0|0 N 7473 -3682 9125 -1881 3275|2
2! N 3161 15697 -2634 2785 12916|1! N -2847 12424 13025 168 16916
0! T 7752 10856 17060 11725 3417|1! N 13170 10473 7313 10474 8901
1! S 7285 10417 -1567 11970 5878|2! N 10306 10563 19566 324 4358|1
2 T 13765 12419 15668 2009 8760|2|1! T 1955 8613 15600 5675 7986
2! T 11653 18645 9512 7533 14129|2! S 2990 8678 6680 18144 -3100
1! T -2612 -911 2435 5197 11502|1|1 S -315 14699 -3128 14217 -354|0
2! S 18948 -208 -1179 17679 4918|1! S 5528 1480 3556 5802 10277|0
2 N 1403 11835 10580 12115 15625|0!|0|1 N 2038 7404 2758 11981 9260`

const KINDS: Record<string, Plan['kind']> = { N: 'normal', T: 'training', S: 'void' }

function protocolOf(signers: Signer[]) {
  const register = new Register({ cashBox: 'CASHBOX-DEMO-1', key: Buffer.from(KEY, 'base64') })
  const start = Date.UTC(2016, 2, 11, 2, 12, 48)
  const receipts = ROWS.split(/[|\n]/).map((row, at) => {
    const [device = '', kind = 'N', ...amounts] = row.split(' ')
    const time = new Date(start + at * (25 * 3600 + 61) * 1000).toISOString().slice(0, 19)
    const signer = signers[Number.parseInt(device, 10)]
    if (signer === undefined) throw new Error(`no device ${device}`)
    return register.next({
      signer,
      time,
      number: `CASHBOX-DEMO-1-Receipt-ID-${at + 1}`,
      failed: device.endsWith('!'),
      counterBytes: 8,
      kind: KINDS[kind] ?? 'normal',
      amounts: (amounts.length === 5 ? amounts.map(Number) : [0, 0, 0, 0, 0]) as Amounts,
    })
  })
  return { register, receipts }
}

function containerMap(signers: Signer[], isClosed: boolean) {
  const entries = signers.map(({ serial, certificate, publicKey }) => [
    serial,
    {
      id: serial,
      signatureDeviceType: isClosed ? ('PUBLIC_KEY' as const) : ('CERTIFICATE' as const),
      signatureCertificateOrPublicKey: isClosed ? publicKey : certificate,
    },
  ])
  return Object.fromEntries(entries)
}

describe('demo protocols of the ministry', () => {
  it('with certificates younger than the receipts are accepted, which is a notice', async () => {
    const notBefore = new Date('2016-11-18T00:00:00Z')
    const signers = await Promise.all([1, 2, 3].map(() => newSigner({ notBefore })))
    const { receipts } = protocolOf(signers)
    const certificates = [containerMap(signers, false)]
    const text = depOf({ certificate: '', receipts })
    const found = await findingsOf(text, { key: KEY, certificates })
    expect(found.filter(({ notice }) => notice !== true)).toEqual([])
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['CERTIFICATE_EARLY']))
  })

  it('of a closed system are accepted with the public keys of the container', async () => {
    const made = await Promise.all([1, 2, 3].map(() => newSigner()))
    const signers = made.map((signer, at) => ({
      ...signer,
      zda: 'AT0',
      serial: `U:ATU12345678-K${at}`,
    }))
    const { receipts } = protocolOf(signers)
    const certificates = [containerMap(signers, true)]
    const text = depOf({ certificate: '', receipts })
    expect(await findingsOf(text, { key: KEY, certificates })).toEqual([])
    const two = [containerMap(signers.slice(0, 2), true)]
    const found = brief(await findingsOf(text, { key: KEY, certificates: two }))
    expect(found[0]).toBe('SERIAL_UNKNOWN CASHBOX-DEMO-1-Receipt-ID-1')
  })
})
