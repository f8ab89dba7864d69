// What the Dealer API needs from the outside. Put together by src/deps/dealer.ts.
import type { EndDeps } from '../../core/accounts/connection-end.js'
import type { Credentials } from '../../core/accounts/credentials.js'
import type { InvitationActions } from '../../core/accounts/invitation/actions.js'
import type { Imports } from '../../core/accounts/invitation/csv/imports.js'
import type { InviteDirectly } from '../../core/accounts/invitation/direct.js'
import type { InvitationRecords } from '../../core/accounts/invitation/records.js'
import type { InvitationSettingsDesk } from '../../core/accounts/invitation/settings.js'
import type { OperatorList } from '../../core/accounts/operators.js'
import type { Outlets } from '../../core/accounts/outlets/outlets.js'
import type { JournalExport, JournalInput } from '../../core/journal/export.js'
import type { SettingsDeps } from '../../core/receipts/branding/settings.js'
import type { StockDeps } from '../../core/rollout/inventory/inventory.js'
import type { Templates } from '../../core/rollout/template/execute.js'
import type { TemplateRecords } from '../../core/rollout/template/records.js'
import type { SalesDeps } from '../../core/sales/sales.js'
import type { AccountDeps } from '../shared/account/deps.js'

export interface DealerDeps extends AccountDeps {
  operators: OperatorList
  /** Of connections. */
  ending: EndDeps
  outlets: Outlets
  /** Of receipts. */
  settings: SettingsDeps & { now(): Date }
  invitations: Invitations
  /** Links of e-mails begin with it; undefined: with the address of the call. */
  publicUrl: string | undefined
  stock: StockDeps
  sales: SalesDeps
  templates: Templates
  journal(input: JournalInput): Promise<JournalExport>
  templateRecords: TemplateRecords
  /** Who fetches the configuration of a cash box. */
  boxes: Pick<Credentials, 'check'>
  environment: 'sandbox' | 'production'
}

export interface Invitations {
  records: InvitationRecords
  actions: InvitationActions
  settings: InvitationSettingsDesk
  imports: Imports
  inviteDirectly: InviteDirectly
  /** Most bytes of an imported file. */
  csvLimit: number
}
