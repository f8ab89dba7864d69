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
