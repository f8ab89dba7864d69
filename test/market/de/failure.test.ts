// Failed mode: what a TSE that fails at any moment leaves behind, and how the queue gets out of it.
import { describe, expect, it } from 'vitest'
import { CredentialsRefused } from '../../../src/device/device.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { de, implicit, order, receipt, sale } from '../../support/de/make.js'
import { captionsOf, dataOf, TestQueue } from '../../support/de/test-queue.js'

const FAILED = 0x4445_0000_0000_0002n
const zero = receipt(implicit(0x2))
const DROP_UNKNOWN = 0x2000_0000n
const reference = (receiptReference: string) => ({ receiptReference })

/** Every transaction that was started was finished at most once, and numbers were used once. */
function signedTwice(log: readonly string[]): string[] {
  return log.filter((line, at) => !line.startsWith('Update') && log.indexOf(line) !== at)
}

describe('a TSE that fails', () => {
  it('is asked three times and then left alone until a zero receipt', async () => {
    const queue = await TestQueue.started()
    queue.tse.calls = []
    queue.tse.down = true
    const answer = await queue.accept(sale(implicit(0x1)))
    expect(queue.tse.calls).toEqual(['start', 'start', 'start'])
    expect([answer.identification, answer.stateWord, answer.stateData]).toEqual([
      'ft1#',
      FAILED,
      null,
    ])
    expect(answer.signatures).toEqual([
      {
        format: 1n,
        type: 0x1000n,
        caption: 'Kommunikation mit der technischen Sicherheitseinrichtung (TSE) fehlgeschlagen',
        data: 'Fehlerzähler seit 2026-01-01T10:00:00.000Z: 1',
      },
    ])
    queue.tse.down = false
    queue.tse.calls = []
    await queue.accept(sale(implicit(0x1)))
    expect(queue.tse.calls).toEqual([])
    expect(queue.state).toMatchObject({ sscdFailCount: 2, sscdFailQueueItemId: 'item-2' })
  })

  it('that refuses the credentials sees them once per receipt', async () => {
    const queue = await TestQueue.started()
    let tries = 0
    const refuse = (): never => {
      tries += 1
      throw new CredentialsRefused('PIN wrong')
    }
    queue.tse.startTransaction = refuse
    queue.tse.info = refuse
    queue.tse.finishTransaction = refuse
    expect((await queue.accept(sale(implicit(0x1)))).stateWord).toBe(FAILED)
    expect(tries).toBe(1)
    for (const again of [zero, zero]) await queue.accept(again)
    expect(tries).toBe(3)
  })

  it('for one call only is not noticed', async () => {
    const queue = await TestQueue.started()
    queue.tse.fail('start', 2)
    queue.tse.fail('finish', 1, 'after')
    const answer = await queue.accept(sale(implicit(0x1)))
    expect(answer.identification).toBe('ft1#IT2')
    expect(signedTwice(queue.tse.transactions())).toEqual([])
    expect(queue.journalled()).toEqual(queue.tse.log)
  })

  it('that is slow gets no more time than a till can wait', async () => {
    const queue = await TestQueue.started()
    queue.tse.limits = []
    queue.tse.down = true
    queue.tse.onCall = () => {
      queue.elapsed += 1500
    }
    await queue.accept(sale(implicit(0x1)))
    expect(queue.tse.limits).toEqual([2500, 1000])
  })

  it('has the time of its Mode when that is longer', async () => {
    const queue = await TestQueue.started()
    for (const { scu } of queue.devices) scu.mode = 0x0a00
    queue.tse.limits = []
    await queue.accept(sale(implicit(0x1)))
    expect(queue.tse.limits).toEqual([10_000, 10_000])
  })

  it('after the start of a receipt leaves a transaction for the daily closing', async () => {
    const queue = await TestQueue.started()
    queue.tse.fail('finish', 3)
    const answer = await queue.accept(sale(implicit(0x1)))
    expect(answer.identification).toBe('ft1#')
    expect(queue.state.leftOpen).toEqual([2])
    expect(queue.journalled()).toEqual(queue.tse.log)
    await queue.accept(zero)
    expect(queue.tse.open.map(({ number }) => number)).toEqual([2])
    await queue.accept(receipt(implicit(0x7)))
    expect(queue.tse.open).toEqual([])
    expect(queue.state.leftOpen).toEqual([])
  })

  it('throwing something else is a failed TSE as well, never an error of the receipt', async () => {
    const queue = await TestQueue.started()
    queue.tse.onCall = () => {
      throw new TypeError('the driver is broken')
    }
    expect((await queue.accept(sale(implicit(0x1)))).stateWord).toBe(FAILED)
    expect(queue.actionsOf('TseFailed')[0]?.message).toContain('the driver is broken')
  })

  it('that the queue has no more is a failed TSE', async () => {
    const queue = await TestQueue.started()
    queue.devices = []
    expect((await queue.accept(sale(implicit(0x1)))).stateWord).toBe(FAILED)
  })
})

