// Queues, signing units, cash boxes and helpers over HTTP: lists, details, partial updates, PINs.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, faults, openDealer, refusal } from '../../support/dealer.js'
import { type Box, furtherUnit, RECEIPTS, rollOut, sign } from '../../support/dealer-stock.js'

let stand: DealerStand
let austrian: Awaited<ReturnType<DealerStand['account']>>
beforeAll(async () => {
  stand = await openDealer({ dealer: { market: 'DE' } })
  austrian = await stand.account({ market: 'AT' })
})
afterAll(() => stand.close())

type RightOf = Parameters<DealerStand['operator']>[0]

async function shop(right: RightOf = 'ReadWrite', market = 'DE') {
  const of = market === 'DE' ? stand.dealer : austrian
  const operator = await stand.operator(right, { market, of })
  const box = await rollOut(stand, operator, market)
  return { operator, box, path: `/api/posoperators/${operator}` }
}

const asAustrian = () => ({ as: austrian })

async function helperIn({ accountId, cashBoxId }: Box): Promise<string> {
  const id = randomUUID()
  await stand.rows(
    `insert into helper (account_id, id, description, package, time_stamp, created_at)
     values ($1, $2, 'Helper', 'fiskaltrust.service.helper.posapi', 0, now())`,
    [accountId, id],
  )
  await stand.rows('insert into cash_box_helper values ($1, $2, $3)', [accountId, cashBoxId, id])
  return id
}

describe('queues', () => {
  it('are listed with their cash box and their life', async () => {
    const { box, path } = await shop()
    const [before] = (await stand.call(`GET ${path}/queues`)).list()
    expect(before).toEqual({
      id: box.queueId,
      cashBoxId: box.cashBoxId,
      outletNumber: 1,
      description: 'Part',
      packageName: 'fiskalwerk.Queue',
      packageVersion: '',
      startMoment: null,
      stopMoment: null,
    })
    await sign(stand, box, RECEIPTS.start)
    const [after] = (await stand.call(`GET ${path}/queues`)).list()
    expect(after?.startMoment).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })

  it('are read with their dates by dealers of markets that have some', async () => {
    const { box, path } = await shop()
    const reply = await stand.call(`GET ${path}/queues/${box.queueId}`)
    expect(reply.json()).toMatchObject({ commissioningDate: null, purchaseDate: null })
    const other = await shop('Full', 'AT')
    const refused = await stand.call(`GET ${other.path}/queues/${other.box.queueId}`, asAustrian())
    expect(refusal(refused)).toEqual({ status: 403, code: 'MarketNotSupported' })
  })

  it('change only where a body says so; null clears a date and nothing else', async () => {
    const { box, path } = await shop()
    const patch = (body: object) => stand.call(`PATCH ${path}/queues/${box.queueId}`, { body })
    const read = async () => (await stand.call(`GET ${path}/queues/${box.queueId}`)).json()
    const first = await patch({ description: '  Till 1 ', purchaseDate: '2026-01-05' })
    expect([first.status, typeof JSON.parse(first.text)]).toEqual([200, 'string'])
    const named = { description: 'Till 1', purchaseDate: '2026-01-05T00:00:00Z' }
    expect(await read()).toMatchObject({ ...named, commissioningDate: null })
    await patch({ description: null, commissioningDate: '2026-02-01T00:00:00Z' })
    expect(await read()).toMatchObject(named)
    await patch({ purchaseDate: null })
    expect(await read()).toMatchObject({ description: 'Till 1', purchaseDate: null })
    expect((await patch({ unknown: 1 })).status).toBe(200)
    const rows = (await stand.audit()).filter(({ operation }) => operation === 'updateQueue')
    expect(rows.filter(({ subjects }) => subjects.queueId === box.queueId)).toHaveLength(3)
  })

  it.each([
    ['a blank description', { description: '  ' }, 'description'],
    ['251 characters', { description: 'x'.repeat(251) }, 'description'],
    ['no moment', { purchaseDate: 'soon' }, 'purchaseDate'],
    [
      'a purchase after the commissioning',
      { purchaseDate: '2026-03-02', commissioningDate: '2026-03-01' },
      'commissioningDate',
    ],
  ])('refuse %s under its member', async (_what, body, member) => {
    const { box, path } = await shop()
    const reply = await stand.call(`PATCH ${path}/queues/${box.queueId}`, { body })
    expect(Object.keys(faults(reply))).toEqual([member])
  })

  it('have no dates for dealers of other markets', async () => {
    const { box, path } = await shop('Full', 'AT')
    const line = `PATCH ${path}/queues/${box.queueId}`
    const dated = await stand.call(line, { ...asAustrian(), body: { purchaseDate: null } })
    expect(Object.keys(faults(dated))).toEqual(['purchaseDate'])
    const named = await stand.call(line, { ...asAustrian(), body: { description: 'Kassa' } })
    expect(named.status).toBe(200)
  })
})

