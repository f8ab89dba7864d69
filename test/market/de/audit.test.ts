// The checker of stored German data: silent on what the queue did, and loud on what was changed.
import { describe, expect, it } from 'vitest'
import { writeJson } from '../../../src/lib/json-write.js'
import type { AuditedReceipt } from '../../../src/market/contract.js'
import { DeAuditor } from '../../../src/market/de/audit.js'
import { closingContent, readClosing } from '../../../src/market/de/queue.js'
import type { StoredMarketRow } from '../../../src/model/journal.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import type { Finding } from '../../../src/model/verdict.js'
import { de, implicit, receipt, sale } from '../../support/de/make.js'
import { TestQueue } from '../../support/de/test-queue.js'

const daily = receipt(implicit(0x7))
const zero = receipt(implicit(0x2))

/** What the store would hold of a day with an outage and late entries. */
async function storedDay(): Promise<{ queue: TestQueue; stored: AuditedReceipt[] }> {
  const queue = new TestQueue()
  const stored: AuditedReceipt[] = []
  const keep = async (request: ReceiptRequest): Promise<void> => {
    const outcome = await queue.accept(request)
    const journal: StoredMarketRow[] = outcome.journal.map(({ certificate, ...row }) => ({
      ...row,
      timeStamp: 0n,
      queueItemId: `item-${queue.row}`,
      certificateFingerprint: certificate?.fingerprint ?? null,
    }))
    const ftSignatures = outcome.signatures.map(({ caption, data }) => ({ caption, data }))
    const actionTypes = outcome.actions.map(({ type }) => type)
    const response = writeJson({ ftSignatures })
    stored.push({ row: queue.row, response, journal, actionTypes })
  }
  await keep(receipt(implicit(0x3)))
  for (const request of [sale(implicit(1)), receipt(de(0x8)), sale(de(1)), daily]) {
    await keep(request)
  }
  queue.tse.down = true
  for (const request of [sale(implicit(1)), daily, sale(implicit(0x1_0001))]) await keep(request)
  queue.tse.down = false
  for (const request of [zero, sale(implicit(1)), daily]) await keep(request)
  return { queue, stored }
}

function audit({ queue, stored }: Awaited<ReturnType<typeof storedDay>>): Finding[] {
  const auditor = new DeAuditor(queue.state)
  return [...stored.flatMap((one) => auditor.receipt(one)), ...auditor.end()]
}

type Change = (stored: AuditedReceipt[], queue: TestQueue) => void

const changes: [string, string, Change][] = [
  [
    'LOG_ORDER',
    'a log that comes twice',
    (stored) => {
      const [row] = stored[1]?.journal ?? []
      if (row !== undefined) stored[2]?.journal.push(row)
    },
  ],
  [
    'ANSWER_COUNTER',
    'a log that is gone',
    (stored) => {
      stored[1]?.journal.splice(0)
    },
  ],
  [
    'CLOSING_NUMBER',
    'a closing that is gone',
    (stored) => {
      stored[6]?.journal.splice(0)
    },
  ],
  [
    'CLOSING_ROW',
    'a closing of another receipt',
    (stored) => {
      for (const row of stored[6]?.journal ?? []) {
        row.content = closingContent({ ...readClosing(row.content), row: 99 })
      }
    },
  ],
  [
    'OUTAGE_COUNT',
    'a failed receipt whose answer was changed',
    (stored) => {
      const one = stored[5]
      if (one !== undefined) one.response = '{"ftSignatures":[]}'
    },
  ],
  ['OUTAGE_END', 'failed receipts that are gone', (stored) => stored.splice(5, 2)],
  ['LATE_END', 'a late entry that is gone', (stored) => stored.splice(7, 1)],
  [
    'STATE_CLOSING',
    'a state that was set back',
    (_stored, queue) => {
      queue.state = { ...queue.state, dailyClosingNumber: 1 }
    },
  ],
  [
    'STATE_OUTAGE',
    'an outage that nobody recorded',
    (_stored, queue) => {
      queue.state = { ...queue.state, sscdFailCount: 4 }
    },
  ],
]

describe('the audit of a German queue', () => {
  it('finds nothing in what the queue stored', async () => {
    expect(audit(await storedDay())).toEqual([])
  })

  it.each(changes)('tells %s for %s', async (code, _name, change) => {
    const day = await storedDay()
    change(day.stored, day.queue)
    expect(audit(day).map((finding) => finding.code)).toContain(code)
  })

  it('wants the DSFinV-K verified, and passes over what nobody could store better', async () => {
    const { queue } = await storedDay()
    const auditor = new DeAuditor(queue.state)
    expect(auditor.legalExport()).toEqual({ type: 0x4445_0000_0000_0002n })
    const findings = ['X', 'FIELD_MANDATORY', 'TSE_CUT'].map((code) => ({
      code,
      receipt: '',
      text: 'told',
    }))
    expect(auditor.judge({ findings, summary: null })).toEqual(findings.slice(0, 1))
  })
})
