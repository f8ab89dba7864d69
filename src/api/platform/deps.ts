// What the Platform needs from the outside. Put together by src/deps/platform.ts.
import type { OutageDesk } from '../../core/event/autopilot/desk.js'
import type { Events } from '../../core/event/events.js'
import type { Fleet } from '../../core/event/fleet/fleet.js'
import type { InspectionDesk } from '../../core/event/inspection/desk.js'
import type { JobDesk } from '../../core/event/job/desk.js'
import type { Listeners } from '../../core/event/listeners.js'
import type { Problems } from '../../core/event/problem/problems.js'
import type { Submissions } from '../../core/event/report/submissions.js'
import type { WebhookDesk } from '../../core/event/webhook-desk.js'
import type { Rendering } from '../../core/receipts/rendering.js'
import type { PlaceDeps } from '../../core/rollout/inventory/place.js'
import type { AccountDeps } from '../shared/account/deps.js'

export interface PlatformDeps extends AccountDeps {
  events: Events
  /** Wakes whoever waits for an event: the server stops. */
  endWaits(): Promise<void>
  listeners: Listeners
  webhooks: WebhookDesk
  fleet: Fleet
  jobs: JobDesk
  inspections: InspectionDesk
  /** Where clients find this server. */
  publicUrl: string | undefined
  problems: Problems
  outages: OutageDesk
  submissions: Submissions
  registrations: PlaceDeps
  drawSheet: Rendering['drawSheet']
}
