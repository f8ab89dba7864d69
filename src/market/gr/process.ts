// One receipt of a Greek queue, from the request to the answer; in earnest, or only tried.

import type { CasedRequest } from '../../case/reader.js'
import { DeviceError, shownUnit } from '../../device/device.js'
import type { GrDevice } from '../../device/gr/unit.js'
import type { LookUp, Preview, PreviewInput, ReceiptOutcome } from '../contract.js'
import { addAction, finished, isActive, priority } from '../kit/draft.js'
import { isRefusal, type Refusal, refused } from '../kit/refusal.js'
import { limitMs, usable } from '../kit/unit-mode.js'
import {
  receiptCases as c,
  ERROR_STATE,
  formats,
  OUT_OF_SERVICE,
  stateWord,
  types,
  UNREACHED,
} from './cases.js'
import { type FoundUnit, type GrDraft, type GrInput, newDraft } from './draft.js'
import type { GrState, QueueConfiguration } from './queue.js'
import { type Reading, readReceipt, referencesIn } from './reading.js'
import { makeDocument } from './records.js'
import { captions, refuse } from './text.js'
import { keyOf } from './transmit.js'

type Outcome = ReceiptOutcome<GrState>

/** The receipts that are referred to; of one alone, the MARK that it got later. */
export function lookUp(receipt: CasedRequest): LookUp | undefined {
  const references = referencesIn(receipt)
  const [first] = references
  if (first === undefined) return undefined
  return references.length === 1 ? { references, counts: keyOf(first) } : { references }
}

export async function process(input: GrInput): Promise<Outcome> {
  const draft = newDraft(input)
  const { code } = input.receipt.words.receipt
  const begins = code === c.start && input.queue.startMoment === null
  if (!isActive(draft) && !begins) return disabled(draft)
  const reading = readReceipt(input.receipt)
  const wrong = isRefusal(reading) ? reading : await act(draft, reading)
  return wrong === undefined ? accepted(draft) : withFaults(draft, wrong)
}

/** Before the start and after the stop: every receipt gets the same answer, and none is checked. */
function disabled(draft: GrDraft): Outcome {
  const message = `Queue ${draft.input.queue.id} is out of operation.`
  addAction(draft, { priority: priority.warning, type: 'OutOfOrder', message })
  return accepted(draft)
}

/** That a number is used there is remembered although the receipt is refused. */
function withFaults(draft: GrDraft, refusal: Refusal): Outcome {
  const { input, state, actions, stateData } = draft
  return { ...refused(input, refusal, { stateWord: ERROR_STATE, actions }), state, stateData }
}

function accepted(draft: GrDraft): Outcome {
  const isOn = draft.life === undefined ? isActive(draft) : draft.life === 'begins'
  const own = isOn ? bitsOf(draft.state) : OUT_OF_SERVICE
  const { signatures, journal, outbox, stateData } = draft
  const outcome = finished(draft, {
    ...{ stateWord: stateWord(own), signatures, stateData, journal, sandboxType: types.text },
  })
  return outbox.length === 0 ? outcome : { ...outcome, outbox }
}

const bitsOf = ({ transmission }: GrState): bigint => (transmission.since === null ? 0n : UNREACHED)

export function stateAt(
  queue: { startMoment: Date | null; stopMoment: Date | null },
  state: GrState,
): bigint {
  const active = queue.startMoment !== null && queue.stopMoment === null
  return stateWord(active ? bitsOf(state) : OUT_OF_SERVICE)
}

async function act(draft: GrDraft, reading: Reading): Promise<Refusal | undefined> {
  if (reading.code === c.start || reading.code === c.stop) return live(draft, reading)
  if (reading.type === '') return undefined
  const unit = await unitOf(draft.input)
  return typeof unit === 'string' ? refuse('unit', unit) : makeDocument(draft, reading, unit)
}

/** The first unit in use that answers, or why none does. */
async function unitOf(input: GrInput): Promise<FoundUnit | string> {
  const settings = input.queue.configuration as QueueConfiguration
  const reasons: string[] = []
  for (const unit of usable(input.units)) {
    const timeoutMs = limitMs(unit.scu, settings['scu-timeout-ms']) - input.tools.elapsedMs()
    try {
      return { ...unit, identity: await unit.device.identity({ timeoutMs }) }
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      reasons.push(`${shownUnit(unit.scu)}: ${error.message}`)
    }
  }
  return reasons.join('; ') || 'the queue has no signing unit'
}

function live(draft: GrDraft, { code }: Reading): undefined {
  const { input, state } = draft
  const isStart = code === c.start
  if (isStart && input.queue.startMoment === null) {
    draft.life = 'begins'
    draft.state = { ...state, series: state.series || input.queue.identification }
  }
  if (!isStart) draft.life = 'ends'
  const word = input.receipt.request.receiptCase.toString(16)
  const [type, caption] = isStart ? [types.start, captions.start] : [types.stop, captions.stop]
  addAction(draft, {
    priority: priority.report,
    type: `${word}-${isStart ? 'A' : 'Dea'}ctivateQueueGR`,
    message: `${caption}. Queue-ID: ${input.queue.id}`,
    data: {
      ...{ CashBoxId: input.queue.cashBoxId, QueueId: input.queue.id, Moment: input.moment },
      ...(isStart ? { IsStartReceipt: true } : { IsStopReceipt: true }),
      Version: 'V0',
    },
  })
  const data = `Queue-ID: ${input.queue.id}`
  draft.signatures.push({ format: formats.text, type, caption, data })
  return undefined
}

// -------------------------------------------------------------------------------------- only tried

/** Tells nobody; its MARK is made up. */
const pretended = (state: GrState): GrDevice => ({
  identity: async () => ({
    ...{ channel: 'provider', vat: '112545020', base: '', receiptBase: 'https://receipt.example' },
    provider: { id: '126', name: 'dry run', licence: 'nothing is sent' },
  }),
  call: async () => ({
    status: 200,
    text:
      '<ResponseDoc><response><index>1</index><invoiceUid/>' +
      `<invoiceMark>${state.lastMark || '400000000000000'}</invoiceMark>` +
      '<statusCode>Success</statusCode></response></ResponseDoc>',
  }),
})

export async function preview(input: PreviewInput<GrState>): Promise<Preview<GrState>> {
  const device = pretended(input.state)
  const outcome = await process({ ...input, units: input.units.map((scu) => ({ scu, device })) })
  const [from, to] = [input.state.number, outcome.state.number]
  const changes = from === to ? [] : [{ what: 'InvoiceNumerator', from, to }]
  return { v0: null, outcome, changes }
}
