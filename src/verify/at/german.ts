// The findings of this verifier in German.
import { type Phrase, translator } from '../../lib/phrases.js'

/** Sentences; parts of them follow below. The first that fits wins. */
const SENTENCES: Phrase[] = [
  ['position {}: {}', 'Position {}: {}'],
  ['positions {} to {}: {}', 'Positionen {} bis {}: {}'],
  ['group {}: {}', 'Gruppe {}: {}'],
  ['the same fault in all {} receipts', 'derselbe Fehler in allen {} Belegen'],
  ['{} comes twice', '{} kommt zweimal vor'],
  [
    'expected JSON in UTF-8: {}; {} receipts were read before',
    'erwartet JSON in UTF-8: {}; {} Belege wurden davor gelesen',
  ],
  [
    'expected certificates given beside the file, found none: none is trusted',
    'erwartet Zertifikate neben der Datei, gefunden keine: keinem wird vertraut',
  ],
  [
    'expected a right export before this one, found {} faults in it',
    'erwartet einen richtigen Export davor, gefunden {} Fehler darin',
  ],
  [
    'expected the AES key of this cash register: not one counter can be read with it',
    'erwartet den AES-Schlüssel dieser Kasse: kein einziger Zähler ist damit lesbar',
  ],
  ['expected {} and {} the other way round', 'erwartet {} und {} in umgekehrter Reihenfolge'],
  [
    'expected another receipt, found that of {} again',
    'erwartet einen anderen Beleg, gefunden noch einmal den von {}',
  ],
  [
    'expected the next receipt here, which continues the one before; found one that {}',
    'erwartet hier den nächsten Beleg, der den vorigen fortsetzt; gefunden einer, {}',
  ],
  [
    'expected an unchanged receipt, found one that {} the next receipt confirms',
    'erwartet einen unveränderten Beleg, gefunden einer, den {} der Folgebeleg bestätigt',
  ],
  [
    'expected a signature by certificate {}, found one that is not',
    'erwartet eine Signatur mit dem Zertifikat {}, gefunden eine andere',
  ],
  [
    'expected the chaining value {}, found {}: {}',
    'erwartet den Verkettungswert {}, gefunden {}: {}',
  ],
  ['expected the chaining value {}, found {}', 'erwartet den Verkettungswert {}, gefunden {}'],
  [
    'expected no change of the counter, found {} instead of {} at {}',
    'erwartet keine Änderung des Zählers, gefunden {} statt {} bei {}',
  ],
  [
    'expected a change of the counter, found {} instead of {} at {}',
    'erwartet eine Änderung des Zählers, gefunden {} statt {} bei {}',
  ],
  [
    'expected a signed zero receipt at most two receipts after the failed one of {}, found none',
    'erwartet einen signierten Nullbeleg binnen zwei Belegen nach dem Ausfall von {}',
  ],
  [
    'expected {} or later, found {}: the hour that comes twice in October',
    'erwartet {} oder später, gefunden {}: die Stunde, die im Oktober zweimal kommt',
  ],
  ['expected a time until now, {}, found {}', 'erwartet eine Zeit bis jetzt, {}, gefunden {}'],
  [
    'expected a time from {} on, when the certificate begins, found {}',
    'erwartet eine Zeit ab {}, dem Beginn des Zertifikats, gefunden {}',
  ],
  [
    'expected the certificate before the receipts, found it behind them: give it beside the file',
    'erwartet das Zertifikat vor den Belegen, gefunden dahinter: geben Sie es neben der Datei an',
  ],
  [
    'expected a certificate, as there are several groups, found none',
    'erwartet ein Zertifikat, da es mehrere Gruppen gibt, gefunden keines',
  ],
  [
    'expected {} in the second part, found other bytes',
    'erwartet {} im zweiten Teil, gefunden andere Bytes',
  ],
  [
    'expected twelve fields after underscores, found {} in {}',
    'erwartet zwölf Felder nach Unterstrichen, gefunden {} in {}',
  ],
  [
    'expected the second part in base64url without padding, found {} at its end',
    'erwartet den zweiten Teil in base64url ohne Füllzeichen, gefunden {} an seinem Ende',
  ],
  [
    'expected AT0 on all receipts or on none, found {}',
    'erwartet AT0 auf allen Belegen oder auf keinem, gefunden {}',
  ],
  ['expected {}, found {} at byte {}', 'erwartet {}, gefunden {} bei Byte {}'],
  ['{}: expected {}, found {}', '{}: erwartet {}, gefunden {}'],
  ['expected {}, found {}', 'erwartet {}, gefunden {}'],
]

