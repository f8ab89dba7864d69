// Templates over HTTP: what they create really signs, in every form in which senders send them.
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantEntitlement } from '../../../src/core/sales/entitlements.js'
import { type DealerStand, faults, openDealer, type Reply, refusal } from '../../support/dealer.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer({ dealer: { roles: ['PosDealer', 'PosDealerRksvSign'] } })
})
afterAll(() => stand.close())

/** One TSE and one queue, as the documentation shows it. */
const GERMAN = `{ "ftCashBoxId": "|[cashbox_id]|",
  "ftSignaturCreationDevices": [ { "Id": "|[scu0_id]|", 
      "Package": "fiskaltrust.Middleware.SCU.DE.CryptoVision",
      "Url": ["grpc://localhost:10081"],
      "Configuration": { "devicePath": "|[usb]|", "Counter": 1 } } ],
  "ftQueues": [ { "Id": "|[queue0_id]|",
      "Package": "fiskaltrust.Middleware.Queue.SQLite", 
      "Url": ["rest://localhost:1500/|[queue0_id]|"],
      "Configuration": {
        "init_ftQueue": [ { "ftQueueId": "|[queue0_id]|", "ftCashBoxId": "|[cashbox_id]|",
          "CountryCode": "DE", "Timeout": 15000 } ],
        "init_ftQueueDE": [ { "ftQueueDEId": "|[queue0_id]|", 
          "CashBoxIdentification": "|[queue0_id_base64withoutspecialchars]|", 
          "ftSignaturCreationUnitDEId": "|[scu0_id]|" } ],
        "init_ftSignaturCreationUnitDE": [ { "ftSignaturCreationUnitDEId": "|[scu0_id]|",
          "Url": "[\\"grpc://localhost:10081\\"]" } ] } } ] }`

