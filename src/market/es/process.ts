// One receipt of a Spanish queue, from the request to the answer; in earnest, or only tried.
import { DeviceError } from '../../device/device.js'
import { qrBases } from '../../device/es/policies.js'
import type { EsDevice, EsIdentity } from '../../device/es/unit.js'
import type { ReceiptOutcome } from '../contract.js'
import { noteFate } from '../kit/counted.js'
import { textItem } from '../kit/draft.js'
import { printedIn } from '../kit/earlier.js'
import { type Refusal, refused } from '../kit/refusal.js'
import { answering, answersOf, noteLife, previewOf, take } from '../kit/steps.js'
import {
  receiptCases as c,
  ERROR_STATE,
  OUT_OF_SERVICE,
  seriesMarks,
  stateWord,
  types,
  UNREACHED,
} from './cases.js'
import { type EsDraft, type EsInput, newDraft } from './draft.js'
import { noteEvent, summarize } from './events.js'
import { nextFate, originalOf } from './history.js'
import type { EsState, QueueConfiguration } from './queue.js'
import { type Reading, readReceipt } from './reading.js'
import { makeRecord } from './records.js'
import { refuse, texts } from './text.js'

type Outcome = ReceiptOutcome<EsState>

export async function process(input: EsInput): Promise<Outcome> {
  const draft = newDraft(input, await unitOf(input))
  return take(draft, {
    ...{ start: c.start, act, accepted, refused: withFaults },
    read: ({ unit }) => readReceipt(input.receipt, unit?.identity.regime ?? 'MainlandVat'),
  })
}

async function unitOf(input: EsInput): Promise<Pick<EsDraft, 'unit' | 'silence'>> {
  const settings = input.queue.configuration as QueueConfiguration
  const found = await answering<EsDevice, EsIdentity>(input, settings['scu-timeout-ms'])
  return typeof found === 'string'
    ? { unit: undefined, silence: found }
    : { unit: found, silence: '' }
}

/** A record that was made stays in the chain although the authority refuses it. */
function withFaults(draft: EsDraft, refusal: Refusal): Outcome {
  const { input, state, actions, journal, stateData } = draft
  const isMade = journal.length > 0
  const left = { stateWord: ERROR_STATE, actions, journal: isMade ? journal : [] }
  const outcome = { ...refused(input, refusal, left), stateData }
  return isMade ? { ...outcome, state } : outcome
}

const { accepted, stateAt } = answersOf<EsState>({
  ...{ word: stateWord, outOfService: OUT_OF_SERVICE },
  bitsOf: ({ transmission }) => (transmission.since === null ? 0n : UNREACHED),
})

export { stateAt }

async function act(draft: EsDraft, reading: Reading): Promise<Refusal | undefined> {
  if (reading.code === c.start || reading.code === c.stop) return live(draft, reading)
  if (reading.code === c.copy) return copy(draft, reading)
  const { series } = reading
  if (series === undefined) return undefined
  if (draft.unit === undefined) return refuse('SigningUnit', [draft.silence])
  const { regime } = draft.unit.identity
  const { receiptMoment } = draft.input.receipt.request
  const { moment } = draft.input
  if (receiptMoment.getTime() > moment.getTime() + DAY_MS) {
    return refuse('ReceiptMomentInFuture', [receiptMoment.toISOString(), moment.toISOString()])
  }
  const before = reading.previous === '' ? undefined : originalOf(draft, reading.previous, regime)
  if (before !== undefined && 'faults' in before) return before
  const fate = before && nextFate(reading, before)
  if (fate !== undefined && 'faults' in fate) return fate
  await summarize(draft)
  const wrong = await makeRecord(draft, { reading, series, original: before, unit: draft.unit })
  if (fate !== undefined && draft.journal.length > 0) noteFate(draft, fate)
  return wrong
}

const DAY_MS = 86_400_000

async function live(draft: EsDraft, { code }: Reading): Promise<Refusal | undefined> {
  const { input, settings, unit } = draft
  const isStart = code === c.start
  if (isStart && unit === undefined) return refuse('SigningUnit', [draft.silence])
  if (isStart && input.queue.startMoment === null) {
    const named = (series: keyof typeof seriesMarks) => ({
      ...{ name: seriesName(input.queue.id, settings) + seriesMarks[series], number: 0 },
      ...{ moment: null, itemId: null },
    })
    const kind = unit?.identity.kind ?? null
    draft.state = { ...draft.state, kind, simplified: named('simplified'), full: named('full') }
  }
  const wrong = await noteEvent(draft, isStart ? '01' : '02')
  if (wrong !== undefined) return wrong
  const what = isStart ? 'Initial-Operation' : 'Out-of-Operation'
  const message = () => `${what} receipt. Queue-ID: ${input.queue.id}`
  noteLife(draft, { isStart, what: 'QueueES', types, message })
  return undefined
}

const SHORT_LENGTH = 11
/** Left out of the bytes of the id. */
const VERSION_BYTE = 7

/** What the series of a queue have in common: 11 letters of its id, as .NET has its bytes. */
export function seriesName(id: string, { 'series-prefix': prefix }: QueueConfiguration): string {
  const plain = Buffer.from(id.replaceAll('-', ''), 'hex')
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
  const bytes = Buffer.from(order.map((at) => plain[at] ?? 0))
  const kept = Buffer.concat([bytes.subarray(0, VERSION_BYTE), bytes.subarray(VERSION_BYTE + 1)])
  const short = kept.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  const name = short.slice(0, SHORT_LENGTH)
  return prefix === undefined ? `FW${name}`.toUpperCase() : prefix + name
}

/** The same invoice once more, as it was made: nothing is computed anew. */
function copy(draft: EsDraft, { previous }: Reading): Refusal | undefined {
  if (previous === '') return refuse('PreviousReceiptReference')
  const original = originalOf(draft, previous, draft.unit?.identity.regime ?? 'MainlandVat')
  if ('faults' in original) return original
  if (original.reading.series === undefined) return refuse('PreviousReceiptType', [previous])
  draft.identification += original.number
  const note = (data: string) => textItem(types.note, '', data)
  draft.signatures.push(...printedIn(original.response), note(texts.copy))
  if (original.fate.status === 'A') draft.signatures.push(note(texts.cancelled))
  return undefined
}

// -------------------------------------------------------------------------------------- only tried

/** Says who it is, and tells nobody; what it signs is never shown. */
const pretended = (state: EsState): EsDevice => {
  const kind = state.kind ?? 'VeriFactu'
  return {
    identity: async () => ({
      ...{ kind, nif: state.issuer?.nif ?? '', name: state.issuer?.name ?? '', licence: 'TBAI' },
      ...{ regime: 'MainlandVat', isDirect: false, qrBase: qrBases[kind].test },
    }),
    sign: async ({ xml }) => xml,
    call: async () => {
      throw new DeviceError('nothing is sent')
    },
  }
}

export const preview = previewOf<EsState, EsDevice>(process, {
  device: pretended,
  numbers: ({ simplified, full, records }) => ({
    ...{ SimplifiedInvoiceNumerator: simplified.number, InvoiceNumerator: full.number },
    RecordCount: records,
  }),
})
