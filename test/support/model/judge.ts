// What must be true of operations behind every history.
import { expect } from 'vitest'
import { type Answered, itemsOf } from '../payments.js'
import type { Called, ModelShop } from './shop.js'

const UNKNOWN = new Set(['PAYMENT_UNKNOWN', 'PAYMENT_LOST'])

type Ends = ReadonlyMap<string, Answered>

const endOf = ({ status, text }: Answered): string =>
  status === 201 || status === 200 ? 'PAID' : (JSON.parse(text) as { code: string }).code

export async function judge(shop: ModelShop): Promise<void> {
  await shop.settle()
  const ends = new Map<string, Answered>()
  const all = await shop.finishing(
    Promise.all(shop.calls.map(async (call) => ({ call, answers: await shop.finalAnswers(call) }))),
  )
  for (const { call, answers } of all) {
    const [final] = answers
    if (final === undefined) throw new Error('nobody answers')
    ends.set(call.id, final)
    judgeAnswers(call, answers, final)
    judgeMoney(shop, call, final)
  }
  for (const call of shop.calls) judgeCancel(shop, call, ends)
  expect(await shop.states(), 'nothing runs for ever').not.toContain('processing')
}

function judgeAnswers(call: Called, answers: readonly Answered[], final: Answered): void {
  for (const { text } of answers) expect(text, 'both servers say the same').toBe(final.text)
  const heard = call.answers.flatMap(({ answered }) => (answered === 'conflict' ? [] : answered))
  for (const { text } of heard) expect(text, 'every answer of one id is the same').toBe(final.text)
  for (const text of call.seen) expect(text, 'what is stored never changes').toBe(final.text)
  const winners = new Set(
    call.answers.flatMap(({ changed, answered }) => (answered === 'conflict' ? [] : changed)),
  )
  expect(winners.size, 'one body has the id, the other one a conflict').toBeLessThanOrEqual(1)
}

/** What the till was told against what the terminal has done. */
function judgeMoney(shop: ModelShop, call: Called, final: Answered): void {
  const order = shop.terminal.orders.get(call.id)
  expect(order?.orders ?? 0, 'executed at most once').toBeLessThanOrEqual(1)
  const end = endOf(final)
  if (UNKNOWN.has(end)) {
    // a cancellation may be about a payment that somebody else's death has left behind
    const before = call.of === undefined ? call.deathsBefore : 0
    expect(shop.deaths, `a server died before ${final.text}`).toBeGreaterThan(before)
    return
  }
  const moved = order?.result === 'SUCCESS'
  const paid = end === 'PAID' ? itemsOf(final)[0]?.Amount : 0
  const taken = moved ? order.amount : 0
  expect(Math.abs(paid ?? Number.NaN), `money of ${call.id}, ${end}`).toBe(Math.abs(taken))
}

/** A payment is taken or stopped, never both, and taken back once at most. */
function judgeCancel(shop: ModelShop, { id, of }: Called, ends: Ends): void {
  if (of !== undefined) return
  const paid = ends.get(id)
  const cancels = shop.calls
    .filter((call) => call.of === id)
    .flatMap((call) => ends.get(call.id) ?? [])
    .filter((end) => endOf(end) === 'PAID')
  expect(cancels.length, 'cancelled once').toBeLessThanOrEqual(1)
  const [cancel] = cancels
  if (cancel === undefined || paid === undefined) return
  if (itemsOf(cancel)[0]?.Amount === 0) expect(endOf(paid)).toBe('PAYMENT_CANCELLED')
  else expect(['PAID', ...UNKNOWN]).toContain(endOf(paid))
}
