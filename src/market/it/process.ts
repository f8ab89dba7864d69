// One receipt of an Italian queue, from the request to the answer; in earnest, or only tried.
import { DeviceError, shownUnit } from '../../device/device.js'
import { type RtDevice, RtRefusal } from '../../device/it/unit.js'
import type { ReceiptOutcome, Unit } from '../contract.js'
import { addAction, priority, textItem } from '../kit/draft.js'
import { type Refusal, refused } from '../kit/refusal.js'
import { answersOf, noteLife, previewOf, take } from '../kit/steps.js'
import { usable } from '../kit/unit-mode.js'
import {
  bits,
  receiptCases as c,
  closings,
  ERROR_STATE,
  local,
  stateWord,
  types,
  UNREACHED,
} from './cases.js'
import { ask, deviceIdOf, document, plainRecord, record, reprint } from './documents.js'
import { four, type ItDraft, type ItInput, newDraft, rome } from './draft.js'
import type { ItState } from './queue.js'
import { type Reading, readReceipt } from './reading.js'
import { captions, refuse, texts } from './text.js'

type Outcome = ReceiptOutcome<ItState>

export const process = (input: ItInput): Promise<Outcome> =>
  take(newDraft(input), {
    ...{ start: c.start, act, refused: withFaults },
    accepted: (draft) => {
      const outcome = accepted(draft)
      return draft.unreached ? { ...outcome, stateWord: UNREACHED } : outcome
    },
    read: ({ input: { receipt } }) => readReceipt(receipt),
  })

/** Nothing was numbered; that a device was silent is remembered. */
function withFaults({ input, state, actions }: ItDraft, refusal: Refusal): Outcome {
  const { failures, failedAt, lost } = state
  const outcome = refused(input, refusal, { stateWord: ERROR_STATE, actions })
  return { ...outcome, state: { ...input.state, failures, failedAt, lost } }
}

const MOST_OPEN_DAYS = 2

function bitsOf({ openSince, late }: ItState, now: number): bigint {
  const isDue =
    openSince !== null && rome.dayNumber(now) - rome.dayNumber(openSince) > MOST_OPEN_DAYS
  return (isDue ? bits.closingDue : 0n) | (late > 0 ? bits.late : 0n)
}

const { accepted, stateAt } = answersOf<ItState>({
  ...{ word: stateWord, outOfService: bits.outOfService, bitsOf },
})

export { stateAt }

async function act(draft: ItDraft, reading: Reading): Promise<Refusal | undefined> {
  if (reading.act === 'stored') return undefined
  if (reading.act === 'log' && (reading.local & local.print) === 0) return undefined
  if (reading.act === 'document' && reading.training) {
    draft.signatures.push(textItem(types.note, '', texts.training))
    return undefined
  }
  const [unit] = usable(draft.input.units)
  if (unit === undefined) return refuse('SigningUnit', ['the queue has no signing unit'])
  try {
    const wrong = await withUnit(draft, reading, unit)
    if (wrong === undefined) Object.assign(draft.state, { failures: 0, failedAt: null })
    return wrong
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    return failed(draft, reading, { unit, error })
  }
}

/** As many as drivers remember; who repeats one that is older gets a new document. */
const MOST_LOST = 20

/** Only a no says that nothing was done: what may have been printed keeps its id. */
function failed(
  draft: ItDraft,
  reading: Reading,
  { unit, error }: { unit: Unit<RtDevice>; error: DeviceError },
): Refusal | undefined {
  const { state, input } = draft
  const isNo = error instanceof RtRefusal
  if (!isNo) {
    state.failures += 1
    state.failedAt ??= input.moment.getTime()
    if (reading.act === 'document' || reading.act === 'closing') {
      const reference = input.receipt.request.receiptReference ?? ''
      const others = state.lost.filter((one) => one.reference !== reference)
      state.lost = [...others, { reference, id: deviceIdOf(draft) }].slice(-MOST_LOST)
    }
  }
  if (reading.act === 'zero' && !isNo) {
    draft.unreached = true
    draft.stateData = JSON.stringify({ SigningDeviceAvailable: false })
    return undefined
  }
  const told = isNo ? `status ${error.status}, ${error.message}` : error.message
  return refuse('SigningUnit', [`${shownUnit(unit.scu)}: ${told}`])
}

