// queue registration: what it prints for each country, and what it says is wanting.
import * as path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import type { Database } from '../../src/postgres/database.js'
import { command } from '../support/command.js'
import { open } from '../support/data-folder.js'
import { prepareCluster } from '../support/prepared-cluster.js'

let folder: string
let env: Record<string, string>
let database: Database
const queues: Record<string, string> = {}

beforeAll(async () => {
  folder = makeThrowAwayFolder()
  env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', MASTER_KEY: '' }
  database = await open(prepareCluster(env.DATA_DIR ?? ''))
  const { stdout } = await command(['demo', '--json'], env)
  const { cashBoxes } = JSON.parse(stdout) as { cashBoxes: Record<string, string>[] }
  for (const { market = '', queueId = '' } of cashBoxes) queues[market] = queueId
}, 60_000)
afterAll(async () => {
  await database.stop()
  await removeThrowAwayFolder(folder)
})

async function registration(market: string) {
  const words = ['queue', 'registration', '--queue', queues[market] ?? '']
  const [lines, json] = [await command(words, env), await command([...words, '--json'], env)]
  expect([lines.code, lines.stderr, json.code, json.stderr]).toEqual([0, '', 0, ''])
  return { lines: lines.stdout, json: JSON.parse(json.stdout) as Record<string, unknown> }
}

it('prints the whole registration of an Austrian till, with nothing wanting', async () => {
  const { lines, json } = await registration('AT')
  expect(json).toMatchObject({ market: 'AT', notification: null, missing: [] })
  const line = (name: string, value: string) => new RegExp(`^${name} +${value}$`, 'm')
  expect(lines).toMatch(line('encryptionKeyBase64', '[A-Za-z0-9+/]{43}='))
  expect(lines).toMatch(line('encryptionKeyCheckValue', '\\S{4}'))
  expect(lines).toMatch(line('zda', 'AT100'))
  expect(lines).toMatch(line('serialDecimal', '\\d+'))
  expect(lines).not.toMatch(/^(missing|merchant)/m)
}, 60_000)

it('prints the notification of a German till, and each thing that is wanting', async () => {
  const { lines, json } = await registration('DE')
  const shown = json as { missing: { member: string }[]; notification: object }
  expect(shown.notification).toMatchObject({
    merchant: { name: 'Café Demo GmbH', taxId: '11/222/33333' },
    system: { serialNumber: json.cashBoxIdentification, manufacturer: 'ExamplePOS' },
  })
  expect(shown.missing.map(({ member }) => member)).toEqual([
    ...['merchant.taxNumber', 'system.kind', 'units[0].certificationId'],
  ])
  expect(lines).toMatch(/^outlet\.name +Filiale Mitte$/m)
  expect(lines).toMatch(/^serialHexadecimal +[0-9a-f]{64}$/m)
  expect(lines).toMatch(/^missing +The tax number 11\/222\/33333 does not tell its state/m)
  expect(lines).toMatch(/^missing +EMULATOR-NOT-CERTIFIED of SCU .* no certification id/m)
}, 60_000)
