// The commands for payment terminals, on an embedded database.
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import type { DemoCashBox } from '../../src/core/rollout/demo.js'
import type { Database } from '../../src/postgres/database.js'
import { command, type Said, start } from '../support/command.js'
import { open } from '../support/data-folder.js'
import { prepareCluster } from '../support/prepared-cluster.js'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NOBODY = '00000000-0000-4000-8000-000000000000'
const URL_OF_ONE = 'http://192.168.0.20:9700'

let folder: string
let database: Database
let env: Record<string, string>
let till: DemoCashBox
let other: DemoCashBox

beforeAll(async () => {
  folder = makeThrowAwayFolder()
  env = { DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '', MASTER_KEY: '' }
  database = await open(prepareCluster(env.DATA_DIR ?? ''))
  const { cashBoxes } = await json('demo')
  const [first, second] = cashBoxes as DemoCashBox[]
  if (first === undefined || second === undefined) throw new Error('the demo has two cash boxes')
  till = first
  other = second
})
afterAll(async () => {
  await database.stop()
  await removeThrowAwayFolder(folder)
})

const run = (words: string[], more: Record<string, string> = {}): Promise<Said> =>
  command(words, { ...env, ...more })

async function json(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...words, '--json'])
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Record<string, unknown>
}

async function refused(words: string[], more: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await run(words, more)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^fiskalwerk: .+\n$/)
  return stderr
}

const add = (...words: string[]) => ['terminal', 'add', '--cashbox', till.cashBoxId, ...words]

describe('terminal', () => {
  it('add gives the row, list shows the oldest first, remove takes it out of use', async () => {
    const test = await json(...add('--provider', 'TEST', '--terminal', ' A1 '))
    expect(test).toEqual({
      id: expect.stringMatching(ID),
      cashBoxId: till.cashBoxId,
      provider: 'test',
      terminal: 'A1',
      url: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    const viva = await json(...add('--provider', 'viva_eft_pos_instore', '--url', `${URL_OF_ONE}/`))
    expect(viva).toMatchObject({ terminal: null, url: URL_OF_ONE })
    const far = await json('terminal', 'add', '--cashbox', other.cashBoxId, '--provider', 'test')
    expect(await json('terminal', 'list')).toEqual([test, viva, far])
    expect(await json('terminal', 'list', '--cashbox', till.cashBoxId)).toEqual([test, viva])
    const { stdout } = await run(['terminal', 'list', '--cashbox', till.cashBoxId])
    expect(stdout).toBe(
      `${test.id}  cash box ${till.cashBoxId}  test  A1\n` +
        `${viva.id}  cash box ${till.cashBoxId}  viva_eft_pos_instore  any terminal  ` +
        `${URL_OF_ONE}\n`,
    )
    expect(await json('terminal', 'remove', String(test.id))).toEqual(test)
    expect(await json('terminal', 'list', '--cashbox', till.cashBoxId)).toEqual([viva])
    expect(await refused(['terminal', 'remove', String(test.id)])).toContain('terminal list shows')
    await json('terminal', 'remove', String(viva.id))
    const empty = await run(['terminal', 'list', '--cashbox', till.cashBoxId])
    expect(empty.stdout).toBe('There is none.\n')
  })

  it('refuses a cash box that is not there, and tells where to look', async () => {
    for (const id of [NOBODY, 'x', till.queueId]) {
      const text = await refused(['terminal', 'add', '--cashbox', id, '--provider', 'test'])
      expect(text).toContain(`There is no cash box ${id} here`)
      expect(text).toContain('npx fiskalwerk cashbox list --account ID')
      expect(await refused(['terminal', 'list', '--cashbox', id])).toContain('no cash box')
    }
    expect(await refused(['terminal', 'remove', 'x'])).toContain('no payment terminal x')
  })

  it.each([
    [[]],
    [['--url', 'ftp://192.168.0.20']],
    [['--url', '192.168.0.20:9700']],
    [['--url', 'http://user:secret@192.168.0.20']],
    [['--url', 'http://192.168.0.20/?a=b']],
    [['--url', 'http://192.168.0.20/#a']],
  ])('refuses the address %j', async (words) => {
    expect(await refused(add('--provider', 'shift4', ...words))).toContain('url is not valid')
  })

  it('refuses an address for a test terminal, and a terminal id no till can mean', async () => {
    const test = (...words: string[]) => refused(add('--provider', 'test', ...words))
    expect(await test('--url', URL_OF_ONE)).toContain('test terminals have no address')
    expect(await test('--terminal', 'undefined')).toContain('terminal is not valid')
    expect(await test('--terminal', 'x'.repeat(1024))).toContain('terminal is not valid')
  })

  it('gives production no terminal without money', async () => {
    const production = { ENVIRONMENT: 'production' }
    const text = 'in the sandbox only'
    expect(await refused(add('--provider', 'test'), production)).toContain(text)
    expect(await refused(['terminal', 'simulate'], production)).toContain(text)
  })
})

describe('terminal simulate', () => {
  it('pays by HTTP until it is interrupted', async () => {
    const running = start(['terminal', 'simulate', '--port', '0', '--scale', '0.001', '--json'], {})
    await running.until('}\n')
    const { url } = JSON.parse(running.said.stdout) as { url: string }
    const order = { OperationID: 'op-1', Action: 'payment', Amount: 30000.6, cbTerminalID: 'K1' }
    const paid = await fetch(`${url}/shift4/pay`, { method: 'POST', body: JSON.stringify(order) })
    expect([paid.status, await paid.json()]).toMatchObject([
      200,
      { OperationID: 'op-1', Amount: 30000.6, Result: 'SUCCESS' },
    ])
    const state = await fetch(`${url}/shift4/operations/op-1`)
    expect(await state.json()).toMatchObject({ Result: 'SUCCESS' })
    expect((await fetch(`${url}/shift4/operations/op-2`)).status).toBe(404)
    expect((await fetch(`${url}/shift4`)).status).toBe(404)
    for (const body of ['', '[]', '{}', 'x'.repeat(70_000)]) {
      const wrong = await fetch(`${url}/shift4/pay`, { method: 'POST', body })
      expect(wrong.status).toBe(400)
      await wrong.text()
    }
    running.signal('SIGINT')
    await running.ended
  })
})
