// Who the merchants are, and their CashBoxes and signing units as they stand.
import { z } from 'zod'
import { unixMillisecondsOf } from '../../../lib/ticks.js'
import { RIGHTS } from '../../../store/account/connections.js'
import { BOX_STATES, type FleetBox, PUBLISHED_STATES } from '../../../store/event/fleet/boxes.js'
import { type FleetUnit, UNIT_STATES } from '../../../store/event/fleet/units.js'
import { country, dateTime, dayOrMoment, id, int32, uuid } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'
import { pageOf, pageQuery, placeIn } from '../place.js'
import { list, openOutage, outageOf, search, stockPlace, stockPlaceOf } from './fleet.js'

const market = () => z.string().describe('Letters of the country whose rules apply.')
const OPERATOR = {
  operatorId: id().describe('Account of the merchant.'),
  operatorName: z.string().describe('Name of the merchant.'),
}
const STAND = {
  outletNumber: z.int().describe('Where it stands.'),
  description: z.string().describe('A text for people.'),
  lastReceipt: dateTime().nullable().describe('Of the newest receipt of its Queues (UTC).'),
  outage: openOutage.nullable().describe('The first that goes on; null: none.'),
}

const filters = {
  ...pageQuery,
  operatorId: uuid().optional().describe('Of this merchant alone.'),
  outletNumber: int32(0).optional().describe('Of outlets with this number alone.'),
  market: country().optional().describe('Of this market alone.'),
  outage: z.boolean().optional().describe('With an outage that goes on, or without one.'),
  certificateEndsBefore: dayOrMoment().describe('A certificate ends before this moment.'),
}

const operator = z
  .object({
    id: id(),
    name: z.string().describe('Its name.'),
    market: market(),
    country: z.string().describe('Where it is.'),
    right: z.enum(RIGHTS).describe('What the caller may do there.'),
    outlets: z.int().describe('How many it has.'),
    cashBoxes: z.int().describe('How many it has.'),
    queues: z.int().describe('How many it has.'),
    scus: z.int().describe('How many it has.'),
    lastReceipt: dateTime().nullable().describe('Of the newest receipt (UTC); null: none.'),
    problems: z.int().describe('That go on and were not put off.'),
    severity: z.int().nullable().describe('Of the worst of them; null: there is none.'),
  })
  .meta({ id: 'platform.Operator' })

const cashBox = z
  .object({
    id: id(),
    ...OPERATOR,
    market: market(),
    ...STAND,
    productType: z.int().describe('0 local middleware, 1 cloud, 2 RKSV.Sign instance.'),
    state: z.enum(BOX_STATES).describe('unused: no Queue was started. stopped: all were stopped.'),
    queues: z.int().describe('How many it holds.'),
    published: z
      .enum(PUBLISHED_STATES)
      .describe('changed: since the publication; what runs is not what is configured.'),
    publishedAt: dateTime().nullable().describe('When it was published last (UTC).'),
    fetched: z.boolean().describe('Its middleware has what is published.'),
    fetchedAt: dateTime()
      .nullable()
      .describe('When its middleware got a new publication last (UTC); null: never.'),
    certificateEnds: dateTime().nullable().describe('The first end of a certificate (UTC).'),
  })
  .meta({ id: 'platform.CashBox' })

const scu = z
  .object({
    id: id(),
    ...OPERATOR,
    market: market(),
    ...STAND,
    packageName: z.string().describe('What kind of device it is.'),
    mode: z.int().describe('0 normal, 1 backup, 99 and above not used; and bits of a switch.'),
    hidden: z.boolean().describe('It was taken out of lists of the Dealer API.'),
    state: z.enum(UNIT_STATES).describe('unused: no Queue signs with it.'),
    serialNumber: z.string().nullable().describe('Of the TSE or the certificate.'),
    certificationId: z.string().nullable().describe('Of a TSE, e.g. BSI-K-TR-0000-2020.'),
    tseState: z
      .int()
      .nullable()
      .describe('0 uninitialized, 1 initialized, 2 terminated; null: it is no TSE.'),
    certificateEnds: dateTime().nullable().describe('Until when its certificate is valid (UTC).'),
    cashBoxIds: z.array(id()).describe('Those that hold it.'),
    queues: z.int().describe('How many sign with it.'),
  })
  .meta({ id: 'platform.Scu' })

const operatorPlace = z.object({ name: z.string(), id: z.uuid() })

const moment = (ticks: bigint | null) =>
  ticks === null ? null : new Date(unixMillisecondsOf(ticks))

