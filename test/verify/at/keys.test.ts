// Certificates in the file and keys given beside it: what is missing, of no use, or another's.
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/model/verdict.js'
import { dep7File } from '../../../src/verify/at/dep7.js'
import { containerOf, depOf, exampleSigner, examples, newSigner } from '../../support/dep7-maker.js'
import { brief, findingsOf, scene } from '../../support/dep7-scene.js'
import { inPieces } from '../../support/verdicts.js'

describe('certificates in the file', () => {
  it('several groups without certificate are told once, though the keys are given', async () => {
    const { register, receipts } = scene()
    const parts = [receipts.slice(0, 10), receipts.slice(10, 20), receipts.slice(20)]
    const options = { key: register.keyText, certificates: [exampleSigner.certificate] }
    const bare = depOf(...parts.map((part) => ({ certificate: '', receipts: part })))
    expect(brief(await findingsOf(bare, options))).toEqual(['CERTIFICATE_MISSING'])
    const [a = [], b = [], c = []] = parts
    const last = depOf({ receipts: a }, { receipts: b }, { certificate: '', receipts: c })
    expect(brief(await findingsOf(last, options))).toEqual(['CERTIFICATE_MISSING'])
    const empty = depOf({ certificate: '', receipts }, { certificate: '', receipts: [] })
    expect(await findingsOf(empty, options)).toEqual([])
  })

  it('a key that is not P-256 is told', async () => {
    const { certificate } = await newSigner({ curve: 'P-384', serial: exampleSigner.serial })
    const { receipts } = scene()
    expect(brief(await findingsOf(depOf({ certificate, receipts })))).toEqual(['CERTIFICATE_KEY'])
  })
})

describe('keys given beside the file', () => {
  it('without any a notice says that none is trusted', async () => {
    const notices: string[] = []
    const sink = { add: ({ code }: Finding) => void notices.push(code), clear: () => undefined }
    const bytes = Buffer.from(depOf({ receipts: scene().receipts }))
    await dep7File.verify(inPieces(bytes), {}, sink)
    expect(notices).toEqual(['CERTIFICATE_UNTRUSTED'])
    notices.length = 0
    const certificates = [exampleSigner.certificate]
    await dep7File.verify(inPieces(bytes), { certificates }, sink)
    expect(notices).toEqual([])
  })

  it('a wrong AES key is told as what it is', async () => {
    const { receipts } = scene()
    const found = brief(await findingsOf(depOf({ receipts }), { key: examples.key }))
    expect(found[0]).toBe('START_COUNTER 1')
    expect(found).toContain('KEY_WRONG')
    expect(found.length).toBeLessThan(12)
  })

  it('a given certificate that is not the one in the file proves nothing', async () => {
    const other = await newSigner({ serial: exampleSigner.serial })
    const options = { certificates: [other.certificate] }
    const found = brief(await findingsOf(depOf({ receipts: scene().receipts }), options))
    expect(found.slice(0, 3)).toEqual([
      'CERTIFICATE_DIFFERS',
      'SIGNATURE_INVALID 1',
      'SIGNATURE_INVALID 2',
    ])
  })

  it('a forger who signs all anew is refused, whatever certificate the file then has', async () => {
    const forger = await newSigner()
    const namesake = await newSigner({ serial: exampleSigner.serial })
    for (const signer of [forger, namesake]) {
      const { register, receipts } = scene({}, signer)
      const text = depOf({ certificate: signer.certificate, receipts })
      const key = register.keyText
      expect(await findingsOf(text, { key })).toEqual([])
      const { certificateOrPublicKeyMap: map } = JSON.parse(containerOf(register, [exampleSigner]))
      for (const certificates of [[map], [exampleSigner.certificate]]) {
        const found = await findingsOf(text, { key, certificates })
        const codes = new Set(found.map(({ code }) => code))
        expect(codes).toContain(signer === forger ? 'SERIAL_UNKNOWN' : 'SIGNATURE_INVALID')
      }
    }
  })

  it('a serial that the container does not have is refused', async () => {
    const second = await newSigner()
    const { register, receipts } = scene()
    const more = [register.next({ signer: second }), register.next({ signer: second })]
    const text = depOf({ receipts }, { certificate: second.certificate, receipts: more })
    const options = { key: register.keyText, certificates: [exampleSigner.certificate] }
    expect(brief(await findingsOf(text, options))).toEqual([
      'SERIAL_UNKNOWN 41',
      'SERIAL_UNKNOWN 42',
    ])
    const both = [exampleSigner.certificate, second.certificate]
    expect(await findingsOf(text, { ...options, certificates: both })).toEqual([])
  })

  it('an empty container trusts nobody', async () => {
    const found = await findingsOf(depOf({ receipts: scene().receipts }), { certificates: [{}] })
    expect(found[0]).toMatchObject({ code: 'SERIAL_UNKNOWN' })
  })

  it.each(['', 'AAAA', 'no base64!', `${examples.key}=`])(
    'the AES key %j is refused',
    async (key) => {
      await expect(findingsOf(depOf({ receipts: [] }), { key })).rejects.toMatchObject({
        code: 'FIELD_INVALID',
      })
    },
  )

  it('what is no certificate is refused', async () => {
    const { certificate } = await newSigner({ curve: 'P-384' })
    for (const text of ['', 'AAAA', certificate]) {
      const given = findingsOf(depOf({ receipts: [] }), { certificates: [text] })
      await expect(given).rejects.toMatchObject({ code: 'FIELD_INVALID' })
    }
  })

  it('PEM is understood', async () => {
    const pem = `-----BEGIN CERTIFICATE-----\n${examples.certificate}\n-----END CERTIFICATE-----\n`
    const text = depOf({ certificate: '', receipts: examples.receipts })
    expect(await findingsOf(text, { key: examples.key, certificates: [pem] })).toEqual([])
  })
})
