// Certificates in the file and keys given beside it: what is missing, of no use, or another's.
import { describe, expect, it } from 'vitest'
import { depOf, exampleSigner, examples, newSigner } from '../../../support/dep7-maker.js'
import { brief, findingsOf, scene } from '../../../support/dep7-scene.js'

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
  it('a wrong AES key is told as what it is', async () => {
    const { receipts } = scene()
    const found = brief(await findingsOf(depOf({ receipts }), { key: examples.key }))
    expect(found[0]).toBe('START_COUNTER 1')
    expect(found).toContain('KEY_WRONG')
    expect(found.length).toBeLessThan(12)
  })

  it('a given certificate that is not the one in the file is told', async () => {
    const other = await newSigner({ serial: exampleSigner.serial })
    const options = { certificates: [other.certificate] }
    const found = brief(await findingsOf(depOf({ receipts: scene().receipts }), options))
    expect(found).toEqual(['CERTIFICATE_DIFFERS'])
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
