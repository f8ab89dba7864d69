// A year in the life of an Austrian queue, as mixed as the law allows: concurrent clients, voids,
// training, closings, outages of one and of both signing units, late entries. The export at its end
// is judged by the independent verifier. MIXED_RECEIPTS=10000 makes it longer, MIXED_FOLDER keeps
// the export and the crypto container for other verifiers.
import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import { createQueue, createScu } from '../../src/core/rollout/create.js'
import { marketOf } from '../../src/market/index.js'
import { loadHead } from '../../src/store/sign/queues.js'
import type { Dep7Summary } from '../../src/verify/at/dep7.js'
import { writeCryptoContainer } from '../support/crypto-container.js'
import { openShop, type Shop } from '../support/shop.js'

const RECEIPTS = Number(process.env.MIXED_RECEIPTS ?? 600)
const CLIENTS = 16
const CASE = 0x4154_0000_0000_0000n
const RATES = [
  { vat: '20', code: 3n },
  { vat: '10', code: 1n },
  { vat: '13', code: 2n },
  { vat: '0', code: 5n },
  { vat: '4.9', code: 4n },
]

let shop: Shop
let queueId: string
let scuIds: string[]
/** What the counter has to be, in cents, added up here from what was sent. */
let expectedCents = 0

beforeAll(async () => {
  shop = await openShop()
  const { store } = shop.deps
  const deps = { store, marketOf, now: () => new Date() }
  const { operator } = shop.demo
  const unit = {
    accountId: operator.accountId,
    cashBoxId: shop.box.cashBoxId,
    market: 'AT',
    package: 'fiskalwerk.SCU.AT.Software',
    description: 'story',
  }
  scuIds = [await createScu(deps, unit), await createScu(deps, { ...unit, mode: 1 })]
  queueId = await createQueue(deps, { ...unit, scuIds })
})
afterAll(() => shop.close())

interface Answer {
  ftState: bigint
  captions: string[]
  identification: string
}

const headers = () => ({
  cashboxid: shop.box.cashBoxId,
  accesstoken: shop.box.accessToken,
  'content-type': 'application/json',
})

let reference = 0
async function sign(receiptCase: bigint, charge = '[]', pay = '[]'): Promise<Answer> {
  reference += 1
  const body =
    `{"ftCashBoxID":"${shop.box.cashBoxId}","cbTerminalID":"T",` +
    `"cbReceiptReference":"m${reference}",` +
    `"cbReceiptMoment":"${new Date().toISOString()}","cbChargeItems":${charge},` +
    `"cbPayItems":${pay},"ftReceiptCase":${receiptCase}}`
  const reply = await fetch(`${shop.url}/${queueId}/json/v1/sign`, {
    method: 'POST',
    headers: headers(),
    body,
  })
  const text = await reply.text()
  expect(reply.status, text).toBe(200)
  return {
    ftState: BigInt(/"ftState":(\d+)/.exec(text)?.[1] ?? 0) - CASE,
    captions: [...text.matchAll(/"caption":"([^"]*)"/g)].map(([, caption]) => caption ?? ''),
    identification: /"ftReceiptIdentification":"([^"]*)"/.exec(text)?.[1] ?? '',
  }
}

function items(sign: 1 | -1): { charge: string; pay: string; cents: number } {
  const lines = Array.from({ length: randomInt(1, 6) }, () => {
    const rate = RATES[randomInt(RATES.length)] ?? { vat: '20', code: 3n }
    return { ...rate, cents: sign * randomInt(1, 20_000) }
  })
  const cents = lines.reduce((sum, line) => sum + line.cents, 0)
  const charge = lines.map(
    (line) =>
      `{"Quantity":${sign},"Description":"x","Amount":${euro(line.cents)},"VATRate":${line.vat},` +
      `"ftChargeItemCase":${CASE + line.code}}`,
  )
  const cash = `"Description":"Cash","Amount":${euro(cents)},"ftPayItemCase":${CASE + 1n}`
  const pay = `[{"Quantity":1,${cash}}]`
  return { charge: `[${charge.join(',')}]`, pay, cents }
}

const euro = (cents: number) => `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`

const FLAGS: Record<string, bigint> = {
  sale: 0n,
  void: 0x4_0000n,
  training: 0x2_0000n,
  handwritten: 0x8_0000n,
  late: 0x1_0000n,
}

