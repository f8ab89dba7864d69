// The findings of this verifier in French and in German.
import { type Told, translators } from '../../lib/phrases.js'

const FILE: Told[] = [
  [
    'the same fault in {} more places, the last is this one',
    'la même erreur à {} autres endroits, dont voici le dernier',
    'derselbe Fehler an {} weiteren Stellen, dies ist die letzte',
  ],
  ['expected a ZIP: {}', 'ZIP attendu : {}', 'erwartet ein ZIP: {}'],
  [
    '{}: the check sum does not fit',
    '{} : somme de contrôle fausse',
    '{}: die Prüfsumme passt nicht',
  ],
  [
    'expected certificate, archive.jws and three tables',
    'certificat, archive.jws et trois tables attendus',
    'erwartet Zertifikat, archive.jws und drei Tabellen',
  ],
  [
    'expected {} values, found {} in row {}',
    '{} valeurs attendues, {} trouvées à la ligne {}',
    'erwartet {} Werte, gefunden {} in Zeile {}',
  ],
  ['expected a header, found nothing', 'en-tête attendu, rien trouvé', 'erwartet eine Kopfzeile'],
  [
    'expected rows of at most {} characters',
    "lignes d'au plus {} caractères attendues",
    'erwartet Zeilen von höchstens {} Zeichen',
  ],
  [
    'expected UTF-8, found other bytes',
    "UTF-8 attendu, d'autres octets trouvés",
    'erwartet UTF-8, gefunden andere Bytes',
  ],
  [
    'expected one complete JSON array',
    'un tableau JSON complet attendu',
    'erwartet eine vollständige JSON-Liste',
  ],
  ['expected documents, found none', 'documents attendus, aucun trouvé', 'erwartet Belege'],
  [
    'a readable member, found an encrypted one',
    'fichier lisible attendu, fichier chiffré trouvé',
    'eine lesbare Datei, gefunden eine verschlüsselte',
  ],
  [
    'no other method than deflate, found method {}',
    'seule la méthode deflate est admise, méthode {} trouvée',
    'nur das Verfahren Deflate, gefunden Verfahren {}',
  ],
  [
    'at most {} times its {} packed bytes, found {}',
    'au plus {} fois ses {} octets comprimés, {} trouvés',
    'höchstens das {}-fache der {} gepackten Bytes, gefunden {}',
  ],
]

const CERTIFICATES: Told[] = [
  [
    'expected a certificate named {}',
    'un certificat du nom de {} attendu',
    'erwartet ein Zertifikat mit dem Namen {}',
  ],
  [
    'expected certificates given beside the file, found none: none is trusted',
    "certificats attendus à côté du fichier, aucun trouvé : aucun n'est de confiance",
    'erwartet Zertifikate neben der Datei, gefunden keine: keinem wird vertraut',
  ],
  ['{} was not given', "{} n'a pas été donné", '{} wurde nicht mitgegeben'],
  ['there is no certificate {}', "il n'y a pas de certificat {}", 'es gibt kein Zertifikat {}'],
  ['expected CN {}', 'CN {} attendu', 'erwartet CN {}'],
  ['signed at {}', 'signé le {}', 'signiert am {}'],
]

const DOCUMENTS: Told[] = [
  [
    'expected a compact JWS with a flat payload',
    'un JWS compact au contenu plat attendu',
    'erwartet ein kompaktes JWS mit flachem Inhalt',
  ],
  [
    'the signature does not belong to the document',
    "la signature n'est pas celle du document",
    'die Signatur gehört nicht zum Beleg',
  ],
  [
    'the member hash is not that of the document before',
    "le membre hash n'est pas celui du document précédent",
    'das Element hash ist nicht das des Belegs davor',
  ],
  [
    'the first document alone has no hash before it',
    "seul le premier document n'a pas de hash précédent",
    'nur der erste Beleg hat keinen Hash davor',
  ],
  [
    'the total is not the sum of the rates',
    "le total n'est pas la somme des taux",
    'die Summe ist nicht die der Sätze',
  ],
  [
    '{}Totalizer is not the sum of its rates',
    "{}Totalizer n'est pas la somme de ses taux",
    '{}Totalizer ist nicht die Summe seiner Sätze',
  ],
  ['{} follows {}', '{} suit {}', '{} folgt auf {}'],
  ['the row says something else', 'la ligne dit autre chose', 'die Zeile sagt etwas anderes'],
]

const RECEIPTS: Told[] = [
  [
    'nothing in an archive shows whether receipts follow',
    "rien dans une archive ne montre si d'autres tickets suivent",
    'nichts in einem Archiv zeigt, ob Belege folgen',
  ],
  [
    '{} receipts were entered late',
    '{} tickets ont été saisis après coup',
    '{} Belege wurden nachträglich erfasst',
  ],
  [
    '{} is not the one of its hash',
    "{} n'est pas celui de son hash",
    '{} ist nicht das zu seinem Hash',
  ],
  ['receipt {} follows {}', 'le ticket {} suit {}', 'Beleg {} folgt auf {}'],
  ['receipt {} has no item', "le ticket {} n'a pas d'élément", 'Beleg {} hat keinen Eintrag'],
  [
    'the receipt has no row in receiptJournals',
    "le ticket n'a pas de ligne dans receiptJournals",
    'der Beleg hat keine Zeile in receiptJournals',
  ],
  [
    'ftReceiptHash is not chained to the receipt before',
    "ftReceiptHash n'est pas chaîné au ticket précédent",
    'ftReceiptHash ist nicht mit dem Beleg davor verkettet',
  ],
  [
    'the receipt has no document',
    "le ticket n'a pas de document",
    'zum Beleg fehlt der signierte Inhalt',
  ],
  [
    'the answer shows another document',
    'la réponse montre un autre document',
    'die Antwort zeigt einen anderen signierten Inhalt',
  ],
  ['is not that of {}', "n'est pas celui de {}", 'ist nicht der von {}'],
  [
    'the document has no receipt',
    "le document n'a pas de ticket",
    'zum signierten Inhalt fehlt der Beleg',
  ],
  [
    'expected copy {}, found {}',
    'duplicata {} attendu, {} trouvé',
    'erwartet Kopie {}, gefunden {}',
  ],
]

/** The first that fits wins: these fit much. */
const SHORT: Told[] = [
  ['{}-: {}', '{}- : {}', '{}-: {}'],
  ['{}: {}', '{} : {}', '{}: {}'],
  ['expected {}, found {}', '{} attendu, {} trouvé', 'erwartet {}, gefunden {}'],
  ['expected {}', '{} attendu', 'erwartet {}'],
  ['a known case', 'un cas connu', 'einen bekannten Fall'],
]

const TOLD = [...FILE, ...CERTIFICATES, ...RECEIPTS, ...DOCUMENTS, ...SHORT]
const { fr, de } = translators(TOLD)

/** A quoted name or value of the file alone is told as it is. */
const QUOTED = /^"(?:\\.|[^"\\])*"$/

/** Undefined: there is no phrase for it. */
export const wording = {
  fr: (text: string) => (QUOTED.test(text) ? text : fr(text)),
  de: (text: string) => (QUOTED.test(text) ? text : de(text)),
} as const