describe('signing units', () => {
  it('show who their security module is', async () => {
    const { box, path } = await shop()
    const reply = await stand.call(`GET ${path}/scus/${box.scuId}`)
    expect(reply.json()).toEqual({
      id: box.scuId,
      description: 'Part',
      outletNumber: 1,
      packageName: 'fiskalwerk.SCU.DE.Software',
      packageVersion: '',
      isHidden: false,
      serialNumber: expect.stringMatching(/^[0-9a-f]{64}$/),
      certificationId: expect.stringMatching(/./),
      certificateExpirationDate: expect.stringMatching(/^\d{4}-/),
      isCertificateExpired: false,
      tseState: 0,
    })
  })

  it('are listed for an outlet without hidden ones', async () => {
    const { box, path } = await shop()
    const hidden = await furtherUnit(stand, box)
    await stand.rows('update scu set hidden = true where id = $1', [hidden])
    expect((await stand.call(`GET ${path}/scus`)).list()).toHaveLength(2)
    const list = (await stand.call(`GET ${path}/scus?outletNumber=1`)).list()
    expect(list.map(({ id }) => id)).toEqual([box.scuId])
    expect((await stand.call(`GET ${path}/scus?outletNumber=3`)).list()).toEqual([])
  })

  it('are put into a cash box and taken out of it, as often as one likes', async () => {
    const { box, path } = await shop()
    const unit = await furtherUnit(stand, box)
    const place = `${path}/cashboxes/${box.cashBoxId}/scus/${unit}`
    const held = async () => {
      const details = (await stand.call(`GET ${path}/cashboxes/${box.cashBoxId}`)).json()
      const state = (details.cashBox as { state: number }).state
      return [(details.signatureCreationUnits as unknown[]).length, state]
    }
    expect(await held()).toEqual([1, 0])
    for (const method of ['PUT', 'POST']) {
      const reply = await stand.call(`${method} ${place}`)
      expect([reply.status, reply.text]).toEqual([204, ''])
    }
    expect(await held()).toEqual([2, 2])
    for (const times of [1, 2]) {
      const reply = await stand.call(`DELETE ${place}?rebuild=false`)
      expect([times, reply.status]).toEqual([times, 204])
    }
    expect(await held()).toEqual([1, 1])
    const used = await stand.call(`DELETE ${path}/cashboxes/${box.cashBoxId}/scus/${box.scuId}`)
    expect(refusal(used)).toEqual({ status: 409, code: 'ScuInUse' })
  })

  it('of another outlet are put into no cash box', async () => {
    const { box, path } = await shop()
    const unit = await furtherUnit(stand, box)
    await stand.rows(
      `with shop as (
        insert into outlet (account_id, id, number, name, details, created_at)
        select account_id, gen_random_uuid(), 7, 'Ring', '{}', now() from scu where id = $1
        returning id)
      update scu set outlet_id = shop.id from shop where scu.id = $1`,
      [unit],
    )
    const reply = await stand.call(`PUT ${path}/cashboxes/${box.cashBoxId}/scus/${unit}`)
    expect(refusal(reply)).toEqual({ status: 409, code: 'ScuOutletMismatch' })
    const held = 'select scu_id from cash_box_scu where cash_box_id = $1'
    expect(await stand.rows(held, [box.cashBoxId])).toEqual([{ scu_id: box.scuId }])
  })

  it('of another operator are not there, in either place', async () => {
    const [own, other] = [await shop(), await shop()]
    const line = `PUT ${own.path}/cashboxes/${own.box.cashBoxId}/scus/${other.box.scuId}`
    expect(refusal(await stand.call(line))).toEqual({ status: 404, code: 'ScuNotFound' })
    const box = `PUT ${own.path}/cashboxes/${other.box.cashBoxId}/scus/${own.box.scuId}`
    expect(refusal(await stand.call(box))).toEqual({ status: 404, code: 'CashBoxNotFound' })
  })
})

