// The route table of the Dealer API: every operation there is. The router, the page and the
// contract test are made from it.
import type { Operation } from './operation.js'
import { cashBoxOperations } from './operations/cash-boxes.js'
import { configurationOperations } from './operations/configuration.js'
import { connectionOperations } from './operations/connections.js'
import { invitationFileOperations } from './operations/invitation-files.js'
import { invitationOperations } from './operations/invitations.js'
import { inviteOperations } from './operations/invite.js'
import { masterDataOperations } from './operations/master-data.js'
import { operatorOperations } from './operations/operators.js'
import { outletOperations } from './operations/outlets.js'
import { personalDataOperations } from './operations/personal-data.js'
import { queueJournalOperations } from './operations/queue-journals.js'
import { queueRegistrationOperations } from './operations/queue-registration.js'
import { queueOperations } from './operations/queues.js'
import { receiptSettingsOperations } from './operations/receipt-settings.js'
import { salesOperations } from './operations/sales.js'
import { scuOperations } from './operations/scus.js'
import { serverOperations } from './operations/server.js'
import { templateOperations } from './operations/templates.js'

export const dealerOperations: readonly Operation[] = [
  ...serverOperations,
  ...operatorOperations,
  ...connectionOperations,
  ...masterDataOperations,
  ...outletOperations,
  ...receiptSettingsOperations,
  ...personalDataOperations,
  ...inviteOperations,
  ...invitationFileOperations,
  ...invitationOperations,
  ...queueOperations,
  ...queueJournalOperations,
  ...queueRegistrationOperations,
  ...scuOperations,
  ...cashBoxOperations,
  ...salesOperations,
  ...templateOperations,
  ...configurationOperations,
]
