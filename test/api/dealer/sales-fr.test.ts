// A French dealer's entitlements: what a plan uses up, what another market's cannot pay for, and
// the register that an order makes of the handbook's template, which signs.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { grantEntitlement } from '../../../src/core/sales/entitlements.js'
import { processOrder } from '../../../src/core/sales/orders.js'
import { importPlans } from '../../../src/core/sales/plans.js'
import { type DealerStand, openDealer, refusal } from '../../support/dealer.js'
import { HANDBOOK } from '../../support/fr/handbook.js'

const SIREN = '321654980'
const NAME = 'FR_CAREFREE'
const PLAN = '4652-0001'

let stand: DealerStand
let path: string
beforeAll(async () => {
  stand = await openDealer({
    variables: { ENVIRONMENT: 'production', ALLOW_SOFTWARE_DEVICES: 'true' },
    dealer: { market: 'FR' },
  })
  const account = await stand.operator('Full', {
    ...{ market: 'FR', country: 'FR', name: 'Boulangerie SARL' },
    company: { line1: '1 rue de la Paix', postalCode: '75002', city: 'Paris' },
    siren: SIREN,
  } as never)
  path = `/api/posoperators/${account}`
  const template = randomUUID()
  await stand.rows(
    `insert into template (account_id, id, market, product_number, name, description, image_url,
       link_url, mode, content, created_at, modified_at)
     values ($1, $2, 'FR', '4652-028000', 'fr', '', '', '', 0, $3, now(), now())`,
    [stand.dealer.accountId, template, HANDBOOK],
  )
  await importPlans(stand.deps.dealer.sales, [
    {
      ...{ number: PLAN, title: 'Plan', rolloutType: 'Outlet' },
      includedProducts: [
        {
          ...{ number: '4652-000010', name: 'Caisse', entitlement: NAME },
          cashBoxTemplateId: template,
        },
      ],
    },
  ])
})
afterAll(() => stand.close())

const grant = (market: string, terms: string) =>
  grantEntitlement(stand.deps.dealer.sales, {
    ...{ accountId: stand.dealer.accountId, market, name: NAME, terms, validTo: null },
  })

async function outlet(number: string): Promise<number> {
  const place = { address: '1 rue de la Paix', postalCode: '75002', city: 'Paris', country: 'FR' }
  const body = { name: 'Boulangerie', ...place, locationId: `${SIREN}${number}` }
  const made = await stand.call(`POST ${path}/outlets`, { body })
  expect(made.status, made.text).toBeLessThan(300)
  return Number(made.json().outletNumber)
}

const produce = (outletNumbers: number[]) =>
  stand.call(`POST ${path}/produce/outlets`, {
    body: { rolloutPlanNumber: PLAN, outletNumbers },
  })

const remaining = async () =>
  (await stand.call('GET /api/entitlements')).list().find(({ name }) => name === NAME)
    ?.remainingTerms

it('production refuses without them, and those of another market do not count', async () => {
  const number = await outlet('00010')
  const none = { status: 409, code: 'InsufficientEntitlements' }
  expect(refusal(await produce([number]))).toEqual(none)
  await grant('AT', '5')
  expect(refusal(await produce([number]))).toEqual(none)
  expect((await stand.call(`GET ${path}/cashboxes`)).list()).toEqual([])
})

it('one is used up for an outlet, and its register signs with the SIRET', async () => {
  await grant('FR', '1')
  expect(await remaining()).toBe(1)
  const [number, other] = [await outlet('00028'), await outlet('00036')]
  const reply = await produce([number])
  expect(reply.status, reply.text).toBe(200)
  expect(await remaining()).toBeUndefined()
  expect(refusal(await produce([other])).code).toBe('InsufficientEntitlements')
  const read = async () => (await stand.call(`GET /api/orders/${reply.json().orderNumber}`)).json()
  const key = { accountId: stand.dealer.accountId, id: String((await read()).salesorderId) }
  await processOrder(stand.deps.dealer.sales, key)
  const [line] = (await read()).subscriptions as Record<string, unknown>[]
  expect(line).toMatchObject({ outletnumber: number, relatedQueueID: expect.any(String) })
  const start =
    `{"ftCashBoxID":"${line?.relatedCashboxID}","cbTerminalID":"1","cbReceiptReference":"1",` +
    '"cbReceiptMoment":"2026-03-01T08:00:00Z","cbChargeItems":[],"cbPayItems":[],' +
    '"ftReceiptCase":5067112530745229328}'
  const answer = await stand.app.inject({
    ...{ method: 'POST', url: `/${line?.relatedQueueID}/json/v0/sign`, payload: start },
    headers: {
      cashboxid: String(line?.relatedCashboxID),
      accesstoken: String(line?.relatedCashboxAccessToken),
    },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const signed = answer.json().ftSignatures.map((one: { data: string }) => one.data)
  const jws = signed.find((one: string) => one.startsWith('eyJ'))
  const payload = JSON.parse(Buffer.from(jws.split('.')[1], 'base64url').toString())
  expect(payload).toMatchObject({ siret: `${SIREN}00028` })
})
