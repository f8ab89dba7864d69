// Refusals in the two shapes of the Dealer API: problem details for what is wrong with a request,
// the error object for everything else.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode, ErrorKind, Faults, FiscalError } from '../../../errors.js'
import { writeJson } from '../../../lib/json-write.js'
import { acceptedCulture, ENGLISH, type Language } from '../../../lib/language.js'
import { messageOf } from '../../../notify/message.js'
import { header } from '../caller.js'
import { prepareRefusal, refusalFrom, statusOf, traceIdOf } from '../trace.js'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** `Code` of the error object, where the kind of the refusal does not say it. */
const CODES: Partial<Record<ErrorCode, string>> = {
  ACCOUNT_CREDENTIALS_WRONG: 'Unauthorized',
  SHAPE_INVALID: 'RequestInvalid',
  FORM_MALFORMED: 'FormMalformed',
  DEALER_ROLE_MISSING: 'PosDealerRoleRequired',
  RIGHTS_TOO_LOW: 'InsufficientAccessRights',
  MARKET_UNSUPPORTED: 'MarketNotSupported',
  AUTO_INVITE_ROLE_MISSING: 'AutoInvitationRoleRequired',
  OPERATOR_UNKNOWN: 'PosOperatorNotFound',
  CONNECTION_UNKNOWN: 'ConnectionNotFound',
  OUTLET_UNKNOWN: 'OutletNotFound',
  INVITATION_UNKNOWN: 'InvitationNotFound',
  PDF_UNKNOWN: 'PdfNotFound',
  QUEUE_UNKNOWN: 'QueueNotFound',
  RECEIPT_UNKNOWN: 'ReceiptNotFound',
  SCU_UNKNOWN: 'ScuNotFound',
  CASH_BOX_UNKNOWN: 'CashBoxNotFound',
  HELPER_UNKNOWN: 'HelperNotFound',
  TEMPLATE_UNKNOWN: 'TemplateNotFound',
  PLAN_UNKNOWN: 'RolloutPlanNotFound',
  ORDER_UNKNOWN: 'OrderNotFound',
  CREDENTIALS_WRONG: 'Unauthorized',
  NEVER_PUBLISHED: 'ConfigurationNotFound',
  QUEUE_WITHOUT_UNIT: 'QueueWithoutScu',
  PACKAGE_OTHER: 'PackageMismatch',
  SIGNING_ROLE_MISSING: 'RksvSignRoleRequired',
  OUTLET_NUMBER_TAKEN: 'OutletNumberExists',
  INVITATION_EXISTS: 'InvitationExists',
  INVITATION_PROCESSED: 'InvitationProcessed',
  PDF_INVALID: 'PdfInvalid',
  CSV_FILE_INVALID: 'CsvFileInvalid',
  CSV_INVALID: 'CsvInvalid',
  CONNECTION_EXISTS: 'ConnectionExists',
  COMPANY_EXISTS: 'CompanyExists',
  SETTINGS_CONFLICT: 'SettingsConflict',
  SETTINGS_UNREADABLE: 'SettingsUnreadable',
  ENTITLEMENTS_INSUFFICIENT: 'InsufficientEntitlements',
  ALREADY_SUBSCRIBED: 'AlreadySubscribed',
  IDEMPOTENCY_KEY_USED: 'IdempotencyKeyUsed',
  SCU_SWITCH_IMPOSSIBLE: 'ScuSwitchNotPossible',
  SCU_OUTLET_OTHER: 'ScuOutletMismatch',
  SCU_IN_USE: 'ScuInUse',
  ORDER_TOO_LATE: 'OrderNotCancelable',
  CURSOR_TOO_OLD: 'CURSOR_TOO_OLD',
  CURSOR_AHEAD: 'CURSOR_AHEAD',
  EVENT_UNKNOWN: 'EventNotFound',
  STREAMS_FULL: 'TooManyListeners',
  OUTAGE_NONE: 'NoOutage',
  PROBLEM_UNKNOWN: 'ProblemNotFound',
  SUBMISSION_UNKNOWN: 'SubmissionNotFound',
  SUBMISSION_STATE: 'SubmissionState',
  REGISTRATION_INCOMPLETE: 'RegistrationIncomplete',
  INSPECTION_UNKNOWN: 'InspectionNotFound',
  INSPECTION_GONE: 'InspectionFileGone',
  INSPECTION_UNFINISHED: 'InspectionUnfinished',
  INSPECTIONS_FULL: 'TooManyInspections',
  INSPECTION_DISK: 'DiskFull',
  BACKUP_UNKNOWN: 'BackupNotFound',
  BACKUP_GONE: 'BackupFileGone',
  ARCHIVE_AWAY: 'ArchiveAway',
  SUBJECT_UNKNOWN: 'SubjectNotFound',
  ACTION_UNKNOWN: 'OperationNotFound',
  LINK_WRONG: 'LinkNotValid',
  INSPECTION_LINK_UNKNOWN: 'InspectionLinkNotFound',
  JOB_MISSING: 'JobNotFound',
  JOB_ENDED: 'JobEnded',
  SCOPE_MISSING: 'ScopeMissing',
  TILL_REFUSED: 'AccountRequired',
  CALL_UNKNOWN: 'CallNotFound',
  NOT_IN_PRODUCTION: 'NotInProduction',
  API_KEY_UNKNOWN: 'ApiKeyNotFound',
  API_KEYS_FULL: 'TooManyApiKeys',
  WEBHOOK_UNKNOWN: 'WebhookNotFound',
  WEBHOOKS_FULL: 'TooManyWebhooks',
  PLAN_FORBIDDEN: 'RolloutPlanNotAllowed',
  SESSION_MISSING: 'SessionRequired',
  LOGIN_WRONG: 'LoginWrong',
  CODE_NEEDED: 'CodeRequired',
  CODE_WRONG: 'CodeWrong',
  CSRF_WRONG: 'NotFromPortal',
  ACCOUNT_CHANGED: 'AccountChanged',
  ROLE_TOO_LOW: 'RoleTooLow',
  CONFIRM_NEEDED: 'ConfirmationRequired',
  PASSKEY_NEEDS_NAME: 'PasskeyNeedsName',
  PASSKEY_WRONG: 'PasskeyWrong',
  PASSKEY_MANY: 'TooManyPasskeys',
  PASSKEY_UNKNOWN: 'PasskeyNotFound',
  SSO_OFF: 'NoLoginProvider',
  SSO_UNREACHABLE: 'LoginProviderUnreachable',
  SSO_WRONG: 'LoginProviderWrong',
  LINK_UNKNOWN: 'LinkNotFound',
  PASSWORD_WEAK: 'PasswordWeak',
  PERSON_UNKNOWN: 'PersonNotFound',
  PERSON_EXISTS: 'PersonExists',
  LAST_ADMINISTRATOR: 'LastAdministrator',
}

