// French receipts of version 2: which chain they are signed in, and what their words say.
import { describe, expect, it } from 'vitest'
import { payloadOf, type Sent, TestQueue } from './queue.js'

const VERSION_2 = 0x2000_0000_0000n
const FRANCE = 0x4652n << 48n
const word = (code: number, flags = 0) =>
  (FRANCE | VERSION_2 | (BigInt(flags) << 16n) | BigInt(code)).toString()

interface Case {
  code: number
  flags?: number
  /** Sums of charge items (20 %) and of payments in cash. */
  charged?: number
  paid?: number
}

function sentOf({ code, flags, charged, paid }: Case): Sent {
  const item = { Quantity: 1, Description: 'x', VATRate: 20 }
  return {
    kind: 0,
    more: {
      ftReceiptCase: word(code, flags),
      cbPreviousReceiptReference: 'one',
      cbChargeItems:
        charged === undefined ? [] : [{ ...item, Amount: charged, ftChargeItemCase: word(0x13) }],
      cbPayItems:
        paid === undefined
          ? []
          : [{ Quantity: 1, Description: 'x', Amount: paid, ftPayItemCase: word(1) }],
    },
  }
}

const rows: [Case, string, Record<string, number>][] = [
  [{ code: 0x0001, charged: 5, paid: 5 }, 'T', { total: 5, 'ci-n': 5, 'pi-c': 5 }],
  [{ code: 0x0001, charged: 5, paid: 4.99 }, 'T', { total: 5, 'ci-n': 5, 'pi-c': 4.99 }],
  [{ code: 0x0002, paid: 5 }, 'P', { total: 0, 'pi-c': 5, 'pi-i': -5 }],
  [{ code: 0x0003, charged: 5, paid: 5 }, 'B', { total: 5, 'ci-n': 5, 'pi-c': 5 }],
  [{ code: 0x0004, charged: 5, paid: 5 }, 'T', { total: 5, 'ci-n': 5, 'pi-c': 5 }],
  [{ code: 0x0001, flags: 0x80, charged: 5, paid: 5 }, 'B', { total: 5, 'pi-c': 5 }],
  [{ code: 0x0006, charged: 5 }, 'B', { total: 5, 'ci-n': 5, 'pi-i': 5 }],
  [{ code: 0x0007, charged: 5 }, 'B', { total: 5, 'ci-n': 5, 'pi-i': 5 }],
  [{ code: 0x1001, charged: 5, paid: 5 }, 'I', { total: 5, 'ci-n': 5, 'pi-c': 5 }],
  [{ code: 0x2000 }, 'G', { 'd-total': 0 }],
  [{ code: 0x2010 }, 'G', { 's-total': 0, 'p-total': 0 }],
  [{ code: 0x2013 }, 'G', { 'y-total': 0, 'p-total': 0 }],
  [{ code: 0x3000 }, '', {}],
  [{ code: 0x3001 }, 'L', { total: 0 }],
  [{ code: 0x3002 }, 'L', { total: 0 }],
  [{ code: 0x3004, charged: 5 }, 'B', { total: 5, 'pi-i': 5 }],
  [{ code: 0x3005, paid: 5 }, 'P', { total: 0, 'pi-c': 5, 'pi-i': -5 }],
  [{ code: 0x3010 }, 'C', {}],
  [{ code: 0x3011 }, 'A', { 'a-total': 0 }],
  [{ code: 0x0005, charged: 5, paid: 5 }, '', {}],
  [{ code: 0x0000, charged: 5, paid: 5 }, 'T', { total: 5, 'pi-c': 5 }],
  [{ code: 0x0002, paid: -5 }, 'P', { total: 0, 'pi-c': -5, 'pi-i': 5 }],
  [{ code: 0x0002, charged: 5, paid: 5 }, 'P', { total: 5, 'pi-c': 5 }],
  [{ code: 0x1000, charged: 5, paid: 5 }, 'I', { total: 5 }],
  [{ code: 0x1002, charged: 5, paid: 5 }, 'I', { total: 5 }],
  [{ code: 0x1003, charged: 5, paid: 5 }, 'I', { total: 5 }],
  [{ code: 0x2001 }, 'G', { 'd-total': 0 }],
  [{ code: 0x2011 }, 'G', { 'd-total': 0, 'p-total': 0 }],
  [{ code: 0x2012 }, 'G', { 'm-total': 0, 'p-total': 0 }],
  [{ code: 0x3003, charged: 5, paid: 5 }, '', {}],
  [{ code: 0x4001 }, 'G', { 'd-total': 0 }],
  [{ code: 0x4002 }, 'G', { 'y-total': 0 }],
  ...[0x4011, 0x4012, 0x4021, 0x4022].map((code): [Case, string, Record<string, number>] => [
    ...([{ code }, 'G', { 'd-total': 0 }] as const),
  ]),
]

describe('version 2', () => {
  it.each(rows)('%j is of chain %s', async (given, letter, members) => {
    const queue = await TestQueue.started()
    const answer = await queue.accept(sentOf(given))
    expect(answer.identification).toMatch(new RegExp(`#${letter === '' ? '' : `${letter}\\d+`}$`))
    expect(answer.stateWord >> 32n).toBe(0x4652_2000n)
    for (const { type } of answer.signatures) expect(type >> 32n).toBe(0x4652_2000n)
    if (letter !== '') expect(payloadOf(answer.journal.at(-1))).toMatchObject(members)
  })

  it('items are of version 2 without version nibble as well', async () => {
    const queue = await TestQueue.started()
    const { more } = sentOf({ code: 0x0001, charged: 5, paid: 5 })
    const text = JSON.stringify(more).replace(`"${word(0x13)}"`, `"${FRANCE | 0x13n}"`)
    const answer = await queue.accept({ kind: 0, more: JSON.parse(text) })
    expect(payloadOf(answer.journal.at(-1))).toMatchObject({ total: 5, 'ci-n': 5 })
  })

  it('differences above a cent are refused', async () => {
    const queue = await TestQueue.started()
    const { faults } = await queue.run(sentOf({ code: 0x0001, charged: 5, paid: 4.98 }))
    expect(faults).toHaveLength(1)
  })

  it('shows which closings are due', async () => {
    const queue = await TestQueue.started()
    const bits = async (iso: string, code = 0x2000) => {
      queue.moment = new Date(iso)
      return Number((await queue.accept(sentOf({ code }))).stateWord & 0xfffn)
    }
    expect(await bits('2026-03-02T22:59:59Z')).toBe(0)
    // midnight in Paris
    expect(await bits('2026-03-02T23:00:00Z')).toBe(0x100)
    expect(await bits('2026-04-01T08:00:00Z')).toBe(0x300)
    expect(await bits('2027-01-01T08:00:00Z')).toBe(0x700)
    expect(await bits('2027-01-01T08:00:00Z', 0x2013)).toBe(0)
  })
})
