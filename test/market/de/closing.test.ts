// Closings: numbers, open transactions, archives, master data, and what an outage leaves of them.
import { describe, expect, it } from 'vitest'
import { readArchive, readClosing } from '../../../src/market/de/queue.js'
import { de, implicit, receipt, sale } from '../../support/de/make.js'
import { MemoryTse } from '../../support/de/memory-tse.js'
import { captionsOf, dataOf, slot, TestQueue } from '../../support/de/test-queue.js'

const READY = 0x4445_0000_0000_0000n
const FAILED = READY | 2n
const BYPASS = 0x0400_0000n
const MASTER_DATA = 0x0800_0000n
const FAIL_IF_OPEN = 0x1000_0000n
const CLOSE_ALL = 0x2_0000_0000n
const MIGRATION = 0x19
const daily = receipt(implicit(0x7))
const withFlag = (flag: bigint) => receipt(implicit(0x7) | flag)
const reference = (receiptReference: string) => ({ receiptReference })
const json = (text: string | null | undefined) => JSON.parse(text ?? 'null') as unknown
const EMPTY = 'AVBelegabbruch^0.00_0.00_0.00_0.00_0.00^'

describe('the daily closing', () => {
  it('has a number, a row, an action journal entry and an archive', async () => {
    const queue = await TestQueue.started()
    await queue.accept(sale(implicit(0x1)))
    const receiptMoment = new Date('2026-01-01T20:00:00.500Z')
    const answer = await queue.accept({ ...daily, receiptMoment })
    expect(answer.identification).toBe('ft2#IT3')
    expect(dataOf(answer, '<processData>')).toBe('daily-closing')
    expect(json(answer.stateData)).toEqual({ DailyClosingNumber: 1 })
    const [action] = queue.actionsOf('4445000000000007')
    expect(action).toMatchObject({ priority: -1, message: 'Daily-closing receipt was processed.' })
    expect(json(action?.dataJson)).toEqual({
      ftReceiptNumerator: 3,
      transactionNumber: 3,
      masterDataChanged: false,
      closingNumber: 1,
    })
    const [closing] = queue.rowsOf('closing')
    expect([closing?.number, closing?.scuId]).toEqual([1, 'scu-1'])
    expect(readClosing(closing?.content ?? '')).toEqual({
      row: 3,
      previousRow: 0,
      receiptNumber: 3,
      identification: 'ft2#IT3',
      moment: receiptMoment.getTime(),
      masterData: null,
      units: [
        {
          scuId: 'scu-1',
          serialHex: queue.tse.identity().serialHex,
          fingerprintHex: queue.tse.identity().certificate.fingerprint.toString('hex'),
        },
      ],
    })
  })

  it('archives what the TSE held, and lets it erase', async () => {
    const queue = await TestQueue.started()
    await queue.accept(daily)
    const [archive] = queue.rowsOf('archive')
    expect([archive?.number, archive?.scuId]).toEqual([2, 'scu-1'])
    expect(archive?.certificate?.fingerprint).toEqual(queue.tse.identity().certificate.fingerprint)
    expect(readArchive(archive?.content ?? '')).toEqual({
      fileName: '20260101100000000_KASSE-0001',
      moment: queue.moment.getTime(),
      from: 1,
      to: 7,
      without: [],
      erased: true,
    })
  })

  it('counts on from closing to closing, each knowing the one before', async () => {
    const queue = await TestQueue.started()
    for (let n = 0; n < 3; n += 1) await queue.accept(daily)
    const closings = queue.rowsOf('closing').map(({ number, content }) => {
      const { row, previousRow } = readClosing(content)
      return [number, row, previousRow]
    })
    expect(closings).toEqual([
      [1, 2, 0],
      [2, 3, 2],
      [3, 4, 3],
    ])
  })

  it('ends open transactions of the queue and shows each', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    await queue.accept(receipt(de(0x8), reference('B')))
    const answer = await queue.accept(daily)
    expect(queue.tse.transactions().slice(4)).toEqual([
      'Finish 2 Kassenbeleg-V1',
      'Finish 3 Kassenbeleg-V1',
      'Start 4',
      'Finish 4 SonstigerVorgang',
    ])
    expect(queue.tse.log.filter(({ processData }) => processData === EMPTY).length).toBe(2)
    expect(answer.identification).toBe('ft3#IT4')
    const appended = ['finish-transaction-payload', 'finish-transaction-signature', '<processType>']
    expect(captionsOf(answer).slice(15)).toEqual([...appended, ...appended])
    expect(queue.state.openTransactions).toEqual([])
  })

  it('drops open transactions that the TSE does not know any more', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    queue.tse.open = []
    const answer = await queue.accept(daily)
    expect(answer.stateWord).toBe(READY)
    const [action] = queue.actionsOf('4445000020000000-OpenTransaction')
    expect(action).toMatchObject({ priority: -1 })
    expect(json(action?.dataJson)).toMatchObject({ cbReceiptReference: 'A', TransactionNumber: 2 })
    expect(queue.state.openTransactions).toEqual([])
  })

  it('with the flag against open transactions fails like a TSE, and counts', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    const answer = await queue.accept(withFlag(FAIL_IF_OPEN))
    expect([answer.identification, answer.stateWord]).toEqual(['ft2#', FAILED])
    expect(queue.state.dailyClosingNumber).toBe(1)
    expect(queue.tse.open.length).toBe(1)
    await queue.accept(receipt(implicit(0x2)))
    await queue.accept(receipt(de(0xb), reference('A')))
    expect((await queue.accept(withFlag(FAIL_IF_OPEN))).stateWord).toBe(READY)
  })

  it.each([
    ['flag', {}, CLOSE_ALL],
    ['parameter', { CloseOpenTSETransactionsOnDailyClosing: 'true' }, 0n],
  ])('ends what other clients left open with the %s', async (_name, configuration, flag) => {
    const queue = await TestQueue.started({ configuration })
    queue.tse.clients.push('OTHER')
    queue.tse.open.push({ number: 77, client: 'OTHER', start: new Date(0) })
    const answer = await queue.accept(withFlag(flag))
    expect([answer.stateWord, queue.tse.open]).toEqual([READY, []])
    expect(queue.tse.log.find(({ number }) => number === 77)).toMatchObject({
      client: 'OTHER',
      processData: EMPTY,
    })
    expect(captionsOf(answer).length).toBe(18)
  })

  it('leaves what other clients have open without them', async () => {
    const queue = await TestQueue.started()
    queue.tse.open.push({ number: 77, client: 'OTHER', start: new Date(0) })
    expect((await queue.accept(daily)).stateWord).toBe(READY)
    expect(queue.tse.open.length).toBe(1)
  })
})

