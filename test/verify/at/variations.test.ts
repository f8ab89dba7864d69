// Files that a register made in unusual or wrong ways, validly signed: what the two official
// verifiers accept is accepted, what either rejects is rejected with the receipt at fault.
import { describe, expect, it } from 'vitest'
import {
  type Amounts,
  compact,
  depOf,
  exampleSigner,
  examples,
  groupOf,
  newSigner,
  type Plan,
  Register,
} from '../../support/dep7-maker.js'
import { brief, findingsOf, judged, scene } from '../../support/dep7-scene.js'

const SALE: Plan = { amounts: [1200, 0, 0, 0, 315] }
const START: Plan = {}
const ZERO: Plan = {}
const FAILED_SALE: Plan = { amounts: [500, 0, 0, 0, 0], failed: true }
const FAILED_ZERO: Plan = { failed: true }
const TRA: Plan = { kind: 'training' }
const STO: Plan = { kind: 'void' }

/** What the verifier says of receipts made after these plans, in one group. */
async function verdict(plans: Plan[], register = new Register()): Promise<string[]> {
  const receipts = plans.map((plan) => register.next(plan))
  return judged({ register, receipts })
}

describe('published examples', () => {
  it.each([1, 2, 3, 64, 1000, 100_000])('are accepted in pieces of %i bytes', async (size) => {
    const text = depOf({ receipts: examples.receipts, certificate: examples.certificate })
    const bytes = text.replace('{', '{"Käse🧾":"ß🧾",')
    expect(await findingsOf(bytes, { key: examples.key }, size)).toEqual([])
  })

  it('are accepted with an empty certificate when it is given beside the file', async () => {
    const text = depOf({ certificate: '', receipts: examples.receipts })
    const container = {
      [examples.serial]: {
        id: examples.serial,
        signatureDeviceType: 'CERTIFICATE',
        signatureCertificateOrPublicKey: examples.certificate,
      },
    }
    expect(
      await findingsOf(text, { key: examples.key, certificates: [examples.certificate] }),
    ).toEqual([])
    expect(await findingsOf(text, { key: examples.key, certificates: [container] })).toEqual([])
    expect((await findingsOf(text)).map(({ code }) => code)).toContain('SERIAL_UNKNOWN')
  })
})