/** The second till of the outlet, with the same TSE. */
const SECOND = GERMAN.replaceAll('|[scu0_id]|', '|[reference_scu_cryptovision_counter_1_id]|')
  .replace(
    '"Url": "[\\"grpc://localhost:10081\\"]"',
    '"Url": "[\\"|[reference_scu_cryptovision_counter_1_url]|\\"]"',
  )
  .replace(/,\s*"Url": \["grpc:[^}]*"Counter": 1 \}/, '')

const AUSTRIAN = `{ "ftCashBoxId": "|[cashbox_id]|",
  "ftSignaturCreationDevices": [ { "Id": "|[scu0_id]|", 
    "Package": "fiskaltrust.signing.atrustonline", "Url": ["|[scu0_url]|"] } ],
  "ftQueues": [ { "Id": "|[queue0_id]|", "Package": "fiskaltrust.service.sqlite" } ] }`

const SIGNER = `{ "ftCashBoxId": "|[cashbox_id]|", "ftQueues": [],
  "ftSignaturCreationDevices": [ { "Id": "|[scu0_id]|", 
    "Package": "fiskaltrust.RKSVSign", "Url": [],
    "Configuration": { "ProductNumber": "4154+020301", "CompanyName": "Laden", 
      "CompanyEmail": "a@example.com", "VatId": "ATU68541544", } } ] }`

interface Item {
  id: string
  package: string
  version: string
  url: string[]
  configuration: Record<string, Record<string, unknown>[]>
}
interface Box {
  cashBoxId: string
  accessToken: string
  configuration: {
    ftCashBoxId: string
    timeStamp: number
    ftQueues: Item[]
    ftSignaturCreationDevices: Item[]
    helpers: Item[]
  }
}

const boxOf = (reply: Reply): Box => {
  expect(reply.status, reply.text).toBe(200)
  return JSON.parse(reply.text) as Box
}

const first = <T>(list: readonly T[] | undefined): T => {
  const [one] = list ?? []
  if (one === undefined) throw new Error('an empty list')
  return one
}

const pathOf = (operator: string, query = 'outlet_number=1') =>
  `POST /api/posoperators/${operator}/templates?${query}`

async function execute(operator: string, text: string, query = 'outlet_number=1'): Promise<Reply> {
  return stand.call(pathOf(operator, query), { body: JSON.stringify(text) })
}

const CASES = { AT: 0x4154_0000_0000_0000n, DE: 0x4445_0000_0000_0000n }
const IMPLICIT = 0x1_0000_0000n

/** Start receipt and zero receipt; their signature counts. */
async function sign(market: 'AT' | 'DE', box: Box): Promise<number[]> {
  const queue = first(box.configuration.ftQueues).id
  const counts: number[] = []
  for (const kind of [3n, 2n]) {
    const word = CASES[market] | kind | (market === 'DE' ? IMPLICIT : 0n)
    const answer = await stand.app.inject({
      method: 'POST',
      url: `/${queue}/json/v1/sign`,
      headers: {
        cashboxid: box.cashBoxId,
        accesstoken: box.accessToken,
        'content-type': 'application/json',
      },
      payload: `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1",
        "cbReceiptReference":"${randomUUID()}","cbReceiptMoment":"${new Date().toISOString()}",
        "cbChargeItems":[],"cbPayItems":[],"ftReceiptCase":${word}}`,
    })
    expect(answer.statusCode, answer.body).toBe(200)
    const state = BigInt(/"ftState":(\d+)/.exec(answer.body)?.[1] ?? '-1')
    expect(state & 0xffn, answer.body).toBe(0n)
    counts.push((JSON.parse(answer.body) as { ftSignatures: unknown[] }).ftSignatures.length)
  }
  return counts
}

describe('a template of one German till', () => {
  it('creates a cash box that signs, and answers what is published', async () => {
    const operator = await stand.operator('Full', { market: 'DE' })
    const box = boxOf(
      await execute(operator, GERMAN, 'outlet_number=1&description=Till%201&usb=E:'),
    )
    expect(Buffer.from(box.accessToken, 'base64')).toHaveLength(65)
    const device = first(box.configuration.ftSignaturCreationDevices)
    expect(device).toEqual({
      id: device.id,
      package: 'fiskaltrust.Middleware.SCU.DE.CryptoVision',
      version: expect.stringMatching(/^\d+(\.\d+)+$/),
      configuration: { devicePath: 'E:', Counter: 1 },
      url: ['grpc://localhost:10081'],
    })
    const queue = first(box.configuration.ftQueues)
    expect(queue.url).toEqual([`rest://localhost:1500/${queue.id}`])
    const bytes = Buffer.from(queue.id.replaceAll('-', ''), 'hex')
    const net = Buffer.concat([
      bytes.subarray(0, 4).reverse(),
      bytes.subarray(4, 6).reverse(),
      bytes.subarray(6, 8).reverse(),
      bytes.subarray(8),
    ])
    expect(queue.configuration.init_ftQueueDE).toMatchObject([
      {
        ftQueueDEId: queue.id,
        ftSignaturCreationUnitDEId: device.id,
        CashBoxIdentification: net.toString('base64').replace(/[^A-Za-z0-9]/g, ''),
        SSCDFailCount: 0,
        LastHash: null,
      },
    ])
    expect(queue.configuration.init_ftSignaturCreationUnitDE).toMatchObject([
      { ftSignaturCreationUnitDEId: device.id, Url: '["grpc://localhost:10081"]' },
    ])
    expect(queue.configuration.init_ftQueueAT).toEqual([])
    for (const count of await sign('DE', box)) expect(count).toBeGreaterThan(0)
  })

  it('shares its TSE with a second till of the outlet by reference', async () => {
    const operator = await stand.operator('Full', { market: 'DE' })
    const one = boxOf(await execute(operator, GERMAN, 'outlet_number=1&usb=E:'))
    const two = boxOf(await execute(operator, SECOND))
    const device = first(one.configuration.ftSignaturCreationDevices)
    expect(first(two.configuration.ftSignaturCreationDevices)).toEqual(device)
    expect(two.cashBoxId).not.toBe(one.cashBoxId)
    await sign('DE', one)
    await sign('DE', two)
    await stand.call(`POST /api/posoperators/${operator}/outlets`, {
      body: { name: 'R', address: 'R 2', postalCode: '10115', city: 'Berlin', country: 'DE' },
    })
    const other = await execute(operator, SECOND, 'outlet_number=3')
    expect(Object.keys(faults(other))).toEqual(['$'])
    const literal = SECOND.replaceAll('|[reference_scu_cryptovision_counter_1_id]|', device.id)
    const foreign = literal.replaceAll('|[reference_scu_cryptovision_counter_1_url]|', 'x')
    expect(refusal(await execute(operator, foreign, 'outlet_number=3'))).toEqual({
      status: 404,
      code: 'ScuNotFound',
    })
  })

  it('can hold a TSE alone, and several queues on one TSE', async () => {
    const operator = await stand.operator('Full', { market: 'DE' })
    const alone = GERMAN.replace(/"ftQueues": [\s\S]*$/, '"ftQueues": [] }')
    const server = boxOf(await execute(operator, alone, 'outlet_number=1&usb=E:'))
    expect(server.configuration.ftQueues).toEqual([])
    const queue = /\{ "Id": "\|\[queue0_id\]\|"[\s\S]*\} \}(?= \] \}$)/.exec(GERMAN)?.[0] ?? ''
    const two = `${queue}, ${queue.replaceAll('queue0', 'queue1')}`
    const box = boxOf(await execute(operator, GERMAN.replace(queue, two), 'outlet_number=1&usb=E:'))
    expect(new Set(box.configuration.ftQueues.map(({ id }) => id)).size).toBe(2)
    await sign('DE', box)
  })
})

