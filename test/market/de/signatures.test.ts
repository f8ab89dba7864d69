// The signature items of a German receipt: order, captions, formats and types in both taggings.
import { describe, expect, it } from 'vitest'
import type { ReceiptOutcome } from '../../../src/market/contract.js'
import { charge, de, de2, implicit, order, pay, receipt, sale } from '../../support/de/make.js'
import { captionsOf, dataOf, SERIAL, TestQueue } from '../../support/de/test-queue.js'

const TEXT = 1n
const QR = 3n
const BASE64 = 13n
const OPTIONAL = 0x1_0000n

/** Type (low part), format without flag, optional. */
type Row = [caption: string, type: bigint, format: bigint, optional: boolean]
const BUSINESS: Row[] = [
  ['fiskalwerk', 0x01n, QR, false],
  ['start-transaction-signature', 0x10n, BASE64, true],
  ['finish-transaction-payload', 0x11n, BASE64, true],
  ['finish-transaction-signature', 0x12n, BASE64, true],
  ['<certification-id>', 0x22n, TEXT, false],
  ['<tse-seriennummer>', 0x23n, TEXT, true],
  ['<qr-code-version>', 0x13n, TEXT, true],
  ['<kassen-seriennummer>', 0x14n, TEXT, true],
  ['<processType>', 0x15n, TEXT, true],
  ['<processData>', 0x16n, TEXT, true],
  ['<transaktions-nummer>', 0x17n, TEXT, true],
  ['<signatur-zaehler>', 0x18n, TEXT, true],
  ['<start-zeit>', 0x19n, TEXT, true],
  ['<log-time>', 0x1an, TEXT, true],
  ['<sig-alg>', 0x1bn, TEXT, true],
  ['<log-time-format>', 0x1cn, TEXT, true],
  ['<signatur>', 0x1dn, TEXT, true],
  ['<public-key>', 0x1en, TEXT, true],
]
const POS: Row[] = [...BUSINESS, ['<vorgangsbeginn>', 0x1fn, TEXT, false]]
const SPECIAL: Row[] = [
  ['start-transaction-result', 0x10n, BASE64, true],
  ['finish-transaction-payload', 0x11n, BASE64, true],
  ['finish-transaction-result', 0x12n, BASE64, true],
  ['<processType>', 0x15n, TEXT, true],
  ['<kassen-seriennummer>', 0x14n, TEXT, true],
  ['<processData>', 0x16n, TEXT, true],
  ['<transaktions-nummer>', 0x17n, TEXT, true],
  ['<signatur-zaehler>', 0x18n, TEXT, true],
  ['<start-zeit>', 0x19n, TEXT, true],
  ['<log-time>', 0x1an, TEXT, true],
  ['<signatur>', 0x1dn, TEXT, true],
  ['<sig-alg>', 0x1bn, TEXT, true],
  ['<log-time-format>', 0x1cn, TEXT, true],
  ['<certification-id>', 0x22n, TEXT, false],
  ['<public-key>', 0x1en, TEXT, true],
]

const shape = ({ signatures }: ReceiptOutcome<unknown>) =>
  signatures.map(({ caption, type, format }) => ({ caption, type, format }))

const v0 = (rows: Row[], flagged = true) =>
  rows.map(([caption, type, format, optional]) => ({
    caption,
    type: 0x4445_0000_0000_0000n | type,
    format: format | (optional && flagged ? OPTIONAL : 0n),
  }))