describe('accepted by both official verifiers', () => {
  it.each([5, 6, 8, 16])('a counter of %i bytes', async (counterBytes) => {
    const minus: Plan = { amounts: [-99_900, 0, 0, 0, 0], counterBytes }
    expect(await verdict([{ counterBytes }, { ...SALE, counterBytes }, minus])).toEqual([])
  })

  it('a counter that changes its length inside one file', async () => {
    expect(await verdict([START, SALE, { ...SALE, counterBytes: 8 }, SALE])).toEqual([])
  })

  it.each(['9c2ff0f4-2d9a-4d6e-b1a8-5ff4ab0a6d0e', 'KASSE 1', 'KÄSSE#ß', '🧾'])(
    'the Kassen-ID %s and # in the number',
    async (cashBox) => {
      const register = new Register({ cashBox })
      expect(await verdict([{ number: 'ft0#1' }, { ...SALE, number: 'ft1#2' }], register)).toEqual(
        [],
      )
    },
  )

  it('extra members, and a trailing group without receipts', async () => {
    const { register, receipts } = scene()
    const group = { ...groupOf({ receipts }), 'Kassen-ID': 'x', Mehr: [{ a: [1, null, true] }] }
    const text = JSON.stringify({ Version: 1, 'Belege-Gruppe': [group, groupOf({ receipts: [] })] })
    expect(await findingsOf(text, { key: register.keyText })).toEqual([])
  })

  it.each(['AT1', 'AT3', 'AT9', 'AT10', 'AT100'])('the provider %s', async (zda) => {
    const register = new Register({ signer: { ...exampleSigner, zda } })
    expect(await verdict([START, SALE], register)).toEqual([])
  })

  it('two receipts in the same second', async () => {
    const time = '2025-01-05T08:00:00'
    expect(await verdict([{ time }, { ...SALE, time }, { ...SALE, time }])).toEqual([])
  })

  it('two certificates in consecutive groups', async () => {
    const signer = await newSigner()
    const register = new Register()
    const first = [register.next(START), register.next(SALE)]
    const second = [register.next({ ...SALE, signer }), register.next({ ...SALE, signer })]
    const third = [register.next(SALE)]
    const text = depOf(
      { receipts: first },
      { receipts: second, certificate: signer.certificate },
      { receipts: third },
    )
    expect(await findingsOf(text, { key: register.keyText })).toEqual([])
  })

  it.each([
    ['failed, one normal signed, signed zero', [START, SALE, FAILED_SALE, SALE, ZERO, SALE]],
    ['failed receipts at the end', [START, SALE, FAILED_SALE, FAILED_SALE]],
    [
      'a failed training receipt',
      [START, { ...FAILED_SALE, kind: 'training' }, ZERO, SALE] as Plan[],
    ],
    ['zero receipts marked TRA or STO', [START, SALE, TRA, SALE, STO, SALE]],
    ['failed, failed zero, signed zero', [START, SALE, FAILED_SALE, FAILED_ZERO, ZERO, SALE]],
  ])('%s', async (_, plans) => {
    expect(await verdict(plans)).toEqual([])
  })

  it('-0,00', async () => {
    expect(
      await verdict([{ fields: { 5: '-0,00' } }, { ...SALE, fields: { 6: '-0,00' } }, SALE]),
    ).toEqual([])
  })

  it('an expired certificate', async () => {
    expect(
      await verdict([{ time: '2050-01-01T00:00:00' }, { ...SALE, time: '2050-01-01T00:00:01' }]),
    ).toEqual([])
  })

  it('a closed system with its public key beside the file', async () => {
    const signer = { ...exampleSigner, zda: 'AT0', serial: 'U:ATU12345678-k1' }
    const register = new Register({ signer })
    const text = depOf({ certificate: '', receipts: [register.next(START), register.next(SALE)] })
    const signatureCertificateOrPublicKey = exampleSigner.publicKey
    const entry = {
      id: signer.serial,
      signatureDeviceType: 'PUBLIC_KEY',
      signatureCertificateOrPublicKey,
    }
    const options = { key: register.keyText, certificates: [{ [signer.serial]: entry }] }
    expect(await findingsOf(text, options)).toEqual([])
    const bare = { key: register.keyText, certificates: [exampleSigner.publicKey] }
    expect(await findingsOf(text, bare)).toEqual([])
  })
})

