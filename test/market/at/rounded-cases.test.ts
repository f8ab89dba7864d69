// Case words that a program computed as doubles: refused with the hint, never "ready" and unsigned.

import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { readReceipt } from '../../../src/market/at/reading.js'
import { readReceipt as readGerman } from '../../../src/market/de/reading.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { at, at2, charge, pay, receipt } from './support/make.js'
import { TestQueue } from './support/test-queue.js'

/** What JavaScript makes of a word: JSON.stringify(Number(word)). */
const rounded = (word: bigint) => BigInt(JSON.stringify(Number(word)))

const refusalOf = (request: ReceiptRequest, read: typeof readReceipt = readReceipt) => {
  const reading = read(withWords(request))
  return reading.kind === 'refusal'
    ? `${reading.faults[0]?.member} ${reading.faults[0]?.message}`
    : 'read'
}

describe('a receipt case that is in no table', () => {
  it.each([at(0x11), at(0x38), at(0xffff), 0x38n, at(0x1_0038)])('%i is refused', async (word) => {
    expect(refusalOf(receipt(word))).toMatch(/^ftReceiptCase .*not known.*last digits/)
    const queue = await TestQueue.started()
    const before = { ...queue.state }
    const refused = await queue.refuse(receipt(word, { pays: [pay(at(0x1), '1.00')] }))
    expect(refused).toMatchObject({ field: 'ftReceiptCase', answered: false })
    expect([queue.state, queue.device.tries]).toEqual([before, 1])
  })

  it('every word of the tables that JavaScript has rounded is refused, whatever its items', () => {
    for (let code = 0; code <= 0x10; code += 1) {
      for (const flags of [0n, 0x1_0000n, 0x2_0000n, 0x4_0000n, 0x8_0000n]) {
        const word = at(code) | flags
        const content = {
          charges: [charge(rounded(at(0x3)), '1.00')],
          pays: [pay(rounded(at(0x1)), '1.00')],
        }
        expect(refusalOf(receipt(rounded(word), content))).toMatch(/^ftReceiptCase .*last digits/)
        expect(refusalOf(receipt(rounded(word)))).toMatch(/^ftReceiptCase .*last digits/)
      }
    }
  })

  it('version 2 is refused alike', () => {
    for (const code of [0x0, 0x1, 0x2000, 0x4001]) {
      expect(refusalOf(receipt(rounded(at2(code))))).toMatch(/^ftReceiptCase .*last digits/)
    }
  })
})

describe('a rounded case that reads like another one of the table', () => {
  // a sale abroad, entered later by hand, void and training; and a German order in training
  const austrian = 0x4154_0000_000f_0010n
  const german = 0x4445_0000_0002_0010n

  it('is refused where the items are rounded as well, and believed where they are not', () => {
    expect(rounded(austrian & ~0xfn)).toBe(austrian)
    const lost = {
      charges: [charge(rounded(at(0x3)), '1.00')],
      pays: [pay(rounded(at(0x1)), '1.00')],
    }
    expect(refusalOf(receipt(austrian, lost))).toMatch(/^ftReceiptCase .*last digits/)
    const exact = { charges: [charge(at(0x3), '1.00')], pays: [pay(at(0x1), '1.00')] }
    expect(refusalOf(receipt(austrian, exact))).toBe('read')
    expect(refusalOf(receipt(austrian))).toBe('read')
  })

  it('is refused in Germany too', () => {
    const read = readGerman as unknown as typeof readReceipt
    expect(rounded((german & ~0xfn) | 1n)).toBe(german)
    const de = 0x4445_0000_0000_0001n
    const lost = { charges: [charge(rounded(de), '1.00')], pays: [pay(rounded(de), '1.00')] }
    expect(refusalOf(receipt(german, lost), read)).toMatch(/^ftReceiptCase .*last digits/)
    const exact = { charges: [charge(de, '1.00')] }
    expect(refusalOf(receipt(german, exact), read)).toBe('read')
    expect(refusalOf(receipt(0x4445_0000_0000_0038n), read)).toMatch(/not known.*last digits/)
  })
})

describe('a rounded case of an item under a sound receipt case', () => {
  it('is refused by its name: cash would not count as cash', () => {
    const sound = [charge(at(0x3), '1.00')]
    expect(
      refusalOf(receipt(at(0x1), { charges: sound, pays: [pay(rounded(at(0x1)), '1.00')] })),
    ).toMatch(/^cbPayItems\[0\].ftPayItemCase .*last digits/)
    expect(
      refusalOf(receipt(at(0x1), { charges: [...sound, charge(rounded(at(0x3)), '1.00')] })),
    ).toMatch(/^cbChargeItems\[1\].ftChargeItemCase .*last digits/)
    expect(refusalOf(receipt(at2(0x1), { pays: [pay(rounded(at2(0x1)), '1.00')] }))).toMatch(
      /^cbPayItems\[0\].ftPayItemCase .*last digits/,
    )
  })

  it('unknown codes that were not rounded go by the rate, as before', () => {
    const items = { charges: [charge(at(0x99), '1.00')], pays: [pay(at(0x99), '1.00')] }
    expect(refusalOf(receipt(at(0x1), items))).toBe('read')
  })
})
