// Refusals of uploaded files.

import { invitationSentences } from './invitations.js'
import type { Translations } from './translation.js'

export const fileMessages = {
  PDF_INVALID: invitationSentences.pdfNeeded,
  FORM_MALFORMED: {
    de: 'Das Formular ist beschädigt oder nicht vollständig angekommen.',
    fr: 'Le formulaire est endommagé ou n’est pas arrivé en entier.',
    it: 'Il modulo è danneggiato o non è arrivato per intero.',
    es: 'El formulario está dañado o no ha llegado entero.',
    pt: 'O formulário está danificado ou não chegou inteiro.',
    el: 'Η φόρμα είναι κατεστραμμένη ή δεν έφτασε ολόκληρη.',
  },
  CSV_INVALID: invitationSentences.csvRefused,
  CSV_FILE_INVALID: {
    de: 'Erwartet wird eine nicht leere CSV-Datei im Formularfeld file.',
    fr: 'Un fichier CSV non vide est attendu dans le champ file.',
    it: 'È previsto un file CSV non vuoto nel campo file.',
    es: 'Se espera un archivo CSV no vacío en el campo file.',
    pt: 'Espera-se um ficheiro CSV não vazio no campo file.',
    el: 'Αναμένεται μη κενό αρχείο CSV στο πεδίο file.',
  },
} as const satisfies Translations
