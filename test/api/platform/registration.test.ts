// Registration over HTTP: the Austrian data sheet, the German place and its file, and who may see
// and say what.

import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { type AccountAccess, createAccount } from '../../../src/core/accounts/accounts.js'
import { planReports } from '../../../src/core/event/report/planner.js'
import { keyCheckValue } from '../../../src/market/at/turnover.js'
import { everyFacts } from '../../../src/market/index.js'
import { putConnection } from '../../../src/store/account/connections.js'
import { newAccount } from '../../support/dealer.js'
import { accountHeaders } from '../../support/platform.js'
import { openShop, type Shop } from '../../support/shop.js'

let shop: Shop
let dealer: AccountAccess
let reader: AccountAccess
let stranger: AccountAccess
let boxes: Map<string, { queueId: string; scuIds: string[] }>
beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT', 'DE'] })
  dealer = shop.demo.dealer
  boxes = new Map(shop.demo.cashBoxes.map((box) => [box.market, box]))
  const accounts = { store: shop.deps.store, now: () => new Date() }
  reader = await createAccount(accounts, newAccount('PosDealer'))
  stranger = await createAccount(accounts, newAccount('PosDealer'))
  await putConnection(shop.deps.store, {
    ...{ id: randomUUID(), accountId: reader.accountId, toAccountId: operatorId() },
    ...{ rights: 'Read', state: 'active', createdAt: new Date() },
  })
})
afterAll(() => shop.close())

const operatorId = (): string => shop.demo.operator.accountId
const sql = async (text: string, ...values: unknown[]) =>
  (await shop.deps.store.pool.query(text, values)).rows as Record<string, unknown>[]
const boxOf = (market: string) => {
  const box = boxes.get(market)
  if (box === undefined) throw new Error(`there is no ${market}`)
  return box
}

interface Called {
  as?: AccountAccess
  method?: string
  body?: unknown
}

