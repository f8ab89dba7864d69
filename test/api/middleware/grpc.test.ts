// gRPC by a client that was made from the public contract: both names of each operation, exact
// numbers, statuses, journals, and that our contract is the public one.
import { Metadata, status } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { markets } from '../../../src/market/index.js'
import { decodeStoredRequest } from '../../../src/model/stored-texts.js'
import { call, countRows, startTestServer, type TestServer } from '../../support/app.js'
import {
  decimal,
  type Message,
  methodOf,
  moment,
  receiptMessage,
  type Till,
} from '../../support/grpc-client.js'
import { type GrpcStand, standGrpc } from '../../support/grpc-server.js'
import { austrianCase, saleText } from '../../support/receipts.js'
import { exactMembers } from '../../support/soap.js'

let server: TestServer
let grpc: GrpcStand
let till: Till
beforeAll(async () => {
  server = await startTestServer()
  grpc = await standGrpc(server.deps)
  till = grpc.till(server.headers)
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await grpc.close()
  await server.close()
})

const sale = (changes: Record<string, string | undefined> = {}, more: Message = {}): Message => ({
  ...receiptMessage(exactMembers(saleText(changes))),
  ftCashBoxID: server.box.cashBoxId,
  ...more,
})
const lastRequest = async () => {
  const { request } = await server.row('select request from queue_item order by row desc limit 1')
  return decodeStoredRequest(String(request))
}

describe('the contract that we publish', () => {
  const load = (folder: string) => loadSync('IPOS.proto', { includeDirs: [folder], keepCase: true })
  const told = (folder: string) => {
    const all = load(folder)
    const messages = Object.entries(all).filter(([, one]) => 'type' in one)
    const fields = messages.flatMap(([name, one]) => {
      const { field = [] } = one.type as { field?: Record<string, unknown>[] }
      return field.map(({ name: member, number, type, label, typeName }) =>
        [name, member, number, type, label, String(typeName).split('.').at(-1)].join(' '),
      )
    })
    return new Set(fields)
  }

  it('is the public one, and one field of the younger clients', () => {
    const ours = told('proto')
    const theirs = [...told('test/support/grpc')].filter((one) => !one.includes('NetObjectProxy'))
    expect(theirs.filter((one) => !ours.has(one))).toEqual([])
    expect([...ours].filter((one) => !theirs.includes(one))).toEqual([
      'fiskaltrust.ifPOS.v1.JournalRequest MaxChunkSize 4 TYPE_INT32 LABEL_OPTIONAL ',
    ])
    expect(theirs.length).toBeGreaterThan(80)
  })

  it('has the paths that clients call', () => {
    const service = Object(load('proto')['fiskaltrust.ifPOS.v1.POS']) as Record<string, Message>
    expect(
      Object.values(service).map(({ path, responseStream }) => [path, responseStream]),
    ).toEqual([
      ['/fiskaltrust.ifPOS.v1.POS/Echo', false],
      ['/fiskaltrust.ifPOS.v1.POS/Sign', false],
      ['/fiskaltrust.ifPOS.v1.POS/Journal', true],
    ])
  })
})