describe('a template of an Austrian till', () => {
  it('fills every gap, and signs', async () => {
    const operator = await stand.operator()
    const box = boxOf(await execute(operator, AUSTRIAN))
    const queue = first(box.configuration.ftQueues)
    const [row] = queue.configuration.init_ftQueueAT ?? []
    expect(Buffer.from(String(row?.EncryptionKeyBase64), 'base64')).toHaveLength(32)
    expect(queue.configuration.init_ftQueue).toMatchObject([
      { CountryCode: 'AT', Timeout: 15000, ftCashBoxId: box.cashBoxId, ftCurrentRow: 0 },
    ])
    for (const count of await sign('AT', box)) expect(count).toBeGreaterThan(0)
  })

  it('signs with the key that the query gives, and refuses one of 31 bytes', async () => {
    const operator = await stand.operator()
    const key = createHash('sha256').update('key').digest('base64')
    const query = `outlet_number=1&queue0_encryptionkeybase64=${encodeURIComponent(key)}`
    const box = boxOf(await execute(operator, AUSTRIAN, query))
    const [row] = first(box.configuration.ftQueues).configuration.init_ftQueueAT ?? []
    expect(row?.EncryptionKeyBase64).toBe(key)
    const short = encodeURIComponent(Buffer.alloc(31).toString('base64'))
    const reply = await execute(
      operator,
      AUSTRIAN,
      `outlet_number=1&queue0_encryptionkeybase64=${short}`,
    )
    const at = 'ftQueues[0].Configuration.init_ftQueueAT[0].EncryptionKeyBase64'
    expect(Object.keys(faults(reply))).toEqual([at])
  })
})

const grantSigners = (terms: string) =>
  grantEntitlement(stand.deps.dealer.sales, {
    ...{ accountId: stand.dealer.accountId, market: 'AT', name: 'AT_RKSV_SIGN' },
    ...{ terms, validTo: null },
  })

async function remainingSigners(): Promise<unknown> {
  const list = (await stand.call('GET /api/entitlements')).list()
  return list.find((one) => one.name === 'AT_RKSV_SIGN')?.remainingTerms
}

describe('an instance that only signs', () => {
  it('signs over group C with the credentials of the answer', async () => {
    const operator = await stand.operator()
    await grantSigners('1')
    const box = boxOf(await execute(operator, SIGNER))
    const answer = await stand.app.inject({
      method: 'POST',
      url: '/api/v0/iatsscd/sign',
      headers: {
        cashboxid: box.cashBoxId,
        accesstoken: box.accessToken,
        'content-type': 'application/json',
      },
      payload: JSON.stringify({ dataBase64: Buffer.from('receipt').toString('base64') }),
    })
    expect(answer.statusCode, answer.body).toBe(200)
    const [row] = await stand.rows('select product_type from cash_box where id = $1', [
      box.cashBoxId,
    ])
    expect(row?.product_type).toBe(2)
  })

  it('uses up one entitlement of the dealer, and none when it is executed again', async () => {
    const operator = await stand.operator()
    await grantSigners('1')
    const box = boxOf(await execute(operator, SIGNER))
    expect(await remainingSigners()).toBeUndefined()
    const again = `outlet_number=1&cashbox_id=${box.cashBoxId}`
    expect(boxOf(await execute(operator, SIGNER, again)).cashBoxId).toBe(box.cashBoxId)
  })

  it('is refused as a whole without an entitlement', async () => {
    const operator = await stand.operator()
    const reply = await execute(operator, SIGNER)
    expect(refusal(reply)).toMatchObject({ status: 409, code: 'InsufficientEntitlements' })
    expect(reply.json()).toMatchObject({ name: 'AT_RKSV_SIGN', required: 1, available: 0 })
    const rows = await stand.rows('select id from cash_box where account_id = $1', [operator])
    expect(rows).toEqual([])
  })

  it('needs the role and a tax id', async () => {
    const operator = await stand.operator()
    const none = SIGNER.replace(', "VatId": "ATU68541544", ', '')
    expect(Object.keys(faults(await execute(operator, none)))).toEqual([
      'ftSignaturCreationDevices[0].Configuration',
    ])
    const poor = await stand.account()
    const body = JSON.stringify(SIGNER)
    const path = `POST /api/configuration`
    expect(refusal(await stand.call(path, { body, as: poor })).code).toBe('RksvSignRoleRequired')
  })
})
