// Refusals of group A: accounts, merchants, outlets, rollout, invitations.
import type { ErrorRow } from './row.js'

export const ACCOUNT_REFUSALS = {
  ACCOUNT_CREDENTIALS_WRONG: {
    kind: 'unauthenticated',
    text: 'The headers accountId and accessToken do not belong to an account.',
  },
  ACCOUNT_LIMITED: {
    kind: 'limited',
    text: 'Too many calls of this account; try again in {seconds} seconds.',
  },
  DEALER_ROLE_MISSING: { kind: 'forbidden', text: 'This account is not a PosDealer.' },
  AUTO_INVITE_ROLE_MISSING: {
    kind: 'forbidden',
    text: 'This account has not opted in to auto-invitation.',
  },
  MARKET_UNSUPPORTED: {
    kind: 'forbidden',
    text: 'This operation does not exist for accounts of market {market}.',
  },
  RIGHTS_TOO_LOW: {
    kind: 'forbidden',
    text: 'The connection to this PosOperator grants {given}; this operation needs {needed}.',
  },
  SHAPE_INVALID: { kind: 'invalid', text: 'The request is not valid; errors says why.' },
  OPERATOR_UNKNOWN: {
    kind: 'missing',
    text: 'There is no active connection to a PosOperator {operator}.',
  },
  CONNECTION_UNKNOWN: {
    kind: 'missing',
    text: 'There is no connection with the account {account}, or it has ended.',
  },
  OUTLET_UNKNOWN: { kind: 'missing', text: 'There is no outlet {outlet}.' },
  INVITATION_UNKNOWN: { kind: 'missing', text: 'There is no invitation {invitation}.' },
  PDF_UNKNOWN: { kind: 'missing', text: 'There is no stored PDF.' },
  HELPER_UNKNOWN: { kind: 'missing', text: 'There is no helper {helper}.' },
  TEMPLATE_UNKNOWN: { kind: 'missing', text: 'There is no template {template}.' },
  PLAN_UNKNOWN: { kind: 'missing', text: 'There is no rollout plan {plan}.' },
  ORDER_UNKNOWN: { kind: 'missing', text: 'There is no order {order}.' },
  QUEUE_WITHOUT_UNIT: {
    kind: 'conflict',
    text: 'Queue {queue} has no signing unit in this cash box, so it cannot be published.',
  },
  CONFIGURATION_AWAY: {
    kind: 'unavailable',
    text: 'The configuration could not be fetched from {from}: {reason}.',
  },
  NEVER_PUBLISHED: { kind: 'missing', text: 'Cash box {cashBox} was never published.' },
  PACKAGE_OTHER: {
    kind: 'conflict',
    text: 'The component {id} is of the package {package}, not of the one that the template names.',
  },
  SIGNING_ROLE_MISSING: {
    kind: 'forbidden',
    text: 'This account may not create instances that only sign (RKSV.Sign).',
  },
  OUTLET_NUMBER_TAKEN: { kind: 'conflict', text: 'The outlet number {number} is taken.' },
  OUTLET_LOCATION_MISSING: {
    kind: 'refused',
    text: 'Outlet {outlet} needs its location id ({expected}) before it can get this.',
  },
  INVITATION_EXISTS: { kind: 'conflict', text: 'There is an invitation for {email} already.' },
  INVITATION_PROCESSED: { kind: 'conflict', text: 'This invitation is processed already.' },
  PDF_INVALID: {
    kind: 'invalid',
    text: 'A PDF of at most 5 MiB is expected, with a name that ends in .pdf.',
  },
  CSV_FILE_INVALID: {
    kind: 'invalid',
    text: 'A CSV file that is not empty is expected in the form field file.',
  },
  CSV_INVALID: { kind: 'invalid', text: 'The file was not imported: {count} problems.' },
  CONNECTION_EXISTS: { kind: 'conflict', text: 'This PosOperator is connected already.' },
  COMPANY_EXISTS: { kind: 'conflict', text: 'This company has an account already.' },
  SETTINGS_CONFLICT: {
    kind: 'conflict',
    text: 'The settings were changed by somebody else meanwhile; read them and try again.',
  },
  SETTINGS_UNREADABLE: {
    kind: 'conflict',
    text: 'The stored settings cannot be read; they were left as they are.',
  },
  ENTITLEMENTS_INSUFFICIENT: {
    kind: 'conflict',
    text: 'Too few entitlements {name}: {required} are needed, {available} are there.',
  },
  ALREADY_SUBSCRIBED: { kind: 'conflict', text: 'This product is present already: {target}.' },
  IDEMPOTENCY_KEY_USED: {
    kind: 'conflict',
    text: 'The Idempotency-Key {key} was used for another call.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    kind: 'invalid',
    text: 'The header Idempotency-Key must have 1 to 255 visible ASCII characters.',
  },
  SCU_SWITCH_IMPOSSIBLE: { kind: 'conflict', text: 'The switch is not possible: {reason}' },
  SCU_OUTLET_OTHER: {
    kind: 'conflict',
    text: 'The SCU {scu} belongs to another outlet ({outlet}) than the CashBox.',
  },
  SCU_IN_USE: { kind: 'conflict', text: 'The SCU {scu} is in use by the Queue {queue}.' },
  ORDER_TOO_LATE: { kind: 'conflict', text: 'The order {order} cannot be canceled any more.' },
  PLAN_FORBIDDEN: { kind: 'forbidden', text: 'This account may not use the plan {plan}.' },
  NOT_IN_PRODUCTION: { kind: 'missing', text: 'This call exists in the sandbox only.' },
} as const satisfies Record<string, ErrorRow>