describe('an outage in the middle of explicit transactions', () => {
  it('finishes what was open and ended, starts what was begun, and leaves that open', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = true
    const ended = await queue.accept(sale(de(0x1), '4.20', reference('A')))
    await queue.accept(receipt(de(0x8), reference('B')))
    await queue.accept(receipt(de(0x8), reference('C')))
    await queue.accept(receipt(de(0x9), reference('C')))
    await queue.accept(order(de(0x10), reference('C')))
    expect(ended.identification).toBe('ft2#')
    expect(queue.state.failedFinishes.map(({ reference }) => reference)).toEqual(['A'])
    expect(queue.state.failedStarts.map(({ reference }) => reference)).toEqual(['B'])
    queue.tse.down = false
    const answer = await queue.accept(zero)
    expect(queue.tse.transactions().slice(2)).toEqual([
      'Start 2',
      'Start 3',
      'Finish 3 SonstigerVorgang',
      'Finish 2 Kassenbeleg-V1',
      'Start 4',
    ])
    expect(answer.identification).toBe('ft7#IT3')
    const captions = captionsOf(answer)
    expect(captions.filter((one) => one === 'finish-transaction-result').length).toBe(2)
    expect(captions.filter((one) => one === 'start-transaction-signature').length).toBe(1)
    expect(captions.at(-1)).toMatch(/^TSE Kommunikation wiederhergestellt am /)
    expect(queue.state).toMatchObject({ sscdFailCount: 0, failedStarts: [], failedFinishes: [] })
    expect(queue.state.openTransactions.map(({ reference }) => reference)).toEqual(['B'])
    expect((await queue.accept(sale(de(0x1), '1', reference('B')))).identification).toBe('ft8#T4')
  })

  it('signs a finish with its own processData', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = true
    await queue.accept(sale(de(0x1), '4.20', reference('A')))
    queue.tse.down = false
    await queue.accept(zero)
    expect(queue.tse.log.at(-1)).toMatchObject({
      number: 2,
      processData: 'Beleg^4.20_0.00_0.00_0.00_0.00^4.20:Bar',
    })
  })

  it('takes over answers that were lost instead of signing again', async () => {
    const queue = await TestQueue.started()
    queue.tse.fail('start', 3, 'after')
    await queue.accept(receipt(de(0x8), reference('A')))
    expect(queue.state.failedStarts.length).toBe(1)
    await queue.accept(zero)
    expect(queue.state.openTransactions).toMatchObject([{ reference: 'A', number: 2 }])
    queue.tse.fail('finish', 3, 'after')
    await queue.accept(sale(de(0x1), '1', reference('A')))
    expect(queue.tse.open).toEqual([])
    await queue.accept(zero)
    expect(signedTwice(queue.tse.transactions())).toEqual([])
    expect(queue.journalled()).toEqual(queue.tse.log)
    expect(queue.state.openTransactions).toEqual([])
  })

  it.each([
    ['every zero receipt', 0n],
    ['one that says so', DROP_UNKNOWN],
  ])('drops a finish that the TSE no longer knows with %s', async (_name, flag) => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = true
    await queue.accept(sale(de(0x1), '1', reference('A')))
    queue.tse.down = false
    queue.tse.open = []
    const answer = await queue.accept({ ...zero, receiptCase: implicit(0x2) | flag })
    expect(answer.stateWord).toBe(0x4445_0000_0000_0000n)
    expect(dataOf(answer, 'Offene Transaktion verworfen')).toBe(
      'Transaktion 2 (A) ist in der TSE nicht mehr offen.',
    )
    const [action] = queue.actionsOf('4445000020000000-OpenTransaction')
    expect(action).toMatchObject({ priority: -1 })
    expect(action?.message).toContain('failed finish-transaction 2')
    expect(queue.state.openTransactions).toEqual([])
  })

  it('keeps what a zero receipt had done when the TSE fails again during it', async () => {
    const queue = await TestQueue.started()
    for (const name of ['A', 'B']) await queue.accept(receipt(de(0x8), reference(name)))
    queue.tse.down = true
    for (const name of ['A', 'B']) await queue.accept(sale(de(0x1), '1', reference(name)))
    queue.tse.down = false
    let finishes = 0
    queue.tse.onCall = () => {
      finishes += queue.tse.calls.at(-1) === 'finish' ? 1 : 0
      if (finishes > 2) throw new Error('gone again')
    }
    const answer = await queue.accept(zero)
    expect([answer.identification, answer.stateWord]).toEqual(['ft5#', FAILED])
    expect(queue.state.failedFinishes.map(({ reference }) => reference)).toEqual(['B'])
    queue.tse.onCall = () => undefined
    expect((await queue.accept(zero)).stateWord).toBe(0x4445_0000_0000_0000n)
    expect(signedTwice(queue.tse.transactions())).toEqual([])
  })

  it('does not remember starts without end', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    for (let n = 0; n < 520; n += 1) await queue.accept(receipt(de(0x8), reference(`R${n}`)))
    expect(queue.state.failedStarts.length).toBe(512)
    expect(queue.state.failedStarts[0]?.reference).toBe('R8')
    expect(queue.actionsOf('FailedStartDropped').length).toBe(8)
  })
})

