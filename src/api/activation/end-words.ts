// The words of the page of a connection, and of its end.
import type { Language } from '../../lib/language.js'

/** `{dealer}`, `{company}` and `{date}` are replaced. */
export type EndWords = Readonly<
  Record<'end' | 'what' | 'day' | 'sure' | 'missing' | 'ends' | 'ended', string>
>

export const END_WORDS: Readonly<Record<Language, EndWords>> = {
  de: {
    end: 'Verbindung beenden',
    what: 'Sie können die Verbindung jederzeit beenden. {dealer} verliert dann alle Rechte.',
    day: 'Ab diesem Tag (ohne Angabe: sofort)',
    sure: 'Ich beende die Verbindung von {company} mit {dealer}.',
    missing: 'Bitte bestätigen Sie das Ende und geben Sie ein gültiges Datum oder keines an.',
    ends: 'Die Verbindung endet am {date}.',
    ended: 'Die Verbindung von {company} mit {dealer} ist beendet ({date}).',
  },
  en: {
    end: 'End the connection',
    what: 'You can end the connection at any time. {dealer} then loses every right.',
    day: 'From this day on (left empty: at once)',
    sure: 'I end the connection of {company} with {dealer}.',
    missing: 'Please confirm the end, with a valid date or none.',
    ends: 'The connection ends on {date}.',
    ended: 'The connection of {company} with {dealer} has ended ({date}).',
  },
  fr: {
    end: 'Mettre fin à la connexion',
    what: 'Vous pouvez y mettre fin à tout moment. {dealer} perd alors tous ses droits.',
    day: 'À partir de ce jour (vide : immédiatement)',
    sure: 'Je mets fin à la connexion de {company} avec {dealer}.',
    missing: 'Veuillez confirmer la fin, avec une date valable ou sans date.',
    ends: 'La connexion prend fin le {date}.',
    ended: 'La connexion de {company} avec {dealer} a pris fin ({date}).',
  },
  it: {
    end: 'Terminare la connessione',
    what: 'Può terminarla in qualsiasi momento. {dealer} perde allora ogni diritto.',
    day: 'Da questo giorno (vuoto: subito)',
    sure: 'Termino la connessione di {company} con {dealer}.',
    missing: 'Confermi la fine, con una data valida o nessuna.',
    ends: 'La connessione termina il {date}.',
    ended: 'La connessione di {company} con {dealer} è terminata ({date}).',
  },
  es: {
    end: 'Terminar la conexión',
    what: 'Puede terminarla en cualquier momento. {dealer} pierde entonces todos los derechos.',
    day: 'Desde este día (vacío: de inmediato)',
    sure: 'Termino la conexión de {company} con {dealer}.',
    missing: 'Confirme el fin, con una fecha válida o sin ella.',
    ends: 'La conexión termina el {date}.',
    ended: 'La conexión de {company} con {dealer} ha terminado ({date}).',
  },
  pt: {
    end: 'Terminar a ligação',
    what: 'Pode terminá-la a qualquer momento. {dealer} perde então todos os direitos.',
    day: 'A partir deste dia (vazio: de imediato)',
    sure: 'Termino a ligação de {company} com {dealer}.',
    missing: 'Confirme o fim, com uma data válida ou nenhuma.',
    ends: 'A ligação termina em {date}.',
    ended: 'A ligação de {company} com {dealer} terminou ({date}).',
  },
  el: {
    end: 'Τερματισμός της σύνδεσης',
    what: 'Μπορείτε να την τερματίσετε ανά πάσα στιγμή. Τότε {dealer} χάνει κάθε δικαίωμα.',
    day: 'Από αυτή την ημέρα (κενό: αμέσως)',
    sure: 'Τερματίζω τη σύνδεση: {company}, {dealer}.',
    missing: 'Επιβεβαιώστε το τέλος, με έγκυρη ημερομηνία ή καμία.',
    ends: 'Η σύνδεση λήγει στις {date}.',
    ended: 'Η σύνδεση ({company}, {dealer}) έληξε ({date}).',
  },
}