describe('a daily closing without TSE', () => {
  it('has its number and its row, in failed mode and when the TSE fails right then', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    const first = await queue.accept(daily)
    const second = await queue.accept(daily)
    expect(
      [first, second].map((one) => [one.identification, one.stateWord, one.stateData]),
    ).toEqual([
      ['ft1#', FAILED, null],
      ['ft2#', FAILED, null],
    ])
    expect(queue.rowsOf('closing').map(({ number }) => number)).toEqual([1, 2])
    expect(readClosing(queue.rowsOf('closing')[0]?.content ?? '').identification).toBe('ft1#')
    expect(queue.rowsOf('archive')).toEqual([])
    const [action] = queue.actionsOf('4445000000000007')
    expect(action?.message).toBe(
      'Daily-closing receipt was processed. However TSE was not reachable.',
    )
    expect(json(action?.dataJson)).toEqual({
      ftReceiptNumerator: 2,
      masterDataChanged: false,
      closingNumber: 1,
    })
  })

  it('forgets no transaction that it could not end', async () => {
    const queue = await TestQueue.started()
    await queue.accept(receipt(de(0x8), reference('A')))
    await queue.accept(receipt(de(0x8), reference('B')))
    let finishes = 0
    queue.tse.onCall = () => {
      finishes += queue.tse.calls.at(-1) === 'finish' ? 1 : 0
      if (finishes > 1) throw new Error('gone')
    }
    await queue.accept(daily)
    expect(queue.state.openTransactions.map((one) => one.reference)).toEqual(['B'])
    queue.tse.onCall = () => undefined
    await queue.accept(receipt(implicit(0x2)))
    const answer = await queue.accept(daily)
    expect(json(answer.stateData)).toEqual({ DailyClosingNumber: 2 })
    expect(queue.tse.open).toEqual([])
    expect(queue.journalled()).toEqual(queue.tse.log)
  })
})

