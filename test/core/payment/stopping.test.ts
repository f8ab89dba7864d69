// A payment that runs and is to stop: by a cancellation or an abort, from its own server or another
// one. What both calls are told fits together, whatever the terminal says.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { abortOperation } from '../../../src/api/possystem/abort.js'
import type { PosRead } from '../../../src/api/possystem/read.js'
import { providers } from '../../../src/core/payment/providers.js'
import { addTerminal, removeTerminal } from '../../../src/core/payment/terminals.js'
import {
  type BentTerminal,
  callOf,
  type Desk,
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
let terminal: BentTerminal
let added: string[] = []

beforeAll(async () => {
  desks = await openTwoDesks({ scale: 0.05 })
  ;({ one, two, till } = desks)
  terminal = await openTerminal({ scale: 0.05 })
})
afterEach(async () => {
  terminal.bend = () => false
  terminal.calls.length = 0
  for (const id of added.splice(0)) await removeTerminal(one.store, id)
  added = []
})
afterAll(async () => {
  await desks.close()
  await terminal.close()
})

const both = ['the same server', 'another server']
const deskAt = (at: string): Desk => (at === both[0] ? one : two)

/** Three seconds here, unless somebody stops it. */
const LONG = '30000.60'

/** A payment that has begun. */
async function begun(amount = LONG, rest: Record<string, unknown> = {}) {
  const id = randomUUID()
  const end = pay(one, till, { id, body: payment(amount, rest) })
  const { accountId, cashBoxId } = till
  while ((await one.operations.find({ accountId, cashBoxId, id }))?.state !== 'running');
  await sleep(50)
  return { id, end }
}

const cancelOf = (id: string, desk: Desk, own = randomUUID(), amount = `-${LONG}`) =>
  pay(desk, till, {
    id: own,
    body: payment(amount, { Action: 'cancel', cbPayItem: { MoneyBarcode: id } }),
  })

async function abort(desk: Desk, id: string, waitMs = 2_000) {
  const { access } = callOf(till, {})
  const read = { access, params: { id } } as unknown as PosRead
  const { body } = await abortOperation({ operations: desk.operations, waitMs })(read)
  return JSON.parse(String(body)) as { Outcome: string; State: string; ResponseCode?: number }
}

async function useTerminal(provider = 'hobexecr'): Promise<void> {
  const made = await addTerminal(
    { store: one.store, sandbox: true },
    { cashBoxId: till.cashBoxId, provider, terminal: undefined, url: terminal.url },
  )
  added.push(made.id)
}

function answer(response: ServerResponse, status: number, value: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  return true
}

/** What the terminal says when it is asked to stop. */
function bendAbort(bend: (response: ServerResponse) => boolean): void {
  terminal.bend = (request, response) =>
    request.url?.endsWith('/abort') === true ? bend(response) : false
}

describe('a cancellation of a payment that runs', () => {
  it.each(both)('stops it, from %s; only one of the two calls has paid', async (at) => {
    const running = await begun()
    const cancelled = await cancelOf(running.id, deskAt(at))
    expect(outcomeOf(await running.end)).toBe('PAYMENT_CANCELLED')
    expect(cancelled.status).toBe(201)
    expect(itemsOf(cancelled)).toMatchObject([
      {
        Amount: 0,
        ftPayItemCaseData: {
          Provider: { Action: 'cancel', ProtocolResponse: { Amount: 0, Result: 'STOPPED' } },
        },
      },
    ])
  })

  it('stops it also in the same instant, before anything of the payment is noted', async () => {
    const id = randomUUID()
    const end = pay(one, till, { id, body: payment(LONG) })
    const cancelled = await cancelOf(id, one)
    expect([outcomeOf(await end), cancelled.status]).toEqual(['PAYMENT_CANCELLED', 201])
    expect(itemsOf(cancelled)[0]?.Amount).toBe(0)
  })

  it('gets the same answer when it is repeated, and another one is declined', async () => {
    const running = await begun()
    const own = randomUUID()
    const [first, same] = await Promise.all([
      cancelOf(running.id, two, own),
      cancelOf(running.id, two, own),
    ])
    expect(same.text).toBe(first.text)
    expect((await cancelOf(running.id, one, own)).text).toBe(first.text)
    expect(outcomeOf(await cancelOf(running.id, one))).toBe('PAYMENT_DECLINED')
    expect(outcomeOf(await running.end)).toBe('PAYMENT_CANCELLED')
  })

  it('of several at the same time exactly one has stopped it', async () => {
    const running = await begun()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => cancelOf(running.id, at % 2 === 0 ? one : two)),
    )
    const codes = answers.map(outcomeOf).sort()
    expect(codes).toEqual(['201', ...Array.from({ length: 5 }, () => 'PAYMENT_DECLINED')])
    expect(outcomeOf(await running.end)).toBe('PAYMENT_CANCELLED')
  })

  it.each(both)(
    'that comes too late, from %s, leaves it paid, to be cancelled later',
    async (at) => {
      await useTerminal()
      // it takes the wish, and the guest is faster
      bendAbort((response) => answer(response, 202, {}))
      const running = await begun('30000.60')
      const cancelled = await cancelOf(running.id, deskAt(at))
      const paid = await running.end
      expect([outcomeOf(paid), outcomeOf(cancelled)]).toEqual(['201', 'PAYMENT_DECLINED'])
      expect(cancelled.text).toContain('too late')
      bendAbort(() => false)
      const later = await cancelOf(running.id, deskAt(at))
      expect(itemsOf(later).map((item) => item.Amount)).toEqual([-30000.6])
      expect(outcomeOf(await cancelOf(running.id, one))).toBe('PAYMENT_DECLINED')
    },
    20_000,
  )

  it('is declined at once when the terminal says no, and the payment goes on', async () => {
    await useTerminal()
    bendAbort((response) => answer(response, 409, { Message: 'the card is being read' }))
    const running = await begun()
    let ended = false
    void running.end.then(() => {
      ended = true
    })
    const cancelled = await cancelOf(running.id, two)
    expect(outcomeOf(cancelled)).toBe('PAYMENT_DECLINED')
    expect(cancelled.text).toContain('goes on')
    expect(ended).toBe(false)
    expect(outcomeOf(await running.end)).toBe('201')
  }, 20_000)

  it('waits for the end while the terminal does not answer to the wish', async () => {
    await useTerminal()
    let asked = 0
    bendAbort((response) => {
      asked += 1
      response.destroy()
      return true
    })
    const running = await begun()
    const cancelled = await cancelOf(running.id, two)
    expect(asked).toBeGreaterThan(1)
    expect([outcomeOf(await running.end), outcomeOf(cancelled)]).toEqual([
      '201',
      'PAYMENT_DECLINED',
    ])
  }, 20_000)

  it('does not know either when nobody knows how the payment ended', async () => {
    const desk = openDesk(desks.database.config)
    await useTerminal()
    bendAbort((response) => {
      response.destroy()
      return true
    })
    const id = randomUUID()
    const end = pay(desk, till, { id, body: payment(LONG) })
    const { accountId, cashBoxId } = till
    while ((await one.operations.find({ accountId, cashBoxId, id })) === undefined);
    const cancelling = cancelOf(id, two)
    while (!terminal.calls.some((call) => call.endsWith('/abort'))) await sleep(10)
    await desk.close()
    expect([outcomeOf(await end), outcomeOf(await cancelling)]).toEqual([
      ...['PAYMENT_UNKNOWN', 'PAYMENT_LOST'],
    ])
  }, 20_000)

  it('of a payment that ended without money is declined, and no terminal is asked', async () => {
    const id = randomUUID()
    expect(outcomeOf(await pay(one, till, { id, body: payment('30000.10') }))).toBe(
      'PAYMENT_DECLINED',
    )
    await useTerminal()
    expect(outcomeOf(await cancelOf(id, one, randomUUID(), '-30000.10'))).toBe('PAYMENT_DECLINED')
    expect(terminal.calls).toEqual([])
  })

  it('that waits can be stopped itself: two that name each other both end', async () => {
    const [a, b] = [randomUUID(), randomUUID()]
    const ends = await Promise.all([cancelOf(b, one, a), cancelOf(a, two, b)])
    for (const end of ends) expect(end.status).not.toBe(500)
  })
})

