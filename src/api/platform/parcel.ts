// What a webhook gets: an event, or a batch of them, as CloudEvents in JSON.
import type { Parcel } from '../../core/event/webhook-call.js'
import { writeJson } from '../../lib/json-write.js'
import type { EventRow } from '../../store/event/stream.js'
import { cloudEventOf } from './event-shape.js'

export function parcelOf(events: readonly EventRow[], isBatch: boolean): Parcel {
  const shown = events.map(cloudEventOf)
  const [first] = shown
  if (!isBatch) {
    return {
      id: first?.id ?? '',
      body: writeJson(first ?? null),
      contentType: 'application/cloudevents+json; charset=utf-8',
    }
  }
  // a later try may take more along, and is another message then
  return {
    id: `${first?.id ?? ''}-${shown.length}`,
    body: writeJson(shown),
    contentType: 'application/cloudevents-batch+json; charset=utf-8',
  }
}

/** Stands in no stream, and says so by its type. */
export function testParcel({ id, accountId, at }: { id: string; accountId: string; at: Date }) {
  const event = {
    ...{ specversion: '1.0', id, seq: 0, source: `/accounts/${accountId}`, type: 'webhook.test' },
    ...{ time: at, datacontenttype: 'application/json', data: {} },
  }
  const contentType = 'application/cloudevents+json; charset=utf-8'
  return { id, body: writeJson(event), contentType }
}
