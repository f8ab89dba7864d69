// The client of docs/grpc.md, pasted as it is, against a server; and the files of the contract.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/app.js'
import { type GrpcStand, standGrpc } from '../support/grpc-server.js'

let server: TestServer
let grpc: GrpcStand
beforeAll(async () => {
  server = await startTestServer()
  grpc = await standGrpc(server.deps)
})
afterAll(async () => {
  await grpc.close()
  await server.close()
})

it('the client of the page echoes, signs and reads a journal', async () => {
  const page = readFileSync('docs/grpc.md', 'utf8')
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const { cashBoxId, accessToken } = server.box
  const words = ['--input-type=module', '--eval', code, '--', grpc.address, cashBoxId, accessToken]
  // without a file the first word of the program is missing
  const inline = code.replace('slice(2)', 'slice(1)')
  expect(inline).not.toBe(code)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    words.map((word) => (word === code ? inline : word)),
  )
  const [echo, receipt, rows] = stdout.trim().split('\n')
  expect(echo).toBe('hello')
  expect(receipt).toMatch(/^ft[0-9A-F]+#\S+ 4707387510509010944$/)
  expect(rows).toMatch(/^[1-9]\d* rows$/)
})

it.each(['IPOS.proto', 'bcl.proto'])('%s is handed out as it is', async (name) => {
  const reply = await fetch(`${server.url}/proto/${name}`)
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await reply.text()).toBe(readFileSync(`proto/${name}`, 'utf8'))
})