async function one(kind: string): Promise<Answer> {
  const { charge, pay, cents } = items(kind === 'void' ? -1 : 1)
  if (kind !== 'training') expectedCents += cents
  return sign(CASE + 1n + (FLAGS[kind] ?? 0n), charge, pay)
}

/** So many receipts by clients that do not wait for each other. */
async function crowd(count: number): Promise<void> {
  let left = count
  const client = async () => {
    while (left > 0) {
      left -= 1
      const dice = randomInt(20)
      await one(dice === 0 ? 'void' : dice === 1 ? 'training' : dice === 2 ? 'handwritten' : 'sale')
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

async function fault(scuId: string | undefined, steps: object[] | null): Promise<void> {
  const reply = await fetch(`${shop.url}/sandbox/scus/${scuId}/fault`, {
    method: steps === null ? 'DELETE' : 'PUT',
    headers: headers(),
    ...(steps === null ? {} : { body: JSON.stringify({ steps }) }),
  })
  expect(reply.status).toBe(200)
}

/** The normal unit fails: the backup signs, and says so. */
async function backupDay(): Promise<void> {
  await fault(scuIds[0], [{ do: 'unreachable' }])
  const answer = await one('sale')
  expect(answer.ftState & 0x80n).toBe(0x80n)
  await crowd(5)
  await fault(scuIds[0], null)
  expect((await sign(CASE + 2n)).ftState & 0x80n).toBe(0n)
}

/** Both fail: receipts go on, marked; the zero receipt after the outage collects them. */
async function outageDay(): Promise<void> {
  for (const scuId of scuIds) await fault(scuId, [{ do: 'error' }])
  expect((await one('sale')).captions).toContain('Sicherheitseinrichtung ausgefallen')
  await crowd(4)
  for (const scuId of scuIds) await fault(scuId, null)
  expect((await one('sale')).ftState & 2n).toBe(2n)
  const zero = await sign(CASE + 2n)
  expect(zero.captions).toContain('Sammelbeleg')
  expect(zero.ftState & 2n).toBe(0n)
}

async function lateDay(): Promise<void> {
  await one('late')
  expect((await one('late')).ftState & 8n).toBe(8n)
  expect((await sign(CASE + 2n)).captions).toContain('Ausfall-Nacherfassung')
}

it('the export of a mixed queue is accepted, its counter is the sum of what was sold', async () => {
  expect((await sign(CASE + 3n)).captions).toContain('Startbeleg')
  const days = [backupDay, outageDay, lateDay]
  for (let day = 0; reference < RECEIPTS; day += 1) {
    await crowd(Math.ceil(RECEIPTS / 15))
    await days[day % days.length]?.()
    await sign(CASE + (day % 12 === 11 ? 6n : 5n))
  }
  await sign(CASE + 2n)
  const folder = process.env.MIXED_FOLDER ?? (await mkdtemp(join(tmpdir(), 'fiskalwerk-mixed-')))
  const path = join(folder, 'dep7.json')
  const reply = await fetch(`${shop.url}/${queueId}/json/v1/journal?type=${CASE + 1n}`, {
    method: 'POST',
    headers: headers(),
  })
  await writeFile(path, Buffer.from(await reply.arrayBuffer()))
  const { accountId } = shop.demo.operator
  const head = await loadHead(shop.deps.store, { accountId, id: queueId })
  const { encryptionKeyBase64: key } = JSON.parse(head?.secrets ?? '') as Record<string, string>
  const aesKey = Buffer.from(key ?? '', 'base64')
  const certificates = (head?.scus ?? []).map((scu) =>
    Buffer.from(JSON.parse(scu.state).certificateBase64 as string, 'base64'),
  )
  await writeCryptoContainer(join(folder, 'container.json'), { aesKey, certificates })
  const verdict = await verifyFile(path, {
    key: aesKey.toString('base64'),
  })
  expect(verdict.findings).toEqual([])
  expect(verdict.ok).toBe(true)
  const summary = verdict.summary as unknown as Dep7Summary
  expect(summary.lastCounter).toBe(euro(expectedCents).replace('.', ','))
  expect(summary.receipts).toBe(reference)
  expect(summary.failed).toBeGreaterThan(0)
  if (process.env.MIXED_FOLDER === undefined) await rm(folder, { recursive: true })
}, 600_000)
