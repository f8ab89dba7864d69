import { describe, expect, it } from 'vitest'
import { writeJson } from '../../../src/lib/json-write.js'
import { describeMarketRow, describeQueue } from '../../../src/market/at/describe.js'
import { QUEUE_ID } from '../../support/export-source.js'
import vectors from './vectors/rksv-examples.json' with { type: 'json' }

const queue = {
  id: QUEUE_ID,
  cashBoxId: '3d6a1a2c-0d53-4c44-9a0f-64ad5d7a9c11',
  identification: 'OFP-AT-0001',
  configuration: { SignAll: true, 'scu-max-retries': 3 },
  startMoment: null,
  stopMoment: null,
  lastMoment: null,
  receiptNumerator: 8,
  timeStamp: 638716572000000001n,
}
const secrets = JSON.stringify({ encryptionKeyBase64: vectors.input.aesKeyBase64 })
const state = {
  cashNumerator: 8,
  cashTotalizer: '-1191.02',
  lastSignatureHash: '4Wwau3f9rpQ=',
  lastSignatureZda: 'AT100',
  lastSignatureCertificateSerialNumber: '7a3f19c2',
  lastSignatureCertificateFingerprint: 'not a member of ftQueueAT',
  lastSettlementMonth: 6,
  lastSettlementMoment: Date.UTC(2025, 5, 30, 20, 0, 0, 500),
  lastSettlementQueueItemId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
  sscdFailCount: 2,
  sscdFailMoment: null,
  activeScu: 0,
}

describe('the status of an Austrian queue', () => {
  it('has the members of ftQueueAT in their order, nulls printed', () => {
    expect(writeJson(describeQueue(queue, state, secrets))).toBe(
      `{"ftQueueATId":"${QUEUE_ID}","CashBoxIdentification":"OFP-AT-0001",` +
        '"EncryptionKeyCheckValue":"kF8o","SignAll":true,"ClosedSystemKind":null,' +
        '"ClosedSystemValue":null,"ClosedSystemNote":null,"LastSettlementMonth":6,' +
        '"LastSettlementMoment":"2025-06-30T20:00:00.5Z",' +
        '"LastSettlementQueueItemId":"b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10",' +
        '"SSCDFailCount":2,"SSCDFailMoment":null,"SSCDFailQueueItemId":null,' +
        '"SSCDFailMessageSent":null,"UsedFailedCount":0,"UsedFailedMomentMin":null,' +
        '"UsedFailedMomentMax":null,"UsedFailedQueueItemId":null,"UsedMobileCount":0,' +
        '"UsedMobileMoment":null,"UsedMobileQueueItemId":null,"MessageCount":0,' +
        '"MessageMoment":null,"LastSignatureHash":"4Wwau3f9rpQ=","LastSignatureZDA":"AT100",' +
        '"LastSignatureCertificateSerialNumber":"7a3f19c2","ftCashNumerator":8,' +
        '"ftCashTotalizer":-1191.02,"TimeStamp":638716572000000001}',
    )
  })

  it('never shows the AES key', () => {
    const keys = [
      vectors.input.aesKeyBase64,
      Buffer.from(vectors.input.aesKeyBase64, 'base64').toString('hex'),
    ]
    const text = writeJson(
      describeQueue(queue, { ...state, encryptionKeyBase64: keys[0] }, secrets),
    )
    for (const key of keys) expect(text).not.toContain(key)
  })

  it('has no check value before there is a key', () => {
    for (const none of ['', '{}', '{"encryptionKeyBase64":null}']) {
      expect(describeQueue(queue, state, none).EncryptionKeyCheckValue).toBeNull()
    }
  })

  it('is complete for a queue that never signed', () => {
    const text = writeJson(describeQueue({ ...queue, configuration: {} }, {}, ''))
    expect(JSON.parse(text)).toMatchObject({
      SignAll: false,
      LastSignatureHash: null,
      LastSignatureZDA: null,
      LastSettlementMonth: 0,
      ftCashNumerator: 0,
      ftCashTotalizer: 0,
    })
    expect(text).toContain('"ftCashTotalizer":0.00')
  })

  it('takes 64-bit counters and cents exactly', () => {
    const large = { cashNumerator: 9007199254740993n, cashTotalizer: 549755813888700n }
    expect(writeJson(describeQueue(queue, large, ''))).toContain(
      '"ftCashNumerator":9007199254740993,"ftCashTotalizer":5497558138887.00',
    )
  })
})

describe('a raw Austrian journal row', () => {
  const [first] = vectors.examples
  const row = {
    timeStamp: 638716572000000000n,
    id: '01943530-5a00-7000-8000-000000000001',
    kind: 'RKSV',
    number: 1,
    scuId: '7a0f5a52-3f54-4f13-a1ab-6cf5b3e0a001',
    queueItemId: '01943530-5a00-7000-8000-000000000002',
    certificateFingerprint: Buffer.alloc(32, 0xab),
    content: `eyJhbGciOiJFUzI1NiJ9.${first?.payloadBase64url}.${first?.signatureBase64url}`,
  }

  it('has the three parts of its JWS and what it belongs to', () => {
    const shown = describeMarketRow(row, QUEUE_ID)
    expect(Object.entries(shown)).toEqual([
      ['ftJournalATId', row.id],
      ['ftSignaturCreationUnitId', row.scuId],
      ['Number', 1],
      ['JWSHeaderBase64url', 'eyJhbGciOiJFUzI1NiJ9'],
      ['JWSPayloadBase64url', first?.payloadBase64url],
      ['JWSSignatureBase64url', first?.signatureBase64url],
      ['ftQueueId', QUEUE_ID],
      ['TimeStamp', 638716572000000000n],
      ['ftQueueItemId', row.queueItemId],
      ['CertificateFingerprint', 'ab'.repeat(32)],
    ])
  })

  it('names the zero signing unit when the signature failed', () => {
    const failed = { ...row, scuId: null, certificateFingerprint: null }
    expect(describeMarketRow(failed, QUEUE_ID)).toMatchObject({
      ftSignaturCreationUnitId: '00000000-0000-0000-0000-000000000000',
      CertificateFingerprint: null,
    })
  })

  it('is refused when it is no compact JWS', () => {
    for (const content of ['a.b', 'a.b.c.d', '']) {
      expect(() => describeMarketRow({ ...row, content }, QUEUE_ID)).toThrow('no compact JWS')
    }
  })
})