const KIND_CODES: Record<ErrorKind, string> = {
  invalid: 'BadRequest',
  refused: 'BadRequest',
  unauthenticated: 'Unauthorized',
  forbidden: 'Forbidden',
  missing: 'NotFound',
  method: 'MethodNotAllowed',
  conflict: 'Conflict',
  'too-large': 'PayloadTooLarge',
  limited: 'TooManyRequests',
  broken: 'InternalError',
  unavailable: 'Unavailable',
}

/** Details that are shown as members of their own. */
const MEMBERS: Partial<Record<ErrorCode, readonly string[]>> = {
  ENTITLEMENTS_INSUFFICIENT: ['name', 'required', 'available'],
  CURSOR_TOO_OLD: ['after', 'firstSeq'],
  CURSOR_AHEAD: ['after', 'head'],
}

/** Refusals of kind `invalid` that have no single member at fault and come as error object. */
const AS_OBJECT: ReadonlySet<ErrorCode> = new Set(['CSV_FILE_INVALID', 'CSV_INVALID'])

export const codeOf = ({ code, kind }: Pick<FiscalError, 'code' | 'kind'>): string =>
  CODES[code] ?? KIND_CODES[kind]

/** RFC 9110, and RFC 6585 for 429. */
const TYPES: Readonly<Record<number, string>> = {
  400: '9110#section-15.5.1',
  401: '9110#section-15.5.2',
  403: '9110#section-15.5.4',
  404: '9110#section-15.5.5',
  405: '9110#section-15.5.6',
  409: '9110#section-15.5.10',
  413: '9110#section-15.5.14',
  429: '6585#section-4',
  500: '9110#section-15.6.1',
  503: '9110#section-15.6.4',
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Whether a refusal is told as problem details. */
export function isProblem({ code, kind }: Pick<FiscalError, 'code' | 'kind'>): boolean {
  return (kind === 'invalid' || kind === 'refused') && !AS_OBJECT.has(code)
}

export interface ProblemDetails {
  type: string
  title: string
  status: number
  detail: string | null
  instance: string
  errors: Faults
  /** As the error object has it. */
  code: string
  traceId: string
}

function problemOf(refusal: FiscalError, request: FastifyRequest, detail: string): ProblemDetails {
  const instance = request.url.split('?')[0] ?? ''
  const head = problemHead(refusal, detail, instance)
  return { ...head, ...detailsOf(refusal), traceId: traceIdOf(request) }
}

/** Everything but the id of the call. */
export function problemHead(
  refusal: FiscalError,
  detail: string,
  instance: string,
): Omit<ProblemDetails, 'traceId'> {
  const status = statusOf[refusal.kind]
  return {
    type: `https://tools.ietf.org/html/rfc${TYPES[status] ?? TYPES[500]}`,
    title: TITLES[status] ?? '',
    status,
    detail,
    instance,
    errors: faultsOf(refusal, detail),
    code: codeOf(refusal),
  }
}

/** What is wrong with which member; `$` where it is the whole. */
function faultsOf({ faults, field, kind }: FiscalError, detail: string): Faults {
  if (faults !== undefined) return faults
  return kind === 'invalid' || kind === 'refused' ? { [field ?? '$']: [detail] } : {}
}

/** "An empty file or a file of another type is refused with only that", `Message`. */
export const MESSAGE_ONLY: ReadonlySet<ErrorCode> = new Set(['CSV_FILE_INVALID'])

function objectOf(refusal: FiscalError, request: FastifyRequest, message: string): object {
  if (MESSAGE_ONLY.has(refusal.code)) return { Message: message }
  return {
    Message: message,
    Code: codeOf(refusal),
    TraceId: traceIdOf(request),
    ...detailsOf(refusal),
    ...refusal.members,
  }
}

/** Details that are members of their own. */
export function detailsOf({ code, details }: FiscalError): Record<string, unknown> {
  return Object.fromEntries((MEMBERS[code] ?? []).map((name) => [name, details[name]]))
}

interface Manner {
  /** Undefined: as the request asks, else English. */
  language?: Language | undefined
  /** Problem details whatever has happened. */
  problemsOnly?: boolean | undefined
  /** The error object whatever has happened. */
  objectsOnly?: boolean | undefined
}

export function sendDealerRefusal(
  error: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { language, problemsOnly = false, objectsOnly = false }: Manner = {},
): void {
  const refusal = refusalFrom(error, request)
  const wished = language ?? acceptedCulture(header(request, 'accept-language')) ?? ENGLISH
  const spoken = typeof wished === 'string' ? wished : wished.language
  const message = messageOf(refusal, refusal.english === true ? 'en' : spoken)
  const asProblem = problemsOnly || (!objectsOnly && isProblem(refusal))
  const body = (asProblem ? problemOf : objectOf)(refusal, request, message)
  void prepareRefusal(reply, refusal)
  void reply
    .header('content-type', asProblem ? PROBLEM_TYPE : JSON_TYPE)
    .serializer((text: string) => text)
    .send(writeJson(body))
}

const BEGINNINGS =
  /^(\/v[01])?\/api\/(pos-?operators|rollout|entitle|orders|templates|configuration)/

/** Whether a caller whom no group has understood speaks the Dealer API. */
export function speaksDealer(request: FastifyRequest, prefix: string): boolean {
  if (request.headers.accountid !== undefined) return true
  const path = request.url.replace(/\/+/g, '/').toLowerCase()
  const start = prefix.toLowerCase()
  if (!path.startsWith(start)) return false
  return BEGINNINGS.test(path.slice(start.length))
}