async function withUnit(
  draft: ItDraft,
  reading: Reading,
  unit: Unit<RtDevice>,
): Promise<Refusal | undefined> {
  if (reading.act === 'document') return document(draft, reading, unit)
  if (reading.act === 'copy') return reprint(draft, reading, unit)
  if (reading.act === 'closing') return closing(draft, reading, unit)
  if (reading.act === 'life') return live(draft, reading, unit)
  if (reading.act === 'log') {
    const { chargeItems } = draft.input.receipt.request
    const lines = chargeItems.map(({ description }) => description)
    await ask(draft, unit, (device, limit) => device.print(lines, limit))
    return undefined
  }
  const info = await ask(draft, unit, (device, limit) => device.status(limit))
  draft.stateData = JSON.stringify(info)
  draft.state.late = 0
  if ((reading.local & local.xReport) !== 0) {
    await ask(draft, unit, (device, limit) => device.report(limit))
  }
  return undefined
}

async function closing(
  draft: ItDraft,
  { code }: Reading,
  unit: Unit<RtDevice>,
): Promise<undefined> {
  const id = deviceIdOf(draft)
  const till = draft.input.queue.identification
  const done = await ask(draft, unit, (device, limit) => device.closing(id, till, limit))
  const { serial, z, moment } = done
  draft.identification += `Z${four(z)}`
  record(draft, { ...plainRecord(draft), serial, z, moment }, unit)
  const reference = draft.input.receipt.request.receiptReference ?? ''
  const lost = draft.state.lost.filter((one) => one.reference !== reference)
  Object.assign(draft.state, { serial, z, doc: 0, openSince: null, lost })
  draft.signatures.push(textItem(types.z, captions.z, four(z)))
  addAction(draft, {
    priority: priority.report,
    type: draft.input.receipt.request.receiptCase.toString(16),
    message: `${closings[code] ?? 'Daily'}-Closing receipt was processed.`,
    data: { ftReceiptNumerator: draft.input.queue.receiptNumerator },
  })
}

const TILL = /^[A-Za-z0-9]{8}$/

async function live(
  draft: ItDraft,
  { code }: Reading,
  unit: Unit<RtDevice>,
): Promise<Refusal | undefined> {
  const { input } = draft
  const isStart = code === c.start
  const till = input.queue.identification
  if (unit.device.isServer) {
    if (!TILL.test(till)) return refuse('TillName', [till])
    await ask(draft, unit, (device, limit) => device.till(till, isStart, limit))
  }
  const info = isStart ? await ask(draft, unit, (device, limit) => device.status(limit)) : undefined
  if (info !== undefined) draft.stateData = JSON.stringify(info)
  noteLife(draft, { isStart, what: 'QueueSCU', types, scuId: unit.scu.id })
  if (isStart) draft.life = 'begins'
  return undefined
}

// -------------------------------------------------------------------------------------- only tried

/** Numbers go on where the queue has seen them last. */
function pretended({ serial, z, doc, openSince }: ItState): RtDevice {
  const moment = '2000-01-01 00:00:00'
  const running = openSince === null ? z + 1 : z
  return {
    isServer: false,
    document: async ({ lines }) => {
      const vat = lines.map((line) => [line.vat, [line.cents, 0n] as const] as const)
      const next = { z: running, doc: doc + 1 }
      return { serial, ...next, moment, sha: '', warnings: [], vat: Object.fromEntries(vat) }
    },
    closing: async () => ({ serial, z: running, moment }),
    status: async () => ({}),
    ...{ report: async () => {}, reprint: async () => {}, print: async () => {} },
    till: async () => {},
  }
}

export const preview = previewOf<ItState, RtDevice>(process, {
  ...{ device: pretended, numbers: ({ z, doc }) => ({ ZRepNumber: z, DocumentNumber: doc }) },
})