describe('items of business receipts', () => {
  it('come in the published order with the published types and formats', async () => {
    const queue = await TestQueue.started()
    expect(shape(await queue.accept(sale(implicit(0x1))))).toEqual(v0(POS))
    expect(shape(await queue.accept(order(implicit(0x10))))).toEqual(v0(BUSINESS))
    expect(shape(await queue.accept(receipt(implicit(0x14))))).toEqual(v0(BUSINESS))
  })

  it('carry no optional flag when FlagOptionalSignatures is off', async () => {
    const queue = await TestQueue.started({ configuration: { FlagOptionalSignatures: 'false' } })
    expect(shape(await queue.accept(sale(implicit(0x1))))).toEqual(v0(POS, false))
  })

  it('say what the TSE signed, in the QR code and beside it', async () => {
    const queue = await TestQueue.started()
    queue.tse.clock = new Date('2026-01-01T09:01:12Z')
    const answer = await queue.accept(sale(implicit(0x1)))
    const data = 'Beleg^11.90_0.00_0.00_0.00_0.00^11.90:Bar'
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    expect(dataOf(answer, 'fiskalwerk')).toBe(
      [
        'V0',
        SERIAL,
        'Kassenbeleg-V1',
        data,
        '2',
        '7',
        '2026-01-01T09:01:12.000Z',
        '2026-01-01T09:01:12.000Z',
        'ecdsa-plain-SHA256',
        'unixTime',
        base64('signature 7'),
        base64('key of tse'),
      ].join(';'),
    )
    expect(dataOf(answer, 'start-transaction-signature')).toBe(base64('signature 6'))
    expect(dataOf(answer, 'finish-transaction-payload')).toBe(base64(data))
    expect(dataOf(answer, 'finish-transaction-signature')).toBe(base64('signature 7'))
    expect(dataOf(answer, '<tse-seriennummer>')).toBe(queue.tse.identity().serialHex)
    expect(dataOf(answer, '<certification-id>')).toBe('EMULATOR-NOT-CERTIFIED')
  })

  it('keep both times of an explicit transaction apart', async () => {
    const queue = await TestQueue.started()
    queue.tse.clock = new Date('2026-01-01T09:01:00Z')
    await queue.accept(receipt(de(0x8)))
    queue.tse.clock = new Date('2026-01-01T09:05:00Z')
    const answer = await queue.accept(sale(de(0x1)))
    expect(dataOf(answer, '<start-zeit>')).toBe('2026-01-01T09:01:00.000Z')
    expect(dataOf(answer, '<log-time>')).toBe('2026-01-01T09:05:00.000Z')
    expect(dataOf(answer, 'start-transaction-signature')).toBe(
      Buffer.from('signature 6').toString('base64'),
    )
  })

  it('begin the business act with the smallest moment of the receipt', async () => {
    const queue = await TestQueue.started()
    const moment = (iso: string) => ({ moment: new Date(iso) })
    const request = receipt(implicit(0x1), {
      receiptMoment: new Date('2026-01-01T09:00:00.250Z'),
      chargeItems: [charge(de(0x11), '1', moment('2026-01-01T08:59:00Z')), charge(de(0x11), '1')],
      payItems: [pay(de(0x1), '2', moment('2026-01-01T08:58:59.999Z'))],
    })
    const answer = await queue.accept(request)
    expect(dataOf(answer, '<vorgangsbeginn>')).toBe('2026-01-01T08:58:59.999Z')
    const later = await queue.accept({ ...request, chargeItems: [], payItems: [] })
    expect(dataOf(later, '<vorgangsbeginn>')).toBe('2026-01-01T09:00:00.250Z')
  })

  it('name a training receipt', async () => {
    const queue = await TestQueue.started()
    const answer = await queue.accept(sale(implicit(0x2_0001)))
    expect(answer.signatures.at(-1)).toEqual({
      caption: 'Trainingsbuchung',
      type: 0x1000n,
      format: TEXT,
      data: '2026-01-01T10:00:00.000Z',
    })
    const zero = await queue.accept(receipt(implicit(0x2_0002)))
    expect(captionsOf(zero).at(-1)).toBe('Trainingsbuchung')
  })
})

describe('items of other receipts', () => {
  it('an operation has its own order and captions', async () => {
    const queue = await TestQueue.started()
    expect(shape(await queue.accept(receipt(implicit(0x2))))).toEqual(v0(SPECIAL))
    expect(shape(await queue.accept(receipt(implicit(0x5))))).toEqual(v0(SPECIAL))
  })

  it('a start has its signature, an update three items', async () => {
    const queue = await TestQueue.started()
    const start = await queue.accept(receipt(de(0x8)))
    expect(shape(start)).toEqual(v0([['start-transaction-signature', 0x10n, BASE64, true]]))
    const updated: Row[] = [
      ['update-transaction-payload', 0x20n, BASE64, true],
      ['update-transaction-signature', 0x21n, BASE64, true],
      ['<processType>', 0x15n, TEXT, true],
    ]
    const update = await queue.accept(receipt(de(0x9)))
    expect(shape(update)).toEqual(v0(updated))
    expect(update.signatures[0]?.data).toBe('')
    const delta = await queue.accept(receipt(de(0xa)))
    expect([shape(delta), delta.identification]).toEqual([v0(updated), 'ft3#DT2'])
  })

  it('the sandbox marks every receipt, last', async () => {
    const queue = await TestQueue.started({ sandbox: true })
    const answer = await queue.accept(sale(implicit(0x1)))
    expect(answer.signatures.at(-1)).toMatchObject({ caption: 'S A N D B O X', type: 0n })
  })
})

describe('items of version 2', () => {
  const HIDDEN = 0x20_0000n
  const OPTIONAL_V2 = 0x10_0000n
  const shown = new Set([0x01n, 0x1fn, 0x22n, 0x23n])
  const hidden = new Set([0x10n, 0x11n, 0x12n])

  it('say in their type what is printed, and nothing in their format', async () => {
    const queue = await TestQueue.started()
    const request = receipt(de2(0x1), {
      chargeItems: [charge(de2(0x13), '11.90')],
      payItems: [pay(de2(0x1), '11.90')],
    })
    const answer = await queue.accept(request)
    expect(answer.stateWord).toBe(0x4445_2000_0000_0000n)
    expect(shape(answer)).toEqual(
      POS.map(([caption, type, format]) => {
        const flag = shown.has(type) ? 0n : hidden.has(type) ? HIDDEN : OPTIONAL_V2
        return { caption, format, type: 0x4445_2000_0000_0000n | flag | type }
      }),
    )
  })
})
