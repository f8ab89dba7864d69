// Status and `Code` of every refusal of the Dealer API, as its description lists them; which
// operations answer which of the two forms. Written down here a second time, by hand.
import { expect } from 'vitest'
import type { ErrorCode } from '../../../src/errors.js'
import { faults, type Reply, refusal } from '../dealer.js'

const CODES: Partial<Record<ErrorCode, readonly [number, string]>> = {
  ACCOUNT_CREDENTIALS_WRONG: [401, 'Unauthorized'],
  CREDENTIALS_WRONG: [401, 'Unauthorized'],
  DEALER_ROLE_MISSING: [403, 'PosDealerRoleRequired'],
  RIGHTS_TOO_LOW: [403, 'InsufficientAccessRights'],
  MARKET_UNSUPPORTED: [403, 'MarketNotSupported'],
  AUTO_INVITE_ROLE_MISSING: [403, 'AutoInvitationRoleRequired'],
  SIGNING_ROLE_MISSING: [403, 'RksvSignRoleRequired'],
  SCOPE_MISSING: [403, 'ScopeMissing'],
  PLAN_FORBIDDEN: [403, 'RolloutPlanNotAllowed'],
  SHAPE_INVALID: [400, ''],
  FIELD_INVALID: [400, ''],
  FORM_MALFORMED: [400, ''],
  PDF_INVALID: [400, ''],
  JOURNAL_TYPE_UNKNOWN: [400, ''],
  JOURNAL_FORMAT: [400, ''],
  CSV_FILE_INVALID: [400, 'CsvFileInvalid'],
  CSV_INVALID: [400, 'CsvInvalid'],
  OPERATOR_UNKNOWN: [404, 'PosOperatorNotFound'],
  CONNECTION_UNKNOWN: [404, 'ConnectionNotFound'],
  OUTLET_UNKNOWN: [404, 'OutletNotFound'],
  INVITATION_UNKNOWN: [404, 'InvitationNotFound'],
  PDF_UNKNOWN: [404, 'PdfNotFound'],
  QUEUE_UNKNOWN: [404, 'QueueNotFound'],
  SCU_UNKNOWN: [404, 'ScuNotFound'],
  CASH_BOX_UNKNOWN: [404, 'CashBoxNotFound'],
  HELPER_UNKNOWN: [404, 'HelperNotFound'],
  PLAN_UNKNOWN: [404, 'RolloutPlanNotFound'],
  ORDER_UNKNOWN: [404, 'OrderNotFound'],
  NEVER_PUBLISHED: [404, 'ConfigurationNotFound'],
  OUTLET_NUMBER_TAKEN: [409, 'OutletNumberExists'],
  INVITATION_EXISTS: [409, 'InvitationExists'],
  INVITATION_PROCESSED: [409, 'InvitationProcessed'],
  CONNECTION_EXISTS: [409, 'ConnectionExists'],
  COMPANY_EXISTS: [409, 'CompanyExists'],
  SETTINGS_CONFLICT: [409, 'SettingsConflict'],
  SETTINGS_UNREADABLE: [409, 'SettingsUnreadable'],
  ENTITLEMENTS_INSUFFICIENT: [409, 'InsufficientEntitlements'],
  ALREADY_SUBSCRIBED: [409, 'AlreadySubscribed'],
  SCU_SWITCH_IMPOSSIBLE: [409, 'ScuSwitchNotPossible'],
  SCU_OUTLET_OTHER: [409, 'ScuOutletMismatch'],
  SCU_IN_USE: [409, 'ScuInUse'],
  PACKAGE_OTHER: [409, 'PackageMismatch'],
  QUEUE_WITHOUT_UNIT: [409, 'QueueWithoutScu'],
  BODY_TOO_LARGE: [413, 'PayloadTooLarge'],
  ACCOUNT_LIMITED: [429, 'TooManyRequests'],
  CREDENTIALS_LIMITED: [429, 'TooManyRequests'],
  INTERNAL: [500, 'InternalError'],
  DATABASE_AWAY: [503, 'Unavailable'],
  PIN_NONE_FREE: [503, 'Unavailable'],
}

/** Partial updates: success and failure have the form of problem details. */
const PROBLEMS_ONLY = new Set(['updateScu', 'updateCashBox', 'updateHelper'])
/** "Every 400 carries `Message`." */
const OBJECTS_ONLY = new Set(['importInvitations'])

/** "An empty file or a file of another type is refused with only that." */
const MESSAGE_ONLY = new Set<ErrorCode>(['CSV_FILE_INVALID'])

const TYPES: Record<number, string> = {
  400: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
  401: 'https://tools.ietf.org/html/rfc9110#section-15.5.2',
  403: 'https://tools.ietf.org/html/rfc9110#section-15.5.4',
  404: 'https://tools.ietf.org/html/rfc9110#section-15.5.5',
  413: 'https://tools.ietf.org/html/rfc9110#section-15.5.14',
  429: 'https://tools.ietf.org/html/rfc6585#section-4',
  500: 'https://tools.ietf.org/html/rfc9110#section-15.6.1',
  503: 'https://tools.ietf.org/html/rfc9110#section-15.6.4',
}

export interface Expected {
  /** Of the table. */
  id: string
  code: ErrorCode
  /** Keys of `errors` of problem details. */
  members?: readonly string[]
}

/** Fails unless the reply is this refusal, in the form that this operation has for it. */
export function expectRefused(reply: Reply, { id, code, members = [] }: Expected): void {
  const [status, name] = CODES[code] ?? [0, '']
  if (status === 0) throw new Error(`${code} is no refusal of the Dealer API`)
  expect(reply.status, reply.text).toBe(status)
  const asProblem = PROBLEMS_ONLY.has(id) || (status === 400 && !OBJECTS_ONLY.has(id))
  if (asProblem) {
    expect(Object.keys(faults(reply, status)).toSorted(), reply.text).toEqual(members.toSorted())
    const { type, title, detail, instance, traceId } = reply.json()
    expect(type).toBe(TYPES[status])
    for (const text of [title, detail]) expect(text).toMatch(/\S/)
    expect(instance).toMatch(/\/api\//i)
    expect(traceId).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  } else if (MESSAGE_ONLY.has(code)) {
    expect(Object.keys(reply.json())).toEqual(['Message'])
    expect(reply.json().Message).toMatch(/\S/)
    expect(reply.headers['content-type']).toMatch(/^application\/json/)
  } else {
    expect(refusal(reply)).toEqual({ status, code: name })
  }
  if (status === 429 || status === 503) {
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  }
}
