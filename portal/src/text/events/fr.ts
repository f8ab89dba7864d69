// French explanations of types of events; the English ones stand in the document of the interface.
import type { EventType } from '../../api/types.js'

export const events: Record<EventType, string> = {
  'receipt.signed':
    'Un ticket a sa place dans la chaîne. Seulement pour les comptes qui l’ont demandé.',
  'receipt.failed': 'Un ticket a été refusé (ftState 0xEEEE_EEEE) ; il n’a pas de numéro.',
  'receipt.viewed': 'Un client a ouvert la page d’un ticket. Annoncé comme receipt.signed.',
  'queue.started': 'Une Queue a été mise en service.',
  'queue.stopped': 'Une Queue a été mise hors service, pour toujours.',
  'outage.opened': 'Des tickets d’une Queue ne sont pas signés, ou sont saisis plus tard.',
  'outage.closed': 'Le ticket qui met fin à la panne est signé.',
  'scu.failed': 'Une unité de signature d’une Queue en panne ne répond pas.',
  'scu.recovered': 'Une unité de signature qui était en panne répond de nouveau.',
  'queue.closing_missing':
    'Une Queue a des tickets d’un jour passé qu’aucune clôture journalière n’a terminé.',
  'queue.unit_changed': 'Une Queue travaille désormais avec une autre unité de signature.',
  'queue.yearly_receipt': 'Le ticket annuel d’une Queue est signé.',
  'scu.certificate_expiring':
    'Le certificat d’une unité utilisée expire : annoncé 90, 30 et 7 jours avant.',
  'outage.report_due':
    'Une panne, ou sa fin, est à déclarer à l’autorité ; rappelé à l’approche du jour.',
  'report.due': 'Autre chose est à déclarer à l’autorité ; rappelé à l’approche du jour.',
  'archive.sealed':
    'Un mois ou un trimestre d’une Queue est gardé, vérifié, hors de la base de données.',
  'bundle.ready': 'Un dossier de contrôle peut être retiré.',
  'report.changed': 'Quelqu’un a marqué une déclaration comme faite ou ignorée, ou l’a annulé.',
  'scu.switch_initiated': 'Une Queue doit travailler avec une autre unité de signature.',
  'scu.switch_finished':
    'Toutes les Queues de l’ancienne unité de signature sont passées à la nouvelle.',
  'invitation.sent': 'Une invitation est partie.',
  'invitation.refused': 'Une invitation n’a pas pu partir ; sa fiche dit pourquoi.',
  'invitation.accepted': 'Le commerçant a accepté ; la liaison est active.',
  'connection.changed': 'Une liaison entre revendeur et commerçant prend fin, ou a pris fin.',
  'configuration.published':
    'Une CashBox a une nouvelle configuration ; les caisses la reçoivent au prochain appel.',
  'configuration.fetched':
    'Le middleware d’une CashBox a retiré pour la première fois ce qui était publié.',
  'order.done': 'Tout ce qui était commandé est créé.',
  'order.failed': 'Une commande s’est arrêtée ; elle montre pourquoi et sera réessayée.',
  'problem.opened': 'Quelque chose ne va pas ; GET /problems dit quoi, et ce qu’il faut faire.',
  'problem.cleared': 'Ce n’est plus le cas.',
  'webhook.disabled':
    'Un webhook ne reçoit plus rien : son destinataire l’a voulu, ou est en panne depuis 5 jours.',
  'job.progress':
    'Un travail long commence une phase, avance ou se termine ; GET /jobs/{id} a tout.',
}
