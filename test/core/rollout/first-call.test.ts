// A signing device that is not there: told by the command that adds it, and by the start receipt.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addUnit, createWholeBox, setMode } from '../../../src/core/rollout/units.js'
import { createOutbound } from '../../../src/device/outbound.js'
import { randomId } from '../../../src/lib/id.js'
import { marketOf } from '../../../src/market/index.js'
import { SERVICE_CASH_BOX, SERVICE_TOKEN, signingService } from '../../support/remote-signer.js'
import { openShop, type Shop } from '../../support/shop.js'

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1'
const SIGNERS = {
  AT: {
    package: 'fiskalwerk.SCU.AT.Remote',
    start: '4707387510509010947',
    v2: '4707422694881116161',
  },
  DE: {
    package: 'fiskalwerk.SCU.DE.Remote',
    start: '4919338172267102211',
    v2: '4919373352344240129',
  },
} as const
const ACCESS = { cashboxid: SERVICE_CASH_BOX, accesstoken: SERVICE_TOKEN }

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const plain = () => ({ store: shop.deps.store, marketOf, now: () => new Date() })
const trying = () => {
  const sleep = () => Promise.resolve()
  const fetch = createOutbound({ allow: [] })
  return { ...plain(), tools: { fetch, sleep, now: () => new Date() } }
}

async function box(market: keyof typeof SIGNERS) {
  const { accountId } = shop.demo.operator
  return createWholeBox(plain(), { accountId, market, description: 'Bar counter' })
}

const unitOf = (queueId: string, market: keyof typeof SIGNERS, url: string) => ({
  ...{ queueId, url, package: SIGNERS[market].package, mode: 'normal' as const },
  configuration: ACCESS,
})

const count = async () => (await shop.deps.store.pool.query('select from scu')).rowCount

describe.each(['AT', 'DE'] as const)('%s: a device that does not answer', (market) => {
  it('is not rolled out, and the refusal has address and reason', async () => {
    const { queueId } = await box(market)
    const before = await count()
    const unit = unitOf(queueId, market, NOWHERE)
    await expect(addUnit(trying(), unit)).rejects.toMatchObject({
      code: 'DEVICE_FAILED',
      message: expect.stringMatching(/127\.0\.0\.1:1 failed: .*cannot be reached/),
    })
    expect(await count()).toBe(before)
    await addUnit(trying(), { ...unit, untried: true })
    expect(await count()).toBe((before ?? 0) + 1)
  })

  it('is what an address without a package stands for, never a software signer', async () => {
    const { queueId } = await box(market)
    const before = await count()
    const unit = { ...unitOf(queueId, market, NOWHERE), package: undefined }
    await expect(addUnit(trying(), unit)).rejects.toMatchObject({ code: 'DEVICE_FAILED' })
    const software = {
      ...unit,
      package: marketOf(market).rollout.demo.scuPackage,
      configuration: {},
    }
    await expect(addUnit(trying(), software)).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      message: expect.stringMatching(/^url is not valid/),
    })
    expect(await count()).toBe(before)
  })

  it.each([
    ['v0', '/json/v0/sign'],
    ['v1', '/json/v1/sign'],
    ['PosSystem', '/v2/sign'],
  ])('is named with its reason by the start receipt of %s', async (_name, path) => {
    const made = await box(market)
    const { scuId } = await addUnit(plain(), unitOf(made.queueId, market, NOWHERE))
    await setMode(plain(), { scuId: made.scuIds[0] ?? '', mode: 'disabled' })
    const { start: old, v2 } = SIGNERS[market]
    const text = await start(made, path, path === '/v2/sign' ? v2 : old)
    expect(text).toContain(scuId)
    expect(text).toContain(`Unit of queue ${made.queueId}`)
    expect(text).toContain('the device cannot be reached')
  })
})

async function start(
  made: { cashBoxId: string; accessToken: string },
  path: string,
  receiptCase: string,
): Promise<string> {
  const reply = await fetch(`${shop.url}${path}`, {
    method: 'POST',
    headers: {
      ...{ cashboxid: made.cashBoxId, accesstoken: made.accessToken },
      ...{ 'x-cashbox-id': made.cashBoxId, 'x-cashbox-accesstoken': made.accessToken },
      ...{ 'x-possystem-id': randomId(), 'x-operation-id': randomId() },
      ...{ 'content-type': 'application/json' },
    },
    body:
      `{"ftCashBoxID":"${made.cashBoxId}","cbTerminalID":"1","cbReceiptReference":"start",` +
      `"cbReceiptMoment":"2026-01-31T10:15:00Z","cbChargeItems":[],"cbPayItems":[],` +
      `"ftReceiptCase":${receiptCase}}`,
  })
  return reply.text()
}

it('a device that answers is rolled out with its certificate, before any receipt', async () => {
  const service = await signingService()
  const { queueId } = await box('AT')
  const { scuId } = await addUnit(trying(), unitOf(queueId, 'AT', service.url))
  const sql = 'select state from scu where id = $1'
  const { rows } = await shop.deps.store.pool.query<{ state: string }>(sql, [scuId])
  expect(JSON.parse(rows[0]?.state ?? '')).toMatchObject({ zda: 'AT100' })
  const wrong = { ...ACCESS, accesstoken: 'wrong' }
  const refused = addUnit(trying(), {
    ...unitOf(queueId, 'AT', service.url),
    configuration: wrong,
  })
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('status 401') })
  await service.close()
})

it('a start receipt without any unit in use says so', async () => {
  const made = await box('AT')
  await setMode(plain(), { scuId: made.scuIds[0] ?? '', mode: 'disabled' })
  expect(await start(made, '/json/v1/sign', SIGNERS.AT.start)).toContain('signing units is in use')
})
