// A French unit on another server: its key and certificate there, chains and totals here.
import { createHash, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkUnit } from '../../../src/core/rollout/check.js'
import { createOutbound } from '../../../src/device/outbound.js'
import { proofOfOutlet } from '../../../src/device/remote-signer/outlet-proof.js'
import { marketOf } from '../../../src/market/index.js'
import { type Answer, requestText, type Sent } from '../../support/fr/register.js'
import { call, certificate, outcome, scriptFaults, verifies } from '../../support/group-c.js'
import {
  makeBox,
  makePair,
  makeQueue,
  makeScu,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS
const REMOTE = 'fiskalwerk.SCU.FR.Remote'
const SIRET = '73282932000074'
const START: Sent = { kind: 0x10 }
const SALE: Sent = { kind: 1, charges: [[3, '13.10']], pays: [[1, '13.10']] }

let service: TestServer
let client: TestServer
let url: string
let signer: TestSigner

beforeAll(async () => {
  const pair = await makePair()
  service = pair.service
  client = pair.client
  url = pair.url
})
afterAll(async () => {
  await client.close()
  await service.close()
})
beforeEach(async () => {
  const box = await makeBox(service, 'FR')
  signer = { ...box, scuId: await makeScu(service, box, { configuration: { siret: SIRET } }) }
})

/** A cash box here whose unit is there. */
async function relay(settings: Record<string, unknown> = {}) {
  const box = await makeBox(client, 'FR')
  const { cashboxid, accesstoken } = signer.headers
  const configuration = { cashboxid, accesstoken, siret: SIRET, ...settings }
  return { ...box, scuId: await makeScu(client, box, { package: REMOTE, url, configuration }) }
}

async function till(settings: Record<string, unknown> = {}) {
  const box = await relay(settings)
  return { box, queueId: await makeQueue(client, box, [box.scuId]) }
}

type Till = Awaited<ReturnType<typeof till>>

async function send({ box, queueId }: Till, sent: Sent) {
  const answer = await client.app.inject({
    method: 'POST',
    url: `/${queueId}/json/v0/sign`,
    headers: { ...box.headers, 'content-type': 'application/json' },
    payload: requestText(sent, box.cashBoxId),
  })
  return { status: answer.statusCode, text: answer.body }
}

/** Its document in three parts. */
async function signed(at: Till, sent: Sent) {
  const { status, text } = await send(at, sent)
  expect(status, text).toBe(200)
  const { ftSignatures } = JSON.parse(text) as Answer
  const jws = ftSignatures
    .map(({ Data, data }) => String(Data ?? data))
    .find((one) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(one))
  const [header = '', payload = '', signature = ''] = (jws ?? '').split('.')
  const input = `${header}.${payload}`
  const members = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, string>
  return { input, members, signature: Buffer.from(signature, 'base64url') }
}

/** What `scu check` tells of the unit of a cash box here: name, level and text of each line. */
async function checkedBy({ scuId }: { scuId: string }) {
  const { store } = client.deps
  const now = () => new Date()
  const fetch = createOutbound({ allow: [new URL(url).host] })
  const tools = { fetch, now, sleep: async () => {} }
  const { lines } = await checkUnit({ store, now, marketOf, tools }, scuId)
  return lines.map(({ name, level, text }) => ({ is: `${name}: ${level}`, text }))
}

describe('a French unit on another server', () => {
  it('is proved by its certificate, its outlet and a signature', async () => {
    const lines = await checkedBy(await relay())
    const is = lines.map((line) => line.is)
    expect(is).toEqual(['certificate: ok', 'identity: warn', 'possession: ok', 'clock: ok'])
    expect(lines[0]?.text).toContain(`CN=${SIRET}`)
    expect(lines[1]?.text).toContain('the account has no VAT id')
  })

  it.each([
    ['FR 44 732829320', 0, 'identity: ok', 'certificate: ok'],
    ['FR44732829321', 0, 'identity: warn', 'certificate: ok'],
    ['', 20 * YEAR_MS - 30 * DAY_MS, 'identity: warn', 'certificate: warn'],
    ['', 21 * YEAR_MS, 'identity: warn', 'certificate: bad'],
    ['', -YEAR_MS, 'identity: warn', 'certificate: bad'],
  ])('of a merchant with the VAT id "%s", %d ms from now: %s, %s', async (vatId, later, ...is) => {
    const der = await certificate(service.app, signer)
    const now = new Date(Date.now() + later)
    const lines = proofOfOutlet({ der, siret: SIRET, now, holders: [vatId] })
    expect(lines.map(({ name, level }) => `${name}: ${level}`)).toEqual(expect.arrayContaining(is))
  })

  it('of another outlet is told as such, and one that signs wrongly is not proved', async () => {
    const [, identity] = await checkedBy(await relay({ siret: '73282932000082' }))
    expect(identity).toMatchObject({
      is: 'identity: bad',
      text: `the certificate is of CN=${SIRET}, the unit of SIRET 73282932000082`,
    })
    const box = await relay()
    await scriptFaults(service.app, signer, [{ do: 'wrong-signature', calls: 1 }])
    expect((await checkedBy(box)).map(({ is }) => is)).toContain('place: bad')
  })

  it('signs documents with the key and the certificate that are there', async () => {
    const at = await till()
    await signed(at, START)
    const first = await signed(at, SALE)
    const second = await signed(at, SALE)
    const der = await certificate(service.app, signer)
    for (const { input, signature, members } of [first, second]) {
      expect(await verifies(der, Buffer.from(input), signature)).toBe(true)
      expect(members.csn).toBe(new X509Certificate(der).serialNumber)
      expect(members.siret).toBe(SIRET)
    }
    const hash = createHash('sha256').update(first.input).digest('base64')
    expect(second.members.hash).toBe(hash)
  })

  it('serves bytes and certificate through two servers, and knows no ZDA', async () => {
    const box = await relay()
    expect(await outcome(client.app, box, Buffer.of(1, 2, 3))).toBe('signed')
    const der = await certificate(service.app, signer)
    expect((await certificate(client.app, box)).equals(der)).toBe(true)
    const path = '/api/v0/iatsscd/zda'
    for (const [app, { headers }] of [
      [client.app, box],
      [service.app, signer],
    ] as const) {
      const { status, body } = await call(app, { method: 'GET', path, headers })
      expect([status, body.code]).toEqual([401, 'SCU_NONE'])
    }
  })

  it('of a queue signs what the queue says, and nothing that is sent to it', async () => {
    const { box } = await till()
    expect(await outcome(client.app, box, Buffer.of(1, 2, 3))).toBe('401')
    await makeQueue(service, signer, [signer.scuId])
    expect(await outcome(service.app, signer, Buffer.of(1, 2, 3))).toBe('401')
  })

  it.each(['garbage', 'wrong-signature', 'unreachable', 'error-after'])(
    'with "%s" there refuses the receipt here, and moves no number',
    async (kind) => {
      const at = await till()
      await signed(at, START)
      const before = await signed(at, SALE)
      await scriptFaults(service.app, signer, [{ do: kind, calls: 1 }])
      const { status, text } = await send(at, SALE)
      expect(status, text).not.toBe(200)
      const after = await signed(at, SALE)
      const number = ({ members }: typeof after) => Number(/T(\d+)$/.exec(members.rid ?? '')?.[1])
      expect(number(after)).toBe(number(before) + 1)
    },
  )

  it('of another outlet signs nothing, and says whose it is', async () => {
    const other = '73282932000082'
    const { status, text } = await send(await till({ siret: other }), START)
    expect(status).not.toBe(200)
    expect(text).toContain(`the certificate is of CN=${SIRET}, the unit of SIRET ${other}`)
  })

  it.each([
    [{ siret: '123' }, '14 digits'],
    [{ siret: undefined }, 'siret'],
    [{ accesstoken: undefined }, 'accesstoken'],
  ])('is not made with %j', async (settings, expected) => {
    await expect(till(settings)).rejects.toThrow(expected)
  })
})
