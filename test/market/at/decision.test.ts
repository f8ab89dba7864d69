// The decision to sign and to count: the published examples, and the rules behind them.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { decide } from '../../../src/market/at/decision.js'
import { readReceipt } from '../../../src/market/at/reading.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { at, at2, type Content, charge, pay, receipt } from './support/make.js'
import { TestQueue } from './support/test-queue.js'

const TRAINING = 0x2_0000n
const VOID = 0x4_0000n
const LATE = 0x1_0000n
const HANDWRITTEN = 0x8_0000n

type Line = [code: number, amount: string]

function request(word: bigint, charges: Line[], pays: Line[]): ReceiptRequest {
  const content: Content = {
    charges: charges.map(([code, amount]) => charge(at(code), amount)),
    pays: pays.map(([code, amount]) => pay(at(code), amount)),
  }
  return receipt(word, content)
}

function decisionOf(asked: ReceiptRequest) {
  const reading = readReceipt(withWords(asked))
  if (reading.kind === 'refusal') throw new Error(reading.faults[0]?.message)
  return decide(reading)
}

interface Row {
  what: string
  asked: ReceiptRequest
  label: string
  sign: boolean
  /** What the counter grows by in cents, or undefined when it is not counted. */
  counted: bigint | undefined
}

function row(what: string, asked: ReceiptRequest, outcome: [string, boolean, bigint?]): Row {
  const [label, sign, counted] = outcome
  return { what, asked, label, sign, counted }
}

const transfer: Line[] = [
  [0x1, '100.00'],
  [0xb, '-100.00'],
]

const rows: Row[] = [
  row('sale paid in cash', request(at(0x1), [[0x3, '10.00']], [[0x1, '10.00']]), [
    '37',
    true,
    1000n,
  ]),
  row('sale on account', request(at(0x1), [[0x3, '10.00']], [[0xb, '10.00']]), ['36', false]),
  row('voucher sold', request(at(0x1), [[0x23, '50.00']], [[0x1, '50.00']]), ['35', false]),
  row('voucher redeemed', request(at(0x1), [[0x3, '10.00']], [[0x6, '10.00']]), [
    '37',
    true,
    1000n,
  ]),
  row(
    'own and foreign turnover by card',
    request(
      at(0x1),
      [
        [0x3, '10.00'],
        [0x7, '5.00'],
      ],
      [[0x5, '15.00']],
    ),
    ['39', true, 1500n],
  ),
  row('obligation with duty on account', request(at(0x1), [[0x22, '50.00']], [[0xb, '50.00']]), [
    '37',
    true,
    5000n,
  ]),
  row('open invoice paid as a sale', request(at(0x1), [], transfer), ['33A2', true, 0n]),
  row('invoice on account', request(at(0x8), [[0x3, '10.00']], [[0xb, '10.00']]), ['4', false]),
  row('invoice paid by card', request(at(0x8), [[0x3, '100.00']], [[0x5, '100.00']]), [
    '5A4',
    true,
    10000n,
  ]),
  row('open invoice paid in', request(at(0xa), [], transfer), ['1A2', true, 0n]),
  row('sale without duty', request(at(0x7), [[0x3, '10.00']], [[0x1, '10.00']]), ['5', false]),
  row('own consumption', request(at(0xe), [[0x19, '5.00']], []), ['4A1', true, 500n]),
  row('own consumption paid internally', request(at(0xe), [[0x19, '5.00']], [[0x11, '5.00']]), [
    '4',
    false,
  ]),
  row('empty protocol', request(at(0xd), [], []), ['0A1', false]),
  row('training', request(at(0x1) | TRAINING, [[0x3, '50.00']], [[0x1, '50.00']]), ['45', true]),
  row('void', request(at(0x1) | VOID, [[0x3, '-12.00']], [[0x1, '-12.00']]), ['37S', true, -1200n]),
  row('handwritten', request(at(0x1) | HANDWRITTEN, [[0x3, '9.00']], [[0x1, '9.00']]), [
    '53',
    true,
    900n,
  ]),
]

