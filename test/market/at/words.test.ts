// Case, state and signature words in both taggings, and what is refused before anything is stored.
import { describe, expect, it } from 'vitest'
import { FiscalError } from '../../../src/errors.js'
import { austria } from '../../../src/market/at/index.js'
import { signatureTypes, stateWord } from '../../../src/market/at/words.js'
import { at, at2, charge, pay, receipt } from './support/make.js'

describe('ftState', () => {
  const table: [number, bigint, bigint][] = [
    [0x00, 0x4154_0000_0000_0000n, 0x4154_2000_0000_0000n],
    [0x01, 0x4154_0000_0000_0001n, 0x4154_2000_0000_0001n],
    [0x02, 0x4154_0000_0000_0002n, 0x4154_2000_0000_0002n],
    [0x06, 0x4154_0000_0000_0006n, 0x4154_2001_0000_0002n],
    [0x08, 0x4154_0000_0000_0008n, 0x4154_2000_0000_0008n],
    [0x10, 0x4154_0000_0000_0010n, 0x4154_2000_0000_0200n],
    [0x20, 0x4154_0000_0000_0020n, 0x4154_2000_0000_0400n],
    [0x40, 0x4154_0000_0000_0040n, 0x4154_2000_0000_0040n],
    [0x80, 0x4154_0000_0000_0080n, 0x4154_2002_0000_0000n],
    [0xff, 0x4154_0000_0000_00ffn, 0x4154_2003_0000_064bn],
  ]

  it.each(table)('bits %i have their word in both taggings', (bits, v0, v2) => {
    expect(stateWord(bits, 'v0')).toBe(v0)
    expect(stateWord(bits, 'v2')).toBe(v2)
  })
})

describe('ftSignatureType', () => {
  it('v0 types and v2 types are the published ones', () => {
    expect(Object.values(signatureTypes.v0)).toEqual([at(0), at(1), at(2), at(3)])
    expect(Object.values(signatureTypes.v2)).toEqual([at2(0), at2(1), at2(0x1_0002), at2(3)])
  })
})

describe('receipt request', () => {
  it('is bit 47 in v0/v1 and bit 31 in v2', () => {
    expect(austria.isReceiptRequest(0x4154_8000_0000_0001n)).toBe(true)
    expect(austria.isReceiptRequest(0x0000_8000_0000_0001n)).toBe(true)
    expect(austria.isReceiptRequest(0x4154_9000_0000_0001n)).toBe(true)
    expect(austria.isReceiptRequest(0x4154_2000_8000_0001n)).toBe(true)
    expect(austria.isReceiptRequest(0x4154_0000_8000_0001n)).toBe(false)
    expect(austria.isReceiptRequest(at(0x1))).toBe(false)
    expect(austria.isReceiptRequest(at2(0x1))).toBe(false)
  })

  it('without it the case is the same but for that bit', () => {
    expect(austria.withoutReceiptRequest(0x4154_8000_0004_0001n)).toBe(0x4154_0000_0004_0001n)
    expect(austria.withoutReceiptRequest(0x4154_2000_8004_0001n)).toBe(0x4154_2000_0004_0001n)
    expect(austria.withoutReceiptRequest(at2(0x1))).toBe(at2(0x1))
  })

  it('of a daily operation is one as well', () => {
    expect(austria.isReceiptRequest(at2(0x8000_2000n))).toBe(true)
  })
})

describe('admission', () => {
  const codeFor = (receiptCase: bigint): string => {
    try {
      austria.admit(receipt(receiptCase))
      return 'admitted'
    } catch (error) {
      if (!(error instanceof FiscalError)) throw error
      return `${error.code} ${error.field}`
    }
  }

  it('Austrian cases and cases without country are admitted in both taggings', () => {
    for (const word of [at(0x1), at2(0x1), 0x1n, 0x0000_2000_0000_0001n, 0x4154_8000_0000_0001n]) {
      expect(codeFor(word)).toBe('admitted')
    }
  })

  it('another country is refused by name', () => {
    for (const word of [0x4445_0000_0000_0001n, 0x4652_2000_0000_0001n, 0x0444_5001_0000_0001n]) {
      expect(codeFor(word)).toBe('COUNTRY_WRONG ftReceiptCase')
    }
  })

  it('another version is refused', () => {
    expect(codeFor(0x4154_3000_0000_0001n)).toBe('FIELD_INVALID ftReceiptCase')
    expect(codeFor(0x4154_a000_0000_0001n)).toBe('FIELD_INVALID ftReceiptCase')
  })

  it('unknown cases and foreign items of v0/v1 are admitted', () => {
    expect(codeFor(at(0xffff))).toBe('admitted')
    const request = receipt(at(0x1), {
      charges: [charge(0x4445_0000_0000_0001n, '1')],
      pays: [pay(0x4652_0000_0000_0001n, '1')],
    })
    expect(() => austria.admit(request)).not.toThrow()
  })
})
