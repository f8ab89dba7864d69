// The findings that no verifier makes, in German.
import { translator } from '../../../lib/phrases.js'

export const germanOf = translator([
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
])
