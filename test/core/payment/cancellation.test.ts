// Cancellations and refunds through /pay on a real database, two servers on it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addTerminal, removeTerminal } from '../../../src/core/payment/terminals.js'
import {
  type BentTerminal,
  type Desk,
  type Item,
  itemsOf,
  makeTill,
  openDesk,
  openTerminal,
  openTwoDesks,
  outcomeOf,
  pay,
  payment,
  type TestTill,
  type TwoDesks,
} from '../../support/payments.js'

let desks: TwoDesks
let one: Desk
let two: Desk
let till: TestTill

beforeAll(async () => {
  desks = await openTwoDesks()
  ;({ one, two, till } = desks)
})
afterAll(async () => {
  await desks.close()
})

async function paid(
  amount = '10',
  rest: Record<string, unknown> = {},
): Promise<Item & { op: string }> {
  const op = randomUUID()
  const answer = await pay(one, till, { body: payment(amount, rest), id: op })
  const [item] = itemsOf(answer)
  if (item === undefined) throw new Error('nothing was paid')
  return { ...item, op }
}

const cancel = (cbPayItem: object, given: { desk?: Desk; box?: TestTill; amount?: string } = {}) =>
  pay(given.desk ?? one, given.box ?? till, {
    body: payment(given.amount ?? '-10', { Action: 'cancel', cbPayItem }),
  })

describe('a cancellation', () => {
  it('of the whole item as it was answered succeeds, and a second one is declined', async () => {
    const { op: _, Amount, ...item } = await paid()
    const first = await cancel(item, { amount: String(-Amount) })
    expect(itemsOf(first).map((one) => one.Amount)).toEqual([-10])
    expect(outcomeOf(await cancel(item))).toBe('PAYMENT_DECLINED')
    expect(outcomeOf(await cancel(item, { desk: two }))).toBe('PAYMENT_DECLINED')
  })

  it('finds the payment by each of its three names, and by one after another', async () => {
    const names = [
      ({ ftPayItemId }: Item) => ({ ftPayItemId }),
      ({ op }: { op: string }) => ({ MoneyBarcode: op.toUpperCase() }),
      ({ op }: { op: string }) => ({
        ftPayItemCaseData: { Provider: { ProtocolResponse: { OperationID: op } } },
      }),
      // an id that is not ours, and the barcode of older clients
      ({ op }: { op: string }) => ({ ftPayItemId: randomUUID(), MoneyBarcode: op }),
    ]
    for (const name of names) {
      const item = await paid()
      expect(outcomeOf(await cancel(name(item)))).toBe('201')
      for (const other of names)
        expect(outcomeOf(await cancel(other(item)))).toBe('PAYMENT_DECLINED')
    }
  })

  it('of a payment of elsewhere succeeds once', async () => {
    const long = 'x'.repeat(1023)
    for (const cbPayItem of [
      { ftPayItemId: randomUUID() },
      { MoneyBarcode: 'Elsewhere 4711' },
      { MoneyBarcode: long },
      { ftPayItemId: randomUUID(), MoneyBarcode: `${long.slice(1)}y` },
    ]) {
      const codes = [await cancel(cbPayItem), await cancel(cbPayItem)].map(outcomeOf)
      expect(codes).toEqual(['201', 'PAYMENT_DECLINED'])
    }
  })

  it('of a payment without any name succeeds every time', async () => {
    expect([await cancel({}), await cancel({})].map(outcomeOf)).toEqual(['201', '201'])
  })

  it('in another CashBox does not touch the payment', async () => {
    const item = await paid()
    const other = await makeTill(one.store)
    expect(outcomeOf(await cancel({ ftPayItemId: item.ftPayItemId }, { box: other }))).toBe('201')
    expect(outcomeOf(await cancel({ ftPayItemId: item.ftPayItemId }))).toBe('201')
  })

  it('that was declined by the terminal may be tried again', async () => {
    const { ftPayItemId } = await paid()
    expect(outcomeOf(await cancel({ ftPayItemId }, { amount: '-30000.10' }))).toBe(
      'PAYMENT_DECLINED',
    )
    expect(outcomeOf(await cancel({ ftPayItemId }, { amount: '-30000.40' }))).toBe(
      'PAYMENT_CANCELLED',
    )
    expect(outcomeOf(await cancel({ ftPayItemId }))).toBe('201')
  })

  it('that a stopped server has begun may be tried again once it is known as failed', async () => {
    const { ftPayItemId } = await paid()
    const server = openDesk(desks.database.config, { scale: 1 })
    const work = cancel({ ftPayItemId }, { desk: server, amount: '-30000.60' })
    const marked = async () => {
      const found = await one.store.pool.query(
        'select cancelled_by from payment where id = $1 and cancelled_by is not null',
        [ftPayItemId],
      )
      return found.rowCount
    }
    await expect.poll(marked).toBe(1)
    expect(outcomeOf(await cancel({ ftPayItemId }))).toBe('PAYMENT_DECLINED')
    await server.payments.close(0)
    expect(outcomeOf(await work)).toBe('PAYMENT_UNKNOWN')
    await server.close()
    expect(outcomeOf(await cancel({ ftPayItemId }))).toBe('201')
  })
})