function shownBox(row: FleetBox): z.output<typeof cashBox> {
  return {
    ...{ id: row.id, operatorId: row.accountId, operatorName: row.accountName },
    ...{ market: row.market, outletNumber: row.outletNumber, description: row.description },
    ...{ lastReceipt: row.lastReceipt, outage: outageOf(row), productType: row.productType },
    ...{ state: row.state, queues: row.queues, published: row.published },
    ...{ publishedAt: moment(row.publishedStamp), fetched: row.isFetched },
    ...{ fetchedAt: row.fetchedAt, certificateEnds: row.certificateEnds },
  }
}

function shownUnit(row: FleetUnit): z.output<typeof scu> {
  const { serial, certificationId, moduleState: tseState, certificateEnds } = row
  return {
    ...{ id: row.id, operatorId: row.accountId, operatorName: row.accountName },
    ...{ market: row.market, outletNumber: row.outletNumber, description: row.description },
    ...{ lastReceipt: row.lastReceipt, outage: outageOf(row), packageName: row.packageName },
    ...{ mode: row.mode, hidden: row.hidden, state: row.state },
    ...{ serialNumber: serial === '' ? null : serial, certificationId, tseState, certificateEnds },
    ...{ cashBoxIds: row.boxes, queues: row.queues },
  }
}

export const stockOperations = [
  operation({
    ...{ ...OWN, tag: 'Merchants' },
    id: 'listOperators',
    title: 'All merchants',
    text: 'The account itself and every merchant that it may read, with how much each has.',
    method: 'GET',
    path: '/operators',
    query: z.object({
      ...pageQuery,
      market: filters.market,
      search: search().describe('Part of a name, or an id.'),
      problems: z.boolean().optional().describe('With problems, or without any.'),
    }),
    success: { status: 200, schema: list(operator) },
    handle: async ({ deps, account, query, culture }) => {
      const { limit, market: wanted, search: text, problems } = query
      const rows = await deps.fleet.operators({
        ...{ accountId: account.id, market: wanted, search: text, problems, limit: limit + 1 },
        after: placeIn(operatorPlace, query.after, culture),
      })
      const { shown, next } = pageOf(rows, limit, ({ name, id: last }) => ({ name, id: last }))
      return { items: shown.map(({ units, ...row }) => ({ ...row, scus: units })), next }
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Merchants', till: 'list' as const },
    id: 'listAllCashBoxes',
    title: 'CashBoxes of all merchants',
    text: 'Those of the account itself and of every merchant that it may read.',
    method: 'GET',
    path: '/cashboxes',
    query: z.object({
      ...filters,
      state: z.enum(BOX_STATES).optional().describe('Of this state alone.'),
      cashBoxId: uuid().optional().describe('This one alone.'),
      unpublished: z.boolean().optional().describe('Never published, or changed since; or not.'),
      search: search().describe('Part of a name or a description, or an id.'),
    }),
    success: { status: 200, schema: list(cashBox) },
    handle: async ({ deps, account, query: { limit, after, ...wanted }, culture }) => {
      const place = placeIn(stockPlace, after, culture)
      const asked = { ...wanted, accountId: account.id, after: place, limit: limit + 1 }
      const { shown, next } = pageOf(await deps.fleet.cashBoxes(asked), limit, stockPlaceOf)
      return { items: shown.map(shownBox), next }
    },
  }),
  operation({
    ...{ ...OWN, tag: 'Merchants' },
    id: 'listAllScus',
    title: 'Signing units of all merchants',
    text:
      'Those of the account itself and of every merchant that it may read. What a unit says of ' +
      'itself is read again within the hour.',
    method: 'GET',
    path: '/scus',
    query: z.object({
      ...filters,
      state: z.enum(UNIT_STATES).optional().describe('Of this state alone.'),
      unpublished: z
        .boolean()
        .optional()
        .describe('In a CashBox that was never published, or has changed since; or not.'),
      search: search().describe('Part of a name, a description or a serial number, or an id.'),
    }),
    success: { status: 200, schema: list(scu) },
    handle: async ({ deps, account, query: { limit, after, ...wanted }, culture }) => {
      const place = placeIn(stockPlace, after, culture)
      const asked = { ...wanted, accountId: account.id, after: place, limit: limit + 1 }
      const { shown, next } = pageOf(await deps.fleet.units(asked), limit, stockPlaceOf)
      return { items: shown.map(shownUnit), next }
    },
  }),
]