describe.each(['', 'v1/'])('the operations named %sEcho, …', (prefix) => {
  it('echo gives any text back, also none', async () => {
    for (const Message of ['hello', 'Grüße <&> 🌍', 'x'.repeat(100_000)]) {
      expect(await till.call(`${prefix}Echo`, { Message })).toEqual({ Message })
    }
    expect(await till.call(`${prefix}Echo`, {})).toEqual({})
  })

  it('sign answers with exact words', async () => {
    const answer = await till.call(`${prefix}Sign`, sale())
    expect(answer).toMatchObject({
      ftCashBoxID: server.box.cashBoxId,
      ftQueueID: server.box.queueId,
      cbTerminalID: '1',
      cbReceiptReference: 'r-1',
      ftState: austrianCase(0n),
      ftReceiptMoment: { kind: 'UTC' },
    })
    const signatures = answer.ftSignatures as Message[]
    expect(signatures.at(0)).toMatchObject({
      ftSignatureType: expect.stringMatching(/^4707\d{15}$/),
    })
    const stored = await server.row(
      'select version, response from queue_item order by row desc limit 1',
    )
    expect(stored.version).toBe('v1')
    expect(stored.response).toContain(String(answer.ftQueueItemID))
  })

  it('journal streams what REST gives, in messages of 4096 bytes', async () => {
    for (const type of ['0', '1', '2', '3', '255', String(0x4154), String(0x4154n << 48n)]) {
      const { bytes, messages } = await till.journal(
        { ftJournalType: type },
        {},
        `${prefix}Journal`,
      )
      const rest = await call(server, `/${server.box.queueId}/journal?type=${type}`)
      expect(bytes.toString(), type).toBe(rest.text)
      expect(() => JSON.parse(bytes.toString())).not.toThrow()
      expect(messages).toBe(Math.ceil(bytes.length / 4096))
    }
  })
})

describe('numbers', () => {
  it.each([
    ['4.8', { lo: '48', signScale: 2 }],
    ['-4.8', { lo: '48', signScale: 3 }],
    ['19', { lo: '19' }],
    ['0.6067226890756', { lo: '6067226890756', signScale: 26 }],
    ['0', {}],
    ['9999999999999.99', { lo: '999999999999999', signScale: 4 }],
    ['-0.0000000000000000000000000001', { lo: '1', signScale: 57 }],
  ])('%s is read without loss', async (text, amount) => {
    await till.call('Sign', sale({ cbPayItems: undefined }, { cbReceiptAmount: amount }))
    const stored = await lastRequest()
    expect(stored.receiptAmount?.toShortString()).toBe(text)
  })

  it('the largest decimal of .NET is read, and refused as no amount of a receipt', async () => {
    const amount = { lo: String(2n ** 64n - 1n), hi: 2 ** 32 - 1 }
    await expect(
      till.call('Sign', sale({ cbPayItems: undefined }, { cbReceiptAmount: amount })),
    ).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'cbReceiptAmount is not valid: expected at most 13 digits before the point.',
    })
  })

  it('an amount that no decimal of .NET has is refused by its name', async () => {
    const wrong = [
      { lo: '1', signScale: 58 },
      { lo: '1', signScale: 0x1fffe },
    ]
    for (const Amount of wrong) {
      const items = { cbChargeItems: [{ Amount: decimal('1') }, { Amount }] }
      await expect(till.call('Sign', sale({}, items))).rejects.toMatchObject({
        code: status.INVALID_ARGUMENT,
        details: expect.stringMatching(
          /^cbChargeItems\[1\]\.Amount is not valid: expected a number/,
        ),
      })
    }
  })

  it('the mistake of the Node demo with negative amounts is signed as it says', async () => {
    const items = {
      cbChargeItems: [{ Quantity: decimal('1'), Amount: { lo: '48', signScale: 1 } }],
      cbPayItems: [{ Quantity: decimal('1'), Amount: { lo: '7', signScale: 0 } }],
    }
    await till.call('Sign', sale({}, items))
    const stored = await lastRequest()
    expect(stored.chargeItems[0]?.amount.toString()).toBe('-48')
    expect(stored.payItems[0]?.amount.toString()).toBe('7')
  })

  it('what is absent is null, or what the field table says', async () => {
    await till.call('Sign', sale({ cbPayItems: undefined }, { cbChargeItems: [{}] }))
    const stored = await lastRequest()
    expect(stored).toMatchObject({ payItems: [], receiptAmount: null, queueId: null, user: null })
    const [item] = stored.chargeItems
    expect(item).toMatchObject({ position: 0n, description: '', vatAmount: null, moment: null })
    expect([String(item?.quantity), String(item?.amount)]).toEqual(['1', '0'])
  })

  it('empty texts are missing ones', async () => {
    const empty = { ftQueueID: '', ftPosSystemId: '', cbCustomer: '', cbTerminalID: '' }
    await till.call('Sign', sale({}, empty))
    const stored = await lastRequest()
    expect(stored).toMatchObject({ queueId: null, posSystemId: null, customer: null })
  })
})

