// The header `queueid` over REST and SOAP: the words of gRPC's metadata, by the same rules, with
// credentials and without.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addForeignBox,
  addQueue,
  call,
  type Server,
  startServer,
  startTestServer,
  type TestServer,
} from '../../support/app.js'
import { saleText } from '../../support/receipts.js'
import { envelope, exactMembers, operation, receiptXml, signOperation } from '../../support/soap.js'

let server: TestServer
let local: Server
let second: string
let foreign: Awaited<ReturnType<typeof addForeignBox>>
beforeAll(async () => {
  server = await startTestServer()
  second = await addQueue(server)
  foreign = await addForeignBox(server)
  local = await startServer(server, {
    MIDDLEWARE_AUTH: 'off',
    QUEUE_ALIASES: `*=${server.box.queueId},second=${second}`,
  })
})
afterAll(async () => {
  await local.close()
  await server.close()
})

type Members = Record<string, string>

/** The ways in which a receipt, and a journal, are asked for at an address. */
const DOORS = {
  'REST JSON': {
    sign: (members: Members) => ({ path: '/json/v1/sign', body: saleText(members) }),
    journal: () => ({ path: '/json/v1/journal?type=3', body: '' }),
    echo: () => ({ path: '/json/v1/echo', body: '"hello"' }),
  },
  'REST XML': {
    sign: (members: Members) => ({
      path: '/xml/v0/sign',
      body: `<ReceiptRequest>${receiptXml(exactMembers(saleText(members)))}</ReceiptRequest>`,
    }),
    journal: () => ({ path: '/xml/v0/journal?type=3', body: '' }),
    echo: () => ({ path: '/xml/v0/echo', body: '<string>hello</string>' }),
  },
  SOAP: {
    sign: (members: Members) => ({
      ...{ path: '/', body: envelope(signOperation(exactMembers(saleText(members)))) },
    }),
    journal: () => ({
      path: '/',
      body: envelope(operation('Journal', '<ftJournalType>3</ftJournalType>')),
    }),
    echo: () => ({ path: '/', body: envelope(operation('Echo', '<message>hello</message>')) }),
  },
} as const
type Door = (typeof DOORS)[keyof typeof DOORS]
type Asked = { path: string; body: string }

interface Box {
  on?: Pick<TestServer, 'app' | 'headers'>
  path?: string
  queueid?: string | undefined
}

function ask({ on = server, path = '', queueid }: Box, asked: Asked) {
  const url = path + (asked.path === '/' && path !== '' ? '' : asked.path)
  const type = asked.path === '/' ? { 'content-type': 'text/xml' } : {}
  return call(on, url, { body: asked.body, headers: { ...type, queueid } })
}

/** Which queue answered. */
const signed = async (box: Box, door: Door, members: Members = {}): Promise<string> => {
  const { text, status } = await ask(box, door.sign(members))
  return /ftQueueID(?:"|>)[:"]*([0-9a-f-]{36})/.exec(text)?.[1] ?? `${status} ${text}`
}

const refused = async (box: Box, asked: Asked): Promise<[number, boolean]> => {
  const { status, text } = await ask(box, asked)
  return [status, text.includes('QUEUE_UNKNOWN')]
}

/** Nobody shows credentials; the receipt, or this header, names the cash box. */
const byLocal = (): Pick<TestServer, 'app' | 'headers'> => ({
  app: local.app,
  headers: { cashboxid: server.box.cashBoxId } as TestServer['headers'],
})

describe.each(Object.entries(DOORS))('%s', (name, door) => {
  const lost = name === 'SOAP' ? 500 : 404

  it('with credentials: the path, then the receipt, then the header, then the oldest', async () => {
    const first = server.box.queueId
    expect(await signed({}, door)).toBe(first)
    expect(await signed({ queueid: second.toUpperCase() }, door)).toBe(second)
    expect(await signed({ queueid: second }, door, { ftQueueID: `"${first}"` })).toBe(first)
    expect(await signed({ path: `/${first}`, queueid: second }, door)).toBe(first)
    const journal = await ask({ queueid: second }, door.journal())
    expect(journal.status).toBe(200)
    const text = name === 'SOAP' ? decoded(journal.text) : journal.text
    expect([text.includes(second), text.includes(first)]).toEqual([true, false])
  })

  it("with credentials: a queue of somebody else's is none, for each operation", async () => {
    for (const queueid of [foreign.queueId, randomUUID(), 'no-alias', "x'--"]) {
      for (const asked of [door.sign({}), door.journal(), door.echo()]) {
        expect(await refused({ queueid }, asked), queueid).toEqual([lost, true])
      }
    }
  })

  it('without credentials: the header chooses by id or alias, before the default', async () => {
    const on = byLocal()
    expect(await signed({ on }, door)).toBe(server.box.queueId)
    for (const queueid of [second, 'SECOND']) {
      expect(await signed({ on, queueid }, door)).toBe(second)
      expect((await ask({ on, queueid }, door.echo())).status).toBe(200)
    }
    const first = { ftQueueID: `"${server.box.queueId}"` }
    expect(await signed({ on, queueid: 'second' }, door, first)).toBe(server.box.queueId)
    expect(await signed({ on, queueid: '  ' }, door)).toBe(server.box.queueId)
  })

  it('without credentials: a wrong one is refused, for each operation', async () => {
    for (const queueid of [randomUUID(), 'no-alias', "x'--"]) {
      for (const asked of [door.sign({}), door.journal(), door.echo()]) {
        expect(await refused({ on: byLocal(), queueid }, asked), queueid).toEqual([lost, true])
      }
    }
  })
})

const decoded = (text: string): string =>
  Buffer.from(/JournalResult>([^<]*)</.exec(text)?.[1] ?? '', 'base64').toString()
