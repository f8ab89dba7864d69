// The outage of one Queue: its state, the clock of the law, the next step; and the autopilot, which
// ends outages by itself.
import { z } from 'zod'
import type { Report, ShownOutage, ShownQueue } from '../../../core/event/autopilot/desk.js'
import { NEXT_STEPS, outageWords, reportWords } from '../../../core/event/autopilot/words.js'
import type { Language } from '../../../lib/language.js'
import {
  AUTOPILOT_POLICIES,
  CLOSERS,
  OUTAGE_CAUSES,
  OUTAGE_STATES,
  UNIT_STATES,
} from '../../../model/outage.js'
import type { OutageView } from '../../../store/event/outage-view.js'
import { dateTime, id, uuid } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'

const tag = 'Outages'
const params = z.object({ id: uuid() })

const policy = z.enum(AUTOPILOT_POLICIES)
const POLICY =
  'off: nothing is asked or signed. advise: the signing units are asked. act: what ends an ' +
  'outage is signed as well.'

const report = z
  .object({
    state: z.enum(['none', 'due']).describe('due: the deadline is over.'),
    law: z.string().describe('Where it stands.'),
    deadline: dateTime().describe('An outage that lasts until then is to be told (UTC).'),
    secondsLeft: z.int().describe('Until the deadline; 0: it is over.'),
    reportBy: dateTime().describe('Until when it is to be told then (UTC).'),
    text: z.string().nullable().describe('What is due; null: nothing yet.'),
  })
  .meta({ id: 'platform.OutageReport' })

const outage = z
  .object({
    id: id(),
    cause: z
      .enum(OUTAGE_CAUSES)
      .describe('device: no signing unit works. register: the Queue could not be reached.'),
    state: z.enum(OUTAGE_STATES).describe('Of this outage.'),
    since: dateTime().describe('Where the clock begins (UTC).'),
    receipts: z.int().nullable().describe('Receipts that were not signed, or entered later.'),
    beganWith: id().nullable().describe('ftQueueItemID of the first one; null: not known.'),
    attempts: z.int().describe('Closings that did not end it.'),
    nextClosing: dateTime().nullable().describe('No closing before (UTC); null: none was tried.'),
    askedAt: dateTime().nullable().describe('When a person asked for the closing (UTC).'),
    report: report.nullable().describe('The clock of the law; null: nobody is to be told.'),
  })
  .meta({ id: 'platform.OutageOfQueue' })

const ended = z
  .object({
    id: id(),
    cause: z.enum(OUTAGE_CAUSES).describe('What it came from.'),
    beganAt: dateTime().describe('When it began (UTC).'),
    endedAt: dateTime().nullable().describe('When it ended (UTC).'),
    closedBy: z.enum(CLOSERS).nullable().describe('Whose receipt ended it; null: not known.'),
    closedWith: id().nullable().describe('ftQueueItemID of that receipt; null: not known.'),
    receipts: z.int().nullable().describe('Receipts that were not signed, or entered later.'),
  })
  .meta({ id: 'platform.EndedOutage' })

const unit = z
  .object({
    scuId: id(),
    description: z.string().describe('A text for people.'),
    state: z.enum(UNIT_STATES).describe('out: it did not answer. answering: three times in a row.'),
    since: dateTime().describe('So since then (UTC).'),
    lastAsked: dateTime().nullable().describe('When it was asked last (UTC); null: not yet.'),
    nextAsked: dateTime().describe('When it is asked next (UTC).'),
    lastError: z.string().nullable().describe('Why it did not answer; null: it did.'),
  })
  .meta({ id: 'platform.UnitOfOutage' })

const queueOutage = z
  .object({
    queueId: id(),
    operatorId: id().describe('Account of the merchant.'),
    operatorName: z.string().describe('Its name.'),
    cashBoxId: id().nullable().describe('Null: it is in none, and nobody signs with it.'),
    market: z.string().describe('Letters of the country whose rules apply.'),
    cashBoxIdentification: z.string().describe('Name of the register for the authority.'),
    state: z.enum(OUTAGE_STATES).describe('ok: there is no outage.'),
    text: z.string().describe('What that means.'),
    nextStep: z.enum(NEXT_STEPS).describe('What is to be done, for programs.'),
    action: z.string().describe('The same for people.'),
    policy: policy.describe(POLICY),
    deadline: dateTime().nullable().describe('The first one of its outages (UTC).'),
    outages: z.array(outage).describe('Those that go on, at most one of each cause.'),
    units: z.array(unit).describe('Signing units that may end them.'),
    last: ended.nullable().describe('The newest one that is over; null: there was none.'),
  })
  .meta({ id: 'platform.QueueOutage' })

