// What /pay takes: no more decimals than the currency has; and never as a mere try.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimalsOf, printedAmount } from '../../../src/device/payment/currency.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { openPosShop, type PosShop } from '../../support/pos-shop.js'

let shop: PosShop
beforeAll(async () => {
  shop = await openPosShop({ DUMMY_PAYMENT_TIME_SCALE: '0' }, ['AT'])
})
afterAll(() => shop.close())

interface Problem {
  code: string
  detail: string
  errors: object
}

interface Paid {
  ftPayItems: { Amount: number }[]
}

async function pay(item: string, more: Record<string, string> = {}, action = 'payment') {
  const body = `{"Action":"${action}","Protocol":"use_auto","cbPayItem":{${item}}}`
  return shop.send(shop.at, '/v2/pay', body, { id: randomUUID(), headers: more })
}

const records = async () => (await shop.rows('select count(*)::int as n from operation'))[0]?.n

describe('an amount with more decimals than the currency has', () => {
  it.each([
    ['payment', '"Amount":10.001'],
    ['payment', '"Amount":0.001'],
    ['payment', '"Amount":1e-3'],
    ['refund', '"Amount":-5.005'],
    ['cancel', '"Amount":-5.005'],
    ['payment', '"Amount":10001,"DecimalPrecisionMultiplier":10000'],
    ['payment', '"Amount":100.5,"Currency":"JPY"'],
    ['payment', '"Amount":1.0005,"Currency":"KWD"'],
    ['payment', '"Amount":12345678901234.00'],
  ])('is refused before anything is done, %s of %s', async (action, item) => {
    const before = await records()
    const answer = await pay(item, {}, action)
    expect([answer.status, (answer.json() as unknown as Problem).code]).toEqual([
      400,
      'validation_failed',
    ])
    expect(Object.keys((answer.json() as unknown as Problem).errors)).toEqual(['cbPayItem.Amount'])
    expect(await records()).toBe(before)
  })

  it.each([
    ['"Amount":10.01', 10.01],
    ['"Amount":10.0100', 10.01],
    ['"Amount":1001,"DecimalPrecisionMultiplier":100', 10.01],
    ['"Amount":100,"Currency":"JPY"', 100],
    ['"Amount":1.005,"Currency":"kwd"', 1.005],
    ['"Amount":10.5,"Currency":null', 10.5],
  ])('is none, %s', async (item, paid) => {
    const answer = await pay(item)
    expect(answer.status).toBe(201)
    expect((answer.json() as unknown as Paid).ftPayItems.map((one) => one.Amount)).toEqual([paid])
  })

  it('goes by ISO 4217', () => {
    const found = ['EUR', 'HUF', 'JPY', 'ISK', 'KWD', 'TND', 'CHF'].map(decimalsOf)
    expect(found).toEqual([2, 2, 0, 0, 3, 3, 2])
    const printed = (amount: string, currency: string) =>
      printedAmount(Decimal.of(amount), currency)
    expect([printed('-1.5', 'EUR'), printed('100', 'JPY'), printed('1.005', 'KWD')]).toEqual([
      ...['-1.50', '100', '1.005'],
    ])
  })

  it('a currency that does not exist is refused by name', async () => {
    for (const currency of ['XX', 'EURO', '978']) {
      const answer = await pay(`"Amount":10,"Currency":"${currency}"`)
      expect(answer.status).toBe(400)
      expect(Object.keys((answer.json() as unknown as Problem).errors)).toEqual([
        'cbPayItem.Currency',
      ])
    }
  })
})

describe('a payment or an issue that was only to be tried', () => {
  it.each(['/v2/pay', '/pay', '/v2/issue'])(
    'is refused before anything is done: %s',
    async (url) => {
      const before = await records()
      const id = randomUUID()
      const body = '{"Action":"payment","Protocol":"use_auto","cbPayItem":{"Amount":10}}'
      const answer = await shop.send(shop.at, url, body, { id, headers: { 'x-dry-run': 'true' } })
      expect([answer.status, (answer.json() as unknown as Problem).code]).toEqual([
        400,
        'invalid_header',
      ])
      expect((answer.json() as unknown as Problem).detail).toContain('x-dry-run')
      expect(await records()).toBe(before)
      if (url === '/v2/issue') return
      const real = { id, headers: { 'x-dry-run': 'false' } }
      expect((await shop.send(shop.at, url, body, real)).status).toBe(201)
    },
  )
})
