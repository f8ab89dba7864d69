import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FAILED, POS, START, signReceipt, ZERO } from '../../support/group-b.js'
import { call, certificate, outcome, scriptFaults, sign, verifies } from '../../support/group-c.js'
import {
  makeBox,
  makePair,
  makeQueue,
  makeScu,
  makeSigner,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

const DATA = Buffer.of(1, 2, 3, 4, 5)

/** Holds the keys, and is reached over a real connection. */
let service: TestServer
/** Knows the service as a remote signing unit; a database of its own. */
let client: TestServer
let url: string
let signer: TestSigner
let box: TestSigner

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
  signer = await makeSigner(service)
  const { cashboxid, accesstoken } = signer.headers
  const held = await makeBox(client)
  const configuration = { cashboxid, accesstoken }
  const scuId = await makeScu(client, held, { package: REMOTE, url, configuration })
  box = { ...held, scuId }
})

const REMOTE = 'fiskalwerk.SCU.AT.Remote'

describe('a signing device on another server', () => {
  it('signs with the key and the certificate that are there', async () => {
    const { status, body } = await sign(client.app, box, DATA.toString('base64'))
    expect(status).toBe(200)
    const der = await certificate(service.app, signer)
    expect(new X509Certificate(der).subject).toContain(signer.scuId)
    const signature = Buffer.from(String(body.signedDataBase64), 'base64')
    expect(await verifies(der, DATA, signature)).toBe(true)
    expect((await certificate(client.app, box)).equals(der)).toBe(true)
  })

  it('tells its ZDA', async () => {
    const { headers } = box
    const path = '/api/v0/iatsscd/zda'
    expect((await call(client.app, { method: 'GET', path, headers })).body).toEqual({
      zda: 'AT100',
    })
  })

  it.each(['garbage', 'wrong-signature', 'unreachable', 'error-after'])(
    'is a failed device with "%s" there, and never a wrong signature here',
    async (kind) => {
      await scriptFaults(service.app, signer, [{ do: kind, calls: 1 }])
      const found = [await outcome(client.app, box, DATA), await outcome(client.app, box, DATA)]
      expect(found).toEqual(['500', 'signed'])
    },
  )

  it('with a token that was reset is a failed device', async () => {
    const other = await makeSigner(service)
    const configuration = { cashboxid: signer.cashBoxId, accesstoken: other.accessToken }
    const held = await makeBox(client)
    await makeScu(client, held, { package: REMOTE, url, configuration })
    const { status, body } = await sign(client.app, held, 'AQ==')
    expect([status, body.code]).toEqual([500, 'DEVICE_FAILED'])
    expect(JSON.stringify(body)).not.toContain(other.accessToken)
  })

  it('signs the receipts of a queue, and its outage is marked on them', async () => {
    const queueId = await makeQueue(client, box, [box.scuId])
    const state = async (kind: bigint) =>
      (await signReceipt(client.app, { box, queueId, kind })).state
    expect(await state(START)).toBe(0n)
    expect(await state(POS)).toBe(0n)
    await scriptFaults(service.app, signer, [{ do: 'garbage', calls: 12 }])
    expect(await state(POS)).toBe(FAILED)
    await scriptFaults(service.app, signer, [{ do: 'error', calls: 1 }])
    expect(await state(ZERO)).toBe(0n)
    expect(await state(POS)).toBe(0n)
  })
})