describe('a start whose answer was lost', () => {
  const lostStarts: [string, ReceiptRequest[]][] = [
    ['implicit', [sale(implicit(0x1)), zero]],
    [
      'explicit, and ended meanwhile',
      [receipt(de(0x8), reference('A')), sale(de(0x1), '1', reference('A')), zero],
    ],
  ]
  it.each(lostStarts)('%s, is ended by the daily closing', async (_name, requests) => {
    const queue = await TestQueue.started()
    queue.tse.clients.push('OTHER')
    queue.tse.open.push({ number: 77, client: 'OTHER', start: new Date(0) })
    queue.tse.fail('start', 3, 'after')
    for (const request of requests) await queue.accept(request)
    expect(queue.tse.open.length).toBeGreaterThan(1)
    await queue.accept(receipt(implicit(0x7)))
    expect(queue.tse.open.map(({ number }) => number)).toEqual([77])
    expect(queue.journalled()).toEqual(queue.tse.log)
  })

  it('is looked for after the start receipt, and then only after a failure', async () => {
    const queue = new TestQueue()
    queue.tse.fail('start', 3, 'after')
    await queue.refuse(receipt(implicit(0x3)))
    await queue.accept(receipt(implicit(0x3)))
    expect(queue.tse.open.length).toBe(1)
    await queue.accept(receipt(implicit(0x7)))
    expect(queue.tse.open).toEqual([])
    queue.tse.open.push({ number: 77, client: 'OTHER', start: new Date(0) })
    queue.tse.calls = []
    await queue.accept(receipt(implicit(0x7)))
    expect(queue.tse.calls.filter((call) => call === 'finish').length).toBe(1)
  })
})

describe('in failed mode', () => {
  it('a fail-transaction receipt forgets a start that failed', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    await queue.accept(receipt(de(0x8), reference('A')))
    const answer = await queue.accept(receipt(de(0xb), reference('A')))
    expect([answer.identification, answer.stateWord]).toEqual(['ft2#', FAILED])
    expect(queue.state.failedStarts).toEqual([])
  })

  it('a fail-transaction receipt of an open one is tried, and the mode stays', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.down = true
    await queue.accept(sale(implicit(0x1)))
    queue.tse.down = false
    const answer = await queue.accept(receipt(de(0xb), reference('A')))
    expect([answer.identification, answer.stateWord]).toEqual(['ft3#T2', FAILED])
    expect(queue.state.sscdFailCount).toBe(1)
  })

  it('late and handwritten receipts are what they are', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    await queue.accept(sale(implicit(0x1)))
    const late = await queue.accept(sale(implicit(0x1_0001)))
    expect(late.stateWord).toBe(FAILED | 0x8n)
    const hand = await queue.accept(sale(implicit(0x8_0001)))
    expect(captionsOf(hand)).toEqual(['Handschriftbelegerfassung vom 2026-01-01T09:00:00Z'])
    expect(queue.state.sscdFailCount).toBe(1)
  })
})

describe('late signing', () => {
  it('touches no TSE and remembers the range until the next zero receipt', async () => {
    const queue = await TestQueue.started()
    queue.tse.calls = []
    const at = (iso: string) => sale(implicit(0x1_0001), '1', { receiptMoment: new Date(iso) })
    const first = await queue.accept(at('2026-01-01T08:00:00Z'))
    await queue.accept(at('2026-01-01T07:00:00Z'))
    await queue.accept(at('2026-01-01T09:30:00Z'))
    expect(queue.tse.calls).toEqual([])
    expect(first.signatures).toEqual([
      {
        format: 1n,
        type: 0x4445_0000_0000_0002n,
        caption: 'Ausfallsnacherfassung vom 2026-01-01T08:00:00Z',
        data: 'Elektronisches Aufzeichnungssystem ausgefallen',
      },
    ])
    const answer = await queue.accept(zero)
    const text = '3 Aktionen im Zeitraum von 2026-01-01T07:00:00Z bis 2026-01-01T09:30:00Z'
    expect(answer.signatures.at(-1)).toMatchObject({ data: text })
    expect(queue.actionsOf('4445000000000002-String')).toMatchObject([
      {
        priority: -1,
        message: `Ausfallsnacherfassung abgeschlossen am 2026-01-01T10:00:00Z.${text}`,
      },
    ])
  })
})
