// Documents on their way to myDATA: one while its receipt is made, the others after it was stored.
import { DeviceError } from '../../device/device.js'
import { transmittedAfter } from '../../device/gr/calls.js'
import {
  invoicesDoc,
  isDuplicate,
  memberIn,
  type Told,
  type Transmitted,
  toldIn,
} from '../../device/gr/mydata.js'
import type { GrDevice } from '../../device/gr/unit.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { Again, OutboxWork, Unit } from '../contract.js'
import { keyOf } from '../kit/counted.js'
import { marketRow, reported } from '../kit/steps.js'
import { type Courier, transmitBy } from '../kit/transmission.js'
import { type GrState, grState } from './queue.js'
import {
  invoiceOf,
  type LateMark,
  OUTCOMES,
  RECORDS,
  type StoredOutcome,
  type StoredRecord,
} from './rows.js'

export const SEND = 'send'

export function outcomeOf(told: Told): StoredOutcome {
  const [error] = told.errors
  return {
    ...{
      isTaken: told.isTaken,
      mark: memberIn(told, 'invoiceMark'),
      qrUrl: memberIn(told, 'qrUrl'),
    },
    authenticationCode: memberIn(told, 'authenticationCode'),
    ...{ code: error?.code ?? '', text: error?.message ?? '' },
  }
}

const taken = ({ mark, authenticationCode, qrUrl }: Transmitted): StoredOutcome => ({
  ...{ isTaken: true, mark, authenticationCode, qrUrl, code: '', text: '' },
})

// ---------------------------------------------------------------------------- after it was stored

const MOST = 100
const TIMEOUT_MS = 30_000
const LONGEST_PAUSE_MS = 60_000

export function workSend(work: OutboxWork): Promise<Again | undefined> {
  const state = grState.parse(JSON.parse(work.source.state))
  return transmitBy<GrState, GrDevice, StoredOutcome>(work, state, (unit) =>
    courierOf(work, unit, state.lastMark),
  )
}

const recordIn = ({ content }: StoredMarketRow) => JSON.parse(content) as StoredRecord

function courierOf(
  work: OutboxWork,
  { scu, device }: Unit<GrDevice>,
  lastMark: string,
): Courier<StoredOutcome> {
  const known = (vat: string) =>
    transmittedAfter(device, { vat, after: lastMark, timeoutMs: TIMEOUT_MS })
  return {
    ...{ chain: RECORDS, most: MOST, longestPauseMs: LONGEST_PAUSE_MS },
    together: (rows) => rows.length,
    send: async (rows) => {
      const records = rows.map(recordIn)
      const body = invoicesDoc(records.map((one) => invoiceOf(one)))
      const call = { method: 'POST', name: 'SendInvoices', body } as const
      const told = toldIn(await device.call(call, { timeoutMs: TIMEOUT_MS }))
      // a message that is no XML is answered once, whatever it holds
      const whole = told.find(({ statusCode }) => statusCode === 'XMLSyntaxError')
      const outcomes: StoredOutcome[] = []
      for (const [at, record] of records.entries()) {
        const one = told.find(({ index }) => index === at + 1) ?? whole
        if (one === undefined) throw new DeviceError('the answer is not complete')
        const before = isDuplicate(one) ? (await known(record.vat)).get(record.uid) : undefined
        outcomes.push(before === undefined ? outcomeOf(one) : taken(before))
      }
      return { outcomes, waitMs: 0 }
    },
    find: async (rows) => {
      const records = rows.map(recordIn)
      const there = await known(records[0]?.vat ?? '')
      const outcomes: StoredOutcome[] = []
      for (const { uid } of records) {
        const found = there.get(uid)
        if (found === undefined) break
        outcomes.push(taken(found))
      }
      return outcomes
    },
    note: (row, outcome) => noteOf(work, { row, outcome, scuId: scu.id }),
    stopped: ({ queueItemId: itemId }, reason) => ({
      ...{ itemId, journal: [] },
      actions: [reported(work, 'TransmissionStopped', reason)],
    }),
  }
}

interface Answered {
  row: StoredMarketRow
  outcome: StoredOutcome
  scuId: string
}

function noteOf(work: OutboxWork, { row, outcome, scuId }: Answered) {
  const { series, aa, reference } = recordIn(row)
  const rowOf = (kind: string, number: number, content: object) =>
    marketRow(work, { kind, number, scuId, content })
  const told = rowOf(OUTCOMES, row.number, outcome satisfies StoredOutcome)
  const late: LateMark = { reference, mark: outcome.mark }
  const message = `${series}-${aa}: ${outcome.code} ${outcome.text}`
  return {
    itemId: row.queueItemId,
    journal: outcome.isTaken ? [told, rowOf('counted', keyOf(reference), late)] : [told],
    actions: outcome.isTaken ? [] : [reported(work, 'DocumentRefused', message)],
  }
}
