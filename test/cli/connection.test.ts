// connection end: what it prints, refuses and leaves.
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

beforeAll(async () => {
  folder = makeThrowAwayFolder()
  env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', MASTER_KEY: '' }
  database = await open(prepareCluster(env.DATA_DIR ?? ''))
}, 60_000)
afterAll(async () => {
  await database.stop()
  await removeThrowAwayFolder(folder)
})

async function json(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await command([...words, '--json'], env)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Record<string, unknown>
}

it('ends a connection on a date, then at once, and once only', async () => {
  const mail = (name: string) => ['--market', 'AT', '--email', `${name}@example.com`]
  const dealer = await json('dealer', 'create', '--name', 'Huber', ...mail('d'))
  const account = String(dealer.accountId)
  const made = ['operator', 'create', '--dealer', account, '--name', 'Ring', ...mail('o')]
  const { accountId: to, connectionId } = await json(...made)
  const words = ['connection', 'end', '--account', account, '--to', String(to)]
  expect(await json(...words, '--on', '2999-12-31')).toEqual({
    ...{ connectionId, dealer: 'Huber', posOperator: 'Ring', accessRights: 'Full' },
    ...{ state: 'active', endsAt: '2999-12-31T00:00:00.000Z' },
  })
  const said = await command(words, env)
  expect(said.code).toBe(0)
  expect(said.stdout).toMatch(new RegExp(`^connection {4}${String(connectionId)}$`, 'm'))
  expect(said.stdout).toMatch(/^ended {9}\d{4}-/m)
  const again = await command(words, env)
  expect([again.code, again.stdout]).toEqual([1, ''])
  expect(again.stderr).toContain('There is no connection')
  const { stdout: audit } = await command(['audit', 'list', '--account', String(to)], env)
  expect(audit.match(/connection end/g)).toHaveLength(2)
  const wrong = await command([...words, '--on', 'tomorrow'], env)
  expect(wrong.code).toBe(2)
}, 120_000)
