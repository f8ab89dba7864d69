// The route table of the Platform: every operation there is. The router, the page and the contract
// test are made from it.
import type { Operation } from './operation.js'
import { actionOperations } from './operations/actions.js'
import { apiKeyOperations } from './operations/api-keys.js'
import { auditOperations } from './operations/audit.js'
import { backupOperations } from './operations/backups.js'
import { callOperations } from './operations/calls.js'
import { draftOperations } from './operations/drafts.js'
import { equipmentOperations } from './operations/equipment.js'
import { eventOperations } from './operations/events.js'
import { fleetOperations } from './operations/fleet.js'
import { inspectionOperations } from './operations/inspections.js'
import { invitationMailOperations } from './operations/invitation-mail.js'
import { jobOperations } from './operations/jobs.js'
import { outageOperations } from './operations/outages.js'
import { problemOperations } from './operations/problems.js'
import { receiptOperations } from './operations/receipts.js'
import { registrationOperations } from './operations/registration.js'
import { searchOperations } from './operations/search.js'
import { stockOperations } from './operations/stock.js'
import { submissionOperations } from './operations/submissions.js'
import { unitOperations } from './operations/units.js'
import { walletOperations } from './operations/wallets.js'
import { webhookOperations } from './operations/webhooks.js'

export const platformOperations: readonly Operation[] = [
  ...problemOperations,
  ...searchOperations,
  ...stockOperations,
  ...unitOperations,
  ...equipmentOperations,
  ...fleetOperations,
  ...receiptOperations,
  ...walletOperations,
  ...outageOperations,
  ...submissionOperations,
  ...registrationOperations,
  ...eventOperations,
  ...webhookOperations,
  ...inspectionOperations,
  ...backupOperations,
  ...jobOperations,
  ...actionOperations,
  ...apiKeyOperations,
  ...auditOperations,
  ...draftOperations,
  ...invitationMailOperations,
  ...callOperations,
]
