// Outlets from a table, point-of-sale products, and signing units looked at, proved and configured
// over HTTP: the same as by command, with a row that tells of it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OutletImport } from '../../../src/core/accounts/outlets/import.js'
import { accountHeaders, openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
let base: string
let scuId: string
beforeAll(async () => {
  shop = await openPlatform()
  base = `/operators/${shop.operatorId}`
  const { rows } = await shop.deps.store.pool.query<{ id: string }>(
    'select id from scu where account_id = $1 limit 1',
    [shop.operatorId],
  )
  scuId = rows[0]?.id ?? ''
})
afterAll(() => shop.close())

async function ask<T>(method: string, path: string, body?: string, type = 'application/json') {
  const answer = await fetch(`${shop.url}/platform/v1${path}`, {
    ...{ method, headers: { ...accountHeaders(shop.dealer), 'content-type': type } },
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  return { status: answer.status, text, json: (/^[[{]/.test(text) ? JSON.parse(text) : null) as T }
}

const send = (table: string, dryRun = false) =>
  ask<OutletImport>('POST', `${base}/outlets?dryRun=${dryRun}`, table, 'text/csv')

async function outlets() {
  const { rows } = await shop.deps.store.pool.query<{ number: number; name: string }>(
    'select number, name from outlet where account_id = $1 order by number',
    [shop.operatorId],
  )
  return rows
}

async function auditOf(operation: string) {
  const { rows } = await shop.deps.store.pool.query<{ after: string }>(
    'select after from audit_entry where operation = $1 order by id',
    [operation],
  )
  return rows.map(({ after }) => JSON.parse(after) as Record<string, unknown>)
}

const HEAD = 'outletNumber;name;address;postalCode;city;country'

describe('outlets from a table', () => {
  it('a dry run stores nothing; then numbers that are there are overwritten', async () => {
    const before = await outlets()
    const lines = ['70;"Prater; Süd";Hauptallee 1;1020;Wien;at', ';Ring;Ring 2;1010;Wien;AT']
    const table = `\uFEFF${[HEAD, ...lines, ''].join('\r\n')}`
    const dry = await send(table, true)
    expect(dry.json).toEqual({ created: 2, updated: 0, problems: [] })
    expect(await outlets()).toEqual(before)
    expect((await send(table)).json).toEqual({ created: 2, updated: 0, problems: [] })
    // the next number stands behind the highest one
    expect((await outlets()).slice(before.length)).toEqual([
      { number: 70, name: 'Prater; Süd' },
      { number: 71, name: 'Ring' },
    ])
    const again =
      'Outlet Number,name,address,postal_code,city,COUNTRY\n71,Ring neu,Ring 3,1010,Wien,AT'
    expect((await send(again, true)).json).toMatchObject({ created: 0, updated: 1 })
    expect((await send(again)).json).toMatchObject({ created: 0, updated: 1 })
    expect((await outlets()).at(-1)).toEqual({ number: 71, name: 'Ring neu' })
    expect(await auditOf('importOutlets')).toEqual([
      { created: 2, updated: 0, outletNumbers: [70, 71] },
      { created: 0, updated: 1, outletNumbers: [71] },
    ])
  })

  it.each([
    ['name;colour\nx;y', ['1 unknown colour', '1 missing address', '1 missing postalCode']],
    [`${HEAD};name\n`, ['1 empty null']],
    [`${HEAD};name\n;a;b;c;d;AT;e\n`, ['1 twice name']],
    [`${HEAD}\n;a;b;c;d\n\n2;;b;c;d;XX\n`, ['2 columns null', '4 number outletNumber']],
    [`${HEAD}\n5;a;b;c;d;AT\n5;a;b;${'c'.repeat(21)};d;AT\n`, ['3 long postalCode']],
    ['', ['1 empty null']],
  ])('says what is wrong, line by line: %j', async (table, wanted) => {
    const before = await outlets()
    const { json, status } = await send(table)
    expect(status).toBe(200)
    const told = json.problems.map(({ line, fault, column }) => `${line} ${fault} ${column}`)
    expect(told).toEqual(expect.arrayContaining(wanted))
    expect(json.created + json.updated).toBe(0)
    expect(await outlets()).toEqual(before)
  })

  it('two thousand lines are stored together, one more is refused', async () => {
    const line = ';Filiale;Ring 2;1010;Wien;AT\n'
    const { json } = await send(`${HEAD}\n${line.repeat(2_001)}`)
    expect(json.problems).toMatchObject([{ line: 2_002, fault: 'many' }])
    expect((await ask('GET', '/outlets.csv')).text).toContain(HEAD)
  })
})

it('point-of-sale products are added and listed, and a row tells of it', async () => {
  const body = JSON.stringify({ brand: 'Muster', model: 'K7', softwareVersion: '1.0' })
  const made = await ask<{ id: string; baseCurrency: string }>('POST', `${base}/possystems`, body)
  expect([made.status, made.json.baseCurrency]).toEqual([201, 'EUR'])
  const { json } = await ask<{ id: string }[]>('GET', `${base}/possystems`)
  expect(json.map(({ id }) => id)).toContain(made.json.id)
  expect(await auditOf('addPosSystem')).toMatchObject([{ model: 'K7' }])
  const long = JSON.stringify({ brand: 'x'.repeat(51), model: 'K7', softwareVersion: '1.0' })
  expect((await ask('POST', `${base}/possystems`, long)).status).toBe(400)
})

describe('a signing unit', () => {
  it('is shown with its certificate, and proved now', async () => {
    const { json } = await ask<Record<string, unknown>>('GET', `${base}/scus/${scuId}`)
    expect(json).toMatchObject({ id: scuId, market: 'AT', software: true, tseState: null })
    expect(String(json.certificateBase64).length).toBeGreaterThan(100)
    const checked = await ask<{ lines: { name: string; level: string }[] }>(
      ...(['POST', `${base}/scus/${scuId}/check`, '{}'] as const),
    )
    expect(checked.json.lines.map(({ name, level }) => `${name} ${level}`)).toContain('place warn')
    expect(await auditOf('checkUnit')).toEqual([{ confirmed: null, again: false, bad: [] }])
  })

  it('refuses an issuer that it did not tell, and settings of a key in this server', async () => {
    const refused = async (method: string, path: string, body: object) => {
      const answer = await ask<{ code: string }>(method, path, JSON.stringify(body))
      return [answer.status, answer.json.code]
    }
    const unit = `${base}/scus/${scuId}`
    expect((await refused('POST', `${unit}/check`, { confirm: 'ab:cd' }))[0]).toBe(400)
    expect((await refused('PUT', `${unit}/configuration`, { configuration: {} }))[0]).toBe(400)
    const other = `${base}/scus/${randomUUID()}`
    expect(await refused('POST', `${other}/check`, {})).toEqual([404, 'ScuNotFound'])
    expect(await auditOf('configureUnit')).toEqual([])
  })
})
