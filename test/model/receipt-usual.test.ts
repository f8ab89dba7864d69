// Two readers of one text: what the quick one takes, the thorough one reads as the same receipt.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { saleText } from '../../bench/stand/receipt.js'
import { memberHints } from '../../src/core/sign/member-hints.js'
import { decodeAnyRequest, decodeRequest } from '../../src/model/receipt-json.js'
import { usualRequest } from '../../src/model/receipt-usual.js'

const BOX = '468f0f58-b902-4bd0-92b0-ee091985e3f8'
const SALE = saleText(BOX, '2026-11-25T10:15:00.000Z')
const NULLS = SALE.replace('"cbUser":"Anna"', '"cbUser" : null').replace('"cbArea":"12",', '')
const ESCAPED = SALE.replace('Melange groß', 'Melange gro\\u00df \\"x').replace(/,"/g, ' ,\n\t"')

/** What the thorough reader makes of it, or undefined where it refuses. */
function thorough(text: string): ReturnType<typeof decodeAnyRequest> | undefined {
  try {
    return decodeAnyRequest(text)
  } catch {
    return undefined
  }
}

const piece = fc.oneof(
  fc.constantFrom(...'{}[]",:.-+0159eE\\/ntu \n', 'null', 'true', '0x41', '""', '/*x*/', 'ß'),
  fc.constantFrom('\u0000', '\ud800', '12345678901234567890', '1.50', '-0', '"Amount":1,', ',,'),
)
const change = fc.record({ at: fc.nat(), gone: fc.nat(12), piece })

describe('the quick reader', () => {
  it.each([SALE, NULLS, ESCAPED])('takes what registers send: %#', (text) => {
    const request = usualRequest(text)
    expect(request).toBeDefined()
    expect(request).toEqual(decodeAnyRequest(text).request)
    expect(decodeRequest(text).root).toBeUndefined()
  })

  it('of a text that was broken anywhere reads what the thorough one reads, or nothing', () => {
    let taken = 0
    fc.assert(
      fc.property(
        fc.constantFrom(SALE, NULLS, ESCAPED),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (text, changes) => {
          const broken = changes.reduce((whole, { at, gone, piece }) => {
            const start = at % whole.length
            return whole.slice(0, start) + piece + whole.slice(start + gone)
          }, text)
          const quick = usualRequest(broken)
          if (quick === undefined) return
          taken += 1
          const slow = thorough(broken)
          expect(quick).toEqual(slow?.request)
          expect(slow?.wcfDates).toBe(false)
          expect(slow?.root && memberHints(slow.root, true)).toEqual([])
        },
      ),
      { numRuns: 3000 },
    )
    expect(taken).toBeGreaterThan(30)
  })

  it.each([
    ['a member twice', SALE.replace('"cbUser":"Anna"', '"cbUser":"Anna","cbUser":null')],
    ['a null before the same member', SALE.replace('"cbUser"', '"cbUser":null,"cbUser"')],
    ['an amount that is null', SALE.replace('"Amount":9.80', '"Amount":null')],
    ['a missing amount', SALE.replace('"Amount":9.80,', '')],
    ['a case that is null', SALE.replace(/"ftReceiptCase":\d+/, '"ftReceiptCase":null')],
    ['an unknown member', SALE.replace('"cbUser"', '"cbUsr"')],
    ['another spelling', SALE.replace('"cbUser"', '"CBUSER"')],
    ['a date of WCF', SALE.replace('"2026-11-25T10:15:00.000Z"', '"\\/Date(1764065700000)\\/"')],
    [
      'a case beyond 64 bits',
      SALE.replace(/"ftReceiptCase":\d+/, '"ftReceiptCase":9999999999999999999'),
    ],
    ['a comment', `/* x */${SALE}`],
    ['a comma at the end', SALE.replace(/\}$/, ',}')],
    ['text behind the end', `${SALE}x`],
    ['a 0 in front', SALE.replace('"Amount":9.80', '"Amount":09.80')],
  ])('leaves %s to the thorough one', (_what, text) => {
    expect(usualRequest(text)).toBeUndefined()
  })
})
