// The findings that no verifier makes, in German and in French.
import { translator } from '../../../lib/phrases.js'

export const commonWording = {
  de: translator([
    ['{} more findings are not listed', '{} weitere Feststellungen sind nicht aufgeführt'],
    ['{} more notices are not listed', '{} weitere Hinweise sind nicht aufgeführt'],
    [
      'no known export: expected one of {}, found an empty file',
      'kein bekannter Export: erwartet {}, gefunden eine leere Datei',
    ],
    [
      'no known export: expected one of {}, found a file of another kind',
      'kein bekannter Export: erwartet {}, gefunden eine Datei anderer Art',
    ],
    [
      'no known export: expected one of {}, found a {} without members',
      'kein bekannter Export: erwartet {}, gefunden ein {} ohne Dateien',
    ],
    [
      'no known export: expected one of {}, found a {} of other members: {}',
      'kein bekannter Export: erwartet {}, gefunden ein {} mit anderen Dateien: {}',
    ],
    [
      'expected a complete gzip, found more than {} times the packed bytes',
      'erwartet ein vollständiges gzip, gefunden mehr als das {}-fache der gepackten Bytes',
    ],
    [
      'expected a complete gzip, found a fault in the packed bytes ({})',
      'erwartet ein vollständiges gzip, gefunden ein Fehler in den gepackten Bytes ({})',
    ],
  ]),
  fr: translator([
    ['{} more findings are not listed', '{} autres constats ne sont pas listés'],
    ['{} more notices are not listed', '{} autres remarques ne sont pas listées'],
    [
      'no known export: expected one of {}, found an empty file',
      'export inconnu : {} attendu, fichier vide trouvé',
    ],
    [
      'no known export: expected one of {}, found a file of another kind',
      "export inconnu : {} attendu, fichier d'un autre type trouvé",
    ],
    [
      'no known export: expected one of {}, found a {} without members',
      'export inconnu : {} attendu, {} sans fichiers trouvé',
    ],
    [
      'no known export: expected one of {}, found a {} of other members: {}',
      "export inconnu : {} attendu, {} contenant d'autres fichiers trouvé : {}",
    ],
    [
      'expected a complete gzip, found more than {} times the packed bytes',
      'gzip complet attendu, plus de {} fois les octets comprimés trouvés',
    ],
    [
      'expected a complete gzip, found a fault in the packed bytes ({})',
      'gzip complet attendu, erreur dans les octets comprimés trouvée ({})',
    ],
  ]),
} as const
