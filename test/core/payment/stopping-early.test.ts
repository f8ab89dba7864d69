// A cancellation that reaches another server before the payment is on record there: which of the
// two comes first the database says, and never do both succeed.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { preparePay } from '../../../src/api/possystem/pay.js'
import { addTerminal, removeTerminal } from '../../../src/core/payment/terminals.js'
import type { Store } from '../../../src/store/client.js'
import {
  type Answered,
  type BentTerminal,
  callOf,
  type Desk,
  itemsOf,
  makeTill,
  openDesk,
  openTerminal,
  openTwoDesks,
  pay,
  payment,
  type TestTill,
  type TwoDesks,
} from '../../support/payments.js'

let desks: TwoDesks
let one: Desk
let two: Desk
let till: TestTill
let terminal: BentTerminal
let terminalId: string

beforeAll(async () => {
  desks = await openTwoDesks({ scale: 0.02 })
  ;({ one, two, till } = desks)
  terminal = await openTerminal({ scale: 0.02 })
  const wanted = { provider: 'hobexecr', terminal: undefined, url: terminal.url }
  const made = await addTerminal(
    { store: one.store, sandbox: true },
    { cashBoxId: till.cashBoxId, ...wanted },
  )
  terminalId = made.id
})
afterEach(() => {
  terminal.bend = () => false
  terminal.begun.length = 0
})
afterAll(async () => {
  await removeTerminal(one.store, terminalId)
  await desks.close()
  await terminal.close()
})

/** A place where a call waits until the test lets it go on. */
function gate() {
  let open: () => void = () => undefined
  let arrive: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const pass = (): Promise<void> => {
    arrive()
    return opened
  }
  return { open: () => open(), reached, pass }
}

type Gate = ReturnType<typeof gate>

/** A server that waits once before it sends the statement of this name. */
function waitingDesk(statement: string, place: Gate): Desk {
  const { pool } = two.store
  const send = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>
  const query = async (...given: unknown[]): Promise<unknown> => {
    if ((given[0] as { name?: string }).name === statement) await place.pass()
    return send(...given)
  }
  const held = Object.assign(Object.create(pool) as typeof pool, { query })
  const store: Store = { ...two.store, pool: held }
  return openDesk(desks.database.config, { scale: 0.02, store })
}

const codeOf = ({ status, text }: Answered) =>
  status === 201 ? '201' : (JSON.parse(text) as { code: string }).code

/** 1.2 seconds here, unless somebody stops it. */
const LONG = '30000.60'

/** A payment that its server has accepted, and that waits before its record is written. */
function accepted(id: string, amount: string, place: Gate): Promise<Answered> {
  const call = callOf(till, { id, body: payment(amount) })
  const prepare = preparePay(one)
  const run = one.operations.run(call.operation, async () => {
    const execution = await prepare(call)
    await place.pass()
    return execution
  })
  return run.then(({ answer, replayed }) => ({
    ...{ status: answer.status, text: answer.body, replayed },
  }))
}

const cancelOf = (id: string, desk: Desk, amount = '-10') =>
  pay(desk, till, {
    body: payment(amount, { Action: 'cancel', cbPayItem: { MoneyBarcode: id } }),
  })

const ordersOf = (id: string) => terminal.begun.filter(({ operationId }) => operationId === id)

async function running(id: string): Promise<void> {
  while (ordersOf(id).length === 0) await sleep(5)
}

