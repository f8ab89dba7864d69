// The German entry of the market table: admission, words, parameters, status members, rows.

import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { admit } from '../../../src/case/refusals.js'
import { isReceiptRequest, withoutReceiptRequest, wordOf } from '../../../src/case/word.js'
import { FiscalError } from '../../../src/errors.js'
import { describeMarketRow } from '../../../src/market/de/audit.js'
import { germany } from '../../../src/market/de/index.js'
import { ARCHIVE_KIND, archiveContent } from '../../../src/market/de/queue.js'
import { implicit, receipt, sale } from '../../support/de/make.js'
import { CASH_BOX_ID, QUEUE_ID, SERIAL, TestQueue } from '../../support/de/test-queue.js'

const admitted = (receiptCase: bigint) => () =>
  admit(withWords(receipt(receiptCase)), germany.cases)

describe('admission', () => {
  it('takes every version of the own country, and no country at all', () => {
    for (const word of [
      0x4445_0001_0000_0001n,
      0x4445_1001_0000_0001n,
      0x4445_2000_0000_0001n,
      0x4445_8001_0000_0001n,
      0x2000_0000_0001n,
      0x1n,
    ]) {
      expect(admitted(word)).not.toThrow()
    }
  })

  it('refuses other countries, the mistyped one of public clients too, and other versions', () => {
    for (const word of [307458639793225729n, 0x4154_0000_0000_0001n, 0x4445_3000_0000_0001n]) {
      expect(admitted(word)).toThrow(FiscalError)
    }
  })

  it('knows the receipt request of either tagging', () => {
    const v0 = 0x4445_8001_0000_0001n
    const v2 = 0x4445_2000_8000_0001n
    expect(
      [v0, v2, v0 & ~(1n << 47n), v2 & ~(1n << 31n)].map((word) => isReceiptRequest(wordOf(word))),
    ).toEqual([true, true, false, false])
    expect(withoutReceiptRequest(v0)).toBe(0x4445_0001_0000_0001n)
    expect(withoutReceiptRequest(v2)).toBe(0x4445_2000_0000_0001n)
  })
})

describe('parameters', () => {
  it('have the published defaults', () => {
    expect(germany.queue.configuration.parse({})).toEqual({
      'scu-max-retries': 2,
      'scu-timeout-ms': 2500,
      receiptrequestmode: 0,
      TarFileExportMode: 'All',
      EnableTarFileExport: true,
      CloseOpenTSETransactionsOnDailyClosing: false,
      FlagOptionalSignatures: true,
      DsfinvkVersion: '2.3',
      ExcludeDsfinvkOrders: false,
      DisableDsfinvkExportReferences: false,
      'qr-caption': 'fiskalwerk',
    })
  })

  it('are read from the texts that portals send', () => {
    const parsed = germany.queue.configuration.parse({
      'scu-timeout-ms': '75000',
      DsfinvkVersion: 2.4,
      ExcludeDsfinvkOrders: 'true',
      init_masterData: [{ Account: { AccountName: 'shop', Further: 1 } }],
      unknown: 'stays',
    })
    expect(parsed).toMatchObject({
      'scu-timeout-ms': 75_000,
      DsfinvkVersion: '2.4',
      ExcludeDsfinvkOrders: true,
      init_masterData: { Account: { AccountName: 'shop', Further: 1 } },
      unknown: 'stays',
    })
    expect(germany.queue.configuration.parse(parsed)).toEqual(parsed)
  })

  it.each([
    { DsfinvkVersion: '2.1' },
    { TarFileExportMode: 'Some' },
    { 'scu-timeout-ms': 0 },
    { init_masterData: { Account: { AccountName: 1 } } },
  ])('refuses %o', (parameters) => {
    expect(germany.queue.configuration.safeParse(parameters).success).toBe(false)
  })

  it('take 2 to 30 letters, digits and hyphens as identification', () => {
    const fits = (text: string) => germany.queue.identification.safeParse(text).success
    const good = ['AB', 'KASSE-0001', 'a'.repeat(30)]
    const bad = ['A', '', 'a'.repeat(31), 'a_b', 'a b', 'ä1', 'a/b', 'ab\n']
    expect(good.map(fits)).toEqual(good.map(() => true))
    expect(bad.map(fits)).toEqual(bad.map(() => false))
  })
})

describe('status members', () => {
  it('are those of ftQueueDE', async () => {
    const queue = await TestQueue.started()
    queue.tse.down = true
    await queue.accept(sale(implicit(0x1)))
    await queue.accept(sale(implicit(0x1_0001)))
    await queue.accept(receipt(implicit(0x7)))
    const view = {
      id: QUEUE_ID,
      cashBoxId: CASH_BOX_ID,
      identification: SERIAL,
      configuration: queue.configuration,
      startMoment: queue.startMoment,
      stopMoment: null,
      lastMoment: null,
      receiptNumerator: queue.receiptNumerator,
      timeStamp: 5n,
    }
    expect(germany.describe.queue(view, queue.state, '')).toEqual({
      ftQueueDEId: QUEUE_ID,
      ftSignaturCreationUnitDEId: 'scu-1',
      LastHash: null,
      CashBoxIdentification: SERIAL,
      SSCDFailCount: 2,
      SSCDFailMoment: '2026-01-01T10:00:00Z',
      SSCDFailQueueItemId: 'item-2',
      UsedFailedCount: 1,
      UsedFailedMomentMin: '2026-01-01T09:00:00Z',
      UsedFailedMomentMax: '2026-01-01T09:00:00Z',
      UsedFailedQueueItemId: 'item-3',
      DailyClosingNumber: 1,
      TimeStamp: 5n,
    })
  })

  it('of an archive are those of ftJournalDE; other rows are none', () => {
    const row = {
      timeStamp: 9n,
      id: 'row-1',
      kind: ARCHIVE_KIND,
      number: 7,
      scuId: 'scu-1',
      queueItemId: 'item-7',
      certificateFingerprint: null,
      content: archiveContent({
        fileName: '20260101100000000_KASSE-0001',
        moment: 0,
        from: 1,
        to: 2,
        without: [],
        erased: true,
      }),
    }
    expect(describeMarketRow(row, QUEUE_ID)).toEqual({
      ftJournalDEId: 'row-1',
      Number: 7,
      FileName: '20260101100000000_KASSE-0001',
      FileExtension: '.zip',
      FileContentBase64: '',
      ftQueueItemId: 'item-7',
      ftQueueId: QUEUE_ID,
      TimeStamp: 9n,
    })
    expect(() => describeMarketRow({ ...row, kind: 'closing' }, QUEUE_ID)).toThrow()
  })
})

describe('the state', () => {
  it('stays small, however many receipts there are', async () => {
    const queue = await TestQueue.started()
    const size = () => JSON.stringify(queue.state).length
    await queue.accept(receipt(implicit(0x7)))
    const before = size()
    for (let n = 0; n < 50; n += 1) await queue.accept(sale(implicit(0x1)))
    for (let n = 0; n < 5; n += 1) await queue.accept(receipt(implicit(0x7)))
    expect(size()).toBeLessThan(before + 10)
  })
})