describe('many cancellations at once', () => {
  it.each([
    ['of a payment of ours', async () => ({ ftPayItemId: (await paid()).ftPayItemId })],
    ['of a payment of elsewhere', async () => ({ ftPayItemId: randomUUID() })],
    ['of a barcode of elsewhere', async () => ({ MoneyBarcode: `bar-${randomUUID()}` })],
  ])('%s: exactly one wins, on two servers', async (_, itemOf) => {
    for (let round = 0; round < 5; round += 1) {
      const item = await itemOf()
      const calls = Array.from({ length: 16 }, (_, at) =>
        cancel(item, { desk: at % 2 ? one : two }),
      )
      const codes = (await Promise.all(calls)).map(outcomeOf).sort()
      expect(codes).toEqual(['201', ...Array.from({ length: 15 }, () => 'PAYMENT_DECLINED')])
    }
  })
})

describe('a refund', () => {
  it('succeeds for any amount, again and again, also after a cancellation', async () => {
    const { ftPayItemId } = await paid()
    const refund = (amount: string) =>
      pay(one, till, { body: payment(amount, { Action: 'refund', cbPayItem: { ftPayItemId } }) })
    for (const amount of ['-10', '-4.99', '25']) expect(outcomeOf(await refund(amount))).toBe('201')
    expect(outcomeOf(await cancel({ ftPayItemId }))).toBe('201')
    expect(outcomeOf(await refund('-1'))).toBe('201')
  })

  it('may be cancelled itself, once', async () => {
    const { ftPayItemId } = await paid('-3', { Action: 'refund' })
    const codes = [await cancel({ ftPayItemId }), await cancel({ ftPayItemId })].map(outcomeOf)
    expect(codes).toEqual(['201', 'PAYMENT_DECLINED'])
  })
})

describe('with terminals over HTTP', () => {
  const terminals: BentTerminal[] = []
  afterAll(() => Promise.all(terminals.map((terminal) => terminal.close())))

  async function opened(box: TestTill, provider = 'viva_eft_pos_instore') {
    const terminal = await openTerminal()
    terminals.push(terminal)
    const deps = { store: one.store, sandbox: true }
    const cashBoxId = box.cashBoxId
    const { id } = await addTerminal(deps, {
      ...{ cashBoxId, provider },
      ...{ terminal: undefined, url: terminal.url },
    })
    return { terminal, id }
  }

  it('the money goes back where it came from, under the id of its payment', async () => {
    const box = await makeTill(one.store)
    const first = await opened(box)
    const op = randomUUID()
    const answer = await pay(one, box, { body: payment('8'), id: op })
    const ftPayItemId = itemsOf(answer)[0]?.ftPayItemId
    // from now on a payment of ours would go to the second one
    await removeTerminal(one.store, first.id)
    const second = await opened(box)
    await opened(box)
    await pay(one, box, { body: payment('9') })
    expect(second.terminal.begun.map(({ action }) => action)).toEqual(['payment'])
    const body = payment('-8', { Action: 'refund', cbPayItem: { ftPayItemId } })
    expect((await pay(one, box, { body })).status).toBe(201)
    // its own terminal is gone: the oldest one that is left
    expect(second.terminal.begun[1]).toMatchObject({ action: 'refund', originalId: op })
    expect(first.terminal.begun).toHaveLength(1)
  })

  it('the terminal of the payment is asked although another one is older', async () => {
    const box = await makeTill(one.store)
    const older = await opened(box, 'shift4')
    const newer = await opened(box)
    const Protocol = 'viva_eft_pos_instore'
    const answer = await pay(one, box, { body: payment('8', { Protocol }) })
    const ftPayItemId = itemsOf(answer)[0]?.ftPayItemId
    expect(outcomeOf(await cancel({ ftPayItemId }, { box, amount: '-8' }))).toBe('201')
    expect(newer.terminal.begun.map(({ action }) => action)).toEqual(['payment', 'cancel'])
    expect(older.terminal.begun).toEqual([])
  })

  it('a cancellation is declined here before a terminal hears of it', async () => {
    const box = await makeTill(one.store)
    const { terminal } = await opened(box)
    const ftPayItemId = randomUUID()
    const codes = [
      await cancel({ ftPayItemId }, { box }),
      await cancel({ ftPayItemId }, { box }),
    ].map(outcomeOf)
    expect([codes, terminal.begun.length]).toEqual([['201', 'PAYMENT_DECLINED'], 1])
  })

  it('what a terminal cannot do is refused before it begins', async () => {
    const box = await makeTill(one.store)
    await opened(box, 'hobex_softpos_posit')
    const body = payment('-1', { Action: 'refund', Protocol: 'hobex_softpos_posit' })
    await expect(pay(one, box, { body })).rejects.toMatchObject({
      code: 'PROVIDER_NONE',
      message: expect.stringContaining('hobex_softpos_posit cannot refund from here'),
    })
  })
})
