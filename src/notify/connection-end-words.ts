// The words of the message about the end of a connection.
import type { Language } from '../lib/language.js'

/** `{dealer}`, `{company}` and `{date}` are replaced. */
export type ConnectionEndWords = Readonly<
  Record<'subject' | 'ended' | 'ends' | 'dealer' | 'operator' | 'server' | 'footer', string>
>

export const CONNECTION_END_WORDS: Readonly<Record<Language, ConnectionEndWords>> = {
  de: {
    subject: 'fiskalwerk: Verbindung zwischen {dealer} und {company} beendet',
    ended:
      'Die Verbindung zwischen {dealer} und {company} ist beendet. {dealer} hat ' +
      'keine Rechte mehr.',
    ends:
      'Die Verbindung zwischen {dealer} und {company} endet am {date}. Ab dann ' +
      'hat {dealer} keine Rechte mehr.',
    dealer: 'Beendet hat sie {dealer}.',
    operator: 'Beendet hat sie {company}.',
    server: 'Beendet hat sie der Betreiber dieses Servers.',
    footer: 'Kassen und Belege von {company} sind davon nicht betroffen.',
  },
  en: {
    subject: 'fiskalwerk: connection between {dealer} and {company} ended',
    ended:
      'The connection between {dealer} and {company} has ended. {dealer} has no ' +
      'rights any more.',
    ends:
      'The connection between {dealer} and {company} ends on {date}. From then on ' +
      '{dealer} has no rights any more.',
    dealer: 'It was ended by {dealer}.',
    operator: 'It was ended by {company}.',
    server: 'It was ended by the operator of this server.',
    footer: 'Tills and receipts of {company} are not affected.',
  },
  fr: {
    subject: 'fiskalwerk : fin de la connexion entre {dealer} et {company}',
    ended: 'La connexion entre {dealer} et {company} a pris fin. {dealer} n’a plus aucun droit.',
    ends:
      'La connexion entre {dealer} et {company} prend fin le {date}. {dealer} ' +
      'n’aura alors plus aucun droit.',
    dealer: 'Elle a été résiliée par {dealer}.',
    operator: 'Elle a été résiliée par {company}.',
    server: 'Elle a été résiliée par l’exploitant de ce serveur.',
    footer: 'Les caisses et les reçus de {company} ne sont pas concernés.',
  },
  it: {
    subject: 'fiskalwerk: fine della connessione tra {dealer} e {company}',
    ended:
      'La connessione tra {dealer} e {company} è terminata. {dealer} non ha più ' +
      'alcun diritto.',
    ends:
      'La connessione tra {dealer} e {company} termina il {date}. Da allora ' +
      '{dealer} non avrà più alcun diritto.',
    dealer: 'È stata terminata da {dealer}.',
    operator: 'È stata terminata da {company}.',
    server: 'È stata terminata dal gestore di questo server.',
    footer: 'Le casse e gli scontrini di {company} non ne sono interessati.',
  },
  es: {
    subject: 'fiskalwerk: fin de la conexión entre {dealer} y {company}',
    ended:
      'La conexión entre {dealer} y {company} ha terminado. {dealer} ya no tiene ' +
      'ningún derecho.',
    ends:
      'La conexión entre {dealer} y {company} termina el {date}. Desde entonces ' +
      '{dealer} no tendrá ningún derecho.',
    dealer: 'La ha terminado {dealer}.',
    operator: 'La ha terminado {company}.',
    server: 'La ha terminado el operador de este servidor.',
    footer: 'Las cajas y los recibos de {company} no se ven afectados.',
  },
  pt: {
    subject: 'fiskalwerk: fim da ligação entre {dealer} e {company}',
    ended:
      'A ligação entre {dealer} e {company} terminou. {dealer} já não tem ' + 'quaisquer direitos.',
    ends:
      'A ligação entre {dealer} e {company} termina em {date}. A partir daí ' +
      '{dealer} não tem quaisquer direitos.',
    dealer: 'Foi terminada por {dealer}.',
    operator: 'Foi terminada por {company}.',
    server: 'Foi terminada pelo operador deste servidor.',
    footer: 'As caixas e os recibos de {company} não são afetados.',
  },
  el: {
    subject: 'fiskalwerk: τέλος της σύνδεσης μεταξύ {dealer} και {company}',
    ended: 'Η σύνδεση μεταξύ {dealer} και {company} έληξε. {dealer}: κανένα δικαίωμα πλέον.',
    ends:
      'Η σύνδεση μεταξύ {dealer} και {company} λήγει στις {date}. Από τότε ' +
      '{dealer}: κανένα δικαίωμα πλέον.',
    dealer: 'Την τερμάτισε: {dealer}.',
    operator: 'Την τερμάτισε: {company}.',
    server: 'Την τερμάτισε ο διαχειριστής αυτού του διακομιστή.',
    footer: 'Τα ταμεία και οι αποδείξεις της {company} δεν επηρεάζονται.',
  },
}
