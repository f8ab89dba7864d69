// One receipt of a French queue, from the request to the answer; in earnest, or only tried.
import type { Tagging } from '../../case/word.js'
import { pretended } from '../../device/jws.js'
import { LocalTime } from '../../lib/local-time.js'
import { type Soon, whenThere } from '../../lib/soon.js'
import { isoText } from '../../lib/ticks.js'
import { PROCESSING_VERSION } from '../../lib/version.js'
import type { Preview, PreviewInput, QueueRules, ReceiptOutcome } from '../contract.js'
import { countedRow } from '../kit/counted.js'
import { addAction, finished, newDraft, outage, priority } from '../kit/draft.js'
import { enterLate } from '../kit/late-entry.js'
import { isRefusal, type Refusal, refused } from '../kit/refusal.js'
import { isOpen, type Moments, moved, tried } from '../kit/steps.js'
import { v0WordOf } from '../kit/v0-cases.js'
import { answerOf } from './answer.js'
import { ARCHIVE_CHECK, ARCHIVE_DAYS } from './archive-check.js'
import {
  bases,
  receiptCases as c,
  dueBits,
  ERROR_STATE,
  RECEIPT_TABLES,
  signatureTypes,
  stateBits,
  stateWord,
} from './cases.js'
import { chainOf, type FrState, NO_FAILURE } from './queue.js'
import { type FrDraft, type FrInput, NOTHING_READ, readReceipt } from './reading.js'
import { LETTERS } from './rows.js'
import { type Document, signDocument } from './signing.js'
import { actionText, refuse } from './text.js'
import { COUNTED, closed, type Periods, plus, sold } from './totals.js'

type Outcome = ReceiptOutcome<FrState>

export function process(input: FrInput): Soon<Outcome> {
  const reading = readReceipt(input.receipt)
  const begins = reading.kind === 'reading' && reading.code === c.start
  const { startMoment, stopMoment } = input.queue
  if (stopMoment !== null || (startMoment === null && !begins)) return disabled(input)
  if (reading.kind === 'refusal') return withFaults(input, reading)
  const draft: FrDraft = { ...newDraft(input), reading }
  const wrong = reading.code === c.archive ? archiveFault(draft) : undefined
  if (wrong !== undefined) return withFaults(input, wrong)
  if (reading.failed) enterFailedMode(draft)
  const periods = move(draft)
  const { letter } = reading
  const document = letter === null ? undefined : signDocument(draft, { letter, periods })
  return whenThere(document, (made) =>
    isRefusal(made) ? withFaults(input, made) : complete(draft, made, periods),
  )
}

/** What follows the signature. */
function complete(draft: FrDraft, document: Document | undefined, periods: Periods): Outcome {
  const { input, journal } = draft
  const { training, copied } = draft.reading
  if (document !== undefined && !training) report(draft, document)
  const { signatures, lines } = answerOf(draft, { document, periods })
  // before the documents: the newest row of the journal is always one that an archive may name
  if (copied !== '' && !training) journal.unshift(countedRow(input.tools, copied, copied))
  if (!training) live(draft)
  noteVersion(draft)
  const outcome = accepted(draft, signatures)
  return lines === undefined ? outcome : { ...outcome, lines }
}

/** Before the start and after the stop: every receipt gets the same answer, and none is checked. */
function disabled(input: FrInput): Outcome {
  const { tagging = 'v0' } = input.receipt.words
  const draft: FrDraft = { ...newDraft(input), reading: { ...NOTHING_READ, tagging } }
  const message = actionText('outOfOrder', input.queue.id)
  addAction(draft, { priority: priority.warning, type: 'OutOfOrder', message })
  return accepted(draft, [])
}

function withFaults(input: FrInput, refusal: Refusal): Outcome {
  const { actions } = newDraft(input)
  const data = refusal.faults.map(({ message }) => message)
  const message = actionText('faults')
  addAction({ input, actions }, { priority: priority.error, type: 'Faults', message, data })
  return refused(input, refusal, { stateWord: ERROR_STATE, actions })
}

const DAY_MS = 24 * 60 * 60 * 1000

function archiveFault({ state, input }: FrDraft): Refusal | undefined {
  const { archiveFrom } = state
  if (archiveFrom === null) return refuse('archiveFirst')
  const age = input.moment.getTime() - Date.parse(archiveFrom.moment)
  if (age <= ARCHIVE_DAYS * DAY_MS) return undefined
  return refuse('archiveLong', String(ARCHIVE_DAYS), archiveFrom.moment)
}

/** Raises totals and ends periods; returns the totals that the receipt reports. */
function move({ reading, state, input }: FrDraft): Periods {
  const { training, amounts, letter, row } = reading
  if (letter !== null && COUNTED[letter] !== undefined) {
    const chain = chainOf(state, letter)
    const totals = plus(chain.totals, amounts)
    state.chains = { ...state.chains, [letter]: { ...chain, totals } }
  }
  if (letter === 'T' || letter === 'I') state.periods = sold(state.periods, amounts)
  if (training) return state.periods
  const { reported, after } = closed(state.periods, row.ends ?? [])
  state.periods = after
  const now = input.moment.getTime()
  const { day, month, year } = state.openSince
  state.openSince = { day: day ?? now, month: month ?? now, year: year ?? now }
  for (const period of row.ends ?? []) {
    state.lastClosings = { ...state.lastClosings, [period]: placeOf(input) }
    if (period in state.openSince) state.openSince = { ...state.openSince, [period]: null }
  }
  return reported
}

const placeOf = ({ receipt, moment }: FrInput) => ({ itemId: receipt.id, moment: isoText(moment) })

