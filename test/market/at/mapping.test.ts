// v2 codes read as v0/v1 codes, and requests of both taggings that mean the same.

import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { payCodeOf } from '../../../src/case/v0-items.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { chargeCodeOf } from '../../../src/market/at/mapping.js'
import { type Reading, readReceipt } from '../../../src/market/at/reading.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { at, at2, charge, pay, receipt } from './support/make.js'

function read(request: ReceiptRequest): Reading {
  const reading = readReceipt(withWords(request))
  if (reading.kind === 'refusal') throw new Error(reading.faults[0]?.message)
  return reading
}

const codeOf = (word: bigint, pays = [pay(at2(0x1), '0')]) => read(receipt(word, { pays })).code

describe('receipt cases', () => {
  const table: [number, number][] = [
    [0x0000, 0x0000],
    [0x0001, 0x0001],
    [0x0002, 0x000c],
    [0x0003, 0x0007],
    [0x0004, 0x000f],
    [0x0005, 0x0009],
    [0x0006, 0x000d],
    [0x0007, 0x000d],
    [0x1000, 0x0008],
    [0x1001, 0x0008],
    [0x1002, 0x0008],
    [0x1003, 0x0008],
    [0x2000, 0x0002],
    [0x2001, 0x0002],
    [0x2010, 0x0002],
    [0x2011, 0x0002],
    [0x2012, 0x0005],
    [0x2013, 0x0006],
    [0x3000, 0x000d],
    [0x3001, 0x000d],
    [0x3002, 0x000d],
    [0x3003, 0x000e],
    [0x3004, 0x000d],
    [0x3005, 0x000d],
    [0x3010, 0x000d],
    [0x3011, 0x000d],
    [0x4001, 0x0003],
    [0x4002, 0x0004],
    [0x4011, 0x0002],
    [0x4012, 0x0002],
    [0x4021, 0x0002],
    [0x4022, 0x0002],
  ]

  it.each(table)('v2 %i is v0 %i, with and without country', (v2, v0) => {
    expect(codeOf(at2(v2))).toBe(v0)
    expect(codeOf(0x0000_2000_0000_0000n | BigInt(v2))).toBe(v0)
    expect(read(receipt(at2(v2))).tagging).toBe('v2')
  })

  it('v0/v1 codes stay as they are, with and without country', () => {
    for (let code = 0; code <= 0x10; code += 1) {
      expect(codeOf(at(code))).toBe(code)
      expect(codeOf(BigInt(code))).toBe(code)
      expect(codeOf(0x4154_1000_0000_0000n | BigInt(code))).toBe(code)
    }
  })

  it('a payment transfer is a pay-in, a pay-out or a transfer by its cash', () => {
    const of = (pays: [bigint, string][], charges = 0) =>
      read(
        receipt(at2(0x2), {
          pays: pays.map(([word, amount]) => pay(word, amount)),
          charges: Array.from({ length: charges }, () => charge(at2(0x98), '1')),
        }),
      ).code
    const [cash, receivable] = [at2(0x1), at2(0x9)]
    expect(of([[cash, '100']])).toBe(0x000a)
    expect(of([[cash, '-100']])).toBe(0x000b)
    expect(of([])).toBe(0x000c)
    expect(
      of([
        [cash, '100'],
        [receivable, '-100'],
      ]),
    ).toBe(0x000a)
    expect(
      of([
        [receivable, '5'],
        [at2(0xa), '5'],
      ]),
    ).toBe(0x000c)
    expect(of([[cash, '100']], 1)).toBe(0x000c)
  })

  it('a sale abroad changes 0000 to 0003 only', () => {
    const abroad = 0x80_0000n
    expect([0, 1, 2, 3].map((code) => codeOf(at2(code) | abroad))).toEqual([16, 16, 16, 16])
    expect(codeOf(at2(0x4) | abroad)).toBe(0x000f)
    expect(codeOf(at2(0x1001) | abroad)).toBe(0x0008)
    // 0800 groups by position and must not be taken for a sale abroad
    expect(codeOf(at2(0x1) | 0x800_0000n)).toBe(0x0001)
  })

  it.each([0x0008, 0x000f, 0x1004, 0x2002, 0x3006, 0x4003, 0xffff])(
    'an unknown v2 code %i is refused',
    (code) => {
      expect(readReceipt(withWords(receipt(at2(code))))).toMatchObject({
        kind: 'refusal',
        faults: [{ member: 'ftReceiptCase' }],
      })
    },
  )
})