describe('the archive', () => {
  const archived = async (configuration: Record<string, unknown>, more = 0n) => {
    const queue = await TestQueue.started({ configuration })
    return { queue, close: () => queue.accept(withFlag(more)) }
  }

  it.each([
    ['TarFileExportMode None', { TarFileExportMode: 'None' }, 0n],
    ['EnableTarFileExport false', { EnableTarFileExport: 'false' }, 0n],
    ['the bypass flag', {}, BYPASS],
  ])('is not made with %s', async (_name, configuration, flag) => {
    const { queue, close } = await archived(configuration, flag)
    await close()
    expect(queue.tse.calls).not.toContain('export')
    expect(queue.rowsOf('archive')).toEqual([])
  })

  it('of mode Erased is skipped while anything is open, and kept only when erased', async () => {
    const { queue, close } = await archived({ TarFileExportMode: 'Erased' })
    queue.tse.open.push({ number: 77, client: 'OTHER', start: new Date(0) })
    await close()
    expect(queue.tse.calls).not.toContain('export')
    queue.tse.open = []
    queue.tse.mayErase = false
    await close()
    expect(queue.rowsOf('archive')).toEqual([])
    queue.tse.mayErase = true
    await close()
    expect(queue.rowsOf('archive').length).toBe(1)
  })

  it('of mode All is kept even when the TSE does not erase', async () => {
    const { queue, close } = await archived({})
    queue.tse.mayErase = false
    await close()
    expect(readArchive(queue.rowsOf('archive')[0]?.content ?? '').erased).toBe(false)
  })

  it('that fails is noted, and the closing stays valid', async () => {
    const { queue, close } = await archived({})
    queue.tse.fail('export', 1)
    const answer = await close()
    expect([answer.identification, answer.stateWord]).toEqual(['ft1#IT2', READY])
    expect(queue.actionsOf('TarExportFailed').length).toBe(1)
    // until the next one is kept it is missing
    const since = queue.state.logMissingSince
    expect(since).toEqual(expect.any(Number))
    queue.tse.fail('export', 1)
    await close()
    expect(queue.state.logMissingSince).toBe(since)
    await close()
    expect(queue.state.logMissingSince).toBe(null)
  })

  it('tells how full the TSE is, until it was erased', async () => {
    const { queue, close } = await archived({})
    queue.tse.mayErase = false
    queue.tse.logMemory = 7 * 2 ** 30
    await close()
    expect(queue.state.memoryUsed).toBe(7 / 8)
    queue.tse.mayErase = true
    await close()
    expect(queue.state.memoryUsed).toBe(0)
  })

  it('is made by a zero receipt that asks for it, and by no other', async () => {
    const { queue } = await archived({})
    await queue.accept(receipt(implicit(0x2)))
    expect(queue.rowsOf('archive')).toEqual([])
    await queue.accept(receipt(implicit(0x2) | 0x0200_0000n))
    expect(queue.rowsOf('archive').length).toBe(1)
  })
})

describe('monthly and yearly closings', () => {
  it.each([
    [0x5, 'Monthly', 'monthly-closing'],
    [0x6, 'Yearly', 'yearly-closing'],
  ])('%i is signed and archived, and is no cash point closing', async (code, name, text) => {
    const queue = await TestQueue.started({ configuration: { init_masterData: { Outlet: {} } } })
    const answer = await queue.accept(receipt(implicit(code)))
    expect(dataOf(answer, '<processData>')).toBe(text)
    expect(json(answer.stateData)).toEqual({ MasterData: { Outlet: {} } })
    const [action] = queue.actionsOf(`444500000000000${code}`)
    expect(action?.message).toBe(`${name}-closing receipt was processed.`)
    expect(json(action?.dataJson)).toMatchObject({ closingNumber: -1, transactionNumber: 2 })
    expect([queue.rowsOf('closing').length, queue.rowsOf('archive').length]).toEqual([0, 1])
    expect(queue.state.dailyClosingNumber).toBe(0)
  })

  it('are journalled in failed mode as well', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    await queue.accept(receipt(implicit(0x6)))
    expect(queue.actionsOf('4445000000000006')[0]?.message).toBe(
      'Yearly-closing receipt was processed. However TSE was not reachable.',
    )
  })
})

