// The download of the published configuration, as launchers ask for it, and stored templates.
import {
  createDecipheriv,
  createECDH,
  createHash,
  generateKeyPairSync,
  randomUUID,
} from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTemplates } from '../../../src/core/rollout/template/records.js'
import { putConnection } from '../../../src/store/account/connections.js'
import { type DealerStand, faults, openDealer, type Reply, refusal } from '../../support/dealer.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

const CONNECTION = 'Server=till;Password=ä'
const TILL = `{ "ftCashBoxId": "|[cashbox_id]|",
  "ftSignaturCreationDevices": [ { "Id": "|[scu0_id]|", "Package": "fiskaltrust.signing.atapdu",
    "Configuration": { "connectionstring": "of a unit" } } ],
  "ftQueues": [ { "Id": "|[queue0_id]|", "Package": "fiskaltrust.service.sqlite",
    "Configuration": { "ConnectionString": "${CONNECTION}",
      "key_encrypted": "k", "x_encrypted": "" } } ] }`

interface Box {
  cashBoxId: string
  accessToken: string
  configuration: string
}

async function box(): Promise<Box> {
  const reply = await stand.call('POST /api/configuration', { body: JSON.stringify(TILL) })
  expect(reply.status, reply.text).toBe(200)
  return JSON.parse(reply.text) as Box
}

