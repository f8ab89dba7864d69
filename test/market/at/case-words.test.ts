// Case, state and signature words in both taggings, and what is refused before anything is stored.

import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { admit } from '../../../src/case/refusals.js'
import { isReceiptRequest, withoutReceiptRequest, wordOf } from '../../../src/case/word.js'
import { FiscalError } from '../../../src/errors.js'
import { signatureTypes, stateWord } from '../../../src/market/at/cases.js'
import { austria } from '../../../src/market/at/index.js'
import type { ChargeItem, PayItem } from '../../../src/model/receipt.js'
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
    expect(isReceiptRequest(wordOf(0x4154_8000_0000_0001n))).toBe(true)
    expect(isReceiptRequest(wordOf(0x0000_8000_0000_0001n))).toBe(true)
    expect(isReceiptRequest(wordOf(0x4154_9000_0000_0001n))).toBe(true)
    expect(isReceiptRequest(wordOf(0x4154_2000_8000_0001n))).toBe(true)
    expect(isReceiptRequest(wordOf(0x4154_0000_8000_0001n))).toBe(false)
    expect(isReceiptRequest(wordOf(at(0x1)))).toBe(false)
    expect(isReceiptRequest(wordOf(at2(0x1)))).toBe(false)
  })

  it('without it the case is the same but for that bit', () => {
    expect(withoutReceiptRequest(0x4154_8000_0004_0001n)).toBe(0x4154_0000_0004_0001n)
    expect(withoutReceiptRequest(0x4154_2000_8004_0001n)).toBe(0x4154_2000_0004_0001n)
    expect(withoutReceiptRequest(at2(0x1))).toBe(at2(0x1))
  })

  it('of a daily operation is one as well', () => {
    expect(isReceiptRequest(wordOf(at2(0x8000_2000n)))).toBe(true)
  })
})

describe('admission', () => {
  const codeFor = (receiptCase: bigint): string => {
    try {
      admit(withWords(receipt(receiptCase)), austria.cases)
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

  it('items of another country are refused by the name of the first, those of none are not', () => {
    const home = [charge(at(0x3), '1'), charge(0x3n, '1'), charge(0n, '1')]
    const paid = [pay(at(0x1), '1'), pay(1n, '1'), pay(0n, '1')]
    const codeOf = (charges: ChargeItem[], pays: PayItem[]) => {
      try {
        admit(withWords(receipt(at(0x1), { charges, pays })), austria.cases)
      } catch (error) {
        if (error instanceof FiscalError) return `${error.code} ${error.field}`
        throw error
      }
      return 'admitted'
    }
    expect(codeOf(home, paid)).toBe('admitted')
    expect(codeOf([...home, charge(0x4445_0000_0000_0001n, '1')], paid)).toBe(
      'COUNTRY_WRONG cbChargeItems[3].ftChargeItemCase',
    )
    expect(codeOf(home, [...paid, pay(0x4652_0000_0000_0001n, '1')])).toBe(
      'COUNTRY_WRONG cbPayItems[3].ftPayItemCase',
    )
  })
})
