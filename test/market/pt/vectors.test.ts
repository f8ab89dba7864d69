// Published documents, hashes and QR codes, byte for byte. Sources: test keys and series of the
// public middleware, the four examples of AT's QR specification (vectors/documents.json).
import { createPublicKey, createVerify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codeText, excerptOf, signedText } from '../../../src/device/pt/payload.js'
import { productCode } from '../../../src/device/pt/saft.js'
import { isNif } from '../../../src/device/pt/tax-id.js'
import { userId } from '../../../src/market/pt/customer.js'
import { dataOf } from './queue.js'
import { vectors, workedQueue } from './worked.js'

describe('the six documents of the reference', () => {
  it('are signed over their texts, chained, and coded, byte for byte', async () => {
    const { outcomes } = await workedQueue()
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([])
    for (const [at, { hash, printed, code }] of vectors.documents.entries()) {
      const data = dataOf(outcomes[at] as (typeof outcomes)[0])
      expect(data[0]).toBe(hash)
      expect(data[1]).toBe(`${printed} - Processado por programa certificado n.º 9999/AT`)
      expect(data[2]).toMatch(/^ATCUD: AAJF\w{6}-[12]$/)
      expect(data[3]).toBe(code)
    }
    expect(outcomes.map(({ identification }) => identification)).toEqual([
      'ft1#FS FW2026A/1',
      'ft2#FS FW2026A/2',
      'ft3#NC FW2026A/1',
      'ft4#FT FW2026A/1',
      'ft5#RG FW2026A/1',
      'ft6#PF FW2026A/1',
    ])
  })

  it('have hashes that the public keys accept', () => {
    for (const [key, documents] of [
      [vectors.publicKey, vectors.documents],
      [vectors.secondKey, vectors.secondDocuments],
    ] as const) {
      const spki = { key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' } as const
      for (const { text, hash, printed } of documents) {
        const [date = '', entry = '', number = '', gross = '', previous = ''] = text.split(';')
        expect(signedText({ date, entry, number, gross }, previous)).toBe(text)
        const verifier = createVerify('sha1').update(text)
        expect(verifier.verify(createPublicKey(spki), hash, 'base64')).toBe(true)
        expect(excerptOf(hash)).toBe(printed)
      }
    }
  })
})

const pair = (base: string, tax: string) => ({ base, tax })
const hashWith = (printed: string) => [...printed].map((letter) => letter.padEnd(10, 'x')).join('')

describe("AT's examples of QR codes", () => {
  const common = { customer: { nif: '999999990', country: 'PT' }, entry: '', certificate: '9999' }
  it('all three regions, stamp duty, tax withheld and free text', () => {
    const text = codeText({
      ...common,
      ...{ nif: '123456789', type: 'FT', date: '2019-12-31', number: 'FT AB2019/0035' },
      ...{ atcud: 'CSDF7T5H-0035', tax: '64000.02', gross: '513600.58', hash: hashWith('kLp0') },
      taxes: {
        PT: {
          ...{ ISE: pair('12000.00', ''), RED: pair('15000.00', '900.00') },
          ...{ INT: pair('50000.00', '6500.00'), NOR: pair('80000.00', '18400.00') },
        },
        'PT-AC': {
          ...{ ISE: pair('10000.00', ''), RED: pair('25000.56', '1000.02') },
          ...{ INT: pair('75000.00', '6750.00'), NOR: pair('100000.00', '18000.00') },
        },
        'PT-MA': {
          ...{ ISE: pair('5000.00', ''), RED: pair('12500.00', '625.00') },
          ...{ INT: pair('25000.00', '3000.00'), NOR: pair('40000.00', '8800.00') },
        },
      },
      further: {
        ...{ L: '100.00', M: '25.00', P: '100.00' },
        S: 'TB;PT00000000000000000000000;513500.58',
      },
    })
    expect(text).toBe(vectors.atExamples[0])
  })

  it('a simplified invoice, a pro forma, and a document without tax', () => {
    const short = codeText({
      ...common,
      ...{ nif: '123456789', type: 'FS', date: '2019-08-12', number: 'FS CDVF/12345' },
      ...{ atcud: 'CDF7T5HD-12345', tax: '0.15', gross: '0.80', hash: hashWith('YhGV') },
      ...{ taxes: { PT: { NOR: pair('0.65', '0.15') } }, further: { S: 'NU;0.80' } },
    })
    expect(short).toBe(vectors.atExamples[1])
    const known = { customer: { nif: '123456789', country: 'PT' }, nif: '500000000' }
    const proForma = codeText({
      ...common,
      ...known,
      ...{ type: 'PF', date: '2019-01-23', number: 'PF G2019CB/145789' },
      ...{ atcud: 'HB6FT7RV-145789', tax: '15072.44', gross: '125165.12' },
      hash: hashWith('r/fY'),
      taxes: {
        PT: {
          ...{ ISE: pair('12345.34', ''), RED: pair('12532.65', '751.96') },
          ...{ INT: pair('52789.00', '6862.57'), NOR: pair('32425.69', '7457.91') },
        },
      },
    })
    expect(proForma).toBe(vectors.atExamples[2])
    const moved = codeText({
      ...common,
      ...known,
      ...{ type: 'GT', date: '2019-07-20', number: 'GT G234CB/50987', taxes: {} },
      ...{ atcud: 'GTVX4Y8B-50987', tax: '0.00', gross: '0.00', hash: hashWith('5uIg') },
    })
    expect(moved).toBe(vectors.atExamples[3])
  })
})

describe('names in the books', () => {
  it('customers and products are named by published hashes', () => {
    expect(userId('Ana Silva')).toBe('E4D5YKHdm0Hk0tqy0o9SfQ==')
    expect(productCode({ text: 'Coffee' })).toBe('sOHwbPHn1GbuMEjr70XYWy0dMdYWSpuSpv0Ih7qP/ok=')
  })

  it('tax numbers have a check digit', () => {
    const valid = ['123456789', '500000000', '503504564', '517535009', '599999993', '980833310']
    expect([...valid, '999999990'].filter((nif) => !isNif(nif))).toEqual([])
    expect(['123456788', '423456789', '12345678', ''].filter(isNif)).toEqual([])
  })
})