const EXPECTED: Phrase[] = [
  ['receipts', 'Belege'],
  ['a counter of {}', 'den Zählerstand {}'],
  ['a new number', 'eine neue Nummer'],
  ['the Kassen-ID {}', 'die Kassen-ID {}'],
  ['the serial of a given certificate', 'die Seriennummer eines angegebenen Zertifikats'],
  ['the serial {}', 'die Seriennummer {}'],
  ['a certificate for the serial', 'ein Zertifikat zur Seriennummer'],
  ['the given certificate {}', 'das angegebene Zertifikat {}'],
  [
    'a certificate that its issuer in Zertifizierungsstellen signed',
    'ein Zertifikat, das sein Aussteller in Zertifizierungsstellen signiert hat',
  ],
  [
    'a certificate that its own key signed, as its issuer says',
    'ein Zertifikat, das wie angegeben mit dem eigenen Schlüssel signiert ist',
  ],
  ['an X.509 certificate, DER in base64', 'ein X.509-Zertifikat, DER in Base64'],
  ['a P-256 key', 'einen P-256-Schlüssel'],
  ['the member {}', 'das Element {}'],
  ['a signed start receipt', 'einen signierten Startbeleg'],
  ['a turnover counter on the start receipt', 'einen Umsatzzähler auf dem Startbeleg'],
  ['five times 0,00 on the start receipt', 'fünfmal 0,00 auf dem Startbeleg'],
  ['{} or later', '{} oder später'],
  ['at most {} characters', 'höchstens {} Zeichen'],
  ['100 to 1000 characters of code', '100 bis 1000 Zeichen im Code'],
  ['three parts', 'drei Teile'],
  ['UTF-8', 'UTF-8'],
  ['the algorithm R1', 'den Algorithmus R1'],
  ['a provider AT0 to AT10 or AT100', 'einen Anbieter AT0 bis AT10 oder AT100'],
  ['AT0 with the key of a closed system', 'AT0 zum Schlüssel eines geschlossenen Systems'],
  ['a provider that issues certificates', 'einen Anbieter, der Zertifikate ausstellt'],
  ['a Kassen-ID', 'eine Kassen-ID'],
  ['a Belegnummer', 'eine Belegnummer'],
  ['a time like {}', 'eine Zeit wie {}'],
  ['the amount {} like {}', 'den Betrag {} wie {}'],
  [
    'a serial number in lowercase hex without leading zeros',
    'eine Seriennummer, hexadezimal in Kleinbuchstaben ohne führende Nullen',
  ],
  ['base64 of 8 bytes', 'Base64 von 8 Bytes'],
  ['base64 of 5 to 16 bytes, VFJB or U1RP', 'Base64 von 5 bis 16 Bytes, VFJB oder U1RP'],
  [
    '86 characters of base64url or the fixed text {}',
    '86 Zeichen base64url oder den festen Text {}',
  ],
  ['an object', 'ein Objekt'],
  ['a list in {}', 'eine Liste in {}'],
  ['an object for each group', 'ein Objekt je Gruppe'],
  ['a list', 'eine Liste'],
  ['a text for each certificate', 'einen Text je Zertifikat'],
  ['a text', 'einen Text'],
]

const FOUND: Phrase[] = [
  ['none', 'nichts'],
  ['another', 'einen anderen'],
  ['others', 'andere'],
  ['other bytes', 'andere Bytes'],
  ['another signature', 'eine andere Signatur'],
  ['another with this number', 'ein anderes mit dieser Nummer'],
  ['a failed device', 'ein ausgefallenes Gerät'],
  ['{} other characters', '{} andere Zeichen'],
  ['that of {}', 'die von {}'],
  ['training', 'Training'],
  ['void', 'Storno'],
  ['number', 'eine Zahl'],
  ['boolean', 'einen Wahrheitswert'],
  ['null', 'null'],
]

const WHY: Phrase[] = [
  ['it does not know', 'den er nicht kennt'],
  ['neither its signature nor', 'weder die Signatur noch'],
  ['not', 'nicht'],
  ['position {} of the export before', 'Position {} des Exports davor'],
  ['position {}', 'Position {}'],
  ['not the start receipt', 'nicht der Startbeleg'],
  ['not what the slice follows', 'nicht der Beleg, dem der Ausschnitt folgt'],
  ['the group belongs further up', 'die Gruppe gehört weiter nach oben'],
  ['that of a start receipt', 'der eines Startbelegs'],
  [
    '{}, or the unsigned receipt before it was changed',
    '{}, oder der unsignierte Beleg davor wurde verändert',
  ],
  ['a receipt is missing before it', 'davor fehlt ein Beleg'],
  ['receipts that add nothing are missing before it', 'davor fehlen Belege ohne Umsatz'],
  ['receipts over {} are missing before it', 'davor fehlen Belege über {}'],
  ['nothing ends within {} bytes', 'nichts endet innerhalb von {} Bytes'],
  ['nested deeper than {} levels at byte {}', 'tiefer als {} Ebenen verschachtelt bei Byte {}'],
  ['the text is not UTF-8', 'der Text ist kein UTF-8'],
  ['the text cannot be read: {}', 'der Text ist nicht lesbar: {}'],
  ['the text ends where {} is expected', 'der Text endet, wo {} erwartet wird'],
  ['value', 'ein Wert'],
  ['value or ]', 'ein Wert oder ]'],
  ['name', 'ein Name'],
  ['name or }', 'ein Name oder }'],
  [', or end', 'ein Komma oder das Ende'],
  ['nothing', 'nichts weiter'],
]

const translate = translator([...SENTENCES, ...WHY, ...EXPECTED, ...FOUND])

export function german(text: string): string {
  return translate(text) ?? text
}