function get(path: string, headers: Record<string, string>, body?: unknown) {
  return stand.app.inject({
    method: 'GET',
    url: path,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
}

const asReply = (answer: Awaited<ReturnType<typeof get>>): Reply => ({
  status: answer.statusCode,
  headers: answer.headers,
  text: answer.body,
  json: () => JSON.parse(answer.body) as Record<string, unknown>,
  list: () => [],
})

describe('the download of a configuration', () => {
  it('is what the execution has answered, by path or by header', async () => {
    const { cashBoxId, accessToken, configuration } = await box()
    const one = await get(`/api/configuration/${cashBoxId.toUpperCase()}`, {
      accesstoken: accessToken,
    })
    expect([one.statusCode, one.body]).toEqual([200, configuration])
    const two = await get('/API/Configuration', { cashboxid: cashBoxId, accesstoken: accessToken })
    expect([two.statusCode, two.body]).toEqual([200, configuration])
  })

  it('has the secrets of queues encrypted for the key in the body of the GET', async () => {
    const { cashBoxId, accessToken } = await box()
    const launcher = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const publicKeyX509 = launcher.publicKey
      .export({ type: 'spki', format: 'der' })
      .toString('base64')
    const answer = await get(
      `/api/configuration/${cashBoxId}`,
      { accesstoken: accessToken },
      { publicKeyX509 },
    )
    const document = JSON.parse(answer.body)
    const settings = document.ftQueues[0].Configuration
    const pair = createECDH('prime256v1')
    const { d = '' } = launcher.privateKey.export({ format: 'jwk' })
    pair.setPrivateKey(Buffer.from(d, 'base64url'))
    const secret = pair.computeSecret(Buffer.from(accessToken, 'base64'))
    const key = createHash('sha256').update(secret).digest()
    const hex = cashBoxId.replaceAll('-', '')
    const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
    const iv = Buffer.from(order.map((at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16)))
    const plain = (text: string) => {
      const decipher = createDecipheriv('aes-256-cbc', key, iv)
      return decipher.update(text, 'base64', 'utf8') + decipher.final('utf8')
    }
    expect(plain(settings.ConnectionString)).toBe(CONNECTION)
    expect(plain(settings.key_encrypted)).toBe('k')
    expect(settings.x_encrypted).toBe('')
    expect(document.ftSignaturCreationDevices[0].Configuration.connectionstring).toBe('of a unit')
  })

  it('refuses wrong credentials alike, and a key that is none', async () => {
    const { cashBoxId, accessToken } = await box()
    const other = await box()
    const wrong = [
      await get(`/api/configuration/${cashBoxId}`, { accesstoken: other.accessToken }),
      await get(`/api/configuration/${randomUUID()}`, { accesstoken: accessToken }),
      await get('/api/configuration/x', { accesstoken: accessToken }),
      await get('/api/configuration', { accesstoken: accessToken }),
      await get(`/api/configuration/${cashBoxId}`, {}),
    ]
    for (const answer of wrong) {
      expect(refusal(asReply(answer))).toEqual({ status: 401, code: 'Unauthorized' })
    }
    expect(new Set(wrong.map((answer) => answer.json().Message)).size).toBe(1)
    const odd = await get(
      `/api/configuration/${cashBoxId}`,
      { accesstoken: accessToken },
      { publicKeyX509: 'AAAA' },
    )
    expect(Object.keys(faults(asReply(odd)))).toEqual(['publicKeyX509'])
  })

  it('is 404 for a cash box that was never published', async () => {
    const { cashBoxId, accessToken } = await box()
    await stand.rows('delete from publication where id = $1', [cashBoxId])
    const answer = await get(`/api/configuration/${cashBoxId}`, { accesstoken: accessToken })
    expect(refusal(asReply(answer))).toEqual({ status: 404, code: 'ConfigurationNotFound' })
  })
})

describe('stored templates', () => {
  const entry = (name: string, more: object = {}) => ({ name, content: TILL, ...more })
  const store = (accountId: string, entries: object[]) =>
    importTemplates(
      { store: stand.deps.store, now: () => new Date() },
      { text: JSON.stringify(entries), accountId },
    )
  const names = async () =>
    (await stand.call('GET /api/templates')).list().map(({ name }) => String(name))

  it('are seen by their mode, market and owner', async () => {
    const stranger = await stand.account({ roles: ['PosDealer'] })
    const creator = await stand.account({ roles: ['PosCreator'] })
    const unknown = await stand.account({ roles: ['PosCreator'] })
    await putConnection(stand.deps.store, {
      ...{ id: randomUUID(), accountId: stand.dealer.accountId, toAccountId: creator.accountId },
      ...{ rights: 'Read', state: 'active', createdAt: new Date() },
    })
    await store(stand.dealer.accountId, [
      entry('a own'),
      entry('b own, off', { deactivated: true }),
    ])
    await store(stranger.accountId, [
      entry('c public', { mode: 'public' }),
      entry('d for dealers', { mode: 64 }),
      entry('e public, off', { mode: 'public', deactivated: true }),
      entry('f public, elsewhere', { mode: 'public', market: 'DE' }),
      entry('g private'),
      entry('h shared by a dealer', { mode: 'shared' }),
    ])
    await store(creator.accountId, [
      entry('i shared', { mode: 'dealers' }),
      entry('j shared, not free', { mode: 'shared', price: '1.00' }),
      entry('k shared, off', { mode: 'shared', deactivated: true }),
    ])
    await store(unknown.accountId, [entry('l shared by a stranger', { mode: 'shared' })])
    expect(await names()).toEqual(['a own', 'b own, off', 'c public', 'd for dealers', 'i shared'])
    const operator = await stand.operator()
    const below = await stand.call(`GET /api/posoperators/${operator}/templates`)
    const list = await stand.call('GET /api/templates')
    expect(below.text).toBe(list.text)
    expect(list.list()[0]).toMatchObject({
      productNumber: '4154-028000',
      mode: 0,
      price: 0,
      content: TILL,
      ownerAccountId: stand.dealer.accountId,
      market: 'AT',
    })
  })

  it('replace those of the same name, and keep their id', async () => {
    const { accountId } = await stand.account()
    const [one] = await store(accountId, [entry('x')])
    const [two] = await store(accountId, [entry('x', { description: 'new' })])
    expect(two?.id).toBe(one?.id)
  })

  it('are refused as a whole', async () => {
    const { accountId } = await stand.account()
    await expect(store(accountId, [entry('y'), { name: 'z' }])).rejects.toMatchObject({
      code: 'FIELD_INVALID',
    })
    await expect(store(accountId, [entry('y', { mode: 1 })])).rejects.toMatchObject({
      code: 'FIELD_INVALID',
    })
    expect(await stand.rows('select id from template where account_id = $1', [accountId])).toEqual(
      [],
    )
  })
})