describe('master data', () => {
  const shop = (AccountName: string) => ({ init_masterData: { Account: { AccountName } } })
  const parse = (queue: TestQueue, configuration: Record<string, unknown>) => {
    queue.configuration = { ...(queue.configuration as object), ...configuration }
  }

  it('are those of the beginning until a closing takes over new ones', async () => {
    const queue = await TestQueue.started({ configuration: shop('old') })
    parse(queue, shop('new'))
    const before = await queue.accept(daily)
    expect(json(before.stateData)).toMatchObject({
      MasterData: { Account: { AccountName: 'old' } },
    })
    await queue.accept(withFlag(MASTER_DATA))
    const names = queue
      .rowsOf('closing')
      .map(({ content }) => readClosing(content).masterData?.Account?.AccountName)
    expect(names).toEqual(['old', 'old'])
    const [action] = queue.actionsOf('4445000008000007')
    expect(action?.message).toBe(
      'Daily-closing receipt was processed, and a master data update was performed.',
    )
    expect(json(action?.dataJson)).toMatchObject({ masterDataChanged: true })
    await queue.accept(daily)
    const last = readClosing(queue.rowsOf('closing')[2]?.content ?? '')
    expect(last.masterData).toEqual({ Account: { AccountName: 'new' } })
  })

  it('that are the same are no change, whatever the order of their members', async () => {
    const account = { AccountName: 'shop', City: 'Berlin' }
    const queue = await TestQueue.started({
      configuration: { init_masterData: { Account: account } },
    })
    parse(queue, { init_masterData: { Account: { City: 'Berlin', AccountName: 'shop' } } })
    await queue.accept(withFlag(MASTER_DATA))
    expect(queue.actionsOf('4445000000000007').length).toBe(1)
  })

  it('that come later are not taken over by themselves', async () => {
    const queue = await TestQueue.started()
    parse(queue, shop('late'))
    await queue.accept(daily)
    expect(queue.state.masterData).toBeNull()
    await queue.accept(withFlag(MASTER_DATA))
    expect(queue.state.masterData).toEqual({ Account: { AccountName: 'late' } })
  })

  it('are updated by monthly and yearly closings, and without TSE too', async () => {
    const queue = await TestQueue.started({ configuration: shop('one') })
    parse(queue, shop('two'))
    await queue.accept(receipt(implicit(0x5) | MASTER_DATA))
    expect(queue.actionsOf('4445000008000005').length).toBe(1)
    parse(queue, shop('three'))
    queue.tse.down = true
    await queue.accept(receipt(implicit(0x7) | MASTER_DATA))
    expect(queue.state.masterData).toEqual({ Account: { AccountName: 'three' } })
  })
})

describe('the start of a migration', () => {
  it('is a daily closing after which every receipt is refused', async () => {
    const queue = await TestQueue.started()
    const answer = await queue.accept(receipt(implicit(MIGRATION)))
    expect(dataOf(answer, '<processData>')).toBe('start-migration')
    expect(json(answer.stateData)).toEqual({ DailyClosingNumber: 1 })
    expect(queue.actions.map(({ type }) => type).slice(-2)).toEqual([
      '4445000000000007',
      '4445000100000019',
    ])
    expect([queue.rowsOf('closing').length, queue.rowsOf('archive').length]).toEqual([1, 1])
    for (const code of [0x1, 0x2, 0x4, 0x19]) {
      expect((await queue.refuse(receipt(implicit(code)))).message).toContain('migrated')
    }
  })

  it('does not happen without TSE, and has no items', async () => {
    const queue = await TestQueue.started()
    expect((await queue.refuse(sale(implicit(MIGRATION)))).message).toContain('items')
    queue.tse.down = true
    expect((await queue.accept(receipt(implicit(MIGRATION)))).stateWord).toBe(FAILED)
    expect([queue.state.migrated, queue.state.dailyClosingNumber]).toEqual([false, 0])
    expect(queue.rowsOf('closing')).toEqual([])
  })
})

describe('two queues with one TSE', () => {
  it('journal each its own messages, which together are all of them', async () => {
    const tse = new MemoryTse('shared')
    const devices = [slot(tse)]
    const first = await TestQueue.started({ devices }, tse)
    await first.accept(sale(implicit(0x1)))
    const second = await TestQueue.started({ devices }, tse)
    await second.accept(sale(implicit(0x1)))
    await first.accept(sale(implicit(0x1)))
    const all = [...first.journalled(), ...second.journalled()]
    expect(all.sort((a, b) => a.counter - b.counter)).toEqual(tse.log)
  })
})