/** What the action journal says of a receipt, with what was signed. */
function report(draft: FrDraft, { payload: dataJson }: Document): void {
  const { code, row } = draft.reading
  if (row.told === undefined) return
  const { lastClosings, archiveFrom } = draft.state
  const [year = '', from = ''] = [lastClosings.year, archiveFrom].map((place) => place?.moment)
  const endsYear = code === c.archive && Date.parse(year) > Date.parse(from)
  const type = endsYear ? ARCHIVE_OF_YEAR : row.told.type
  addAction(draft, { ...row.told, priority: 0, type, dataJson })
}

/** Event 30 of the French technical journal: the year was closed in the range of the archive. */
const ARCHIVE_OF_YEAR = 'JET-30'

/** Event 250 of the French technical journal: another version of the program has taken over. */
function noteVersion(draft: FrDraft): void {
  const { state, input } = draft
  const { version: before } = state
  if (before === PROCESSING_VERSION) return
  state.version = PROCESSING_VERSION
  if (input.queue.startMoment === null) return
  const earlier = before === '' ? 'an earlier one' : before
  const message = actionText('version', PROCESSING_VERSION, earlier)
  const data = { version: PROCESSING_VERSION, before }
  addAction(draft, { priority: priority.information, type: 'JET-250', message, data })
}

/** A start begins the life of the queue once, a stop ends it for ever, a zero receipt outages. */
function live(draft: FrDraft): void {
  const { code } = draft.reading
  if (code === c.stop) draft.life = 'ends'
  if (code === c.start && draft.input.queue.startMoment === null) draft.life = 'begins'
  if (code !== c.zero) return
  draft.state.messages = []
  if (draft.state.failed.count > 0) leaveFailedMode(draft)
}

function enterFailedMode(draft: FrDraft): void {
  const { state, input } = draft
  const message = actionText('failedMode', input.queue.id)
  const begins = { priority: priority.warning, type: 'UsedFailed', message }
  state.failed = { ...state.failed, ...enterLate(draft, state.failed, begins) }
}

function leaveFailedMode(draft: FrDraft): void {
  const { state, input, identification } = draft
  const first = state.failed.identification ?? '#'
  const message = actionText('recovered', input.queue.id, first, identification)
  const event = outage.closed('register', state.failed.count)
  addAction(draft, { priority: priority.information, type: 'UsedFailed', message, event })
  state.failed = NO_FAILURE
}

function accepted(draft: FrDraft, signatures: FrDraft['signatures']): Outcome {
  const { state, input, reading, identification, journal } = draft
  const place = placeOf(input)
  const isArchive = reading.code === c.archive && !reading.training
  state.archiveFrom = isArchive ? place : (state.archiveFrom ?? place)
  state.lastReceipt = place
  if (state.failed.count > 0 && state.failed.identification === null) {
    state.failed = { ...state.failed, identification }
  }
  const { queue, moment, receipt } = input
  const startMoment = draft.life === 'begins' ? moment : queue.startMoment
  const then = { now: moment.getTime(), tagging: reading.tagging }
  return finished(draft, {
    stateWord: wordAt({ ...queue, startMoment }, state, then),
    ...{ signatures, stateData: null, journal },
    outbox: isArchive
      ? [{ kind: ARCHIVE_CHECK, key: receipt.id, payload: { row: receipt.row } }]
      : [],
    sandboxType: signatureTypes[reading.tagging].information,
  })
}

const paris = new LocalTime('Europe/Paris')

/** Closings of an earlier day, month or year that nobody has made; told in version 2 alone. */
export function closingsDue({ day, month, year }: FrState['openSince'], now: number): number {
  let bits = 0
  if (day !== null && paris.dayNumber(day) < paris.dayNumber(now)) bits |= dueBits.daily
  if (month !== null && paris.monthStart(month) < paris.monthStart(now)) bits |= dueBits.monthly
  if (year !== null && paris.day(year).year < paris.day(now).year) bits |= dueBits.yearly
  return bits
}

function wordAt(
  queue: Moments,
  { failed, messages, openSince }: FrState,
  { now, tagging }: { now: number; tagging: Tagging },
): bigint {
  const isActive = isOpen(queue)
  let bits = isActive ? 0 : stateBits.outOfService
  if (failed.count > 0) bits |= stateBits.lateSigning
  if (messages.length > 0) bits |= stateBits.messagePending
  if (isActive && tagging === 'v2') bits |= closingsDue(openSince, now)
  return stateWord(bits, tagging)
}

/** ftState of the next receipt, for the status. */
export const stateAt: NonNullable<QueueRules<FrState>['stateAt']> = (queue, state, moment) =>
  wordAt(queue, state, { now: moment.now, tagging: moment.answersV2 ? 'v2' : 'v0' })

// -------------------------------------------------------------------------------------- only tried

export async function preview(input: PreviewInput<FrState>): Promise<Preview<FrState>> {
  const reading = readReceipt(input.receipt)
  const outcome = await tried(process, input, pretended)
  const changes = LETTERS.flatMap((letter) => {
    const [before, after] = [chainOf(input.state, letter), chainOf(outcome.state, letter)]
    const [from, to] = [before.totals.total ?? '0', after.totals.total ?? '0']
    return [
      ...moved(`${letter}Numerator`, before.number, after.number),
      ...moved(`${letter}Totalizer`, from, to),
    ]
  })
  const how = { base: bases.v0, tables: RECEIPT_TABLES }
  const v0 = reading.kind === 'reading' ? v0WordOf(input.receipt, reading.code, how) : null
  return { v0, outcome, changes }
}