const reportShown = ({ state, ...rest }: Report, language: Language) => ({
  ...{ state, ...rest, text: state === 'due' ? reportWords(language) : null },
})

const outageShown = (one: ShownOutage, language: Language) => ({
  ...{ id: one.id, cause: one.cause, state: one.state, since: one.since, receipts: one.receipts },
  ...{ beganWith: one.beganItem, attempts: one.attempts, nextClosing: one.nextAt },
  ...{ askedAt: one.askedAt },
  report: one.report === undefined ? null : reportShown(one.report, language),
})

const endedShown = (one: OutageView) => ({
  ...{ id: one.id, cause: one.cause, beganAt: one.beganAt, endedAt: one.endedAt },
  ...{ closedBy: one.closedBy, closedWith: one.closingItem, receipts: one.receipts },
})

function shown(
  { queue, state, step, open, last, units }: ShownQueue,
  language: Language,
): z.output<typeof queueOutage> {
  const deadlines = open.flatMap((one) => one.report?.deadline ?? [])
  return {
    ...{ queueId: queue.id, operatorId: queue.accountId, operatorName: queue.accountName },
    ...{ cashBoxId: queue.cashBoxId, market: queue.market },
    ...{ cashBoxIdentification: queue.identification, state, nextStep: step },
    ...outageWords({ state, step }, language),
    policy: queue.policy,
    deadline: deadlines.sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
    outages: open.map((one) => outageShown(one, language)),
    units: units.map(({ probedAt, nextAt, ...one }) => ({
      ...{ ...one, lastAsked: probedAt, nextAsked: nextAt },
    })),
    last: last === undefined ? null : endedShown(last),
  }
}

const boxPolicy = z
  .object({
    cashBoxId: id(),
    policy: policy
      .nullable()
      .describe(`${POLICY} null: it has no Queue yet, or of several markets.`),
    chosen: policy.nullable().describe('Null: as the market and the installation have it.'),
  })
  .meta({ id: 'platform.Autopilot' })

export const outageOperations = [
  operation({
    ...{ ...OWN, tag, params, till: 'queue' as const },
    id: 'readOutage',
    title: 'Outage of a Queue',
    text: 'Its state, its units, the clock of the law, and the next step.',
    method: 'GET',
    path: '/queues/:id/outage',
    success: { status: 200, schema: queueOutage },
    errors: ['QUEUE_UNKNOWN'],
    handle: async ({ deps, account, params: { id: one }, culture }) =>
      shown(await deps.outages.show(account.id, one), culture.language),
  }),
  operation({
    ...{ ...OWN, tag, params },
    id: 'closeOutage',
    rehearsable: true,
    title: 'Close an outage',
    text:
      'Needs ReadWrite at the merchant. Signs the zero receipt that ends the outage as soon as a ' +
      'signing unit answers, whatever the policy is; an outage of a register at once.',
    method: 'POST',
    path: '/queues/:id/outage/close',
    success: {
      status: 200,
      schema: z.object({
        queueId: id(),
        outageIds: z.array(id()).describe('Those that go on.'),
      }),
    },
    errors: ['QUEUE_UNKNOWN', 'RIGHTS_TOO_LOW', 'OUTAGE_NONE'],
    idempotent: (result) => result,
    handle: ({ deps, actor, params: { id: one } }) => deps.outages.close(actor, one),
  }),
  operation({
    ...{ ...OWN, tag, params },
    id: 'readAutopilot',
    title: 'Autopilot of a CashBox',
    method: 'GET',
    path: '/cashboxes/:id/autopilot',
    success: { status: 200, schema: boxPolicy },
    errors: ['CASH_BOX_UNKNOWN'],
    handle: ({ deps, account, params: { id: one } }) => deps.outages.policy(account.id, one),
  }),
  operation({
    ...{ ...OWN, tag, params },
    id: 'putAutopilot',
    rehearsable: true,
    title: 'Set the autopilot of a CashBox',
    text: 'Needs ReadWrite at the merchant.',
    method: 'PUT',
    path: '/cashboxes/:id/autopilot',
    body: z.object({
      policy: policy.nullable().describe('Null: as the market and the installation have it.'),
    }),
    example: { policy: 'advise' },
    success: { status: 200, schema: boxPolicy },
    errors: ['CASH_BOX_UNKNOWN', 'RIGHTS_TOO_LOW'],
    handle: ({ deps, actor, params: { id: one }, body }) =>
      deps.outages.choose(actor, one, body.policy),
  }),
]