describe('rejected by at least one official verifier', () => {
  it('a certificate that is null', async () => {
    const { receipts } = scene()
    const text = JSON.stringify({
      'Belege-Gruppe': [{ ...groupOf({ receipts }), Signaturzertifikat: null }],
    })
    expect(brief(await findingsOf(text))[0]).toBe('STRUCTURE_TYPE')
  })

  it.each(['PFX', 'AT1000', 'AT11', 'AT', 'DE1', ''])('the provider %s', async (zda) => {
    const register = new Register({ signer: { ...exampleSigner, zda } })
    expect(await verdict([START], register)).toEqual(['PROVIDER 1'])
  })

  it('AT0 with a certificate', async () => {
    const register = new Register({ signer: { ...exampleSigner, zda: 'AT0' } })
    expect(await verdict([START], register)).toEqual(['PROVIDER 1'])
  })

  it.each([
    ['0x in front', '0x7a3f19c2', ['SERIAL_FORM 1', 'SERIAL_UNKNOWN 1']],
    ['decimal', '2050955714', ['SERIAL_UNKNOWN 1']],
    ['capitals', '7A3F19C2', ['SERIAL_FORM 1', 'SERIAL_UNKNOWN 1']],
    ['a leading zero', '07a3f19c2', ['SERIAL_FORM 1', 'SERIAL_UNKNOWN 1']],
  ])('a serial number with %s', async (_, serial, expected) => {
    const register = new Register({ signer: { ...exampleSigner, serial } })
    expect(await verdict([START], register)).toEqual(expected)
  })

  it.each([
    ['failed, two normal signed, zero', [START, SALE, FAILED_SALE, SALE, SALE, ZERO], '5'],
    ['failed, normal, failed again', [START, SALE, FAILED_SALE, SALE, FAILED_SALE, ZERO], '5'],
    ['a zero receipt marked TRA as collective receipt', [START, FAILED_SALE, TRA, SALE, ZERO], '4'],
    ['a zero receipt marked STO as collective receipt', [START, FAILED_SALE, STO, SALE, ZERO], '4'],
    [
      'training receipts after a failure',
      [START, FAILED_SALE, { ...SALE, ...TRA }, { ...SALE, ...TRA }],
      '4',
    ],
  ])('%s', async (_, plans, number) => {
    expect(await verdict(plans)).toEqual([`COLLECTIVE_MISSING ${number}`])
  })

  it('receipts grouped by certificate out of time order', async () => {
    const signer = await newSigner()
    const register = new Register()
    const a = [register.next(START), register.next(SALE)]
    const b = [register.next({ ...SALE, signer }), register.next({ ...SALE, signer })]
    const c = [register.next(SALE), register.next(SALE)]
    const text = depOf({ receipts: [...a, ...c] }, { receipts: b, certificate: signer.certificate })
    const found = brief(await findingsOf(text, { key: register.keyText }))
    expect(found).toEqual(['CHAIN_BROKEN 5', 'GROUP_ORDER 3'])
  })

  it('decreasing local time', async () => {
    const plans = ['08:00:00', '08:30:00', '08:29:59', '08:31:00']
    const found = await verdict(plans.map((time) => ({ time: `2025-01-05T${time}` })))
    expect(found).toEqual(['TIME_DECREASES 3'])
  })

  it('the repeated hour in October, with a code of its own and once', async () => {
    const plans = ['02:59:58', '02:00:01', '02:00:02', '03:00:00']
    const found = await verdict(plans.map((time) => ({ time: `2025-10-26T${time}` })))
    expect(found).toEqual(['TIME_REPEATED_HOUR 2'])
  })

  it.each([
    ['another Sunday', '2025-10-19T02:59:58', '2025-10-19T02:00:01'],
    ['the hour after', '2025-10-26T03:10:00', '2025-10-26T02:50:00'],
    ['another month', '2025-03-30T02:59:58', '2025-03-30T02:00:01'],
  ])('a step back on %s is no repeated hour', async (_, before, after) => {
    expect(await verdict([{ time: before }, { time: after }])).toEqual(['TIME_DECREASES 2'])
  })

  it('_ in the Kassen-ID', async () => {
    const found = await verdict([START, SALE], new Register({ cashBox: 'KASSE_1' }))
    expect(found).toEqual(['PAYLOAD_FORM position 1', 'PAYLOAD_FORM position 2'])
  })

  it('a number used twice', async () => {
    const findings = await verdict([
      START,
      { ...SALE, number: 'A' },
      SALE,
      { ...SALE, number: 'A' },
      SALE,
    ])
    expect(findings).toEqual(['NUMBER_DOUBLED A'])
  })

  it.each([
    ['failed', { failed: true }, 'START_UNSIGNED 1'],
    ['training', TRA, 'START_KIND 1'],
    ['void', STO, 'START_KIND 1'],
    ['with an amount', { amounts: [100, 0, 0, 0, 0] as Amounts }, 'START_AMOUNT 1'],
    ['with a counter', { counted: 100 }, 'START_COUNTER 1'],
  ])('a start receipt that is %s', async (_, plan, expected) => {
    expect(await verdict([plan, ZERO, SALE])).toEqual([expected])
  })

  it('a start receipt that is chained to something else', async () => {
    const register = new Register()
    register.chain = 'AAAAAAAAAAA='
    expect(await verdict([START, SALE, SALE], register)).toEqual(['START_MISSING 1'])
  })
})