describe('moments', () => {
  const noon = '2026-01-31T12:00:00.000Z'
  it.each([
    ['days', { value: '20484', scale: 'DAYS' }, '2026-01-31T00:00:00.000Z'],
    ['hours', { value: String(20484 * 24 + 12), scale: 'HOURS' }, noon],
    ['minutes', { value: String((20484 * 24 + 12) * 60), scale: 'MINUTES' }, noon],
    ['seconds', { value: String((20484 * 24 + 12) * 3600), scale: 'SECONDS', kind: 'UTC' }, noon],
    ['milliseconds that call themselves local', moment(noon), noon],
    ['ticks', { value: '17698608001234567', scale: 'TICKS' }, '2026-01-31T12:00:00.123Z'],
    ['ticks before 1970', { value: '-1', scale: 'TICKS' }, '1969-12-31T23:59:59.999Z'],
    ['nothing at all', {}, '1970-01-01T00:00:00.000Z'],
    ['the least moment', { value: '-1', scale: 'MINMAX' }, '0001-01-01T00:00:00.000Z'],
    ['the greatest', { value: '1', scale: 'MINMAX' }, '9999-12-31T23:59:59.999Z'],
  ])('in %s', async (_name, cbReceiptMoment, iso) => {
    await till.call('Sign', sale({}, { cbReceiptMoment }))
    expect((await lastRequest()).receiptMoment.toISOString()).toBe(iso)
  })

  it('that do not exist are refused by their name', async () => {
    const wrong = [
      { value: String(2n ** 62n), scale: 'DAYS' },
      { value: '3000000', scale: 'DAYS' },
      { value: '5', scale: 'MINMAX' },
      { value: '5', scale: 9 },
    ]
    for (const cbReceiptMoment of wrong) {
      await expect(till.call('Sign', sale({}, { cbReceiptMoment }))).rejects.toMatchObject({
        code: status.INVALID_ARGUMENT,
        details: expect.stringContaining('cbReceiptMoment is not valid'),
      })
    }
  })
})

