// Austria as an entry of the market table: facts, configuration, state, descriptions.

import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/lib/decimal.js'
import { describeMarketRow } from '../../../src/market/at/describe.js'
import { austria } from '../../../src/market/at/index.js'
import { isMarketCode, marketOf, markets } from '../../../src/market/index.js'
import { sale, startReceipt } from './support/make.js'
import { CASH_BOX_ID, QUEUE_ID, TestQueue } from './support/test-queue.js'
import { vectors } from './support/vectors.js'

describe('the market table', () => {
  it('gives Austria by its code and nothing for others', () => {
    expect(marketOf('AT')).toMatchObject({ facts: austria.facts, process: austria.process })
    expect(Object.keys(markets)).toContain(austria.facts.code)
    expect(isMarketCode('XX')).toBe(false)
    expect(isMarketCode('toString')).toBe(false)
    expect(() => marketOf('XX')).toThrow('there is no market XX')
  })
})

describe('the configuration of a queue', () => {
  const defaults = {
    'scu-max-retries': 3,
    'scu-timeout-ms': 2500,
    receiptrequestmode: 0,
    SignAll: false,
    'rksv-counter-bytes': 5,
    'rksv-caption': '',
    EnableMonthlyExport: true,
  }

  it('has the documented defaults', () => {
    expect(austria.queue.configuration.parse({})).toEqual(defaults)
  })

  it('takes the texts that portals send, and gives the same when it is parsed again', () => {
    const parsed = austria.queue.configuration.parse({
      'scu-max-retries': '5',
      'scu-timeout-ms': '4000',
      receiptrequestmode: '1',
      SignAll: 'True',
      'rksv-counter-bytes': '8',
      ClosedSystemKind: null,
      messagesize: '0',
    })
    expect(parsed).toEqual({
      ...defaults,
      'scu-max-retries': 5,
      'scu-timeout-ms': 4000,
      receiptrequestmode: 1,
      SignAll: true,
      'rksv-counter-bytes': 8,
      ClosedSystemKind: null,
      messagesize: '0',
    })
    expect(austria.queue.configuration.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed)
  })

  it.each([
    { ClosedSystemKind: 'GLN' },
    { 'rksv-counter-bytes': 4 },
    { 'rksv-counter-bytes': 9 },
    { 'scu-timeout-ms': 0 },
    { 'scu-max-retries': -1 },
    { receiptrequestmode: 2 },
    { SignAll: 'perhaps' },
  ])('refuses %j', (given) => {
    expect(austria.queue.configuration.safeParse(given).success).toBe(false)
  })
})

describe('the state of a queue', () => {
  it('is valid from the beginning', () => {
    const state = austria.queue.initial()
    expect(austria.queue.state.parse(JSON.parse(JSON.stringify(state)))).toEqual(state)
  })

  it('is refused when the counter is no exact amount', () => {
    for (const cashTotalizer of ['1', '1.5', '1,50', '1e2', '', 'NaN']) {
      const state = { ...austria.queue.initial(), cashTotalizer }
      expect(austria.queue.state.safeParse(state).success).toBe(false)
    }
  })

  it('is left alone: a receipt works on a copy', async () => {
    const queue = await TestQueue.started()
    const frozen = Object.freeze(structuredClone(queue.state))
    queue.state = frozen
    const outcome = await queue.run(sale('5.00'))
    expect(outcome.faults).toEqual([])
    expect(frozen.cashTotalizer).toBe('0.00')
  })
})

describe('descriptions', () => {
  it('of a queue name its members and never its key', async () => {
    const queue = new TestQueue()
    await queue.accept(startReceipt)
    await queue.accept(sale('5.00'))
    const view = {
      id: QUEUE_ID,
      cashBoxId: CASH_BOX_ID,
      identification: vectors.input.kassenId,
      configuration: queue.configuration,
      startMoment: queue.startMoment,
      stopMoment: null,
      lastMoment: null,
      receiptNumerator: 2,
      timeStamp: 638716572000000000n,
    }
    const described = austria.describe.queue(view, queue.state, queue.secrets)
    expect(described).toMatchObject({
      ftQueueATId: QUEUE_ID,
      CashBoxIdentification: 'OFP-AT-0001',
      EncryptionKeyCheckValue: 'kF8o',
      LastSettlementMonth: 1,
      LastSettlementMoment: '2024-12-31T23:00:00Z',
      SSCDFailMoment: null,
      ftCashNumerator: 2,
      ftCashTotalizer: Decimal.of('5.00'),
      TimeStamp: 638716572000000000n,
    })
    expect(Object.values(described)).not.toContain(vectors.input.aesKeyBase64)
  })

  it('of a journal row name the three parts of its JWS', async () => {
    const queue = await TestQueue.started()
    queue.device.broken = 'off'
    await queue.accept(sale('5.00'))
    const row = queue.rows[1]
    const content = row?.content ?? ''
    const stored = {
      timeStamp: 1n,
      id: 'id',
      kind: 'RKSV',
      number: 2,
      scuId: null,
      queueItemId: 'item',
      certificateFingerprint: row?.certificate?.fingerprint ?? null,
      content,
    }
    const [header, payload, signature] = content.split('.')
    expect(describeMarketRow(stored, QUEUE_ID)).toEqual({
      ftJournalATId: 'id',
      ftSignaturCreationUnitId: '00000000-0000-0000-0000-000000000000',
      Number: 2,
      JWSHeaderBase64url: header,
      JWSPayloadBase64url: payload,
      JWSSignatureBase64url: signature,
      ftQueueId: QUEUE_ID,
      TimeStamp: 1n,
      ftQueueItemId: 'item',
      CertificateFingerprint: stored.certificateFingerprint?.toString('hex'),
    })
  })
})