describe('published examples', () => {
  it.each(rows)('$what: $label', async ({ asked, label, sign, counted }) => {
    const decision = decisionOf(asked)
    expect(`${decision.number}${decision.label}`).toBe(label)
    expect([decision.sign, decision.count]).toEqual([sign, counted !== undefined])

    const queue = await TestQueue.started()
    const answer = await queue.accept(asked)
    expect(queue.rows.length).toBe(sign ? 2 : 1)
    expect(answer.identification).toBe(sign ? 'ft1#2' : 'ft1#')
    expect(answer.signatures.length > 0).toBe(sign)
    expect(queue.state.cashTotalizer).toBe(Decimal.cents(counted ?? 0n).toString())
  })
})

describe('the table', () => {
  it('signs training and cash turnover with duty, and counts four numbers', () => {
    const signed = new Set<number>()
    const counted = new Set<number>()
    const on = [false, true]
    for (const cash of on) {
      for (const foreign of on) {
        for (const own of on) {
          for (const flags of [0n, TRAINING, LATE, TRAINING | HANDWRITTEN]) {
            for (const code of [0x1, 0xf]) {
              const charges: Line[] = []
              if (foreign) charges.push([0x7, '0'])
              if (own) charges.push([0x3, '0'])
              // 0012 is no cash; a pay item keeps the exceptions out
              const asked = request(at(code) | flags, charges, [[cash ? 0x1 : 0x12, '0']])
              const { number, table } = decisionOf(asked)
              if (table.sign) signed.add(number)
              if (table.count) counted.add(number)
            }
          }
        }
      }
    }
    const withTraining = (n: number) => (n & 8) !== 0
    const all = Array.from({ length: 64 }, (_, n) => n)
    expect([...signed].sort((a, b) => a - b)).toEqual(
      all.filter((n) => withTraining(n) || [37, 39, 53, 55].includes(n)),
    )
    expect([...counted].sort((a, b) => a - b)).toEqual([37, 39, 53, 55])
  })

  it('knows the duty of 0000 to 0006 only', () => {
    const numberOf = (code: number) => decisionOf(request(at(code), [], [[0x12, '0']])).number
    for (let code = 0x7; code <= 0x10; code += 1) expect(numberOf(code)).toBe(0)
    expect(numberOf(0x0)).toBe(32)
    expect(numberOf(0x1)).toBe(32)
  })
})