describe('receipt flags', () => {
  const flagsOf = (word: bigint) => {
    const { lateSigning, training, void: isVoid, handwritten } = read(receipt(word))
    return [lateSigning, training, isVoid, handwritten]
  }
  const all = 0xf_0000n
  const yes = [true, true, true, true]
  const no = [false, false, false, false]

  it('receipts and invoices of v2 have the same four flags as v0', () => {
    expect(flagsOf(at(0x1) | all)).toEqual(yes)
    expect(flagsOf(at2(0x1) | all)).toEqual(yes)
    expect(flagsOf(at2(0x1001) | all)).toEqual(yes)
    expect(flagsOf(at(0x1) | 0x1_0000n)).toEqual([true, false, false, false])
    expect(flagsOf(at2(0x1) | 0x2_0000n)).toEqual([false, true, false, false])
    expect(flagsOf(at2(0x1) | 0x4_0000n)).toEqual([false, false, true, false])
    expect(flagsOf(at2(0x1) | 0x8_0000n)).toEqual([false, false, false, true])
  })

  it('logs of v2 know training only, daily and life cycle operations none', () => {
    expect(flagsOf(at2(0x3000) | all)).toEqual([false, true, false, false])
    expect(flagsOf(at2(0x2000) | all)).toEqual(no)
    expect(flagsOf(at2(0x4001) | all)).toEqual(no)
  })

  it('flags without meaning in Austria change nothing', () => {
    expect(flagsOf(at2(0x1) | 0xff00_0000n)).toEqual(no)
    expect(flagsOf(at(0x1) | 0x0070_0000n)).toEqual(no)
  })
})

describe('charge items', () => {
  /** Per service the v0 codes for V 1, 2, 3, 4, 7, 8; from the published migration table. */
  const table: [number, number[]][] = [
    [0x0, [0x01, 0x02, 0x03, 0x04, 0x05, 0x05]],
    [0x1, [0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0c]],
    [0x2, [0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x11]],
    [0x3, [0x01, 0x02, 0x03, 0x04, 0x05, 0x05]],
    [0x4, [0x01, 0x02, 0x03, 0x04, 0x05, 0x21]],
    [0x5, [0x12, 0x13, 0x14, 0x15, 0x16, 0x16]],
    [0x6, [0x07, 0x07, 0x07, 0x07, 0x07, 0x21]],
    [0x7, [0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1b]],
    [0x8, [0x01, 0x02, 0x03, 0x04, 0x05, 0x05]],
    [0x9, [0x22, 0x22, 0x22, 0x22, 0x22, 0x22]],
    [0xa, [0x23, 0x23, 0x23, 0x23, 0x23, 0x23]],
    [0xb, [0x01, 0x02, 0x03, 0x04, 0x05, 0x05]],
    [0xf, [0x01, 0x02, 0x03, 0x04, 0x05, 0x05]],
  ]
  const zero = Decimal.ZERO

  it.each(table)('service %i is read by its row', (service, codes) => {
    const read = [1, 2, 3, 4, 7, 8].map((vat) => chargeCodeOf((service << 4) | vat, 0, zero))
    expect(read).toEqual(codes)
  })

  it.each([0, 5, 6])('V %i goes by the rate, without a rate to zero', (vat) => {
    const read = (rate: string) => chargeCodeOf(0x10 | vat, 0, Decimal.of(rate))
    expect(read('10')).toBe(0x08)
    expect(read('13')).toBe(0x09)
    expect(read('20.0')).toBe(0x0a)
    expect(read('4.9')).toBe(0x0b)
    expect(read('0')).toBe(0x0c)
  })

  it('a down payment of an undefined service, goods or a service has codes of its own', () => {
    const flag = 0x0008
    for (const service of [0, 1, 2, 0xb]) {
      const read = [1, 2, 3, 4, 7, 8].map((v) => chargeCodeOf((service << 4) | v, flag, zero))
      expect(read).toEqual([0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x20])
    }
    expect(chargeCodeOf(0x00, flag, Decimal.of('20'))).toBe(0x1e)
    expect(chargeCodeOf(0x00, flag, zero)).toBe(0x20)
    expect(chargeCodeOf(0x53, flag, zero)).toBe(0x14)
    expect(chargeCodeOf(0x98, flag, zero)).toBe(0x22)
  })

  it('reverse charge is 0006 whatever the service is', () => {
    for (let service = 0; service <= 0xf; service += 1) {
      expect(chargeCodeOf(0x5008 | (service << 4), 0, zero)).toBe(0x06)
    }
    expect(chargeCodeOf(0x5013, 0, zero)).toBe(0x0a)
    expect(chargeCodeOf(0x3018, 0, zero)).toBe(0x0c)
  })

  it('other flags leave the bucket alone', () => {
    for (const flag of [0x1, 0x2, 0x4, 0x10, 0x20, 0x4000, 0x8000]) {
      expect(chargeCodeOf(0x0023, flag, zero)).toBe(0x0f)
    }
  })
})