describe('made wrong by the register', () => {
  it.each([
    ['a counter off by one cent', { counted: 1516 }, 'COUNTER_WRONG 3'],
    ['a chaining value over something else', { fields: { 12: 'AAAAAAAAAAA=' } }, 'CHAIN_BROKEN 3'],
    [
      'another Kassen-ID',
      { fields: { 2: 'OTHER', 10: 'VFJB' }, kind: 'training' },
      'CASH_BOX_CHANGED 3',
    ],
    ['training that was counted', { fields: { 10: 'VFJB' } }, 'TRAINING_COUNTED 3'],
    ['a void that was not counted', { kind: 'void', counted: 0 }, 'VOID_UNCOUNTED 3'],
    ['a counter of 4 bytes', { counterBytes: 4 }, 'TURNOVER_FORM 3'],
    ['a counter that is no base64', { fields: { 10: 'AAAAAAA' } }, 'TURNOVER_FORM 3'],
    ['another algorithm', { fields: { 1: 'R2-AT100' } }, 'ALGORITHM 3'],
    ['an amount with a point', { fields: { 5: '12.00' } }, 'AMOUNT_FORM 3'],
    ['an amount with one decimal', { fields: { 9: '3,1' } }, 'AMOUNT_FORM 3'],
    ['an amount with grouping', { fields: { 5: '1.200,00' } }, 'AMOUNT_FORM 3'],
    ['an amount with a leading zero', { fields: { 5: '012,00' } }, 'AMOUNT_FORM 3'],
    ['a day that does not exist', { fields: { 4: '2025-02-29T08:00:00' } }, 'TIME_FORM 3'],
    ['a time with a zone', { fields: { 4: '2025-01-05T08:00:00Z' } }, 'TIME_FORM 3'],
    ['an hour that does not exist', { fields: { 4: '2025-01-05T24:00:00' } }, 'TIME_FORM 3'],
    ['an empty Kassen-ID', { fields: { 2: '' } }, 'CASH_BOX_FORM 3'],
    ['a chaining value of 9 bytes', { fields: { 12: 'AAAAAAAAAAAA' } }, 'CHAIN_FORM 3'],
    [
      'a code that is too long',
      { fields: { 2: 'X'.repeat(900), 10: 'VFJB' }, kind: 'training' },
      'CODE_LENGTH 3',
    ],
  ] as [string, Plan, string][])('%s', async (_, plan, expected) => {
    const found = await verdict([START, SALE, { ...SALE, ...plan }, SALE, SALE])
    expect(found[0]).toBe(expected)
    expect(found.every((line) => line.endsWith(' 3'))).toBe(true)
  })

  it('a leap day is a day', async () => {
    expect(await verdict([{ time: '2024-02-29T08:00:00' }, SALE])).toEqual([])
  })

  it('an empty number is told by its position', async () => {
    expect(await verdict([START, { ...SALE, number: '' }, SALE])).toEqual([
      'NUMBER_FORM position 2',
    ])
  })

  it('a signature by another key is named, also when the chain goes on', async () => {
    const { privateKey } = await newSigner()
    const signer = { ...exampleSigner, privateKey }
    expect(await verdict([START, SALE, { ...SALE, signer }, SALE])).toEqual(['SIGNATURE_INVALID 3'])
  })

  it('a receipt older than its certificate is a notice', async () => {
    const signer = await newSigner({ notBefore: new Date('2025-01-05T07:00:00Z') })
    const register = new Register({ signer })
    const times = ['2025-01-05T07:59:59', '2025-01-05T08:00:00', '2025-01-05T08:00:01']
    const receipts = times.map((time) => register.next({ time }))
    const text = depOf({ certificate: signer.certificate, receipts })
    const found = await findingsOf(text, { key: register.keyText })
    expect(found).toMatchObject([{ code: 'CERTIFICATE_EARLY', receipt: '1', notice: true }])
    expect(found).toHaveLength(1)
  })

  it('a serial of another given certificate does not belong to the group', async () => {
    const signer = await newSigner()
    const register = new Register()
    const receipts = [register.next(START), register.next({ ...SALE, signer }), register.next(SALE)]
    const certificates = [signer.certificate, exampleSigner.certificate]
    const options = { key: register.keyText, certificates }
    expect(brief(await findingsOf(depOf({ receipts }), options))).toEqual(['SERIAL_MISMATCH 2'])
  })

  it('a change from an open to a closed system is named', async () => {
    const closed = { ...exampleSigner, zda: 'AT0', serial: 'S:123456789' }
    const register = new Register()
    const receipts = [
      register.next(START),
      register.next({ ...SALE, signer: closed }),
      register.next(ZERO),
    ]
    const options = { key: register.keyText, certificates: [exampleSigner.publicKey] }
    const text = depOf({ certificate: '', receipts })
    const codes = brief(await findingsOf(text, options))
    expect(codes).toEqual(['SYSTEM_CHANGED 2', 'SYSTEM_CHANGED 3'])
  })

  it('a payload that is not UTF-8, and one of another number of fields', async () => {
    const { register, receipts } = scene()
    const bytes = Buffer.from([0x5f, 0xff, 0xfe]).toString('base64url')
    const broken = `${receipts[39]?.split('.')[0]}.${bytes}.${receipts[39]?.split('.')[2]}`
    expect(await judged({ register, receipts: [...receipts, broken] })).toEqual([
      'PAYLOAD_FORM position 41',
    ])
    const short = compact('_R1-AT100_A_B', exampleSigner.privateKey)
    expect(await judged({ register, receipts: [...receipts, short] })).toEqual([
      'PAYLOAD_FORM position 41',
    ])
  })
})
