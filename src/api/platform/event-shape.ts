// An event as it goes out, wherever it goes: CloudEvents 1.0 in JSON, with its number.
import { z } from 'zod'
import { objectIn } from '../../lib/json.js'
import type { EventRow } from '../../store/event/stream.js'
import { anyJson, dateTime, id, int64 } from '../shared/account/schemas.js'

export const cloudEvent = z
  .object({
    specversion: z.literal('1.0').describe('Version of CloudEvents.'),
    id: id().describe('The same wherever this event is told, and whenever it is told again.'),
    seq: int64().describe('Its number in the stream of this account: 1, 2, 3 … without gaps.'),
    source: z.string().describe('Address of the account whose event it is.'),
    type: z.string().describe('What has happened; `redacted`: it is no longer yours to read.'),
    subject: z.string().optional().describe('What it happened to: kind/id.'),
    time: dateTime().describe('When (UTC).'),
    cashboxid: z.string().optional().describe('The CashBox that it concerns.'),
    datacontenttype: z.literal('application/json'),
    data: anyJson().describe('Ids and numbers; `GET /event-types` says which.'),
  })
  .meta({ id: 'platform.CloudEvent', description: 'CloudEvents 1.0 in JSON.' })

export function cloudEventOf(row: EventRow): z.output<typeof cloudEvent> {
  const { seq, id: eventId, ownerId, at } = row
  const head = { specversion: '1.0', id: eventId, seq, source: `/accounts/${ownerId}` } as const
  const tail = { time: at, datacontenttype: 'application/json' } as const
  // its place stays, so that numbers have no gaps
  if (row.isRedacted) return { ...head, source: '/accounts', type: 'redacted', ...tail, data: null }
  const { type, subjectKind, subjectId, cashBoxId, data } = row
  return {
    ...{ ...head, type, subject: `${subjectKind}/${subjectId}` },
    ...{ ...tail, ...(cashBoxId === null ? {} : { cashboxid: cashBoxId }) },
    data: objectIn(data) ?? null,
  }
}
