import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOFTWARE_PACKAGE } from '../../../src/device/rksv.js'
import { createSealer } from '../../../src/lib/seal.js'
import { initial } from '../../../src/market/at/queue.js'
import { emulator } from '../../../src/simulator/rksv/signer.js'
import type { Store } from '../../../src/store/client.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { journalText, openJournal } from '../../support/journal.js'
import { MOMENT, makeMarketRow, makeQueue, makeScu, TICKS, testStore } from '../../support/make.js'

let database: TestDatabase
let store: Store

beforeAll(async () => {
  database = await createTestDatabase()
  store = testStore(database.config)
})

afterAll(async () => {
  await store.close()
  await database.drop()
})

const CONFIGURATION = 0xffn
const STATUS = 0x4154n << 48n
const KEY = randomBytes(32)
const REMOTE_TOKEN = randomBytes(24).toString('base64url')
const MARKETS = ['AT', 'DE', 'FR', 'IT', 'ME', 'BE', 'ES', 'EU', 'GR', 'PT']

async function equippedQueue() {
  const queue = await makeQueue(store, {
    state: JSON.stringify(initial()),
    secrets: JSON.stringify({ encryptionKeyBase64: KEY.toString('base64') }),
    receiptTotalizer: '1234567890123456789012345678901.5',
    receiptHash: Buffer.alloc(32, 1),
    startMoment: MOMENT,
    timeStamp: TICKS + 99n,
  })
  const made = await emulator.create({
    id: queue.queueId,
    configuration: {},
    now: MOMENT,
    randomBytes,
  })
  const url = `https://clerk:${REMOTE_TOKEN}@device.example/scu`
  const scuId = await makeScu(store, queue, { ...made, package: SOFTWARE_PACKAGE, url, mode: 513 })
  const certificateBase64: string = JSON.parse(made.state).certificateBase64
  const privateKey: string = JSON.parse(made.secrets).privateKeyPkcs8Base64
  return { queue, scuId, certificateBase64, privateKey }
}

describe('the configuration', () => {
  it('has the lists of all markets, those of other markets empty', async () => {
    const { queue } = await equippedQueue()
    const { contentType } = await openJournal({ store, queue }, CONFIGURATION)
    expect(contentType).toBe('application/json; charset=utf-8')
    const journal = JSON.parse(await journalText({ store, queue }, CONFIGURATION))
    expect(Object.keys(journal)).toEqual([
      'Assembly',
      'Version',
      'CashBoxList',
      'QueueList',
      ...MARKETS.map((code) => `Queue${code}List`),
      ...MARKETS.map((code) => `SignaturCreationUnit${code}List`),
    ])
    const filled = Object.entries(journal).filter(([, value]) => Array.isArray(value) && value[0])
    expect(filled.map(([name]) => name)).toEqual([
      'CashBoxList',
      'QueueList',
      'QueueATList',
      'SignaturCreationUnitATList',
    ])
  })

  it('describes cash box and queue with their members in order, numbers exact', async () => {
    const { queue } = await equippedQueue()
    const text = await journalText({ store, queue }, CONFIGURATION)
    const hash = Buffer.alloc(32, 1).toString('base64')
    expect(text).toContain(
      `"CashBoxList":[{"ftCashBoxId":"${queue.cashBoxId}","TimeStamp":${TICKS}}],"QueueList":[{` +
        `"ftQueueId":"${queue.queueId}","ftCashBoxId":"${queue.cashBoxId}","ftCurrentRow":0,` +
        '"ftQueuedRow":0,"ftReceiptNumerator":0,' +
        '"ftReceiptTotalizer":1234567890123456789012345678901.5,' +
        `"ftReceiptHash":"${hash}","StartMoment":"2026-03-14T09:26:53.589Z","StopMoment":null,` +
        `"CountryCode":"AT","Timeout":0,"TimeStamp":${TICKS + 99n}}],`,
    )
  })

  it('describes the signing units with their public facts', async () => {
    const { queue, scuId, certificateBase64 } = await equippedQueue()
    const journal = JSON.parse(await journalText({ store, queue }, CONFIGURATION))
    expect(journal.SignaturCreationUnitATList).toEqual([
      {
        ftSignaturCreationUnitATId: scuId,
        Url: 'https://device.example/scu',
        ZDA: 'AT100',
        SN: expect.stringMatching(/^0x[0-9a-f]+$/),
        CertificateBase64: certificateBase64,
        Mode: 513,
        TimeStamp: Number(TICKS + 7n),
      },
    ])
  })

  it('shows nothing of another queue, not even in the same account', async () => {
    const { queue } = await equippedQueue()
    const other = await equippedQueue()
    const text = await journalText({ store, queue }, CONFIGURATION)
    expect(text).not.toContain(other.queue.queueId)
    expect(text).not.toContain(other.scuId)
  })
})

describe.each([
  ['configuration', CONFIGURATION],
  ['status', STATUS],
])('secrets in the %s', (_, type) => {
  it('are not there, in no spelling', async () => {
    const { queue, privateKey } = await equippedQueue()
    const text = await journalText({ store, queue }, type)
    for (const secret of [KEY, Buffer.from(REMOTE_TOKEN), Buffer.from(privateKey, 'base64')]) {
      expect(text).not.toContain(secret.toString('base64'))
      expect(text.toLowerCase()).not.toContain(secret.toString('hex'))
      expect(text).not.toContain(secret.toString('latin1'))
    }
    expect(text).not.toMatch(/clerk|PrivateKey|EncryptionKeyBase64/i)
  })
})

it('journals can be exported where the key to the secrets is lost', async () => {
  const { queue } = await equippedQueue()
  await makeMarketRow(store, queue, { timeStamp: TICKS, content: 'aa.bb.cc' })
  const keyless = { ...store, sealer: createSealer([randomBytes(32)]) }
  const rows = await journalText({ store: keyless, queue }, 0x4154n)
  expect(JSON.parse(rows)).toHaveLength(1)
  const dep = await journalText({ store: keyless, queue }, STATUS + 1n)
  expect(JSON.parse(dep)['Belege-Gruppe'][0]['Belege-kompakt']).toEqual(['aa.bb.cc'])
})