describe('cash boxes', () => {
  it('are listed without anything that they hold', async () => {
    const { box, path } = await shop()
    const reply = await stand.call(`GET ${path}/cashboxes`)
    expect(reply.list()).toEqual([
      {
        cashBoxId: box.cashBoxId,
        description: 'Till',
        ipAddress: '',
        outletNumber: 1,
        productType: 0,
        state: 0,
        timeStamp: expect.any(Number),
      },
    ])
    expect(reply.text).toMatch(/"timeStamp":\d{18}[,}]/)
  })

  it('tell everything to those who may write', async () => {
    const { box, path } = await shop('ReadWrite', 'AT')
    await helperIn(box)
    const reply = await stand.call(`GET ${path}/cashboxes/${box.cashBoxId}`, asAustrian())
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json()).toMatchObject({
      cashBoxId: box.cashBoxId,
      accessToken: box.accessToken,
      queues: [{ id: box.queueId, countryCode: 'AT', decommissioningDate: null }],
      signatureCreationUnits: [{ id: box.scuId, market: 'AT', mode: 0 }],
      helpers: [{ description: 'Helper', packageName: 'fiskaltrust.service.helper.posapi' }],
      queueATProperties: [
        {
          ftQueueId: box.queueId,
          cashBoxIdentification: expect.any(String),
          encryptionKeyBase64: null,
          scus: [{ url: null, mode: 0 }],
        },
      ],
      configuration: null,
    })
  })

  it('keep what opens things from those who may only read', async () => {
    const { box, path } = await shop('Read', 'AT')
    const secrets = stand.deps.store.sealer.seal(
      JSON.stringify({ encryptionKeyBase64: Buffer.alloc(32, 7).toString('base64') }),
      `queue:${box.queueId}`,
    )
    await stand.rows('update queue set secrets_sealed = $2 where id = $1', [box.queueId, secrets])
    const line = `GET ${path}/cashboxes/${box.cashBoxId}`
    const reply = await stand.call(line, asAustrian())
    expect(reply.json()).toMatchObject({
      accessToken: null,
      queueATProperties: [{ encryptionKeyBase64: null }],
    })
    await stand.rows(`update connection set rights = 'ReadWrite' where to_account_id = $1`, [
      box.accountId,
    ])
    expect((await stand.call(line, asAustrian())).json()).toMatchObject({
      accessToken: box.accessToken,
      queueATProperties: [{ encryptionKeyBase64: Buffer.alloc(32, 7).toString('base64') }],
    })
  })
})

describe('descriptions', () => {
  it.each(['scus', 'cashboxes', 'helpers'])('of %s change in one shape', async (what) => {
    const { box, path } = await shop()
    const helper = await helperIn(box)
    const id = { scus: box.scuId, cashboxes: box.cashBoxId, helpers: helper }[what] ?? ''
    const line = `PATCH ${path}/${what}/${id}`
    const reply = await stand.call(line, { body: { description: ' New ' } })
    expect(reply.json()).toEqual({
      type: 'about:blank',
      title: 'Updated',
      status: 200,
      detail: expect.stringMatching(/aktualisiert/),
      instance: `${path}/${what}/${id}`,
      errors: {},
    })
    const [row] = (await stand.audit()).slice(-1)
    expect(row).toMatchObject({ onBehalfOf: box.accountId, after: { description: 'New' } })
    const blank = await stand.call(line, { body: { description: ' ' } })
    expect(Object.keys(faults(blank))).toEqual(['description'])
    const unknown = await stand.call(`PATCH ${path}/${what}/${randomUUID()}`, { body: {} })
    expect([unknown.status, faults(unknown, 404)]).toEqual([404, {}])
  })

  it('of a helper that no cash box holds do not exist', async () => {
    const { box, path } = await shop()
    const helper = await helperIn(box)
    await stand.rows('delete from cash_box_helper where helper_id = $1', [helper])
    const reply = await stand.call(`PATCH ${path}/helpers/${helper}`, { body: {} })
    expect(reply.status).toBe(404)
  })
})

describe('a pairing PIN', () => {
  it('is a JSON text of four digits that leads to the cash box, once', async () => {
    const { box, path } = await shop()
    const reply = await stand.call(`POST ${path}/cashboxes/${box.cashBoxId}/pairing-pin`)
    expect(reply.text).toMatch(/^"\d{4}"$/)
    const pair = () =>
      stand.app.inject({
        method: 'POST',
        url: '/v2/pair',
        payload: { pin: JSON.parse(reply.text) },
      })
    const paired = await pair()
    expect(paired.statusCode, paired.body).toBeLessThan(300)
    expect(paired.body).toContain(box.accessToken)
    expect((await pair()).statusCode).toBe(401)
    const [row] = (await stand.audit()).slice(-1)
    expect(row).toMatchObject({
      operation: 'createPairingPin',
      subjects: { cashBoxId: box.cashBoxId },
    })
    expect(JSON.stringify(row)).not.toContain(reply.text)
  })

  it('needs the right ReadWrite', async () => {
    const { box, path } = await shop('Read')
    const reply = await stand.call(`POST ${path}/cashboxes/${box.cashBoxId}/pin`)
    expect(refusal(reply)).toEqual({ status: 403, code: 'InsufficientAccessRights' })
  })
})
