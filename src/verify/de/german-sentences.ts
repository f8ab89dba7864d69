// Whole findings in German, the first that fits wins; what varies in them is in
// german-fragments.ts.
import type { Phrase } from '../../lib/phrases.js'

export const sentences: readonly Phrase[] = [
  [
    'the same fault in {} more places, the last is this one',
    'derselbe Fehler an {} weiteren Stellen, dies ist die letzte',
  ],
  ['{}.csv row {}: {}', '{}.csv Zeile {}: {}'],
  ['{}.csv row {}, {}', '{}.csv Zeile {}, {}'],
  [
    'expected certificates given beside the file, found none: none is trusted',
    'erwartet Zertifikate neben der Datei, gefunden keine: keinem wird vertraut',
  ],
  [
    'expected a complete TAR, found a fault {}: {}',
    'erwartet ein vollständiges TAR, gefunden ein Fehler {}: {}',
  ],
  [
    'expected a complete ZIP, found a fault: {}',
    'erwartet ein vollständiges ZIP, gefunden ein Fehler: {}',
  ],
  ['{}: the check sum does not fit', '{}: die Prüfsumme stimmt nicht'],
  [
    'expected well-formed XML, found: {} in line {}',
    'erwartet wohlgeformtes XML, gefunden: {} in Zeile {}',
  ],
  ['expected well-formed XML, found: {}', 'erwartet wohlgeformtes XML, gefunden: {}'],
  [
    'expected counters without a gap, found {} to {} missing',
    'erwartet Zähler ohne Lücke, es fehlen {} bis {}',
  ],
  ['expected counters without a gap, found {} missing', 'erwartet Zähler ohne Lücke, es fehlen {}'],
  [
    'expected counters in about their order, found {} after {}',
    'erwartet Zähler ungefähr in ihrer Reihenfolge, gefunden {} nach {}',
  ],
  [
    'expected transaction {} to start before {}, found it behind',
    'erwartet den Beginn der Transaktion {} vor dem von {}, gefunden dahinter',
  ],
  [
    'expected transaction {} to be open, found a {} without start or after its finish',
    'erwartet die Transaktion {} als offen, gefunden ein {} ohne Start oder nach dem Finish',
  ],
  [
    'expected no transaction after disableSecureElement, found this one',
    'erwartet keine Transaktion nach disableSecureElement, gefunden diese',
  ],
  [
    'expected registerClient for {} before, found none',
    'erwartet registerClient für {} davor, gefunden keines',
  ],
  [
    'expected the certificate of its issuer, which signed it, found none for {}',
    'erwartet das Zertifikat des Ausstellers, der es signiert hat, gefunden keines für {}',
  ],
  [
    'expected {}_X509, found no certificate of that key',
    'erwartet {}_X509, gefunden kein Zertifikat dieses Schlüssels',
  ],
  [
    'expected a key that a given certificate covers, found {}',
    'erwartet einen Schlüssel, für den ein angegebenes Zertifikat steht, gefunden {}',
  ],
  [
    'expected as in the log of the TSE: {}; found another value',
    'erwartet wie im Protokoll der TSE: {}; gefunden ein anderer Wert',
  ],
  [
    'expected transactions of these closings, found in the log only: {} of others',
    'erwartet Transaktionen dieser Kassenabschlüsse, nur im Protokoll gefunden: {} von anderen',
  ],
  [
    'expected receipts, found in the log only: {} of SonstigerVorgang',
    'erwartet Belege, nur im Protokoll gefunden: {} als SonstigerVorgang',
  ],
  [
    'expected transaction {} in the log of the TSE, found none',
    'erwartet die Transaktion {} im Protokoll der TSE, gefunden keine',
  ],
  [
    'expected transaction {} of {} in transactions_tse.csv, found none',
    'erwartet die Transaktion {} vom {} in transactions_tse.csv, gefunden keine',
  ],
  [
    'expected rows in the order of transactions.csv, found this one behind a later receipt',
    'erwartet Zeilen in der Reihenfolge von transactions.csv, gefunden diese zu spät',
  ],
  [
    'expected {} once in its closing, found it again',
    'erwartet {} einmal in seinem Kassenabschluss, gefunden es noch einmal',
  ],
  ['expected at most {} rows', 'erwartet höchstens {} Zeilen'],
  ['expected in {}: {}; found {}', 'erwartet in {}: {}; gefunden {}'],
  [
    'expected no declarations in index.xml itself, found some',
    'erwartet keine Deklarationen in index.xml selbst, gefunden welche',
  ],
  ['expected no attributes in {}, found some', 'erwartet keine Attribute in {}, gefunden welche'],
  ['expected elements only in {}, found {}', 'erwartet nur Elemente in {}, gefunden {}'],
  [
    'expected {} beside a signature, found none',
    'erwartet {} neben einer Signatur, gefunden nichts',
  ],
  [
    'expected TSE_TA_SIG, or a reason in TSE_TA_FEHLER, found neither',
    'erwartet TSE_TA_SIG oder einen Grund in TSE_TA_FEHLER, gefunden keines von beiden',
  ],
  [
    'expected all that was signed, found it empty or cut, and other lines',
    'erwartet alles, was signiert wurde, gefunden leer oder abgeschnitten und andere Positionen',
  ],
  [
    'expected all that was signed in TSE_VORGANGSDATEN, found it empty',
    'erwartet alles, was signiert wurde, in TSE_VORGANGSDATEN, gefunden nichts',
  ],
  [
    'expected plain ECDSA, found {}, which is not checked here',
    'erwartet einfaches ECDSA, gefunden {}, das hier nicht geprüft wird',
  ],
  ['expected {} or {}, found neither', 'erwartet {} oder {}, gefunden keines von beiden'],
  ['{}: expected {}, found {}', '{}: erwartet {}, gefunden {}'],
  ['expected {}, found {} ({})', 'erwartet {}, gefunden {} ({})'],
  ['expected {}, found {}', 'erwartet {}, gefunden {}'],
  ['expected {} in {}', 'erwartet {} in {}'],
  ['{} (1000)', '{} (1000)'],
  ['expected {}', 'erwartet {}'],
]
