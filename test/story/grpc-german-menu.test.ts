// The menu of a German till over gRPC, as the demo of Node.js goes through it: dates without sense,
// zeros left out, negative amounts written wrongly, no credentials, one queue.
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createCashBox,
  createQueue,
  createScu,
  type RolloutDeps,
} from '../../src/core/rollout/create.js'
import { marketOf } from '../../src/market/index.js'
import { startServer } from '../support/app.js'
import { decimal, type Message, type Till } from '../support/grpc-client.js'
import { type GrpcStand, standGrpc } from '../support/grpc-server.js'
import { openShop, type Shop } from '../support/shop.js'

let shop: Shop
let local: Awaited<ReturnType<typeof startServer>>
let grpc: GrpcStand
let till: Till
let cashBoxId: string

beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT'] })
  const rollout: RolloutDeps = { store: shop.deps.store, marketOf, now: () => new Date() }
  const { accountId } = shop.demo.operator
  const box = await createCashBox(rollout, { accountId, outletId: null, description: 'menu' })
  cashBoxId = box.cashBoxId
  const { scuPackage, configuration = {} } = marketOf('DE').rollout.demo
  const unit = { accountId, cashBoxId, market: 'DE', description: 'menu' }
  const scuId = await createScu(rollout, { ...unit, package: scuPackage })
  const queueId = await createQueue(rollout, { ...unit, configuration, scuIds: [scuId] })
  // the demo knows its cash box only; echo and journal name nothing at all
  local = await startServer(shop, { MIDDLEWARE_AUTH: 'off', QUEUE_ALIASES: `*=${queueId}` })
  grpc = await standGrpc(local.deps)
  till = grpc.till()
})
afterAll(async () => {
  await grpc.close()
  await local.close()
  await shop.close()
})

const GERMANY = 0x4445n << 48n
const IMPLICIT = GERMANY + 0x1_0000_0000n
/** 1970, as an unparsable date comes. */
const NO_DATE = { scale: 'MILLISECONDS', kind: 'LOCAL' }

const receipt = (word: bigint, more: Message = {}): Message => ({
  ftCashBoxID: cashBoxId,
  ftQueueID: '',
  ftPosSystemId: '',
  cbTerminalID: 'T2',
  cbReceiptReference: '1',
  cbReceiptMoment: NO_DATE,
  cbChargeItems: [],
  cbPayItems: [],
  ftReceiptCase: String(word),
  ftReceiptCaseData: '',
  cbUser: 'Chef',
  cbArea: '',
  cbCustomer: '',
  cbSettlement: '',
  cbPreviousReceiptReference: '',
  ...more,
})
const SALE: Message = {
  cbChargeItems: [
    {
      Quantity: decimal('2'),
      Description: 'Bier 0,5 l',
      Amount: decimal('9.60'),
      VATRate: decimal('19.00'),
      ftChargeItemCase: String(GERMANY + 0x11n),
      Moment: NO_DATE,
    },
    // −4.80 by the mistake: −48
    {
      Description: 'Rabatt',
      Amount: { lo: '48', signScale: 1 },
      VATRate: decimal('19'),
      ftChargeItemCase: String(GERMANY + 0x31n),
    },
    { Description: 'geschenkt', VATRate: decimal('7'), ftChargeItemCase: String(GERMANY + 0x12n) },
  ],
  cbPayItems: [
    {
      Quantity: decimal('1'),
      Description: 'Bar',
      Amount: decimal('4.80'),
      ftPayItemCase: String(GERMANY + 1n),
    },
  ],
}

async function signed(word: bigint, more: Message = {}): Promise<Message> {
  const answer = await till.call('Sign', receipt(word, more))
  expect(BigInt(String(answer.ftState)) >> 48n).toBe(0x4445n)
  expect(BigInt(String(answer.ftState)) & 0xffffn, String(word)).not.toBe(0xeeeen)
  return answer
}
const captions = (answer: Message) =>
  (answer.ftSignatures as Message[]).map(({ Caption }) => String(Caption))

describe('the menu of a German till', { timeout: 60_000 }, () => {
  it('echo', async () => {
    expect(await till.call('Echo', { Message: 'hello' })).toEqual({ Message: 'hello' })
  })

  it('start, and zero receipt', async () => {
    expect(captions(await signed(IMPLICIT + 3n)).length).toBeGreaterThan(0)
    await signed(IMPLICIT + 2n)
  })

  it('an implicit sale with wrong dates and amounts is signed by the TSE', async () => {
    const answer = await signed(IMPLICIT + 1n, SALE)
    const codes = answer.ftSignatures as Message[]
    const code = codes.find(({ Data }) => String(Data).startsWith('V0;'))
    expect(code?.ftSignatureFormat).toBe('3')
    expect(String(code?.Data).split(';')).toHaveLength(12)
  })

  it('an explicit sale: the transaction starts, and the receipt ends it', async () => {
    const reference = { cbReceiptReference: 'table-5' }
    const start = await signed(GERMANY + 8n, reference)
    const end = await signed(GERMANY + 1n, { ...SALE, ...reference })
    const number = ({ ftReceiptIdentification: text }: Message) =>
      /#(S?T)(\d+)$/.exec(String(text))?.slice(1)
    expect(number(start)).toEqual(['ST', expect.any(String)])
    expect(number(end)).toEqual(['T', number(start)?.[1]])
  })

  it('the same explicit sale without a start is refused, and the till goes on', async () => {
    const unknown = { ...SALE, cbReceiptReference: 'nobody' }
    await expect(till.call('Sign', receipt(GERMANY + 1n, unknown))).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(/.{10}/),
    })
    await signed(IMPLICIT + 1n, SALE)
  })

  it('daily, monthly and yearly closing', async () => {
    for (const code of [7n, 5n, 6n]) {
      const answer = await signed(IMPLICIT + code)
      expect(captions(answer).length).toBeGreaterThan(0)
    }
  })

  it.each([0n, 1n, 2n, 3n, GERMANY])('journal %s is JSON', async (type) => {
    const { bytes } = await till.journal({ ftJournalType: String(type) })
    expect(() => JSON.parse(bytes.toString())).not.toThrow()
    expect(bytes.length).toBeGreaterThan(20)
  })

  it('journal of what the TSE has exported is a TAR, that of the DSFinV-K a ZIP', async () => {
    const tar = await till.journal({ ftJournalType: String(GERMANY + 3n) }, {}, 'v1/Journal')
    expect(tar.bytes.toString('latin1', 257, 262)).toBe('ustar')
    const zip = await till.journal({ ftJournalType: String(GERMANY + 2n) })
    expect(zip.bytes.toString('latin1', 0, 2)).toBe('PK')
    expect(zip.bytes.includes('transactions.csv')).toBe(true)
  })

  it('stop', async () => {
    await signed(IMPLICIT + 4n)
  })
})
