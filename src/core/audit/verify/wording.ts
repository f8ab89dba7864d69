// The findings that no verifier makes, in French and in German.
import { translators } from '../../../lib/phrases.js'

export const commonWording = translators([
  [
    '{} more findings are not listed',
    '{} autres constats ne sont pas listés',
    '{} weitere Feststellungen sind nicht aufgeführt',
  ],
  [
    '{} more notices are not listed',
    '{} autres remarques ne sont pas listées',
    '{} weitere Hinweise sind nicht aufgeführt',
  ],
  [
    'no known export: expected one of {}, found an empty file',
    'export inconnu : {} attendu, fichier vide trouvé',
    'kein bekannter Export: erwartet {}, gefunden eine leere Datei',
  ],
  [
    'no known export: expected one of {}, found a file of another kind',
    "export inconnu : {} attendu, fichier d'un autre type trouvé",
    'kein bekannter Export: erwartet {}, gefunden eine Datei anderer Art',
  ],
  [
    'no known export: expected one of {}, found a {} without members',
    'export inconnu : {} attendu, {} sans fichiers trouvé',
    'kein bekannter Export: erwartet {}, gefunden ein {} ohne Dateien',
  ],
  [
    'no known export: expected one of {}, found a {} of other members: {}',
    "export inconnu : {} attendu, {} contenant d'autres fichiers trouvé : {}",
    'kein bekannter Export: erwartet {}, gefunden ein {} mit anderen Dateien: {}',
  ],
  [
    'expected a complete gzip, found more than {} times the packed bytes',
    'gzip complet attendu, plus de {} fois les octets comprimés trouvés',
    'erwartet ein vollständiges gzip, gefunden mehr als das {}-fache der gepackten Bytes',
  ],
  [
    'expected a complete gzip, found a fault in the packed bytes ({})',
    'gzip complet attendu, erreur dans les octets comprimés trouvée ({})',
    'erwartet ein vollständiges gzip, gefunden ein Fehler in den gepackten Bytes ({})',
  ],
])
