// Two servers as processes: the second one is the local middleware of the first, and signs when the
// first is gone.
import { randomUUID } from 'node:crypto'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '../../scripts/throw-away-cluster.js'
import { command, type Running, start } from '../support/command.js'

let folder: string
beforeAll(() => {
  folder = makeThrowAwayFolder()
})
afterAll(() => removeThrowAwayFolder(folder))

const TEMPLATE = `{ "ftCashBoxId": "|[cashbox_id]|",
  "ftSignaturCreationDevices": [ { "Id": "|[scu0_id]|", "Package": "fiskaltrust.signing.atapdu" } ],
  "ftQueues": [ { "Id": "|[queue0_id]|", "Package": "fiskaltrust.service.sqlite",
    "Configuration": { "connectionstring": "Data Source=till.db" } } ] }`

async function serving(words: string[], env: Record<string, string>) {
  const server = start(['serve', ...words], env)
  await server.until('first receipt')
  return { server, address: /address +(\S+)/.exec(server.said.stdout)?.[1] ?? '' }
}

interface Box {
  cashBoxId: string
  accessToken: string
  configuration: { ftQueues: { id: string }[] }
}

async function sign(address: string, box: Box, kind: number): Promise<string> {
  const queue = box.configuration.ftQueues[0]?.id
  const answer = await fetch(`${address}/${queue}/json/v1/sign`, {
    method: 'POST',
    headers: { cashboxid: box.cashBoxId, accesstoken: box.accessToken },
    body: `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1",
      "cbReceiptReference":"${randomUUID()}","cbReceiptMoment":"${new Date().toISOString()}",
      "cbChargeItems":[],"cbPayItems":[],
      "ftReceiptCase":${0x4154_0000_0000_0000n + BigInt(kind)}}`,
  })
  const body = await answer.text()
  expect(answer.status, body).toBe(200)
  expect(BigInt(/"ftState":(\d+)/.exec(body)?.[1] ?? '-1') & 0xffn, body).toBe(0n)
  return body
}

async function end(server: Running): Promise<void> {
  server.signal('SIGTERM')
  await server.ended
}

it('fetches once, follows a change at a null echo, and signs offline also after a new start', {
  timeout: 240_000,
}, async () => {
  const own = { DATA_DIR: path.join(folder, 'first'), PORT: '0' }
  const local = { DATA_DIR: path.join(folder, 'second'), PORT: '0' }
  const first = await serving([], own)
  const made = await command(
    ['dealer', 'create', '--name', 'D', '--market', 'AT', '--email', 'd@example.com', '--json'],
    own,
  )
  const dealer = JSON.parse(made.stdout) as { accountId: string; accessToken: string }
  const execute = async (query: string): Promise<Box> => {
    const url = `${first.address}/api/posoperators/${dealer.accountId}/templates?${query}`
    const reply = await fetch(url, {
      method: 'POST',
      headers: { accountid: dealer.accountId, accesstoken: dealer.accessToken },
      body: JSON.stringify(TEMPLATE),
    })
    const text = await reply.text()
    expect(reply.status, text).toBe(200)
    return JSON.parse(text) as Box
  }
  const box = await execute('outlet_number=1')
  const words = ['--cashbox', box.cashBoxId, '--token', box.accessToken, '--from', first.address]
  let second = await serving(words, local)
  await sign(second.address, box, 3)

  const queue = box.configuration.ftQueues[0]?.id ?? ''
  const more = `outlet_number=1&cashbox_id=${box.cashBoxId}&scu0_id=${randomUUID()}`
  const changed = await execute(`${more}&queue0_id=${randomUUID()}`)
  expect(changed.accessToken).toBe(box.accessToken)
  const echo = await fetch(`${second.address}/json/v1/echo`, {
    method: 'POST',
    headers: { cashboxid: box.cashBoxId, accesstoken: box.accessToken },
    body: '{"message":null}',
  })
  expect(await echo.text()).toBe('{"message":null}')
  await sign(second.address, changed, 3)
  expect(changed.configuration.ftQueues[0]?.id).not.toBe(queue)

  first.server.signal('SIGKILL')
  await first.server.ended
  await sign(second.address, changed, 2)
  await end(second.server)
  second = await serving(words, local)
  const offline = await sign(second.address, changed, 2)
  expect((JSON.parse(offline) as { ftSignatures: unknown[] }).ftSignatures.length).toBeGreaterThan(
    0,
  )
  await end(second.server)
})

it('does not start without a configuration', { timeout: 120_000 }, async () => {
  const env = { DATA_DIR: path.join(folder, 'third'), PORT: '0' }
  // the base point of the curve: a token that nobody has
  const point =
    'BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU='
  const words = ['--cashbox', randomUUID(), '--token', point, '--from', 'http://127.0.0.1:9']
  const { code, stderr } = await start(['serve', ...words], env).ended
  expect(code).toBe(1)
  expect(stderr).toContain('The configuration could not be fetched from http://127.0.0.1:9')
})