describe('a cancellation that is noted first', () => {
  it('ends a payment that comes later, whose terminal is never asked', async () => {
    const [id, place] = [randomUUID(), gate()]
    const end = accepted(id, '10', place)
    await place.reached
    const cancelled = await cancelOf(id, two)
    place.open()
    expect([codeOf(cancelled), codeOf(await end)]).toEqual(['201', 'PAYMENT_CANCELLED'])
    expect(ordersOf(id)).toEqual([])
    expect(codeOf(await pay(two, till, { id, body: payment('10') }))).toBe('PAYMENT_CANCELLED')
  })

  it('says that it has stopped it, also when its terminal knows nothing of it', async () => {
    const [id, place, asked] = [randomUUID(), gate(), gate()]
    const end = accepted(id, '10', place)
    await place.reached
    terminal.bend = (request, response) => {
      if (request.url?.endsWith('/cancel') !== true) return false
      const told = { Result: 'DECLINED', Message: 'unknown' }
      void asked.pass().then(() => response.writeHead(200).end(JSON.stringify(told)))
      return true
    }
    const cancelling = cancelOf(id, two)
    await asked.reached
    place.open()
    expect(codeOf(await end)).toBe('PAYMENT_CANCELLED')
    asked.open()
    const cancelled = await cancelling
    expect(cancelled.status).toBe(201)
    expect(itemsOf(cancelled).map(({ Amount }) => Amount)).toEqual([0])
    expect(codeOf(await cancelOf(id, one))).toBe('PAYMENT_DECLINED')
    expect(ordersOf(id)).toEqual([])
  })

  it('gives nothing back of a payment that began meanwhile, at the test terminal', async () => {
    const other = await makeTill(one.store)
    const id = randomUUID()
    const cancelling = pay(two, other, {
      body: payment(`-${LONG}`, { Action: 'cancel', cbPayItem: { MoneyBarcode: id } }),
    })
    const noted = async () => {
      const found = await one.store.pool.query(
        `select from payment where cash_box_id = $1 and reference = $2`,
        [other.cashBoxId, id],
      )
      return found.rowCount === 1
    }
    while (!(await noted())) await sleep(5)
    const paid = await pay(one, other, { id, body: payment(LONG) })
    const cancelled = await cancelling
    expect([codeOf(paid), cancelled.status]).toEqual(['PAYMENT_CANCELLED', 201])
    expect(itemsOf(cancelled).map(({ Amount }) => Amount)).toEqual([0])
    // its claim stands: nobody cancels it a second time
    const again = pay(one, other, {
      body: payment(`-${LONG}`, { Action: 'cancel', cbPayItem: { MoneyBarcode: id } }),
    })
    expect(codeOf(await again)).toBe('PAYMENT_DECLINED')
  })

  it('and that was declined before the payment began leaves it alone', async () => {
    const [id, place] = [randomUUID(), gate()]
    const end = accepted(id, '10', place)
    await place.reached
    expect(codeOf(await cancelOf(id, two, '-30000.10'))).toBe('PAYMENT_DECLINED')
    place.open()
    expect(codeOf(await end)).toBe('201')
    const later = await cancelOf(id, two)
    expect(itemsOf(later).map(({ Amount }) => Amount)).toEqual([-10])
    expect(codeOf(await cancelOf(id, one))).toBe('PAYMENT_DECLINED')
  })
})

describe('a cancellation that had found nothing, while the payment is noted first', () => {
  /** Its server has found no payment, and has not noted its claim. */
  async function lookedTooEarly(id: string) {
    const place = gate()
    const desk = waitingDesk('insert-payment', place)
    const cancelling = cancelOf(id, desk)
    await place.reached
    const goOn = async (): Promise<Answered> => {
      place.open()
      const cancelled = await cancelling
      await desk.close()
      return cancelled
    }
    return { goOn }
  }

  it('stops it', async () => {
    const id = randomUUID()
    const cancel = await lookedTooEarly(id)
    const end = pay(one, till, { id, body: payment(LONG) })
    await running(id)
    const cancelled = await cancel.goOn()
    expect(codeOf(await end)).toBe('PAYMENT_CANCELLED')
    expect(itemsOf(cancelled).map(({ Amount }) => Amount)).toEqual([0])
  })

  it('is declined when it is too late, and the payment may be cancelled later', async () => {
    const id = randomUUID()
    const cancel = await lookedTooEarly(id)
    // it takes the wish, and the guest is faster
    terminal.bend = (request, response) => {
      if (request.url?.endsWith('/abort') !== true) return false
      response.writeHead(202).end('{}')
      return true
    }
    const end = pay(one, till, { id, body: payment(LONG) })
    await running(id)
    const cancelled = await cancel.goOn()
    expect([codeOf(await end), codeOf(cancelled)]).toEqual(['201', 'PAYMENT_DECLINED'])
    expect(cancelled.text).toContain('too late')
    const [paid] = itemsOf(await end)
    const item = { ftPayItemId: paid?.ftPayItemId }
    const later = await pay(two, till, {
      body: payment('-10', { Action: 'cancel', cbPayItem: item }),
    })
    expect(itemsOf(later).map(({ Amount }) => Amount)).toEqual([-10])
    expect(codeOf(await cancelOf(id, one))).toBe('PAYMENT_DECLINED')
  })

  it('takes it back when it was paid meanwhile', async () => {
    const id = randomUUID()
    const cancel = await lookedTooEarly(id)
    expect(codeOf(await pay(one, till, { id, body: payment('10') }))).toBe('201')
    expect(itemsOf(await cancel.goOn()).map(({ Amount }) => Amount)).toEqual([-10])
    expect(codeOf(await cancelOf(id, one))).toBe('PAYMENT_DECLINED')
  })
})

it('a payment and a cancellation that see each other: it is stopped, and told so', async () => {
  const [id, place] = [randomUUID(), gate()]
  const desk = waitingDesk('payment-claimed-ahead', place)
  const end = pay(desk, till, { id, body: payment('10') })
  await place.reached
  const listener = new pg.Client(desks.database.config)
  await listener.connect()
  const told = once(listener, 'notification')
  await listener.query('listen fiskalwerk_stop')
  const cancelling = cancelOf(id, one)
  await told
  // the server of the payment is told at the same time as this listener
  await sleep(200)
  await listener.end()
  place.open()
  expect(codeOf(await end)).toBe('PAYMENT_CANCELLED')
  expect(itemsOf(await cancelling).map(({ Amount }) => Amount)).toEqual([0])
  expect(ordersOf(id)).toEqual([])
  await desk.close()
})
