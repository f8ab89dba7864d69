// Receipts that are entered later: late signing, handwritten receipts, and the zero receipt after.
import { describe, expect, it } from 'vitest'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { at, at2, charge, pay, receipt, sale, zeroReceipt } from './support/make.js'
import { captionsOf, fieldOf, QUEUE_ID, TestQueue } from './support/test-queue.js'

const LATE = 0x1_0000n
const HANDWRITTEN = 0x8_0000n

function later(flags: bigint, made: string): ReceiptRequest {
  return { ...sale('10.00', flags), receiptMoment: new Date(made) }
}

describe('late signing', () => {
  it('signs with the present time, counts, and shows bit 08 on every answer', async () => {
    const queue = await TestQueue.started()
    queue.setTime('2025-01-05T09:00:00Z')
    const late = await queue.accept(later(LATE, '2025-01-04T15:00:00Z'))
    expect(late.stateWord).toBe(at(0x08))
    expect(fieldOf(late, 4)).toBe('2025-01-05T10:00:00')
    expect(queue.state.cashTotalizer).toBe('10.00')
    expect((await queue.accept(sale('1.00'))).stateWord).toBe(at(0x08))
    expect(queue.actions.filter(({ type }) => type === 'LateSigningEntered').length).toBe(1)
  })

  it('ends with a signed zero receipt that names the first and the last', async () => {
    const queue = await TestQueue.started()
    await queue.accept(later(LATE, '2025-01-04T15:00:00Z'))
    await queue.accept(later(LATE, '2025-01-04T16:00:00Z'))
    const zero = await queue.accept(zeroReceipt)
    expect(captionsOf(zero)).toEqual(['', 'Ausfall-Nacherfassung'])
    expect(zero.signatures[1]).toEqual({
      format: 1n,
      type: at(2),
      caption: 'Ausfall-Nacherfassung',
      data: 'Von ft1#2 bis ft3#4',
    })
    expect(zero.stateWord).toBe(at(0))
    expect(captionsOf(await queue.accept(zeroReceipt))).toEqual([''])
  })

  it('over more than 48 hours is reported as deactivation and activation', async () => {
    const queue = await TestQueue.started()
    await queue.accept(later(LATE, '2025-01-04T15:00:00Z'))
    await queue.accept(later(LATE, '2025-01-02T14:59:59Z'))
    const zero = await queue.accept(zeroReceipt)
    expect(captionsOf(zero).slice(2)).toEqual([
      `De-Aktivierung (Ausserbetriebnahme) einer Sicherheitseinrichtung ${QUEUE_ID} ` +
        'nach RKSV. (Queue)',
      `Aktivierung (Inbetriebnahme) einer Sicherheitseinrichtung ${QUEUE_ID} nach RKSV. (Queue)`,
    ])
    expect(zero.signatures[2]?.data).toContain('"IsStopReceipt":false')
    expect(zero.signatures[3]?.data).toContain('"IsStartReceipt":false')
  })

  it('over exactly 48 hours is not reported', async () => {
    const queue = await TestQueue.started()
    queue.setTime('2025-01-05T15:00:00Z')
    await queue.accept(later(LATE, '2025-01-04T15:00:00Z'))
    await queue.accept(later(LATE, '2025-01-03T15:00:00Z'))
    expect(captionsOf(await queue.accept(zeroReceipt)).length).toBe(2)
  })

  it('lasts until the queue is reached again, with one receipt as well', async () => {
    const queue = await TestQueue.started()
    queue.setTime('2025-01-06T15:00:01Z')
    await queue.accept(later(LATE, '2025-01-04T15:00:00Z'))
    expect(captionsOf(await queue.accept(zeroReceipt)).length).toBe(4)
  })

  it('the days between the last late receipt and the zero receipt are no outage', async () => {
    const queue = await TestQueue.started()
    queue.setTime('2025-01-05T10:00:00Z')
    await queue.accept(later(LATE, '2025-01-05T09:00:00Z'))
    queue.setTime('2025-01-12T10:00:00Z')
    await queue.accept(sale('1.00'))
    expect(captionsOf(await queue.accept(zeroReceipt)).length).toBe(2)
  })

  it('a late receipt that is dated in the year 9999 makes no outage of it', async () => {
    const queue = await TestQueue.started()
    await queue.accept(later(LATE, '2025-01-05T06:00:00Z'))
    await queue.accept(later(LATE, '9999-12-31T23:59:59Z'))
    expect(captionsOf(await queue.accept(zeroReceipt)).length).toBe(2)
  })

  it('names a first receipt that was not signed by its open number', async () => {
    const queue = await TestQueue.started()
    const unsigned = receipt(at(0x9) | LATE, {
      charges: [charge(at(0x3), '1')],
      pays: [pay(at(0xb), '1')],
    })
    expect((await queue.accept(unsigned)).identification).toBe('ft1#')
    expect((await queue.accept(zeroReceipt)).signatures[1]?.data).toBe('Von ft1# bis ft2#2')
  })

  it('stays when the zero receipt cannot be signed', async () => {
    const queue = await TestQueue.started()
    await queue.accept(later(LATE, '2025-01-04T15:00:00Z'))
    queue.device.broken = 'off'
    const zero = await queue.accept(zeroReceipt)
    expect(captionsOf(zero)).toEqual(['Sicherheitseinrichtung ausgefallen'])
    expect(zero.stateWord).toBe(at(0x0a))
  })

  it('of a zero receipt itself begins and ends with that receipt', async () => {
    const queue = await TestQueue.started()
    const zero = await queue.accept({ ...zeroReceipt, receiptCase: zeroReceipt.receiptCase | LATE })
    expect(zero.signatures[1]?.data).toBe('Von ft1#2 bis ft1#2')
    expect(zero.stateWord).toBe(at(0))
  })
})

