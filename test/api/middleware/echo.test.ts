// Echo of group B: the same comes back, in the form of the version that the client speaks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, countRows, startTestServer, type TestServer } from '../../support/app.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function echo(version: string, body: string | undefined) {
  const { status, text } = await call(server, `/${server.box.queueId}/json${version}/echo`, {
    ...(body === undefined ? {} : { body }),
  })
  return [status, text]
}

describe('echo', () => {
  it.each(['/v0', ''])('%s answers a string with the same string', async (version) => {
    expect(await echo(version, '"hello"')).toEqual([200, '"hello"'])
    expect(await echo(version, ' "hello"\r\n')).toEqual([200, '"hello"'])
    expect(await echo(version, '""')).toEqual([200, '""'])
  })

  it.each(['/v1', ''])('%s answers an object with message', async (version) => {
    expect(await echo(version, '{"message":"hello"}')).toEqual([200, '{"message":"hello"}'])
    expect(await echo(version, '{"Message":"hello"}')).toEqual([200, '{"message":"hello"}'])
    expect(await echo(version, '{"message":""}')).toEqual([200, '{"message":""}'])
    expect(await echo(version, '{"message":null}')).toEqual([200, '{"message":null}'])
    expect(await echo(version, '{}')).toEqual([200, '{"message":null}'])
    expect(await echo(version, '{"other":1}')).toEqual([200, '{"message":null}'])
  })

  it('each version also takes the form of the other', async () => {
    expect(await echo('/v1', '"hello"')).toEqual([200, '"hello"'])
    expect(await echo('/v0', '{"message":"hello"}')).toEqual([200, '{"message":"hello"}'])
  })

  it('empty comes back just as empty', async () => {
    expect(await echo('/v0', 'null')).toEqual([200, 'null'])
    expect(await echo('', 'null')).toEqual([200, 'null'])
    expect(await echo('/v1', 'null')).toEqual([200, '{"message":null}'])
    expect(await echo('/v0', undefined)).toEqual([200, ''])
    expect(await echo('', '')).toEqual([200, ''])
    expect(await echo('/v1', undefined)).toEqual([200, '{"message":null}'])
    expect(await echo('/v1', ' \n')).toEqual([200, '{"message":null}'])
  })

  it('every character comes back, escaped or not', async () => {
    const message = 'Grüße "\\ \t\r\n 🌍 \u2028 \u007f \u0001'
    const [status, text] = await echo('/v1', JSON.stringify({ message }))
    expect([status, JSON.parse(String(text))]).toEqual([200, { message }])
    expect(await echo('/v0', '"\\u00fc\\ud83c\\udf0d"')).toEqual([200, '"ü🌍"'])
  })

  it.each(['1', 'true', '[]', '["x"]', '{"message":1}', '{"message":{}}', '{', 'hello', "'x'"])(
    'a body of %s is 400',
    async (body) => {
      for (const version of ['/v0', '/v1', '']) expect((await echo(version, body))[0]).toBe(400)
    },
  )

  it('a body that is no UTF-8 is 400', async () => {
    const body = Buffer.from('"Gr\xfc\xdfe"', 'latin1')
    const answer = await call(server, '/v0/echo', { body })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'BODY_MALFORMED' })
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream', 'json'])(
    'the label %s does not matter',
    async (type) => {
      const headers = { 'content-type': type }
      const answer = await call(server, '/v0/echo', { body: '"x"', headers })
      expect([answer.status, answer.text]).toEqual([200, '"x"'])
    },
  )

  it('leaves no trace in the journals', async () => {
    const before = await countRows(server)
    await echo('/v1', '{"message":"hello"}')
    expect(await countRows(server)).toEqual(before)
  })
})