describe('pay items', () => {
  const plus = Decimal.of('1')
  const table: [number, number, number][] = [
    [0x00, 0, 0x00],
    [0x01, 0, 0x01],
    [0x01, 0x10, 0x02],
    [0x01, 0x20, 0x12],
    [0x01, 0x30, 0x12],
    [0x01, 0x40, 0x12],
    [0x01, 0x70, 0x12],
    [0x02, 0, 0x07],
    [0x03, 0, 0x03],
    [0x04, 0, 0x04],
    [0x04, 0x1c0, 0x04],
    [0x05, 0, 0x05],
    [0x06, 0, 0x06],
    [0x07, 0, 0x07],
    [0x08, 0, 0x08],
    [0x09, 0, 0x0b],
    [0x09, 0x08, 0x10],
    [0x0a, 0, 0x0c],
    [0x0b, 0, 0x0d],
    [0x0c, 0, 0x0f],
    [0x0d, 0, 0x11],
    [0x0e, 0, 0x0b],
    [0x0f, 0, 0x06],
    [0x10, 0, 0x00],
    [0xff, 0, 0x00],
  ]

  it.each(table)('v2 %i with flags %i is v0 %i', (code, flags, v0) => {
    expect(payCodeOf(code, flags, plus)).toBe(v0)
  })

  it('a transfer to the cash book goes by its sign', () => {
    expect(payCodeOf(0x0c, 0, Decimal.of('-1'))).toBe(0x0e)
  })
})

describe('taggings in one request', () => {
  const codesOf = (request: ReceiptRequest) => {
    const { charges, pays } = read(request)
    return [...charges.map(({ row }) => row.code), ...pays.map(({ code }) => code)]
  }

  it('items of a v2 receipt are v2 with and without version nibble and country', () => {
    for (const base of [at2(0), at(0), 0n, 0x0000_2000_0000_0000n]) {
      const charges = [charge(base | 0x23n, '1')]
      const pays = [pay(base | 0x09n, '1')]
      expect(codesOf(receipt(at2(0x1), { charges, pays }))).toEqual([0x0f, 0x0b])
    }
  })

  it('items of a v0 receipt are v0, and v2 where their own nibble says so', () => {
    const charges = [charge(at(0x23), '1'), charge(at2(0x23), '1')]
    const pays = [pay(at(0x09), '1'), pay(at2(0x09), '1')]
    expect(codesOf(receipt(at(0x1), { charges, pays }))).toEqual([0x23, 0x0f, 0x09, 0x0b])
  })

  it('an item of another country or version makes a v2 receipt an error', () => {
    const german = 0x4445_2000_0000_0001n
    const odd = 0x4154_3000_0000_0001n
    for (const word of [german, odd, 0x4154_1000_0000_0001n]) {
      expect(
        readReceipt(withWords(receipt(at2(0x1), { charges: [charge(word, '1')] }))),
      ).toMatchObject({
        kind: 'refusal',
        faults: [{ member: 'cbChargeItems[0].ftChargeItemCase' }],
      })
      const pays = [pay(at2(0x1), '1'), pay(word, '1')]
      expect(readReceipt(withWords(receipt(at2(0x1), { pays })))).toMatchObject({
        kind: 'refusal',
        faults: [{ member: 'cbPayItems[1].ftPayItemCase' }],
      })
    }
  })

  it('the country of the items of a v0 receipt is not looked at', () => {
    const charges = [charge(0x4445_0000_0000_0003n, '1')]
    expect(codesOf(receipt(at(0x1), { charges }))).toEqual([0x03])
  })
})
