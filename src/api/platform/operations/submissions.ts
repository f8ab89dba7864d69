// Reports to authorities: what is to be told by when, for registers of all merchants.
import { z } from 'zod'
import type { Wish } from '../../../core/event/report/submissions.js'
import type { Language } from '../../../lib/language.js'
import type { MarketFacts } from '../../../market/facts.js'
import { REPORT_KINDS, REPORT_STATES } from '../../../model/report.js'
import type { SubmissionRow } from '../../../store/event/report/submissions.js'
import {
  country,
  dateTime,
  dayOrMoment,
  id,
  int32,
  optionalText,
  text,
  uuid,
} from '../../shared/account/schemas.js'
import { type Call, OWN, operation } from '../operation.js'
import { directionOf, nextPlace, pageOf, pageQuery, placeIn, sortQuery } from '../place.js'

const tag = 'Registration'
const LONGEST = 250
const STATE =
  'planned: something it needs is not there yet. ready: to be done. manual: somebody has done ' +
  'it. ignored: not to be done. superseded: no longer so.'

export const submission = z
  .object({
    id: id(),
    kind: z.enum(REPORT_KINDS).describe('What is to be told.'),
    title: z.string().describe('The same for people.'),
    action: z.string().describe('What to do, and where.'),
    state: z.enum(REPORT_STATES).describe(STATE),
    operatorId: id().describe('Account of the merchant.'),
    operatorName: z.string().describe('Name of the merchant.'),
    market: z.string().describe('Letters of the country whose rules apply.'),
    subject: z.string().describe('Of what: queue/id, scu/id or outlet/number.'),
    occasion: z.string().describe('A year, or id of an outage; empty: it happens once.'),
    queueId: id().nullable().describe('The Queue; null: it concerns more than one.'),
    cashBoxIdentification: z.string().nullable().describe('Name of the register.'),
    cashBoxId: id().nullable().describe('Its CashBox.'),
    moment: dateTime().describe('When that happened of which is told (UTC).'),
    due: dateTime().describe('The last moment for it (UTC).'),
    doneOn: z.string().nullable().describe('The day on which it was done.'),
    reference: z.string().nullable().describe('What the authority calls it.'),
    note: z.string().nullable().describe('A note, or why it is ignored.'),
    doneBy: id().nullable().describe('Account that has marked it.'),
    changedAt: dateTime().describe('When its state changed (UTC).'),
  })
  .meta({ id: 'platform.Submission' })

export function shownReport(
  row: SubmissionRow,
  { language, factsOf }: { language: Language; factsOf(market: string): MarketFacts | undefined },
): z.output<typeof submission> {
  const { accountId, accountName, identification, isReady: _, createdAt: __, ...rest } = row
  const rule = factsOf(row.market)?.reports?.find(({ kind }) => kind === row.kind)
  const words = rule?.words[language === 'de' || language === 'fr' ? language : 'en']
  return {
    ...rest,
    ...{ title: words?.title ?? row.kind, action: words?.action ?? '' },
    ...{ operatorId: accountId, operatorName: accountName },
    cashBoxIdentification: identification,
  }
}

const place = z.object({ due: z.iso.datetime(), id: z.uuid() })
const params = z.object({ id: uuid() })
const errors = ['SUBMISSION_UNKNOWN', 'RIGHTS_TOO_LOW', 'SUBMISSION_STATE'] as const

const MOVED = {
  ...OWN,
  tag,
  params,
  method: 'POST',
  success: { status: 200, schema: submission },
} as const

type Moving = Pick<Call<{ id: string }, unknown, unknown, unknown>, 'deps' | 'actor' | 'culture'>

async function moved({ deps, actor, culture }: Moving, one: string, wish: Wish) {
  const row = await deps.submissions.move(actor, one, wish)
  return shownReport(row, { language: culture.language, factsOf: deps.factsOf })
}

const idempotent = (result: unknown, { deps, culture }: Pick<Moving, 'deps' | 'culture'>) =>
  shownReport(result as SubmissionRow, { language: culture.language, factsOf: deps.factsOf })

export const submissionOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'listSubmissions',
    title: 'Reports to authorities',
    text:
      'What authorities are to be told of registers, signing units and places, with the last day ' +
      'for it; of the account and of every merchant that it may read, usually the most urgent ' +
      'first.',
    method: 'GET',
    path: '/submissions',
    query: z.object({
      ...pageQuery,
      ...sortQuery('listSubmissions'),
      kind: z.enum(REPORT_KINDS).optional().describe('Of this kind alone.'),
      state: z.enum(REPORT_STATES).optional().describe('Of this state alone.'),
      open: z.boolean().optional().describe('Those that are still to be done, or the others.'),
      due: dayOrMoment().describe('Those of which the last moment is before.'),
      operatorId: uuid().optional().describe('Of this merchant alone.'),
      queueId: uuid().optional().describe('Of this register and the units that it works with.'),
      outlet: int32(1).optional().describe('Of the place with this number alone.'),
      market: country().optional().describe('Of this market alone.'),
    }),
    success: { status: 200, schema: z.object({ items: z.array(submission), next: nextPlace() }) },
    handle: async ({ deps, account, query, culture }) => {
      const { limit, due: dueBefore, outlet: outletNumber, ...filters } = query
      const rows = await deps.submissions.list({
        ...{ accountId: account.id, kind: filters.kind, state: filters.state, open: filters.open },
        ...{ operatorId: filters.operatorId, queueId: filters.queueId, market: filters.market },
        ...{ dueBefore, outletNumber, direction: directionOf(filters.sort) },
        ...{ after: placeIn(place, filters.after, culture), limit: limit + 1 },
      })
      const page = pageOf(rows, limit, (row) => ({ due: row.due.toISOString(), id: row.id }))
      const telling = { language: culture.language, factsOf: deps.factsOf }
      return { items: page.shown.map((row) => shownReport(row, telling)), next: page.next }
    },
  }),
  operation({
    ...MOVED,
    id: 'markSubmission',
    rehearsable: true,
    title: 'Mark a report as done',
    text:
      'Somebody has told the authority. Needs ReadWrite at the merchant. What a German ' +
      'place tells is kept as it is now: later changes are reported against it.',
    path: '/submissions/:id/manual',
    body: z.object({
      doneOn: z.iso.date().describe('The day on which it was done.'),
      reference: optionalText(LONGEST).describe('Number of the protocol.'),
      note: optionalText(LONGEST).describe('A note.'),
    }),
    example: { doneOn: '2026-11-23', reference: 'FON 4711-26', note: 'by the tax adviser' },
    errors: [...errors, 'FIELD_INVALID'],
    idempotent,
    handle: (call) => moved(call, call.params.id, { move: 'manual', ...call.body }),
  }),
  operation({
    ...MOVED,
    id: 'ignoreSubmission',
    rehearsable: true,
    title: 'Set a report aside',
    text: 'It is not to be done, for a reason. Needs ReadWrite at the merchant.',
    path: '/submissions/:id/ignore',
    body: z.object({ reason: text(LONGEST).describe('Why.') }),
    example: { reason: 'registered before the register came here' },
    errors,
    idempotent,
    handle: (call) => moved(call, call.params.id, { move: 'ignore', reason: call.body.reason }),
  }),
  operation({
    ...MOVED,
    id: 'reopenSubmission',
    rehearsable: true,
    title: 'Take back that a report is done',
    text: 'Also that it is ignored. Needs ReadWrite at the merchant.',
    path: '/submissions/:id/reopen',
    errors,
    idempotent,
    handle: (call) => moved(call, call.params.id, { move: 'reopen' }),
  }),
]
