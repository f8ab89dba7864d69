// German explanations of types of events; the English ones stand in the document of the interface.
import type { EventType } from '../../api/types.js'

export const events: Record<EventType, string> = {
  'receipt.signed':
    'Ein Beleg hat seinen Platz in der Kette. Nur für Unternehmen, die es verlangt haben.',
  'receipt.failed': 'Ein Beleg wurde abgelehnt (ftState 0xEEEE_EEEE); er hat keine Nummer.',
  'receipt.viewed':
    'Kundschaft hat die Seite eines Belegs geöffnet. Wird gemeldet wie receipt.signed.',
  'queue.started': 'Eine Queue ist in Betrieb gegangen.',
  'queue.stopped': 'Eine Queue ist für immer außer Betrieb gegangen.',
  'outage.opened': 'Belege einer Queue werden nicht signiert oder erst nachgetragen.',
  'outage.closed': 'Der Beleg, der den Ausfall beendet, ist signiert.',
  'scu.failed': 'Eine Signatureinheit einer Queue mit Ausfall antwortet nicht.',
  'scu.recovered': 'Eine Signatureinheit, die ausgefallen war, antwortet wieder.',
  'queue.closing_missing':
    'Eine Queue hat Belege eines früheren Tages, den kein Tagesabschluss beendet hat.',
  'queue.unit_changed': 'Eine Queue arbeitet ab jetzt mit einer anderen Signatureinheit.',
  'queue.yearly_receipt': 'Der Jahresbeleg einer Queue ist signiert.',
  'scu.certificate_expiring':
    'Das Zertifikat einer Einheit in Gebrauch endet: 90, 30 und 7 Tage vorher gemeldet.',
  'outage.report_due':
    'Ein Ausfall oder sein Ende ist der Behörde zu melden; erneut, wenn der Tag näher rückt.',
  'report.due':
    'Etwas anderes ist der Behörde zu melden; erneut gemeldet, wenn der Tag näher rückt.',
  'archive.sealed': 'Ein Monat oder Quartal einer Queue liegt geprüft außerhalb der Datenbank.',
  'bundle.ready': 'Ein Prüfpaket kann abgeholt werden.',
  'report.changed':
    'Jemand hat eine Meldung als erledigt oder übergangen vermerkt oder das zurückgenommen.',
  'scu.switch_initiated': 'Eine Queue soll mit einer anderen Signatureinheit arbeiten.',
  'scu.switch_finished': 'Alle Queues der früheren Signatureinheit sind zur neuen übergegangen.',
  'invitation.sent': 'Eine Einladung wurde versandt.',
  'invitation.refused': 'Eine Einladung konnte nicht versandt werden; ihr Eintrag sagt, warum.',
  'invitation.accepted': 'Der Betrieb hat zugestimmt; die Verbindung besteht.',
  'connection.changed': 'Eine Verbindung zwischen Händler und Betrieb endet oder ist beendet.',
  'configuration.published':
    'Eine CashBox hat eine neue Konfiguration; Kassen holen sie mit ihrem nächsten Aufruf.',
  'configuration.fetched':
    'Die Middleware einer CashBox hat das Veröffentlichte zum ersten Mal geholt.',
  'order.done': 'Alles Bestellte ist angelegt.',
  'order.failed':
    'Eine Bestellung ist stehen geblieben; sie zeigt, warum, und wird erneut versucht.',
  'problem.opened': 'Etwas stimmt nicht; GET /problems hat, was es ist und was zu tun ist.',
  'problem.cleared': 'Es ist nicht mehr so.',
  'webhook.disabled':
    'Ein Webhook bekommt nichts mehr: Sein Empfänger wollte es so oder war fünf Tage gestört.',
  'job.progress':
    'Eine lange Arbeit beginnt eine Phase, kommt weiter oder endet; GET /jobs/{id} hat alles.',
}
