// Signing units of a queue that works: added, switched, and served by another server's signer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUnit,
  createWholeBox,
  type RolledOutBox,
  setMode,
} from '../../../src/core/rollout/units.js'
import { marketOf } from '../../../src/market/index.js'
import { openShop, type Shop } from '../../support/shop.js'

const CASE = 0x4154_0000_0000_0000n

let shop: Shop
let other: Shop
let box: RolledOutBox
const deps = () => ({ store: shop.deps.store, marketOf, now: () => new Date() })

beforeAll(async () => {
  shop = await openShop()
  other = await openShop()
  const { accountId } = shop.demo.operator
  box = await createWholeBox(deps(), { accountId, market: 'AT', description: 'units' })
  expect((await sign(CASE + 3n)).text).toContain('Startbeleg')
})
afterAll(async () => {
  await shop.close()
  await other.close()
})

it('a server that refuses software devices makes no cash box with one, not even half', async () => {
  const { accountId } = shop.demo.operator
  const count = async () => (await shop.deps.store.pool.query('select from cash_box')).rowCount
  const before = await count()
  const strict = { ...deps(), software: false }
  const made = createWholeBox(strict, { accountId, market: 'AT', description: 'none' })
  await expect(made).rejects.toMatchObject({ code: 'SOFTWARE_DEVICE' })
  const wrong = createWholeBox(deps(), {
    ...{ accountId, market: 'AT', description: 'none', configuration: { SignAl: true } },
  })
  await expect(wrong).rejects.toMatchObject({ code: 'FIELD_INVALID' })
  expect(await count()).toBe(before)
})

let reference = 0
async function sign(receiptCase: bigint, charge = '[]', pay = '[]') {
  reference += 1
  const reply = await fetch(`${shop.url}/${box.queueId}/json/v1/sign`, {
    method: 'POST',
    headers: { cashboxid: box.cashBoxId, accesstoken: box.accessToken },
    body:
      `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1","cbReceiptReference":"u${reference}",` +
      `"cbReceiptMoment":"2026-01-31T10:15:00Z","cbChargeItems":${charge},"cbPayItems":${pay},` +
      `"ftReceiptCase":${receiptCase}}`,
  })
  const text = await reply.text()
  expect(reply.status, text).toBe(200)
  return { text, bits: BigInt(/"ftState":(\d+)/.exec(text)?.[1] ?? 0) - CASE }
}

const sale = () =>
  sign(
    CASE + 1n,
    `[{"Description":"x","Amount":1.20,"VATRate":20,"ftChargeItemCase":${CASE + 3n}}]`,
    `[{"Description":"Cash","Amount":1.20,"ftPayItemCase":${CASE + 1n}}]`,
  )

/** Field 11 of the code: which certificate signed. */
const serialOf = (text: string) => /_R1-AT100(?:_[^_]*){9}_([0-9a-f]+)_/.exec(text)?.[1]

describe('a further unit', () => {
  it('as backup signs only while the normal one is disabled, and the receipt says so', async () => {
    const before = await sale()
    const { scuId } = await addUnit(deps(), {
      queueId: box.queueId,
      package: undefined,
      mode: 'backup',
      url: undefined,
      configuration: {},
    })
    const beside = await sale()
    expect(serialOf(beside.text)).toBe(serialOf(before.text))
    expect(beside.bits).toBe(0n)
    await setMode(deps(), { scuId: box.scuIds[0] ?? '', mode: 'disabled' })
    const backup = await sale()
    expect(backup.bits).toBe(0x80n)
    expect(serialOf(backup.text)).not.toBe(serialOf(before.text))
    await setMode(deps(), { scuId: box.scuIds[0] ?? '', mode: 'normal' })
    await setMode(deps(), { scuId, mode: 'disabled' })
    const again = await sign(CASE + 2n)
    expect(serialOf(again.text)).toBe(serialOf(before.text))
    expect(again.bits).toBe(0n)
  })

  it('behind another server signs with that server’s certificate', async () => {
    const { scuId } = await addUnit(deps(), {
      queueId: box.queueId,
      package: 'fiskalwerk.SCU.AT.Remote',
      mode: 'normal',
      url: other.url,
      configuration: { cashboxid: other.box.cashBoxId, accesstoken: other.box.accessToken },
    })
    await setMode(deps(), { scuId: box.scuIds[0] ?? '', mode: 'disabled' })
    const { text, bits } = await sale()
    expect(bits).toBe(0n)
    const reply = await fetch(`${other.url}/api/v0/iatsscd/certificate`, {
      headers: { cashboxid: other.box.cashBoxId, accesstoken: other.box.accessToken },
    })
    const { certificateBase64 } = (await reply.json()) as { certificateBase64: string }
    const { X509Certificate } = await import('node:crypto')
    const { serialNumber } = new X509Certificate(Buffer.from(certificateBase64, 'base64'))
    expect(serialOf(text)).toBe(serialNumber.toLowerCase())
    expect(scuId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['fiskalwerk.SCU.AT.Software', { Unknown: 1 }, 'Unknown', /one of the parameters zda$/],
    ['fiskalwerk.SCU.AT.Software', { zda: 'AT1', ZDA: 'AT2' }, 'ZDA', /one of the parameters zda$/],
    ['fiskalwerk.SCU.AT.Remote', { token: 'x' }, 'token', /accesstoken, cashboxid, certificate/],
  ])(
    'of %s refuses %j by its name, with those that it knows',
    async (name, given, wrong, expected) => {
      const count = async () => (await shop.deps.store.pool.query('select from scu')).rowCount
      const before = await count()
      const unit = { queueId: box.queueId, mode: 'backup', url: undefined } as const
      const made = addUnit(deps(), { ...unit, package: name, configuration: given })
      await expect(made).rejects.toMatchObject({
        code: 'FIELD_INVALID',
        details: { field: `configuration.${wrong}`, expected: expect.stringMatching(expected) },
      })
      expect(await count()).toBe(before)
    },
  )

  it('takes names of a remote device in any case', async () => {
    const { cashBoxId, accessToken } = other.box
    const unit = { queueId: box.queueId, mode: 'disabled', url: other.url } as const
    const configuration = { cashBoxId, AccessToken: accessToken }
    const made = await addUnit(deps(), { ...unit, package: undefined, configuration })
    expect(made.scuId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('needs a queue that exists', async () => {
    const unit = { package: undefined, mode: 'normal', url: undefined, configuration: {} } as const
    await expect(addUnit(deps(), { queueId: 'nobody', ...unit })).rejects.toMatchObject({
      code: 'QUEUE_UNKNOWN',
    })
    await expect(setMode(deps(), { scuId: box.queueId, mode: 'backup' })).rejects.toMatchObject({
      code: 'SCU_UNKNOWN',
    })
  })
})