describe('a refund of a payment that runs', () => {
  it('is declined: nothing is given back that may never be taken', async () => {
    const running = await begun()
    const refund = await pay(two, till, {
      body: payment('-5', { Action: 'refund', cbPayItem: { MoneyBarcode: running.id } }),
    })
    expect(outcomeOf(refund)).toBe('PAYMENT_DECLINED')
    await abort(one, running.id)
    expect(outcomeOf(await running.end)).toBe('PAYMENT_CANCELLED')
  })
})

describe('an abort', () => {
  it.each(both)('from %s stops the payment, says so as often as it is called', async (at) => {
    const running = await begun()
    const told = { Outcome: 'aborted', State: 'done', ResponseCode: 400 }
    expect(await abort(deskAt(at), running.id)).toMatchObject(told)
    expect(await abort(one, running.id)).toMatchObject(told)
    expect(outcomeOf(await running.end)).toBe('PAYMENT_CANCELLED')
    expect(outcomeOf(await pay(one, till, { id: running.id, body: payment(LONG) }))).toBe(
      'PAYMENT_CANCELLED',
    )
  })

  it('of a payment that was taken is too late, and changes nothing', async () => {
    const id = randomUUID()
    const paid = await pay(one, till, { id, body: payment('10') })
    expect(await abort(two, id)).toMatchObject({ Outcome: 'toolate', ResponseCode: 201 })
    expect((await pay(one, till, { id, body: payment('10') })).text).toBe(paid.text)
  })

  it('of something that was never seen says so, and uses up nothing', async () => {
    const id = randomUUID()
    expect(await abort(one, id)).toEqual({ Outcome: 'never', State: 'never' })
    expect((await pay(one, till, { id, body: payment('10') })).status).toBe(201)
  })

  it('tells a terminal that says no from one that does not answer', async () => {
    await useTerminal()
    bendAbort((response) => answer(response, 409, {}))
    const running = await begun()
    expect(await abort(two, running.id)).toMatchObject({ Outcome: 'refused', State: 'running' })
    bendAbort((response) => {
      response.destroy()
      return true
    })
    expect(await abort(two, running.id, 300)).toMatchObject({
      ...{ Outcome: 'unanswered', State: 'running' },
    })
    bendAbort(() => false)
    expect(await abort(two, running.id)).toMatchObject({ Outcome: 'aborted' })
    expect(outcomeOf(await running.end)).toBe('PAYMENT_CANCELLED')
  })

  it('of a payment that nobody knows the end of says that', async () => {
    const desk = openDesk(desks.database.config, { scale: 0.05 })
    const id = randomUUID()
    const end = pay(desk, till, { id, body: payment(LONG) })
    const { accountId, cashBoxId } = till
    while ((await one.operations.find({ accountId, cashBoxId, id })) === undefined);
    await desk.close()
    expect(outcomeOf(await end)).toBe('PAYMENT_UNKNOWN')
    expect(await abort(one, id)).toMatchObject({ Outcome: 'unknown', ResponseCode: 500 })
  })

  it('of a payment whose answer is lost on the way ends by what the terminal tells', async () => {
    await useTerminal()
    terminal.bend = (request, response, work) => {
      if (request.url?.endsWith('/pay') !== true) return false
      work()
      setTimeout(() => response.destroy(), 100)
      return true
    }
    const running = await begun()
    expect(await abort(two, running.id)).toMatchObject({ Outcome: 'aborted' })
    expect(outcomeOf(await running.end)).toBe('PAYMENT_CANCELLED')
  })

  it('of another cash box finds nothing', async () => {
    const running = await begun()
    const { access } = callOf(await makeTill(one.store), {})
    const read = { access, params: { id: running.id } } as unknown as PosRead
    const { body } = await abortOperation({ operations: one.operations })(read)
    expect(JSON.parse(String(body))).toEqual({ Outcome: 'never', State: 'never' })
    await abort(one, running.id)
    await running.end
  })
})

describe('the drivers', () => {
  const able = Object.keys(providers).filter((name) => name !== 'hobex_softpos_posit')

  it.each(able)('%s passes the wish on to its terminal', async (provider) => {
    await useTerminal(provider)
    const running = await begun(LONG, { Protocol: provider })
    expect(await abort(two, running.id)).toMatchObject({ Outcome: 'aborted' })
    expect(outcomeOf(await running.end)).toBe('PAYMENT_CANCELLED')
    const asked = terminal.calls.filter((call) => call.endsWith(`/${running.id}/abort`))
    expect(asked.length).toBeGreaterThan(0)
  })

  it('the one that cannot says no, and the payment goes on', async () => {
    await useTerminal('hobex_softpos_posit')
    const running = await begun(LONG, { Protocol: 'hobex_softpos_posit' })
    expect(await abort(two, running.id)).toMatchObject({ Outcome: 'refused', State: 'running' })
    expect(terminal.calls.some((call) => call.endsWith('/abort'))).toBe(false)
    expect(outcomeOf(await running.end)).toBe('201')
  }, 20_000)
})