describe('statuses', () => {
  it('a receipt request that finds nothing is CANCELLED, else it is the answer', async () => {
    const asked = (reference: string) =>
      sale({ cbReceiptReference: `"${reference}"`, ftReceiptCase: austrianCase(0x8000_0000_0001n) })
    await expect(till.call('Sign', asked('never'))).rejects.toMatchObject({
      code: status.CANCELLED,
      details: 'No message returned',
    })
    const first = await till.call('Sign', sale({ cbReceiptReference: '"g-1"' }))
    expect(await till.call('v1/Sign', asked('g-1'))).toEqual(first)
  })

  it('what is wrong with a request is INVALID_ARGUMENT, and nothing is stored', async () => {
    const before = await countRows(server)
    const wrong: [Message, string, string?][] = [
      [sale({ cbReceiptMoment: undefined }), 'FIELD_MISSING', 'cbReceiptMoment'],
      [sale({ ftReceiptCase: undefined }), 'FIELD_MISSING', 'ftReceiptCase'],
      [sale({}, { ftQueueID: 'x' }), 'FIELD_INVALID', 'ftQueueID'],
      [sale({}, { cbUser: 'x'.repeat(64_001) }), 'FIELD_INVALID', 'cbUser'],
      [sale({}, { cbTerminalID: 'a\u0000b' }), 'PROTO_MALFORMED', 'cbTerminalID'],
      [sale({ ftReceiptCase: '307458639793225729' }), 'COUNTRY_WRONG', 'ftReceiptCase'],
      [{}, 'FIELD_MISSING', 'cbReceiptMoment'],
    ]
    for (const [message, code, field] of wrong) {
      const error = await till.call('Sign', message).catch((caught: unknown) => Object(caught))
      const metadata = error.metadata as Metadata
      expect([error.code, metadata.get('code'), metadata.get('field')], code).toEqual([
        status.INVALID_ARGUMENT,
        [code],
        [field],
      ])
      expect(metadata.get('traceid')[0]).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(await countRows(server)).toEqual(before)
  })

  it('a rule of the market is INVALID_ARGUMENT with its reason', async () => {
    const message = sale({ ftReceiptCase: austrianCase(2n) })
    await expect(till.call('Sign', message)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(/.{10}/),
    })
  })

  it('a break inside of the market is UNKNOWN without detail', async () => {
    vi.spyOn(markets.AT, 'process').mockRejectedValue(new Error('select secret from somewhere'))
    const error = await till.call('Sign', sale()).catch((caught: unknown) => Object(caught))
    expect([error.code, String(error.details)]).toEqual([
      status.UNKNOWN,
      expect.stringContaining('An error occurred during receipt processing'),
    ])
    expect(JSON.stringify(error)).not.toContain('select')
  })

  it('an unknown operation and an unknown service are UNIMPLEMENTED', async () => {
    for (const name of ['Void', 'v2/Sign', 'v1/v1/Sign', 'sign']) {
      const answer = till.client.makeUnaryRequest.bind(till.client)
      const error = await new Promise((resolve) => {
        const asIs = (bytes: Buffer) => bytes
        const path = `/fiskaltrust.ifPOS.v1.POS/${name}`
        answer(path, asIs, asIs, Buffer.alloc(0), new Metadata(), {}, resolve)
      })
      expect(error, name).toMatchObject({ code: status.UNIMPLEMENTED })
    }
  })
})

describe('a journal', () => {
  it('has the size of pieces that is asked for', async () => {
    const whole = await till.journal({ ftJournalType: '3' })
    const { path, responseDeserialize } = methodOf('Journal')
    for (const [size, expected] of [
      [100, Math.ceil(whole.bytes.length / 100)],
      [0, Math.ceil(whole.bytes.length / 4096)],
      [2 ** 31 - 1, Math.ceil(whole.bytes.length / 65_536)],
    ] as const) {
      const asked = loadSync('IPOS.proto', { includeDirs: ['proto'], keepCase: true })
      const type = Object(asked['fiskaltrust.ifPOS.v1.JournalRequest'])
      const metadata = new Metadata()
      for (const [name, value] of Object.entries(server.headers)) metadata.set(name, value)
      const stream = till.client.makeServerStreamRequest(
        path,
        type.serialize as (value: object) => Buffer,
        responseDeserialize,
        { ftJournalType: '3', MaxChunkSize: size },
        metadata,
      )
      const pieces: Buffer[] = []
      for await (const { Chunk } of stream) pieces.push(Buffer.from(Chunk))
      expect(Buffer.concat(pieces).equals(whole.bytes)).toBe(true)
      expect(pieces.length, String(size)).toBe(expected)
    }
  })

  it('has the rows of its range', async () => {
    const rows = JSON.parse(String((await till.journal({ ftJournalType: '3' })).bytes)) as Message[]
    expect(rows.length).toBeGreaterThan(3)
    const stamps = await server.row('select min(time_stamp)::text as first from queue_item')
    const first = { ftJournalType: '3', From: stamps.first, To: '-2' }
    expect(JSON.parse(String((await till.journal(first)).bytes))).toHaveLength(2)
    const only = { ftJournalType: '3', From: stamps.first, To: stamps.first }
    expect(JSON.parse(String((await till.journal(only)).bytes))).toHaveLength(1)
  })

  it('of another country is refused before anything is streamed', async () => {
    const asked = { ftJournalType: String(0x4445n << 48n) }
    await expect(till.journal(asked)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining('market AT'),
    })
  })
})
