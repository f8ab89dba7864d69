// Refusals of the portal: sessions and people.
import type { ErrorRow } from './row.js'

export const PORTAL_REFUSALS = {
  SESSION_MISSING: {
    kind: 'unauthenticated',
    text: 'Nobody is logged in, or the session has ended; log in.',
  },
  LOGIN_WRONG: {
    kind: 'unauthenticated',
    text: 'E-mail address and password do not belong together.',
  },
  CODE_NEEDED: {
    kind: 'unauthenticated',
    text: 'The password is right; the code of the second factor is needed as well.',
  },
  CODE_WRONG: { kind: 'unauthenticated', text: 'This code is wrong, too old, or was used before.' },
  CSRF_WRONG: {
    kind: 'forbidden',
    text: 'This call does not come from the portal; load the page anew.',
  },
  ACCOUNT_CHANGED: {
    kind: 'conflict',
    text: 'This page works for another account than the session; nothing was changed.',
  },
  ROLE_TOO_LOW: {
    kind: 'forbidden',
    text: 'Your role in this company is {given}; {needed} is needed.',
  },
  CONFIRM_NEEDED: {
    kind: 'forbidden',
    text: 'Give your password again: it was given more than five minutes ago.',
  },
  PASSKEY_NEEDS_NAME: {
    kind: 'refused',
    text:
      'Passkeys belong to a name, and this page was opened by an address: open it by the name ' +
      'of the server (on this machine: localhost).',
  },
  PASSKEY_WRONG: {
    kind: 'unauthenticated',
    text: 'This passkey is not known here, or the answer came too late; try again.',
  },
  PASSKEY_MANY: {
    kind: 'conflict',
    text: 'This passkey is there already, or there are 20; remove one first.',
  },
  PASSKEY_UNKNOWN: { kind: 'missing', text: 'There is no such passkey.' },
  SSO_OFF: { kind: 'missing', text: 'This server has no provider of logins.' },
  SSO_UNREACHABLE: {
    kind: 'unavailable',
    text: 'The provider of logins does not answer; try again, or log in with your password.',
  },
  SSO_WRONG: {
    kind: 'unauthenticated',
    text: 'What the provider of logins has answered is wrong: {detail}',
  },
  SSO_DENIED: { kind: 'unauthenticated', text: 'The login was called off at the provider.' },
  SSO_STALE: {
    kind: 'unauthenticated',
    text: 'This login is finished, or was begun in another browser or too long ago; begin again.',
  },
  SSO_UNKNOWN: {
    kind: 'unauthenticated',
    text:
      'Nobody here has the e-mail address that the provider tells; an administrator of your ' +
      'company can add you.',
  },
  SSO_UNVERIFIED: {
    kind: 'unauthenticated',
    text: 'The provider has not checked the e-mail address, so it opens nothing here.',
  },
  SSO_LINK_FIRST: {
    kind: 'unauthenticated',
    text: 'This login has a second factor: log in as always, and connect the provider there once.',
  },
  SSO_OTHER: {
    kind: 'unauthenticated',
    text: 'At the provider you are somebody else than here.',
  },
  LINK_UNKNOWN: {
    kind: 'missing',
    text: 'This link is too old, was used before, or is incomplete; ask for a new one.',
  },
  PASSWORD_WEAK: {
    kind: 'refused',
    text:
      'Too easy to guess: at least 8 characters with capital and small letters and a digit, ' +
      'or at least 16 of any kind.',
  },
  PERSON_UNKNOWN: { kind: 'missing', text: 'There is no such person in this company.' },
  PERSON_EXISTS: { kind: 'conflict', text: 'This person is in this company already.' },
  LAST_ADMINISTRATOR: {
    kind: 'conflict',
    text: 'Somebody has to stay administrator; make somebody else one first.',
  },
} as const satisfies Record<string, ErrorRow>
