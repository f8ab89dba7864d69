// What the Platform needs from the outside. Put together by src/deps/platform.ts.
import type { ApiKeys } from '../../core/accounts/api-keys.js'
import type { Drafts } from '../../core/accounts/drafts.js'
import type { OutageDesk } from '../../core/event/autopilot/desk.js'
import type { BackupDesk } from '../../core/event/backup/desk.js'
import type { Events } from '../../core/event/events.js'
import type { Fleet } from '../../core/event/fleet/fleet.js'
import type { InspectionDesk } from '../../core/event/inspection/desk.js'
import type { JobDesk } from '../../core/event/job/desk.js'
import type { Listeners } from '../../core/event/listeners.js'
import type { Problems } from '../../core/event/problem/problems.js'
import type { ReceiptDesk } from '../../core/event/receipt/desk.js'
import type { Submissions } from '../../core/event/report/submissions.js'
import type { WebhookDesk } from '../../core/event/webhook-desk.js'
import type { SettingsDeps } from '../../core/receipts/branding/settings.js'
import type { Rendering } from '../../core/receipts/rendering.js'
import type { WalletDesk } from '../../core/receipts/wallet/issuers.js'
import type { PlaceDeps } from '../../core/rollout/inventory/place.js'
import type { UnitDesk } from '../../core/rollout/unit-desk.js'
import type { AccountDeps } from '../shared/account/deps.js'
import type { ActionTable } from '../shared/account/rehearsal.js'

export interface PlatformDeps extends AccountDeps {
  events: Events
  /** Wakes whoever waits for an event: the server stops. */
  endWaits(): Promise<void>
  /** What can be asked for, of this group and others. */
  actions(): readonly ActionTable[]
  listeners: Listeners
  webhooks: WebhookDesk
  fleet: Fleet
  apiKeys: ApiKeys
  drafts: Drafts
  jobs: JobDesk
  inspections: InspectionDesk
  backups: BackupDesk
  /** Where clients find this server. */
  publicUrl: string | undefined
  problems: Problems
  outages: OutageDesk
  submissions: Submissions
  registrations: PlaceDeps
  units: UnitDesk
  rendering: Pick<Rendering, 'render' | 'drawSheet'>
  receipts: ReceiptDesk
  settings: SettingsDeps
  wallets: WalletDesk
  /** The last calls are kept: this is no production. */
  keepsCalls: boolean
}