describe('handwritten receipts', () => {
  it('end with a zero receipt, signed or not, from the earliest one on', async () => {
    const queue = await TestQueue.started()
    await queue.accept(later(HANDWRITTEN, '2025-01-04T15:00:00Z'))
    await queue.accept(later(HANDWRITTEN, '2025-01-03T12:00:00Z'))
    await queue.accept(later(HANDWRITTEN, '2025-01-04T12:00:00Z'))
    queue.device.broken = 'off'
    const zero = await queue.accept(zeroReceipt)
    expect(captionsOf(zero)).toEqual(['Sicherheitseinrichtung ausgefallen', 'Mobil-Nacherfassung'])
    expect(zero.signatures[1]?.data).toBe('Von ft2#3 bis ft4#5')
    expect(zero.stateWord).toBe(at(0x02))
  })
})

describe('several modes at once', () => {
  it('end in order: handwritten, late signing, collective receipt', async () => {
    const queue = await TestQueue.started()
    await queue.accept(later(LATE | HANDWRITTEN, '2025-01-04T15:00:00Z'))
    queue.device.broken = 'off'
    await queue.accept(sale('1.00'))
    await queue.accept(later(LATE, '2025-01-04T16:00:00Z'))
    queue.device.broken = undefined
    const zero = await queue.accept(zeroReceipt)
    expect(zero.signatures.slice(1).map(({ caption, data }) => `${caption} ${data}`)).toEqual([
      'Mobil-Nacherfassung Von ft1#2 bis ft4#5',
      'Ausfall-Nacherfassung Von ft1#2 bis ft4#5',
      'Sammelbeleg Von ft2#3 bis ft4#5',
    ])
    expect(zero.stateWord).toBe(at(0))
  })

  it('bit 08 stays while one of the two is open', async () => {
    const queue = await TestQueue.started()
    await queue.accept(later(LATE | HANDWRITTEN, '2025-01-04T15:00:00Z'))
    queue.device.broken = 'off'
    expect((await queue.accept(zeroReceipt)).stateWord).toBe(at(0x0a))
    queue.device.broken = undefined
    const zero = await queue.accept(zeroReceipt)
    expect(captionsOf(zero)).toEqual(['', 'Ausfall-Nacherfassung', 'Sammelbeleg'])
    expect(zero.stateWord).toBe(at(0))
  })

  it('end with any of the v2 operations that run as a zero receipt', async () => {
    for (const code of [0x2000, 0x2010, 0x2011, 0x4011, 0x4022]) {
      const queue = await TestQueue.started()
      await queue.accept(receipt(at2(0x1) | LATE, { pays: [pay(at2(0x1), '1')] }))
      const zero = await queue.accept(receipt(at2(code)))
      expect(zero.signatures.at(-1)).toMatchObject({
        caption: 'Ausfall-Nacherfassung',
        type: 0x4154_2000_0001_0002n,
      })
      expect(zero.stateWord).toBe(at2(0))
    }
  })
})

describe('a queue that is not active', () => {
  it('remembers receipts entered later, unsigned as they are', async () => {
    const queue = new TestQueue()
    const answer = await queue.accept(later(LATE, '2025-01-04T15:00:00Z'))
    expect([answer.stateWord, answer.signatures]).toEqual([at(0x09), []])
  })
})
