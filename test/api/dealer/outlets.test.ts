// Outlets over HTTP: numbering, overwriting, the primary and the reserved one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, faults, openDealer, refusal } from '../../support/dealer.js'

let stand: DealerStand
let path = ''
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

const shop = { name: 'Ring', address: 'Ring 2', postalCode: '1010', city: 'Wien', country: 'AT' }

async function fresh(): Promise<string> {
  path = `/api/posoperators/${await stand.operator()}/outlets`
  return path
}

describe('creating an outlet', () => {
  it('gives the next number above 2, and answers every member', async () => {
    await fresh()
    const first = await stand.call(`POST ${path}`, { body: shop })
    expect(first.status, first.text).toBe(200)
    expect(first.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      locationId: null,
      outletNumber: 3,
      ...shop,
      contactName: null,
      telephone: null,
      fax: null,
      county: null,
      stateOrProvince: null,
    })
    const second = await stand.call(`POST ${path}`, { body: { ...shop, outletNumber: 70 } })
    expect(second.json().outletNumber).toBe(70)
    expect((await stand.call(`POST ${path}`, { body: shop })).json().outletNumber).toBe(71)
  })

  it('takes the smallest free number when the largest is in use', async () => {
    await fresh()
    for (const outletNumber of [3, 4, 2147483647]) {
      await stand.call(`POST ${path}`, { body: { ...shop, outletNumber } })
    }
    expect((await stand.call(`POST ${path}`, { body: shop })).json().outletNumber).toBe(5)
  })

  it('numbers 100 parallel creates one after the other, each number once', async () => {
    await fresh()
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => stand.call(`POST ${path}`, { body: shop })),
    )
    const numbers = replies.map((reply) => Number(reply.json().outletNumber))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 3),
    )
  })

  it('gives one number to one of two, and 409 to the other', async () => {
    await fresh()
    const body = { ...shop, outletNumber: 8 }
    const replies = await Promise.all([1, 2].map(() => stand.call(`POST ${path}`, { body })))
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409])
    const loser = replies.find((reply) => reply.status === 409)
    expect(loser && refusal(loser)).toEqual({ status: 409, code: 'OutletNumberExists' })
    const list = await stand.call(`GET ${path}`)
    expect(list.list().map((one) => one.outletNumber)).toEqual([1, 8])
  })

  it.each([
    ['outletNumber 1', { outletNumber: 1 }, 'outletNumber'],
    ['outletNumber 2', { outletNumber: 2 }, 'outletNumber'],
    ['an outletNumber beyond int32', { outletNumber: 2147483648 }, 'outletNumber'],
    ['a broken outletNumber', { outletNumber: 3.5 }, 'outletNumber'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['an address of 251 characters', { address: 'x'.repeat(251) }, 'address'],
    ['a contact of 151 characters', { contactName: 'x'.repeat(151) }, 'contactName'],
    ['a missing city', { city: undefined }, 'city'],
    ['a country of three letters', { country: 'AUT' }, 'country'],
    ['a location id of 4001 characters', { locationId: 'x'.repeat(4001) }, 'locationId'],
  ])('refuses %s under its member', async (_name, change, member) => {
    const reply = await stand.call(`POST ${await fresh()}`, { body: { ...shop, ...change } })
    expect(Object.keys(faults(reply))).toEqual([member])
    expect((await stand.call(`GET ${path}`)).list()).toHaveLength(1)
  })
})

describe('reading outlets', () => {
  it('lists by number, the primary one first, the reserved one never', async () => {
    await fresh()
    for (const outletNumber of [9, 4]) {
      await stand.call(`POST ${path}`, { body: { ...shop, outletNumber } })
    }
    const list = (await stand.call(`GET ${path}`)).list()
    expect(list.map((one) => one.outletNumber)).toEqual([1, 4, 9])
    expect((await stand.call(`GET ${path}/4`)).json()).toEqual(list[1])
  })

  it.each(['2', '3', '0', '-1'])('answers 404 for number %s', async (number) => {
    expect(refusal(await stand.call(`GET ${await fresh()}/${number}`))).toEqual({
      status: 404,
      code: 'OutletNotFound',
    })
  })

  it('answers problem details for what is no number', async () => {
    expect(Object.keys(faults(await stand.call(`GET ${await fresh()}/x`)))).toEqual([
      'outletNumber',
    ])
  })
})

describe('updating an outlet', () => {
  it('overwrites everything: what is left out becomes null', async () => {
    await fresh()
    const full = { ...shop, contactName: 'Eva', telephone: '1', fax: '2', locationId: 'a' }
    const { id } = (await stand.call(`POST ${path}`, { body: full })).json()
    const reply = await stand.call(`PUT ${path}/3`, { body: { ...shop, name: 'Neu' } })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json()).toMatchObject({ id, name: 'Neu', contactName: null, locationId: null })
    expect((await stand.call(`GET ${path}/3`)).json()).toEqual(reply.json())
  })

  it('of the primary one changes the address of the company', async () => {
    const id = await stand.operator()
    const body = { ...shop, name: 'Zentrale', address: 'Weg 9', postalCode: '8010', city: 'Graz' }
    const reply = await stand.call(`PUT /api/posoperators/${id}/outlets/1`, { body })
    expect(reply.status, reply.text).toBe(200)
    const account = (await stand.call(`GET /api/posoperators/${id}`)).json()
    expect(account).toMatchObject({ line1: 'Weg 9', postalCode: '8010', city: 'Graz' })
    const listed = (await stand.call('GET /api/posoperators')).list().find((one) => one.id === id)
    expect(listed).toEqual(account)
  })

  it('answers 404 for the reserved one and for one that is not there', async () => {
    await fresh()
    for (const number of [2, 3]) {
      const reply = await stand.call(`PUT ${path}/${number}`, { body: shop })
      expect(refusal(reply)).toEqual({ status: 404, code: 'OutletNotFound' })
    }
  })
})

describe('what is written down', () => {
  it('is who, for whom, what, before and after, for every write and no other call', async () => {
    const id = await stand.operator()
    const base = `/api/posoperators/${id}/outlets`
    const created = (await stand.call(`POST ${base}`, { body: shop })).json()
    const changed = (await stand.call(`PUT ${base}/3`, { body: { ...shop, name: 'B' } })).json()
    await stand.call(`GET ${base}`)
    await stand.call(`PUT ${base}/4`, { body: shop })
    await stand.call(`POST ${base}`, { body: { ...shop, outletNumber: 3 } })
    const lines = (await stand.audit()).filter((line) => line.onBehalfOf === id)
    const common = { accountId: stand.dealer.accountId, onBehalfOf: id }
    const subjects = { outletId: created.id, outletNumber: 3 }
    expect(lines).toMatchObject([
      { ...common, operation: 'createOutlet', subjects, before: undefined, after: created },
      { ...common, operation: 'updateOutlet', subjects, before: created, after: changed },
    ])
  })
})