describe('exceptions', () => {
  const outcome = (asked: ReceiptRequest) => {
    const { number, label, sign, count } = decisionOf(asked)
    return [`${number}${label}`, sign, count]
  }

  it('A1 takes effect only when turnover or its tax does not cancel out', () => {
    const pair = (second: string, rate: string) =>
      receipt(at(0x1), {
        charges: [charge(at(0x3), '10.00'), charge(at(0x1), second, { vatRate: Decimal.of(rate) })],
      })
    expect(outcome(pair('-10.00', '20'))).toEqual(['36A1', false, false])
    expect(outcome(pair('-10.00', '10'))).toEqual(['36A1', true, true])
    expect(outcome(pair('-9.99', '20'))).toEqual(['36A1', true, true])
  })

  it('A1 takes the tax as sent where it is sent', () => {
    const taxes = (first: string, second: string) =>
      receipt(at(0x1), {
        charges: [
          charge(at(0x3), '10.00', { vatAmount: Decimal.of(first) }),
          charge(at(0x3), '-10.00', { vatAmount: Decimal.of(second) }),
        ],
      })
    expect(outcome(taxes('1.67', '-1.67'))).toEqual(['36A1', false, false])
    expect(outcome(taxes('1.67', '-1.66'))).toEqual(['36A1', true, true])
  })

  it('A1 leaves protocols, obligations and foreign turnover alone', () => {
    expect(outcome(request(at(0xd), [[0x3, '5']], []))).toEqual(['4A1', false, false])
    expect(outcome(request(at(0x7), [[0x22, '5']], []))).toEqual(['5A1', false, false])
    expect(outcome(request(at(0x7), [[0x7, '5']], []))).toEqual(['2A1', false, false])
  })

  it('A2 wants cash and a negative receivable', () => {
    const asked = (cash: number, amount: string) =>
      request(
        at(0x7),
        [],
        [
          [cash, '5'],
          [0xb, amount],
        ],
      )
    expect(outcome(asked(0x1, '-5'))).toEqual(['1A2', true, true])
    expect(outcome(asked(0x1, '5'))).toEqual(['1', false, false])
    expect(outcome(asked(0xc, '-5'))).toEqual(['0', false, false])
  })

  it('A3 wants an invoice or a pay-in and a positive obligation', () => {
    const asked = (code: number, amount: string) =>
      request(at(code), [[0x22, amount]], [[0xc, amount]])
    expect(outcome(asked(0x8, '5'))).toEqual(['5A3', true, true])
    expect(outcome(asked(0xa, '5'))).toEqual(['5A3', true, true])
    expect(outcome(asked(0x8, '-5'))).toEqual(['5', false, false])
    expect(outcome(asked(0xb, '5'))).toEqual(['5', false, false])
  })

  it('a void receipt is looked at with its signs turned', () => {
    const asked = (amount: string) => request(at(0x8) | VOID, [[0x3, amount]], [[0x1, amount]])
    expect(outcome(asked('-5'))).toEqual(['5A4S', true, true])
    expect(outcome(asked('5'))).toEqual(['5S', false, false])
    const paid = request(
      at(0x7) | VOID,
      [],
      [
        [0x1, '-5'],
        [0xb, '5'],
      ],
    )
    expect(outcome(paid)).toEqual(['1A2S', true, true])
    const collected = request(at(0xa) | VOID, [[0x22, '-5']], [[0xc, '-5']])
    expect(outcome(collected)).toEqual(['5A3S', true, true])
  })

  it('several exceptions are named in their order', () => {
    const asked = request(
      at(0x8),
      [[0x22, '5']],
      [
        [0x1, '10'],
        [0xb, '-5'],
      ],
    )
    expect(outcome(asked)).toEqual(['5A2A3A4', true, true])
  })

  it('a void receipt without items is decided without error', () => {
    expect(outcome(request(at(0x1) | VOID, [], []))).toEqual(['32A1S', false, false])
  })
})

describe('guarantees', () => {
  const lines = fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 0x2a }),
      fc.integer({ min: -5000, max: 5000 }).map((cents) => Decimal.cents(BigInt(cents)).toString()),
    ),
    { maxLength: 4 },
  )
  const cases = fc.tuple(
    fc.constantFrom(0x0, 0x1, 0x7, 0x8, 0x9, 0xa, 0xb, 0xc, 0xd, 0xe, 0xf, 0x10),
    fc.constantFrom(0n, TRAINING, VOID, LATE, HANDWRITTEN, TRAINING | VOID),
  )

  it('what is counted is signed, and training is signed and never counted', () => {
    fc.assert(
      fc.property(cases, lines, lines, ([code, flags], charges, pays) => {
        const { sign, count } = decisionOf(request(at(code) | flags, charges, pays))
        if (count) expect(sign).toBe(true)
        if ((flags & TRAINING) !== 0n) expect([sign, count]).toEqual([true, false])
      }),
    )
  })

  it('the same receipt in v2 tagging is decided like in v0', () => {
    const v0 = request(at(0x8), [[0x3, '100.00']], [[0x5, '100.00']])
    const v2 = receipt(at2(0x1001), {
      charges: [charge(at2(0x03), '100.00')],
      pays: [pay(at2(0x05), '100.00')],
    })
    expect(decisionOf(v2)).toEqual(decisionOf(v0))
  })
})