async function call(path: string, { as = dealer, body, method }: Called = {}) {
  const answer = await fetch(`${shop.url}/platform/v1/${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'PUT'),
    headers: {
      ...accountHeaders(as),
      ...{ 'content-type': 'application/json', 'accept-language': 'de' },
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString() }
}

/** To be looked at, where somebody asks for it. */
const keep = (name: string, bytes: Buffer) => {
  const folder = process.env.KEEP_SHEETS
  if (folder !== undefined) writeFileSync(`${folder}/${name}`, bytes)
}

it.each([
  // the examples of A-Trust and of another maker, and the one of our own reference
  ['cWhay3H4asTvRzXzXGZQ3KyBEu9BZaIxl8J+L4Bhr5A=', 'qx6p'],
  ['1sU3dcuQudXTqgHUblaZFRGv0Hd0XDWc2c3hq2ngjwM=', '5UcV'],
  ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', 'kF8o'],
])('the check value of the key %s is %s', (key, value) => {
  expect(keyCheckValue(key)).toBe(value)
})

describe('the Austrian data sheet', () => {
  const path = (end = '') => `queues/${boxOf('AT').queueId}/registration${end}`

  it('has everything for FinanzOnline, and a row tells who saw the key', async () => {
    await planReports({ store: shop.deps.store, facts: everyFacts }, { restMs: 0 })
    const { status, text, headers } = await call(path())
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    const sheet = JSON.parse(text)
    expect(Buffer.from(sheet.encryptionKeyBase64, 'base64')).toHaveLength(32)
    const hash = createHash('sha256').update(sheet.encryptionKeyBase64).digest()
    expect(sheet.encryptionKeyCheckValue).toBe(hash.subarray(0, 3).toString('base64'))
    const [unit] = sheet.units
    expect(unit.zda).toBe('AT100')
    expect(BigInt(unit.serialDecimal)).toBe(BigInt(`0x${unit.serialHexadecimal}`))
    expect(sheet.startReceipt.code).toContain(`_${sheet.cashBoxIdentification}_`)
    expect(sheet.encryptionKeyHidden).toBe(false)
    expect(sheet.reports.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      ...['register', 'start_check', 'unit'],
    ])
    const rows = await sql("select * from audit_entry where operation = 'getRegistration'")
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(sheet.encryptionKeyBase64)
  })

  it('shows the key to nobody with less than Full, in no form, and tells nothing', async () => {
    const key = JSON.parse((await call(path())).text).encryptionKeyBase64 as string
    const rows = await sql('select from audit_entry')
    for (const end of ['', '.html', '.pdf']) {
      const { status, text } = await call(path(end), { as: reader })
      expect(status).toBe(200)
      expect(text).not.toContain(key)
    }
    const sheet = JSON.parse((await call(path(), { as: reader })).text)
    expect([sheet.encryptionKeyBase64, sheet.encryptionKeyHidden]).toEqual([null, true])
    expect(sheet.encryptionKeyCheckValue).toMatch(/^[A-Za-z0-9+/]{4}$/)
    expect((await call(path('.html'), { as: reader })).text).toContain('Full')
    expect(await sql('select from audit_entry')).toHaveLength(rows.length)
  })

  it('is a page that loads nothing, with its code, and a PDF; long names fit', async () => {
    const long = `Wirtshaus <b>zur</b> ${'sehr langen '.repeat(12)}Straße & Söhne GmbH`
    await sql('update account set name = $2 where id = $1', operatorId(), long)
    const page = await call(path('.html'))
    keep('at.html', page.bytes)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).toContain('<svg class="qr"')
    expect(page.text).not.toContain('<b>zur')
    expect(page.text).not.toContain('<script')
    const pdf = await call(path('.pdf'))
    keep('at.pdf', pdf.bytes)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    await sql("update account set name = 'Demo' where id = $1", operatorId())
  })
})

describe('the German place', () => {
  const place = (end = '', query = '') => `operators/${operatorId()}/146a${end}${query}`
  // the merchant of the demo is Austrian on paper: his place is asked for as a German one
  beforeAll(async () => {
    await sql("update account set market = 'DE' where id = $1", operatorId())
  })

  it('tells what is missing and where it is given, until the file is valid', async () => {
    const before = JSON.parse((await call(place())).text)
    expect(before.systems).toHaveLength(1)
    const members = before.missing.map(({ member }: { member: string }) => member)
    expect(members).toEqual(expect.arrayContaining(['systems[0].kind', 'systems[0].tse.form']))
    expect(JSON.stringify(before.missing)).toMatch(/Der Kasse \S+ fehlt kind/)
    // people read it: what they do is no call
    expect(JSON.stringify(before.missing)).not.toContain('/platform')
    const refused = await call(place('.xml'))
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([409, 'RegistrationIncomplete'])
    const { queueId, scuIds } = boxOf('DE')
    const register = {
      ...{ kind: 1, software: 'Kassa & Co <Pro>', softwareVersion: '1.0' },
      ...{ manufacturer: 'Muster', model: 'K7', acquiredOn: '2020-01-31' },
    }
    const put = await call(`queues/${queueId}/registration-data`, { body: register })
    expect(put.status).toBe(200)
    const unit = { certificationId: '0490-2021', form: 3 }
    expect((await call(`scus/${scuIds[0]}/registration-data`, { body: unit })).status).toBe(200)
    await sql(
      `update account set tax_id = '2181508150', tax_number = '9181081508155', line1 = 'Weg 1',
         postal_code = '80331', city = 'München', name = 'Café Süß' where id = $1`,
      operatorId(),
    )
    await sql(
      `update outlet set name = 'Filiale', details = $2 where account_id = $1`,
      ...[operatorId(), JSON.stringify({ street: 'Weg 1', zip: '80331', city: 'München' })],
    )
    // what the Queue is configured with comes first
    await sql(
      "update queue set configuration = replace(configuration, '11/222/33333', '9181081508155')",
    )
    const after = JSON.parse((await call(place())).text)
    expect(after.missing).toEqual([])
    const file = await call(place('.xml'))
    keep('de.xml', file.bytes)
    expect(file.status).toBe(200)
    expect(await valid(file.text)).toEqual([])
    expect(file.text).toContain('<AnschaffungAS>31.01.2020</AnschaffungAS>')
    expect(file.text).toContain('<Software>Kassa &amp; Co &lt;Pro&gt;</Software>')
    expect(await valid(file.text.replace('<ArtTSE>3', '<ArtTSE>4'))).not.toEqual([])
    const pdf = await call(place('.pdf'))
    keep('de.pdf', pdf.bytes)
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('a register that had two TSEs has a row for each, and each is valid', async () => {
    const { queueId, scuIds } = boxOf('DE')
    const target = scuIds[1] ?? randomUUID()
    const data = { SourceSCUId: scuIds[0], TargetSCUId: target }
    for (const [type, more] of [
      ['4445000000000003-InitiateSCUSwitch', {}],
      ['4445000000000003-FinishSCUSwitch', { TargetSCUSerialNumberOctet: 'ab'.repeat(32) }],
    ] as const) {
      await sql(
        `insert into action_journal (account_id, queue_id, time_stamp, id, moment, priority, type,
           message, data_json)
         select account_id, id, time_stamp + 1, gen_random_uuid(), now(), -1, $2, '', $3 from queue
         where id = $1`,
        ...[queueId, type, JSON.stringify({ ...data, ...more })],
      )
      await sql('update queue set time_stamp = time_stamp + 1 where id = $1', queueId)
    }
    const { systems, missing } = JSON.parse((await call(place())).text)
    expect(systems).toHaveLength(2)
    expect(systems[0].tse.endedOn).not.toBe(null)
    expect(systems[1].tse).toMatchObject({ serialNumber: 'ab'.repeat(32), endedOn: null })
    expect(missing.map(({ member }: { member: string }) => member)).toContain('systems[1].tse.form')
  })

  it('is due within a month; what was told is kept, and changes are told against it', async () => {
    const look = () => planReports({ store: shop.deps.store, facts: everyFacts }, { restMs: 0 })
    await sql("update report_start set at = '2020-01-01'")
    await look()
    const list = async () => JSON.parse((await call('submissions?kind=place')).text).items
    const [report, ...others] = await list()
    expect(others).toEqual([])
    expect(report).toMatchObject({ subject: 'outlet/1', state: 'ready' })
    const days = (Date.parse(report.due) - Date.parse(report.moment)) / 86_400_000
    expect(days).toBeGreaterThan(27)
    expect(days).toBeLessThan(32.1)
    const done = { doneOn: '2026-11-20' }
    const path = `submissions/${report.id}/manual`
    expect((await call(path, { body: done, method: 'POST' })).status).toBe(200)
    expect(JSON.parse((await call(place())).text)).toMatchObject({
      ...{ toldOn: '2026-11-20', changes: [] },
    })
    await look()
    expect(await list()).toHaveLength(1)
    const { queueId } = boxOf('DE')
    const body = { kind: 1, outOfOperationOn: '2026-11-22', reason: 'verkauft', model: 'K7' }
    await call(`queues/${queueId}/registration-data`, { body })
    const { changes } = JSON.parse((await call(place())).text)
    expect(changes[0]).toMatchObject({ what: 'changed' })
    expect(changes[0].members).toEqual(expect.arrayContaining(['outOfOperationOn', 'reason']))
    await look()
    const open = (await list()).filter(({ state }: { state: string }) => state === 'ready')
    expect(open).toMatchObject([{ due: '2026-12-22T22:59:59.999Z' }])
  })
})

it('strangers find nothing, readers change nothing, wrong data is refused', async () => {
  const { queueId, scuIds } = boxOf('DE')
  for (const path of [
    ...['', '.html', '.pdf'].map((end) => `queues/${queueId}/registration${end}`),
    ...['', '.xml', '.pdf'].map((end) => `operators/${operatorId()}/146a${end}`),
  ]) {
    expect((await call(path, { as: stranger })).status, path).toBe(404)
  }
  for (const path of [`queues/${queueId}`, `scus/${scuIds[0]}`]) {
    const target = `${path}/registration-data`
    expect((await call(target, { as: stranger, body: {} })).status).toBe(404)
    expect((await call(target, { as: reader, body: {} })).status).toBe(403)
    expect((await call(target, { body: { kind: 'x', form: 9 } })).status).toBe(400)
  }
  const reversed = { acquiredOn: '2026-02-02', outOfOperationOn: '2026-02-01' }
  expect((await call(`queues/${queueId}/registration-data`, { body: reversed })).status).toBe(400)
  const austrian = `queues/${boxOf('AT').queueId}/registration-data`
  expect((await call(austrian, { body: {} })).status).toBe(403)
  expect((await call(`operators/${operatorId()}/146a?outlet=999`)).status).toBe(404)
})

async function valid(xml: string): Promise<string[]> {
  const schema = readFileSync('docs/schemas/aufzeichnung146a.xsd', 'utf8')
  const { errors } = await validateXML({
    xml: [{ fileName: '146a.xml', contents: xml }],
    schema: [{ fileName: '146a.xsd', contents: schema }],
  })
  return errors.map(({ message }) => message)
}
