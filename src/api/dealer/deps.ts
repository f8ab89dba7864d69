// What the Dealer API needs from the outside. Put together by src/deps/dealer.ts.
import type { AccountCredentials } from '../../core/account-credentials.js'
import type { SettingsDeps } from '../../core/branding/settings.js'
import type { EndDeps } from '../../core/connection/end.js'
import type { Credentials } from '../../core/credentials.js'
import type { InvitationActions } from '../../core/invitation/actions.js'
import type { Imports } from '../../core/invitation/csv/imports.js'
import type { InviteDirectly } from '../../core/invitation/direct.js'
import type { InvitationRecords } from '../../core/invitation/records.js'
import type { InvitationSettingsDesk } from '../../core/invitation/settings.js'
import type { JournalExport, JournalInput } from '../../core/journal/export.js'
import type { OperatorList } from '../../core/operators/list.js'
import type { Outlets } from '../../core/outlets/outlets.js'
import type { SalesDeps } from '../../core/sales/sales.js'
import type { StockDeps } from '../../core/stock/stock.js'
import type { Templates } from '../../core/template/execute.js'
import type { TemplateRecords } from '../../core/template/records.js'
import type { MarketFacts } from '../../market/market.js'
import type { Store } from '../../store/client.js'
import type { CallLimit } from '../shared/call-limit.js'
import type { FailureLimit } from '../shared/failure-limit.js'

export interface DealerDeps {
  store: Store
  now(): Date
  /** Undefined: a country without a market of its own. */
  factsOf(market: string): MarketFacts | undefined
  accounts: AccountCredentials
  failures: FailureLimit
  /** Calls per account. */
  calls: CallLimit
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
