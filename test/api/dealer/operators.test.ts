// Connected PosOperators and their master data over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, faults, openDealer, refusal } from '../../support/dealer.js'

let stand: DealerStand
let german: DealerStand
beforeAll(async () => {
  stand = await openDealer()
  german = await openDealer({ dealer: { market: 'DE' } })
})
afterAll(async () => {
  await stand.close()
  await german.close()
})

const LIST = 'GET /api/posoperators'
const names = (list: Record<string, unknown>[]) => list.map((one) => one.name)

describe('the list', () => {
  it('has every member of the active connections, by name, and of nobody else', async () => {
    const as = await stand.account()
    const company = { line1: 'Ring 2', postalCode: '1010', city: 'Wien', vatId: 'ATU12345678' }
    const b = await stand.operator('None', { of: as, name: 'B', company, email: 'b@x.example' })
    const a = await stand.operator('Full', { of: as, name: 'A' })
    await stand.operator('Full', { of: as, name: 'C', state: 'pending' })
    await stand.operator('Full', { name: 'D' })
    const list = (await stand.call(LIST, { as })).list()
    expect(list.map((one) => one.id)).toEqual([a, b])
    expect(list[1]).toEqual({
      id: b,
      name: 'B',
      line1: 'Ring 2',
      country: 'AT',
      postalCode: '1010',
      city: 'Wien',
      eMailAddress: 'b@x.example',
      identifiers: { vatId: 'ATU12345678', taxId: '', fibuNr: '', gln: '', siren: '' },
    })
    expect((await stand.call(`GET /api/posoperators/${b}`, { as })).json()).toEqual(list[1])
  })

  it('shows a new connection and a changed name at once, although it is kept', async () => {
    const as = await stand.account()
    expect((await stand.call(LIST, { as })).list()).toEqual([])
    const id = await stand.operator('Read', { of: as, name: 'First' })
    expect(names((await stand.call(LIST, { as })).list())).toEqual(['First'])
    await stand.rows(`update account set name = 'Second' where id = $1`, [id])
    expect(names((await stand.call(LIST, { as })).list())).toEqual(['Second'])
    await stand.rows(`update connection set state = 'pending' where to_account_id = $1`, [id])
    expect((await stand.call(LIST, { as })).list()).toEqual([])
  })

  it('is the same with and without useCache, and refuses what is no boolean', async () => {
    const fresh = await stand.call(`${LIST}?useCache=false`)
    expect((await stand.call(`${LIST}?useCache=true`)).text).toBe(fresh.text)
    expect(Object.keys(faults(await stand.call(`${LIST}?useCache=maybe`)))).toEqual(['useCache'])
  })
})

describe('master data', () => {
  const patch = async (body: unknown, id?: string) => {
    const operator = id ?? (await german.operator('ReadWrite', { market: 'DE' }))
    const line = `PATCH /api/posoperators/${operator}/masterdata`
    return { operator, reply: await german.call(line, { body }) }
  }
  const stored = async (id: string) =>
    (await german.rows('select * from account where id = $1', [id]))[0]

  it('changes what is sent, in the account and in its primary outlet, and nothing else', async () => {
    const { operator, reply } = await patch({
      taxNumber: '9181081508155',
      address: { street: 'Hauptstr.', houseNumber: '12 a', city: 'Dresden', postalCode: 1067 },
    })
    expect([reply.status, reply.text]).toEqual([200, '"Die Stammdaten wurden aktualisiert."'])
    expect(await stored(operator)).toMatchObject({
      tax_id: '9181081508155',
      tax_number: '9181081508155',
      line1: 'Hauptstr. 12 a',
      postal_code: '01067',
      city: 'Dresden',
    })
    const outlet = (await german.call(`GET /api/posoperators/${operator}/outlets/1`)).json()
    expect(outlet).toMatchObject({
      address: 'Hauptstr. 12 a',
      postalCode: '01067',
      city: 'Dresden',
      country: 'DE',
    })
    await patch({ address: { houseNumber: '14' } }, operator)
    await patch({ address: { street: 'Am Markt', city: null } }, operator)
    expect(await stored(operator)).toMatchObject({ line1: 'Am Markt 14', city: 'Dresden' })
  })

  it('writes down before and after', async () => {
    const { operator } = await patch({ address: { city: 'Ulm' } })
    const line = (await german.audit()).find((one) => one.onBehalfOf === operator)
    expect(line).toMatchObject({ operation: 'updateMasterData', subjects: { accountId: operator } })
    expect([line?.before, line?.after]).toMatchObject([{ city: 'Wien' }, { city: 'Ulm' }])
  })

  it('says that a tax number of a state leaves the state open', async () => {
    const { operator, reply } = await patch({ taxNumber: '181/815/08155' })
    expect(reply.text).toContain('ungeprüft')
    expect(await stored(operator)).toMatchObject({ tax_id: '181/815/08155', tax_number: '' })
  })

  it('without any known member is 200 and changes nothing', async () => {
    const { operator, reply } = await patch({ other: 1 })
    expect(reply.status).toBe(200)
    expect((await german.audit()).filter((one) => one.onBehalfOf === operator)).toEqual([])
  })

  it.each([
    ['a tax number of 9 digits', { taxNumber: '123456789' }, 'taxNumber'],
    ['a tax number of no state', { taxNumber: '9991181508155' }, 'taxNumber'],
    ['a tax number with letters', { taxNumber: '18181508155a' }, 'taxNumber'],
    ['postal code 1000', { address: { postalCode: 1000 } }, 'address.postalCode'],
    ['postal code 99999', { address: { postalCode: '99999' } }, 'address.postalCode'],
    ['postal code 123', { address: { postalCode: 123 } }, 'address.postalCode'],
    ['a blank street', { address: { street: ' ' } }, 'address.street'],
  ])('refuses %s under its member', async (_name, body, member) => {
    expect(Object.keys(faults((await patch(body)).reply))).toEqual([member])
  })

  it('exists for dealers of markets that declare it, and for their operators', async () => {
    const id = await stand.operator('Full')
    const reply = await stand.call(`PATCH /api/posoperators/${id}/masterdata`, { body: {} })
    expect(refusal(reply)).toEqual({ status: 403, code: 'MarketNotSupported' })
    const austrian = await german.operator('Full', { market: 'AT' })
    expect(refusal((await patch({}, austrian)).reply).code).toBe('MarketNotSupported')
  })

  it('needs ReadWrite', async () => {
    const reader = await german.operator('Read', { market: 'DE' })
    expect(refusal((await patch({}, reader)).reply).code).toBe('InsufficientAccessRights')
  })
})
