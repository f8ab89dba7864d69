// Any history of receipts gives a chain that an independent checker accepts.

import { createPublicKey } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { decide } from '../../../src/market/at/decision.js'
import { readReceipt } from '../../../src/market/at/reading.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { checkChain } from './support/chain-checker.js'
import {
  at,
  charge,
  monthlyReceipt,
  pay,
  receipt,
  sale,
  startReceipt,
  yearlyReceipt,
  zeroReceipt,
} from './support/make.js'
import { TestQueue } from './support/test-queue.js'
import { vectors } from './support/vectors.js'

const key = Buffer.from(vectors.input.aesKeyBase64, 'base64')
const publicKey = createPublicKey({ key: vectors.input.jwk, format: 'jwk' })
const { kassenId } = vectors.input

const receiptsOf = ({ rows }: TestQueue) => rows.map(({ content }) => content)

interface Happening {
  request: ReceiptRequest
  broken: boolean
  minutes: number
}

const amount = fc.integer({ min: -99_999, max: 99_999 }).map((cents) => BigInt(cents))
const line = fc.record({ code: fc.integer({ min: 0, max: 0x28 }), amount })
const flags = fc.constantFrom(0n, 0n, 0n, 0x1_0000n, 0x2_0000n, 0x4_0000n, 0x8_0000n)
const moneyText = (cents: bigint) => Decimal.cents(cents).toString()

const posReceipt = fc
  .record({
    code: fc.constantFrom(0x0, 0x1, 0x1, 0x1, 0x7, 0x8, 0xa, 0xd, 0xe),
    flags,
    charges: fc.array(line, { maxLength: 4 }),
    pays: fc.array(fc.record({ code: fc.integer({ min: 0, max: 0x12 }), amount }), {
      maxLength: 2,
    }),
  })
  .map(({ code, flags: set, charges, pays }) =>
    receipt(at(code) | set, {
      charges: charges.map((one) => charge(at(one.code), moneyText(one.amount))),
      pays: pays.map((one) => pay(at(one.code), moneyText(one.amount))),
    }),
  )

const operation = fc.constantFrom(zeroReceipt, zeroReceipt, monthlyReceipt, yearlyReceipt)

const happening: fc.Arbitrary<Happening> = fc.record({
  request: fc.oneof({ weight: 5, arbitrary: posReceipt }, { weight: 1, arbitrary: operation }),
  broken: fc.boolean(),
  minutes: fc.integer({ min: 0, max: 2000 }),
})

/** What the counter must be, computed from the requests alone. */
function countedCents(request: ReceiptRequest): bigint {
  const reading = readReceipt(withWords(request))
  if (reading.kind === 'refusal') throw new Error(reading.faults[0]?.message)
  if (reading.path !== 'pos' || !decide(reading).count) return 0n
  return request.chargeItems.reduce((sum, item) => sum + item.amount.toCents(), 0n)
}

describe('any history of a queue', () => {
  it('has an unbroken chain, gapless numbers and the sum of what was counted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 25 }), async (history) => {
        const queue = await TestQueue.started()
        let counted = 0n
        for (const { request, broken, minutes } of history) {
          queue.device.broken = broken ? 'off' : undefined
          queue.moment = new Date(queue.moment.getTime() + minutes * 60_000)
          await queue.accept(request)
          counted += countedCents(request)
        }
        const { counters } = checkChain({ kassenId, key, publicKey, receipts: receiptsOf(queue) })
        expect(counters.at(-1)).toBe(counted)
        expect(queue.state.cashTotalizer).toBe(Decimal.cents(counted).toString())
        expect(queue.rows.map(({ number }) => number)).toEqual(
          queue.rows.map((_, position) => position + 1),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('has failed receipts only until the next signed zero receipt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 15 }), async (history) => {
        const queue = await TestQueue.started()
        for (const { request, broken } of history) {
          queue.device.broken = broken ? 'off' : undefined
          await queue.accept(request)
        }
        queue.device.broken = undefined
        await queue.accept(zeroReceipt)
        const before = queue.rows.length
        await queue.accept(sale('1.00'))
        const { failed } = checkChain({ kassenId, key, publicKey, receipts: receiptsOf(queue) })
        expect(failed.slice(before - 1)).toEqual([false, false])
        expect(queue.state.sscdFailCount + queue.state.usedFailedCount).toBe(0)
      }),
      { numRuns: 40 },
    )
  })
})

describe('the independent checker', () => {
  async function chain(): Promise<string[]> {
    const queue = await TestQueue.started()
    for (const text of ['12.00', '-3.50', '0.01']) await queue.accept(sale(text))
    return receiptsOf(queue)
  }
  const check = (receipts: string[]) => () => checkChain({ kassenId, key, publicKey, receipts })

  it('accepts a sound chain', async () => {
    expect(check(await chain())().counters).toEqual([0n, 1200n, 850n, 851n])
  })

  it('finds a receipt that is missing, doubled, swapped, or changed', async () => {
    const [a = '', b = '', c = '', d = ''] = await chain()
    expect(check([a, c, d])).toThrow('counter')
    expect(check([a, b, b])).toThrow('twice')
    expect(check([a, c, b])).toThrow('counter')
    expect(check([b])).toThrow('chain')
    const [header = '', payload = '', signature = ''] = b.split('.')
    const text = Buffer.from(payload, 'base64url').toString()
    const cheaper = Buffer.from(text.replace('12,00', '11,00')).toString('base64url')
    expect(check([a, `${header}.${cheaper}.${signature}`])).toThrow('counter')
    const other = Buffer.from(text.replace('T08:00:00', 'T08:00:01')).toString('base64url')
    expect(check([a, `${header}.${other}.${signature}`])).toThrow('signature')
  })

  it('is given the start receipt by every new queue', async () => {
    const queue = new TestQueue()
    await queue.accept(startReceipt)
    expect(check(receiptsOf(queue))().counters).toEqual([0n])
  })
})
