// Every kind of message there is, by the word that is stored with it. A further kind is one line
// here, its words in src/words and a file of this folder.
import { CONNECTION_END_KIND, connectionEndKind } from './connection-end.js'
import { INVITATION_KIND, invitationKind } from './invitation.js'
import { anyKind, type MessageKinds } from './kind.js'
import { PERSON_LINK_KIND, personLinkKind } from './person-link.js'
import { RECEIPT_KIND, type ReceiptKindDeps, receiptKind } from './receipt.js'
import { WEBHOOK_DISABLED_KIND, webhookDisabledKind } from './webhook-disabled.js'

export function messageKinds(deps: ReceiptKindDeps): MessageKinds {
  return new Map([
    [RECEIPT_KIND, anyKind(receiptKind(deps))],
    [INVITATION_KIND, anyKind(invitationKind(deps))],
    [CONNECTION_END_KIND, anyKind(connectionEndKind())],
    [PERSON_LINK_KIND, anyKind(personLinkKind())],
    [WEBHOOK_DISABLED_KIND, anyKind(webhookDisabledKind())],
  ])
}
