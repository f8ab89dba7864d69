// Wrong PINs are counted for all servers, per network, and cost their network alone.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPairing } from '../../../../src/core/accounts/pairing/pairing.js'
import { networkOf } from '../../../../src/lib/network.js'
import { type PosServer, posCall, startPosServer } from '../../../support/pos-server.js'

let server: PosServer
let pairing: ReturnType<typeof createPairing>
let beside: ReturnType<typeof createPairing>
beforeAll(async () => {
  server = await startPosServer({ TRUST_PROXY: 'true' })
  // two servers on one database: nothing is remembered between their calls but there
  pairing = createPairing(server.deps.store)
  beside = createPairing(server.deps.store)
})
afterEach(async () => {
  for (const table of ['pairing_pin', 'pairing_network', 'pairing_chance']) {
    await server.row(`delete from ${table}`)
  }
})
afterAll(() => server.close())

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'paired'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const other = (pin: string, by = 1) => String((Number(pin) + by) % 10_000).padStart(4, '0')
const open = async () => (await server.row('select count(*)::int as n from pairing_pin')).n
const chances = async () => server.row('select spent, pace from pairing_chance')

describe('a network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('has five wrong PINs a minute over all servers, then its right one waits too', async () => {
    const { pin } = await pairing.create(server.box.cashBoxId)
    const codes: string[] = []
    for (let turn = 1; turn <= 7; turn += 1) {
      const desk = turn % 2 === 0 ? pairing : beside
      codes.push(await codeOf(desk.redeem(other(pin, turn), 'net-1')))
    }
    expect(codes).toEqual([...Array(5).fill('PIN_WRONG'), 'PIN_LIMITED', 'PIN_LIMITED'])
    expect(await codeOf(beside.redeem(pin, 'net-1'))).toBe('PIN_LIMITED')
    expect(await codeOf(beside.redeem(pin, 'net-2'))).toBe('paired')
  })

  it('has five again after that minute, and no more on that day', async () => {
    const { pin } = await pairing.create(server.box.cashBoxId)
    const five = async (turn: number) => {
      const codes: string[] = []
      for (let at = 1; at <= 6; at += 1) {
        codes.push(await codeOf(pairing.redeem(other(pin, turn * 10 + at), 'net-1')))
      }
      await server.row(`update pairing_network set minute_at = minute_at - interval '61 seconds'`)
      return codes.filter((code) => code === 'PIN_WRONG').length
    }
    expect([await five(1), await five(2), await five(3)]).toEqual([5, 5, 0])
    await server.row(`update pairing_network set day_at = day_at - interval '1 day 1 second'`)
    expect(await five(4)).toBe(5)
  })

  it('all at once gets no more than five through', async () => {
    const { pin } = await pairing.create(server.box.cashBoxId)
    const tries = Array.from({ length: 30 }, (_, at) =>
      codeOf((at % 2 === 0 ? pairing : beside).redeem(other(pin, at + 1), 'net-1')),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'PIN_WRONG')).toHaveLength(5)
  })

  it('pays for no right PIN', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      const { pin } = await pairing.create(server.box.cashBoxId)
      expect(await codeOf(pairing.redeem(pin, 'net-1'))).toBe('paired')
    }
    expect(await chances()).toBeDefined()
    expect((await chances()).spent ?? 0).toBe(0)
  })
})

describe('many networks', () => {
  it('sixty addresses that guess do not keep a merchant from pairing', async () => {
    const guess = (address: number, pin: string) =>
      posCall(server.app, '/v2/pair', {
        headers: { 'x-forwarded-for': `198.51.100.${address}` },
        body: JSON.stringify({ Pin: pin }),
      })
    const { pin } = await pairing.create(server.box.cashBoxId)
    for (let address = 1; address <= 10; address += 1) {
      for (let turn = 0; turn < 5; turn += 1) {
        expect((await guess(address, other(pin, address * 10 + turn))).status).toBe(401)
      }
      expect((await guess(address, other(pin))).status).toBe(429)
    }
    expect((await guess(200, pin)).status).toBe(200)
    // nothing is open now: guesses cost nobody anything
    for (let address = 11; address <= 60; address += 1) {
      for (let turn = 0; turn < 5; turn += 1) await guess(address, '0000')
    }
    const next = await pairing.create(server.box.cashBoxId)
    expect((await guess(201, next.pin)).status).toBe(200)
  })

  it('close PINs before the chances of a day are used up, whatever they try', async () => {
    let wrong = 0
    let compared = 0
    for (let network = 0; network < 150; network += 1) {
      const [made] = await Promise.allSettled([pairing.create(server.box.cashBoxId)])
      const before = Number(await open())
      const guessed = other(made.status === 'fulfilled' ? made.value.pin : '0000')
      if ((await codeOf(beside.redeem(guessed, `net-${network}`))) !== 'PIN_WRONG') continue
      wrong += 1
      compared += before
    }
    expect(wrong).toBe(150)
    expect(compared).toBeGreaterThan(50)
    expect(compared).toBeLessThanOrEqual(60)
    expect(await codeOf(pairing.create(server.box.cashBoxId))).toBe('PIN_NONE_FREE')
    await server.row(`update pairing_chance set at = at - interval '3 hours'`)
    expect(await codeOf(pairing.create(server.box.cashBoxId))).toBe('paired')
  })

  it('make PINs that are open live shorter', async () => {
    await pairing.create(server.box.cashBoxId)
    for (let network = 0; network < 55; network += 1) {
      await codeOf(pairing.redeem('0000', `net-${network}`))
    }
    const { left } = await server.row(
      'select extract(epoch from expires_at - created_at)::int as left from pairing_pin',
    )
    expect(left).toBe(30)
  })
})
