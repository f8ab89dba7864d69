// A French cash register over HTTP, by Middleware v0: start and ticket are signed, stored, chained
// and found again. The market is put into the table by the test.
import { createHash, randomUUID, verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setFault } from '../../src/core/faults.js'
import { SOFTWARE_PACKAGE } from '../../src/device/jws.js'
import { writeJson } from '../../src/lib/json-write.js'
import { france } from '../../src/market/fr/index.js'
import { markets } from '../../src/market/index.js'
import { emulator } from '../../src/simulator/jws/signer.js'
import { openShop, type Shop } from '../support/shop.js'

Object.assign(markets, { FR: { ...france, drivers: { [SOFTWARE_PACKAGE]: emulator } } })

let shop: Shop
beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT', 'FR'] })
})
afterAll(() => shop.close())

interface Row {
  JWT: string
  JsonData: string
  ReceiptType: string
  Number: number
}

async function call(path: string, body = ''): Promise<string> {
  const box = shop.demo.cashBoxes.find(({ market }) => market === 'FR')
  const headers = { cashboxid: box?.cashBoxId ?? '', accesstoken: box?.accessToken ?? '' }
  const url = `${shop.url}/${box?.queueId}/json/v0/${path}`
  const answer = await fetch(url, { method: 'POST', headers, body })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return text
}

async function sell(): Promise<Record<string, unknown>> {
  const cbReceiptMoment = '2026-03-02T09:15:00Z'
  const sale = { cbReceiptReference: 'one', cbReceiptMoment, ...france.rollout.demo.sale }
  return JSON.parse(await call('sign', writeJson(sale)))
}

it('signs two tickets, chains them, and finds them again with the certificate', async () => {
  const first = await sell()
  expect(first.ftReceiptIdentification).toBe('ft1#T1')
  expect((await sell()).ftReceiptIdentification).toBe('ft2#T2')
  const rows: Row[] = JSON.parse(await call('journal?type=0x4652'))
  expect(rows.map((row) => `${row.ReceiptType} ${row.Number}`)).toEqual(['G 1', 'T 2', 'T 3'])
  const [, ticket, next] = rows
  const input = ticket?.JWT.slice(0, ticket.JWT.lastIndexOf('.')) ?? ''
  const hash = createHash('sha256').update(input).digest('base64')
  expect(JSON.parse(next?.JsonData ?? '{}')).toMatchObject({ total: 13.1, hash })

  const status = await call('journal?type=0x4652000000000000')
  expect(JSON.parse(status).QueueFRList[0]).toMatchObject({ TNumerator: 2, TTotalizer: 26.2 })
  const [unit] = await certificates()
  const certificate = new X509Certificate(Buffer.from(unit ?? '', 'base64'))
  expect(certificate.subject).toContain('CN=98765432100012')
  const signature = Buffer.from(ticket?.JWT.split('.')[2] ?? '', 'base64url')
  const key = { key: certificate.publicKey, dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', Buffer.from(input), key, signature)).toBe(true)
})

async function certificates(): Promise<string[]> {
  const text = await call('journal?type=0xFF')
  return [...text.matchAll(/"CertificateBase64":"([^"]+)"/g)].map(([, found = '']) => found)
}

it('an outage of the unit takes no number: the receipt is refused, the next goes on', async () => {
  const scuId = shop.demo.cashBoxes.find(({ market }) => market === 'FR')?.scuIds[0] ?? ''
  const box = shop.demo.cashBoxes.find(({ market }) => market === 'FR')
  const headers = { cashboxid: box?.cashBoxId ?? '', accesstoken: box?.accessToken ?? '' }
  const sale = () =>
    fetch(`${shop.url}/${box?.queueId}/json/v0/sign`, {
      ...{ method: 'POST', headers },
      body: writeJson({
        ...{ cbReceiptReference: 'out', cbReceiptMoment: '2026-03-02T09:15:00Z' },
        ...france.rollout.demo.sale,
      }),
    })
  const number = async (): Promise<string> => {
    const { ftReceiptIdentification } = (await (await sale()).json()) as Record<string, string>
    return ftReceiptIdentification ?? ''
  }
  const [, receipt = '', ticket = ''] = /^ft([0-9A-F]+)#T(\d+)$/.exec(await number()) ?? []
  for (const kind of ['unreachable', 'wrong-signature', 'garbage', 'error'] as const) {
    await setFault(shop.deps.sandbox.faults, { scuId, steps: [{ do: kind, calls: 1 }] })
    const refused = await sale()
    expect([refused.status >= 400, (await refused.text()).includes('signing unit')], kind).toEqual([
      true,
      true,
    ])
  }
  const next = (Number.parseInt(receipt, 16) + 1).toString(16).toUpperCase()
  expect(await number()).toBe(`ft${next}#T${Number(ticket) + 1}`)
})

const version2 = {
  cbTerminalID: '1',
  cbReceiptMoment: '2026-03-02T09:15:00Z',
  cbChargeItems: [
    { Quantity: 2, Description: 'Café', Amount: 9.8, VATRate: 20 },
    { Quantity: 1, Description: 'Tarte', Amount: 5.2, VATRate: 10 },
  ],
  cbPayItems: [{ Description: 'Espèces', Amount: 15, ftPayItemCase: '0x2000_0000_0001' }],
  ftReceiptCase: '0x2000_0000_0001',
}

async function posSign(reference: string, more: Record<string, string> = {}): Promise<string> {
  const box = shop.demo.cashBoxes.find(({ market }) => market === 'FR')
  const answer = await fetch(`${shop.url}/v2/sign`, {
    method: 'POST',
    headers: {
      'x-cashbox-id': box?.cashBoxId ?? '',
      'x-cashbox-accesstoken': box?.accessToken ?? '',
      'x-possystem-id': randomUUID(),
      'x-operation-id': randomUUID(),
      'content-type': 'application/json',
      ...more,
    },
    body: JSON.stringify({ ...version2, cbReceiptReference: reference }),
  })
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return text
}

it('reads items of version 2 by their rates, and a dry run moves nothing', async () => {
  const before = await call('journal?type=0x4652')
  const dry = await posSign('dry', { 'x-dry-run': 'true' })
  expect(dry).toContain('TNumerator')
  expect(await call('journal?type=0x4652')).toBe(before)

  await posSign('earnest')
  const rows: Row[] = JSON.parse(await call('journal?type=0x4652'))
  const [last] = rows.slice(-1)
  expect(last?.ReceiptType).toBe('T')
  expect(JSON.parse(last?.JsonData ?? '{}')).toMatchObject({
    ...{ total: 15, 'ci-n': 9.8, 'ci-r2': 5.2, 'pi-c': 15 },
  })
})
