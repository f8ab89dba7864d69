// Every operation of the Dealer API as the specification lists it (A1 with method and path, A2 with
// the addresses that are described for it): what the route table is compared with.

export interface Specified {
  line: string
  success: 200 | 201 | 204
  /**
   * Statuses that the specification lists; those of A2 follow from whether there is a body. Left
   * out: 404 of operations that name nothing that could be missing.
   */
  statuses: readonly number[]
  aliases?: readonly string[]
}

const P = '/posoperators/:posOperatorId'
const I = '/pos-operators-invitation'
const READ = [400, 401, 403, 404, 500] as const
const PLAIN = [401, 403, 404, 500] as const
const BODY = [400, 401, 403, 404, 409, 500] as const

const a1: Specified[] = [
  { line: `GET ${P}/outlets`, success: 200, statuses: READ },
  { line: `POST ${P}/outlets`, success: 200, statuses: BODY },
  { line: `GET ${P}/outlets/:outletNumber`, success: 200, statuses: READ },
  { line: `PUT ${P}/outlets/:outletNumber`, success: 200, statuses: READ },
  { line: `POST ${P}/templates`, success: 200, statuses: READ },
  { line: 'GET /posoperators', success: 200, statuses: [400, 401, 403, 500] },
  { line: 'POST /posoperators', success: 200, statuses: [400, 401, 403, 409, 500] },
  { line: `GET ${P}`, success: 200, statuses: READ },
  { line: 'POST /posoperators/autoinvite', success: 200, statuses: [400, 401, 403, 409, 500] },
  { line: `PATCH ${P}/masterdata`, success: 200, statuses: READ },
  { line: `GET ${I}`, success: 200, statuses: [401, 403, 500] },
  { line: `POST ${I}`, success: 201, statuses: [400, 401, 403, 409, 500] },
  { line: `GET ${I}/history`, success: 200, statuses: [401, 403, 500] },
  { line: `GET ${I}/:id`, success: 200, statuses: PLAIN },
  { line: `PUT ${I}/:id`, success: 200, statuses: BODY },
  { line: `DELETE ${I}/:id`, success: 204, statuses: [404, 409] },
  { line: `POST ${I}/import/csv`, success: 200, statuses: [400] },
  { line: `GET ${I}/import/csv/template`, success: 200, statuses: [] },
  { line: `GET ${P}/cashboxes/:cashBoxId`, success: 200, statuses: [] },
]

const a2: Specified[] = [
  { line: `GET ${I}/settings`, success: 200, statuses: [401, 403, 500] },
  {
    line: `PATCH ${I}/settings`,
    aliases: [`PUT ${I}/settings`],
    success: 200,
    statuses: [400, 401, 403, 409, 500],
  },
  { line: `POST ${I}/:id/execute`, success: 200, statuses: READ },
  {
    line: `POST ${I}/:id/auto-execute`,
    aliases: [`POST ${I}/:id/autoexecute`],
    success: 200,
    statuses: PLAIN,
  },
  { line: `POST ${I}/:id/resend`, success: 200, statuses: PLAIN },
  { line: `POST ${I}/:id/reset`, success: 200, statuses: PLAIN },
  {
    line: `POST ${I}/pdf`,
    aliases: [`PUT ${I}/pdf`],
    success: 204,
    statuses: [400, 401, 403, 500],
  },
  { line: `GET ${I}/pdf`, success: 200, statuses: PLAIN },
  { line: `DELETE ${I}/pdf`, success: 204, statuses: [401, 403, 500] },
  { line: 'GET /entitlements', success: 200, statuses: [401, 403, 500] },
  { line: `POST ${P}/produce/queues`, success: 200, statuses: BODY },
  { line: `POST ${P}/produce/outlets`, success: 200, statuses: BODY },
  { line: `GET ${P}/queues`, success: 200, statuses: PLAIN },
  { line: `GET ${P}/queues/:queueId`, success: 200, statuses: PLAIN },
  { line: `PATCH ${P}/queues/:queueId`, success: 200, statuses: READ },
  {
    line: `POST ${P}/queues/:queueId/switch-scu`,
    aliases: [`POST ${P}/queues/:queueId/scu-switch`],
    success: 200,
    statuses: BODY,
  },
  { line: `GET ${P}/queues/:queueId/journal`, success: 200, statuses: READ },
  { line: `POST ${P}/queues/:queueId/registration`, success: 200, statuses: PLAIN },
  { line: `GET ${P}/scus`, success: 200, statuses: PLAIN },
  { line: `GET ${P}/scus/:scuId`, success: 200, statuses: PLAIN },
  { line: `PATCH ${P}/scus/:scuId`, success: 200, statuses: READ },
  {
    line: `PUT ${P}/cashboxes/:cashBoxId/scus/:scuId`,
    aliases: [`POST ${P}/cashboxes/:cashBoxId/scus/:scuId`],
    success: 204,
    statuses: PLAIN,
  },
  { line: `DELETE ${P}/cashboxes/:cashBoxId/scus/:scuId`, success: 204, statuses: PLAIN },
  { line: `GET ${P}/cashboxes`, success: 200, statuses: PLAIN },
  { line: `PATCH ${P}/cashboxes/:cashBoxId`, success: 200, statuses: READ },
  {
    line: `POST ${P}/cashboxes/:cashBoxId/pairing-pin`,
    aliases: [`POST ${P}/cashboxes/:cashBoxId/pin`],
    success: 200,
    statuses: PLAIN,
  },
  { line: `PATCH ${P}/helpers/:helperId`, success: 200, statuses: READ },
  { line: 'GET /orders/:ordernumber', success: 200, statuses: PLAIN },
  {
    line: 'GET /rolloutplans',
    aliases: ['GET /rollout-plans'],
    success: 200,
    statuses: [401, 403, 500],
  },
  {
    // by its number as well, when the segment is no GUID
    line: 'GET /rolloutplans/:id',
    aliases: ['GET /rollout-plans/:id'],
    success: 200,
    statuses: PLAIN,
  },
  {
    line: 'GET /rolloutplans/number/:number',
    aliases: ['GET /rollout-plans/number/:number'],
    success: 200,
    statuses: PLAIN,
  },
  { line: 'GET /templates', success: 200, statuses: [401, 403, 500] },
  { line: `GET ${P}/templates`, success: 200, statuses: PLAIN },
]

/** Described elsewhere: the probe, the template routes of before, the launcher's download. */
const others: Specified[] = [
  { line: 'GET /version', success: 200, statuses: [] },
  { line: 'GET /connections', success: 200, statuses: [400, 401, 500] },
  { line: 'DELETE /connections/:accountId', success: 200, statuses: [400, 401, 404, 500] },
  { line: `POST ${P}/personal-data/erase`, success: 200, statuses: [400, 401, 403, 404, 500] },
  { line: `GET ${I}/import/csv`, success: 200, statuses: [401, 403, 500] },
  { line: 'POST /configuration', success: 200, statuses: [400, 401] },
  { line: 'POST /v1/configuration', success: 200, statuses: [400, 401] },
  { line: 'GET /configuration/:cashBoxId', success: 200, statuses: [401, 404] },
  { line: 'GET /configuration', success: 200, statuses: [401, 404] },
]

/** Of the Receipt API, which lets dealers set how receipts of a merchant look. */
const receipts: Specified[] = [
  { line: `GET ${P}/receiptsettings`, success: 200, statuses: PLAIN },
  { line: `PUT ${P}/receiptsettings`, success: 200, statuses: READ },
]

export const specification: readonly Specified[] = [...a1, ...a2, ...receipts, ...others]
