// All Queues of all merchants as they stand, and their outages.
import { z } from 'zod'
import { CLOSERS, OUTAGE_STATES } from '../../../model/outage.js'
import { type FleetRow, QUEUE_STATES } from '../../../store/event/fleet/queues.js'
import {
  country,
  dateTime,
  dayOrMoment,
  id,
  int32,
  int64,
  uuid,
} from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'
import { directionOf, nextPlace, pageOf, pageQuery, placeIn, sortQuery } from '../place.js'

const HOUR_MS = 60 * 60 * 1000
const YEAR_HOURS = 8784
const LONGEST_SEARCH = 100
const CLOSED_BY =
  'pos: a receipt of the register. autopilot: this server by itself. person: this server, as a ' +
  'person asked for it. null: it goes on, or nobody knows.'
const CAUSES = 'device: no signing unit works. register: the Queue could not be reached.'

const outageState = z
  .enum(OUTAGE_STATES)
  .describe('What is known of its units; `GET /queues/{id}/outage` says more. ok: it is over.')
export const openOutage = z
  .object({
    cause: z.string().describe(CAUSES),
    since: dateTime().describe('When it began (UTC).'),
    state: outageState,
  })
  .meta({ id: 'platform.OpenOutage' })

const queue = z
  .object({
    id: id(),
    operatorId: id().describe('Account of the merchant.'),
    operatorName: z.string().describe('Name of the merchant.'),
    outletNumber: z.int().nullable().describe('Where its CashBox stands.'),
    cashBoxId: id().nullable().describe('Null: it is in none, and nobody signs with it.'),
    market: z.string().describe('Letters of the country whose rules apply.'),
    cashBoxIdentification: z.string().describe('Name of the register for the authority.'),
    description: z.string().describe('A text for people.'),
    state: z.enum(QUEUE_STATES).describe('unused: before the start. stopped: for ever.'),
    startMoment: dateTime().nullable().describe('When it went into operation (UTC).'),
    stopMoment: dateTime().nullable().describe('When it went out of operation (UTC).'),
    lastReceipt: dateTime().nullable().describe('Of the newest receipt (UTC).'),
    receipts: int64().describe('How many it has numbered.'),
    outage: openOutage.nullable().describe('That goes on now; null: none.'),
  })
  .meta({ id: 'platform.Queue' })

/** Of lists in the order of their keys. */
export const stockPlace = z.object({ accountId: z.uuid(), id: z.uuid() })
export const stockPlaceOf = (row: { accountId: string; id: string }) => {
  return { accountId: row.accountId, id: row.id }
}
const outagePlace = z.object({ beganAt: z.iso.datetime(), id: z.uuid() })
export const list = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next: nextPlace() })
export const search = () => z.string().max(LONGEST_SEARCH).optional()

export function outageOf({
  outageCause: cause,
  outageSince: since,
  outageState: state,
}: Pick<FleetRow, 'outageCause' | 'outageSince' | 'outageState'>) {
  return cause === null || since === null || state === null ? null : { cause, since, state }
}

export const fleetOperations = [
  operation({
    ...{ ...OWN, tag: 'Queues', till: 'list' as const },
    id: 'listAllQueues',
    title: 'Queues of all merchants',
    text: 'Those of the account itself and of every merchant that it may read.',
    method: 'GET',
    path: '/queues',
    query: z.object({
      ...pageQuery,
      operatorId: uuid().optional().describe('Of this merchant alone.'),
      cashBoxId: uuid().optional().describe('Of this CashBox alone.'),
      outletNumber: int32(0).optional().describe('Of outlets with this number alone.'),
      market: country().optional().describe('Of this market alone.'),
      state: z.enum(QUEUE_STATES).optional().describe('Of this state alone.'),
      outage: z.boolean().optional().describe('With an outage that goes on, or without one.'),
      silentHours: int32(1, YEAR_HOURS)
        .optional()
        .describe('In operation, and without a receipt for so many hours.'),
      search: search().describe('Part of a name, an identification, a description or an id.'),
    }),
    success: { status: 200, schema: list(queue) },
    handle: async ({ deps, account, query, culture }) => {
      const { limit, silentHours, after, ...filters } = query
      const rows = await deps.fleet.queues({
        ...{ ...filters, accountId: account.id, limit: limit + 1 },
        after: placeIn(stockPlace, after, culture),
        silentSince:
          silentHours === undefined
            ? undefined
            : new Date(deps.now().getTime() - silentHours * HOUR_MS),
      })
      const { shown, next } = pageOf(rows, limit, stockPlaceOf)
      const items = shown.map((row) => {
        return {
          ...{ id: row.id, operatorId: row.accountId, operatorName: row.accountName },
          ...{ outletNumber: row.outletNumber, cashBoxId: row.cashBoxId, market: row.market },
          ...{ cashBoxIdentification: row.identification, description: row.description },
          ...{ state: row.state, startMoment: row.startMoment, stopMoment: row.stopMoment },
          ...{ lastReceipt: row.lastReceipt, receipts: row.receipts },
          outage: outageOf(row),
        }
      })
      return { items, next }
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Queues', till: 'list' as const },
    id: 'listOutages',
    title: 'Outages of all merchants',
    text: 'Usually newest first. An outage ends with the receipt that the law asks for.',
    method: 'GET',
    path: '/outages',
    query: z.object({
      ...pageQuery,
      ...sortQuery('listOutages'),
      cashBoxId: uuid().optional().describe('Of this CashBox alone.'),
      open: z.boolean().default(false).describe('Those that go on.'),
      from: dayOrMoment().describe('Those that went on at this moment or later.'),
      to: dayOrMoment().describe('Those that had begun before.'),
    }),
    success: {
      status: 200,
      schema: list(
        z
          .object({
            id: id(),
            operatorId: id().describe('Account of the merchant.'),
            operatorName: z.string().describe('Name of the merchant.'),
            queueId: id().describe('The Queue.'),
            cashBoxIdentification: z.string().describe('Name of the register for the authority.'),
            market: z.string().describe('Letters of the country whose rules apply.'),
            cashBoxId: id().nullable().describe('The CashBox that it was in.'),
            cause: z.string().describe(CAUSES),
            beganAt: dateTime().describe('When it began (UTC).'),
            state: outageState,
            endedAt: dateTime().nullable().describe('When it ended (UTC); null: it goes on.'),
            closedBy: z.enum(CLOSERS).nullable().describe(CLOSED_BY),
            receipts: z
              .int()
              .nullable()
              .describe('Receipts that were not signed or entered later; null: not known yet.'),
          })
          .meta({ id: 'platform.Outage' }),
      ),
    },
    handle: async ({ deps, account, query, culture }) => {
      const { limit, open, from, to, cashBoxId } = query
      const after = placeIn(outagePlace, query.after, culture)
      const direction = directionOf(query.sort)
      const asked = { accountId: account.id, cashBoxId, open, from, to, after, direction }
      const rows = await deps.fleet.outages({ ...asked, limit: limit + 1 })
      const { shown, next } = pageOf(rows, limit, ({ place, id: one }) => ({
        ...{ beganAt: place, id: one },
      }))
      const items = shown.map(({ accountId, accountName, identification, place: _, ...row }) => ({
        ...{ ...row, operatorId: accountId, operatorName: accountName },
        cashBoxIdentification: identification,
      }))
      return { items, next }
    },
  }),
]
