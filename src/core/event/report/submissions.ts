// Reports as people work them off: listed, marked as done or ignored, and taken back.
import { fail } from '../../../errors.js'
import type { ReportState } from '../../../model/report.js'
import { grants } from '../../../store/account/connections.js'
import type { Store } from '../../../store/client.js'
import {
  findSubmission,
  listSubmissions,
  moveSubmission,
  type SubmissionQuestion,
  type SubmissionRow,
} from '../../../store/event/report/submissions.js'
import { type Actor, audited } from '../../audit/audit.js'

export interface Submissions {
  list(asked: SubmissionQuestion): Promise<SubmissionRow[]>
  /** Throws SUBMISSION_UNKNOWN, RIGHTS_TOO_LOW, SUBMISSION_STATE. */
  move(actor: Actor, id: string, wish: Wish): Promise<SubmissionRow>
}

export type Wish =
  | { move: 'manual'; doneOn: string; reference: string | null; note: string | null }
  | { move: 'ignore'; reason: string }
  | { move: 'reopen' }

export interface SubmissionDeps {
  store: Store
  now(): Date
  /** What a report tells as a whole picture, as JSON text; null: it tells one thing. */
  toldBy(row: SubmissionRow): Promise<string | null>
}

/** From which states a person gets where; whatever is not here is refused. */
export const MOVES: Readonly<Record<Wish['move'], readonly ReportState[]>> = {
  manual: ['planned', 'ready'],
  ignore: ['planned', 'ready'],
  reopen: ['manual', 'ignored'],
}

export function nextState(wish: Wish, isReady: boolean): ReportState {
  if (wish.move === 'manual') return 'manual'
  if (wish.move === 'ignore') return 'ignored'
  return isReady ? 'ready' : 'planned'
}

export function createSubmissions(deps: SubmissionDeps): Submissions {
  return {
    list: (asked) => listSubmissions(deps.store, asked),
    move: (actor, id, wish) => moved(deps, actor, { id, wish }),
  }
}

async function moved(
  { store, now, toldBy }: SubmissionDeps,
  actor: Actor,
  { id, wish }: { id: string; wish: Wish },
): Promise<SubmissionRow> {
  const found = async () => {
    const row = await findSubmission(store, { accountId: actor.accountId, id })
    if (row === undefined) throw fail('SUBMISSION_UNKNOWN', { submission: id })
    return row
  }
  const row = await found()
  if (!grants(row.right, 'ReadWrite')) {
    throw fail('RIGHTS_TOO_LOW', { given: row.right, needed: 'ReadWrite' })
  }
  const refused = (state: ReportState) =>
    fail('SUBMISSION_STATE', { submission: id, state, move: wish.move })
  if (!MOVES[wish.move].includes(row.state)) throw refused(row.state)
  const members = membersOf(wish, now())
  const state = nextState(wish, row.isReady)
  const told = wish.move === 'manual' ? await toldBy(row) : null
  const doneBy = wish.move === 'reopen' ? null : actor.accountId
  const onBehalfOf = row.accountId === actor.accountId ? null : row.accountId
  return audited({ store, now }, { ...actor, onBehalfOf }, async (tx) => {
    const isMoved = await moveSubmission(tx, row, { ...members, to: state, told, by: doneBy })
    // somebody else was faster
    if (!isMoved) throw refused((await found()).state)
    const { doneOn, reference } = members
    return {
      result: { ...row, ...members, state, doneBy, changedAt: now() },
      subjects: { submissionId: id },
      before: { state: row.state },
      after: { state, doneOn, reference },
      event: {
        type: 'report.changed',
        subject: { kind: 'submission', id },
        cashBoxId: row.cashBoxId,
        data: { kind: row.kind, state },
      },
    }
  })
}

/** Where the day comes first: nobody has done tomorrow's work, wherever he is. */
const EAST_MS = 14 * 60 * 60 * 1000

/** Throws FIELD_INVALID for a day that is still to come. */
function membersOf(wish: Wish, now: Date) {
  const none = { doneOn: null, reference: null, note: null }
  if (wish.move === 'reopen') return none
  if (wish.move === 'ignore') return { ...none, note: wish.reason }
  const { doneOn, reference, note } = wish
  const today = new Date(now.getTime() + EAST_MS).toISOString().slice(0, 10)
  if (doneOn > today) {
    throw fail('FIELD_INVALID', { field: 'doneOn', expected: `a day up to ${today}` })
  }
  return { doneOn, reference, note }
}
