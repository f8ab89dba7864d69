// Refusals of group F: events, webhooks, problems, jobs.
import type { ErrorRow } from './row.js'

export const PLATFORM_REFUSALS = {
  CURSOR_TOO_OLD: {
    kind: 'conflict',
    text: 'Events up to {after} are gone; the oldest is {firstSeq}.',
  },
  CURSOR_AHEAD: { kind: 'conflict', text: 'There is no event {after} yet; the newest is {head}.' },
  EVENT_UNKNOWN: { kind: 'missing', text: 'There is no event {event} in this stream.' },
  STREAMS_FULL: {
    kind: 'unavailable',
    text: 'Too many follow events ({most}); close one, then try again.',
  },
  OUTAGE_NONE: { kind: 'conflict', text: 'The queue {queue} has no outage that goes on.' },
  PROBLEM_UNKNOWN: { kind: 'missing', text: 'There is no problem {problem} here.' },
  SUBMISSION_UNKNOWN: { kind: 'missing', text: 'There is no report {submission} here.' },
  SUBMISSION_STATE: {
    kind: 'conflict',
    text: 'The report {submission} is {state}: {move} leads nowhere from there.',
  },
  REGISTRATION_INCOMPLETE: {
    kind: 'conflict',
    text: 'The notification lacks {count} members; the first is {member}.',
  },
  WEBHOOK_UNKNOWN: { kind: 'missing', text: 'There is no webhook {webhook} here.' },
  WEBHOOKS_FULL: { kind: 'conflict', text: 'An account has {most} webhooks at most.' },
  JOB_UNKNOWN: { kind: 'missing', text: 'There is no job {job} here that could be tried again.' },
  JOB_MISSING: { kind: 'missing', text: 'There is no job {job} here.' },
  INSPECTION_UNKNOWN: { kind: 'missing', text: 'There is no inspection {inspection} here.' },
  INSPECTION_GONE: {
    kind: 'missing',
    text: 'The file of the inspection {inspection} is not here any more.',
  },
  INSPECTION_UNFINISHED: {
    kind: 'conflict',
    text: 'The inspection {inspection} has no file: {state}.',
  },
  INSPECTIONS_FULL: {
    kind: 'conflict',
    text: 'A merchant has {most} inspections at work at most.',
  },
  INSPECTION_DISK: {
    kind: 'unavailable',
    text: 'There is too little room on the disk of the server.',
  },
  BACKUP_UNKNOWN: { kind: 'missing', text: 'There is no backup {backup} here.' },
  BACKUP_GONE: { kind: 'missing', text: 'The backup {backup} has no file in the archive.' },
  ARCHIVE_AWAY: { kind: 'unavailable', text: 'The archive does not answer; try again later.' },
  SUBJECT_UNKNOWN: { kind: 'missing', text: 'There is no {subject} here.' },
  ACTION_UNKNOWN: {
    kind: 'missing',
    text: 'There is no operation {operation} that changes anything.',
  },
  INSPECTION_LINK_UNKNOWN: { kind: 'missing', text: 'This bundle has no address {link}.' },
  LINK_WRONG: { kind: 'missing', text: 'This address is not valid, or no longer.' },
  TILL_REFUSED: {
    kind: 'forbidden',
    text: 'A CashBox may ask for itself alone; this operation needs an account.',
  },
  SCOPE_MISSING: {
    kind: 'forbidden',
    text: 'This API key is for {given}; the call needs {needed}.',
  },
  API_KEY_UNKNOWN: { kind: 'missing', text: 'There is no API key {key} here.' },
  API_KEYS_FULL: { kind: 'conflict', text: 'An account has {most} API keys at most.' },
  CALL_UNKNOWN: { kind: 'missing', text: 'There is no call {call} here, or no longer.' },
  JOB_ENDED: { kind: 'conflict', text: 'The job {job} has ended: {state}.' },
} as const satisfies Record<string, ErrorRow>
