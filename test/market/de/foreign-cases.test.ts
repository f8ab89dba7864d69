// Item cases of other countries, and such that a program computed as doubles, on German receipts of
// both taggings: refused by the name of the first, with the hint where digits were lost.
import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { admit } from '../../../src/case/refusals.js'
import { FiscalError } from '../../../src/errors.js'
import { readReceipt } from '../../../src/market/de/reading.js'
import { marketOf } from '../../../src/market/index.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { charge, pay, receipt } from '../at/support/make.js'

const de = (code: number) => 0x4445_0000_0000_0000n | BigInt(code)
const de2 = (code: number) => 0x4445_2000_0000_0000n | BigInt(code)
/** What JavaScript makes of a word: JSON.stringify(Number(word)). */
const rounded = (word: bigint) => BigInt(JSON.stringify(Number(word)))

function admitted(request: ReceiptRequest, market = 'DE'): string {
  try {
    admit(withWords(request), marketOf(market).cases)
    return 'admitted'
  } catch (error) {
    if (error instanceof FiscalError) return `${error.code} ${error.field} ${error.message}`
    throw error
  }
}

function read(request: ReceiptRequest): string {
  const reading = readReceipt(withWords(request))
  return reading.kind === 'refusal'
    ? `${reading.faults[0]?.member} ${reading.faults[0]?.message}`
    : 'read'
}

const FOREIGN = [0x4154_0000_0000_0003n, 0x4652_2000_0000_0001n]

describe('an item of another country', () => {
  it.each(FOREIGN)('%i is refused on a receipt of v0, no country is not', (word) => {
    const home = { charges: [charge(de(1), '1'), charge(1n, '1')], pays: [pay(1n, '1')] }
    expect(admitted(receipt(de(1), home))).toBe('admitted')
    const charges = [...home.charges, charge(word, '1')]
    expect(admitted(receipt(de(1), { ...home, charges }))).toMatch(
      /^COUNTRY_WRONG cbChargeItems\[2\].ftChargeItemCase .*belongs to DE\.$/,
    )
    const pays = [...home.pays, pay(word, '1')]
    expect(admitted(receipt(de(1), { ...home, pays }))).toMatch(
      /^COUNTRY_WRONG cbPayItems\[1\].ftPayItemCase .*belongs to DE\.$/,
    )
  })

  it.each(FOREIGN)('%i is refused on a receipt of v2 with an answer', (word) => {
    expect(read(receipt(de2(1), { charges: [charge(de2(3), '1')] }))).toBe('read')
    expect(read(receipt(de2(1), { charges: [charge(word, '1')] }))).toMatch(
      /^cbChargeItems\[0\].ftChargeItemCase .*none of Germany.*belongs to DE\.$/,
    )
    expect(read(receipt(de2(1), { pays: [pay(word, '1')] }))).toMatch(
      /^cbPayItems\[0\].ftPayItemCase .*none of Germany.*belongs to DE\.$/,
    )
  })
})

describe('a rounded word of which even the country is another one', () => {
  // as single precision, printed with seven digits: the letters DD and AS
  const german = 4_919_338_000_000_000_000n
  const austrian = 4_707_387_000_000_000_000n

  it('is refused with the hint that digits were lost', () => {
    expect([german >> 48n, austrian >> 48n]).not.toContain(0x4445n)
    const charges = [charge(german, '1')]
    expect(admitted(receipt(german))).toMatch(/^COUNTRY_WRONG ftReceiptCase .*last digits/)
    expect(admitted(receipt(de(1), { charges }))).toMatch(/^COUNTRY_WRONG cbCharge.*last digits/)
    expect(read(receipt(de2(1), { charges }))).toMatch(/none of Germany.*last digits/)
    expect(admitted(receipt(austrian), 'AT')).toMatch(/^COUNTRY_WRONG ftReceiptCase .*last digits/)
    const items = { pays: [pay(austrian, '1')] }
    expect(admitted(receipt(0x4154_0000_0000_0001n, items), 'AT')).toMatch(
      /^COUNTRY_WRONG cbPayItems\[0\].*last digits/,
    )
  })
})

describe('a rounded case of an item under a sound receipt case', () => {
  it('is refused by its name where it is in no table', () => {
    const sound = [charge(de(1), '1')]
    expect(read(receipt(de(1), { charges: [...sound, charge(rounded(de(1)), '1')] }))).toMatch(
      /^cbChargeItems\[1\].ftChargeItemCase .*last digits/,
    )
    expect(read(receipt(de(1), { charges: sound, pays: [pay(rounded(de(1)), '1')] }))).toMatch(
      /^cbPayItems\[0\].ftPayItemCase .*last digits/,
    )
  })

  it('unknown codes that were not rounded, and cases without a rate, are read as before', () => {
    const items = { charges: [charge(de(0x99), '1')], pays: [pay(de(0x99), '1')] }
    expect(read(receipt(de(1), items))).toBe('read')
    expect(rounded(de2(1)) & 0xffn).toBe(0n)
    // services of version 2 are accepted up to F, some of their words end in three zeros
    const service = 4_919_373_352_344_225_000n
    expect((service >> 4n) & 0xfn).toBeGreaterThan(0xan)
    expect(read(receipt(de2(1), { charges: [charge(service, '1')] }))).toBe('read')
    const v2 = { charges: [charge(rounded(de2(1)), '1')], pays: [pay(rounded(de2(1)), '1')] }
    expect(read(receipt(de2(1), v2))).toBe('read')
  })
})
