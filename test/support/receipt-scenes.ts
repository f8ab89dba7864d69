// Receipts that are shown to a browser: of both countries, hostile, long, in other scripts.
import { createCanvas } from '@napi-rs/canvas'
import { NO_BRANDING } from '../../src/model/branding.js'
import { htmlReceipt, missingPage, type PageLinks } from '../../src/render/html.js'
import { type PublishedPair, viewOf } from '../../src/render/view.js'
import type { Language } from '../../src/render/words.js'
import { austrian, german, publishedPair } from './shown.js'

const FIELDS = '2026-07-01T12:15:00_7,00_9,60_0,00_0,00_0,00_4Fz9AAc=_5a1b2c3d_cg8hNU5ihto='
const signature = (byte: number): string => Buffer.alloc(64, byte).toString('base64')

export const AUSTRIAN_CODE = `_R1-AT1_KASSE-1_ft1A_${FIELDS}_${signature(7)}`
const FAILED = Buffer.from('Sicherheitseinrichtung ausgefallen').toString('base64')
export const GERMAN_CODE =
  'V0;kasse-7;Kassenbeleg-V1;Beleg^19.30_5.50_0.00_0.00_0.00^24.80:Unbar;17;34;' +
  '2026-07-01T10:14:58.000Z;2026-07-01T10:15:00.000Z;ecdsa-plain-SHA256;unixTime;' +
  `${signature(9)};${Buffer.alloc(65, 4).toString('base64')}`

const SALE = [
  '{"Quantity":2,"Description":"Verlängerter mit Schlagobers","Amount":7.60,"VATRate":20,' +
    `"ftChargeItemCase":${austrian(0x13n)}}`,
  '{"Description":"Rabatt Stammgast","Amount":-0.60,"VATRate":20,' +
    `"ftChargeItemCase":${austrian(0x4_0013n)}}`,
  '{"Description":"Krapfen","Amount":9.60,"VATRate":10,' +
    `"ftChargeItemCase":${austrian(0x11n)},` +
    '"ftChargeItemCaseData":{"cbChargeItemLines":["ohne Zucker"]}}',
]
const CASH = [
  `{"Description":"Bar","Amount":20,"ftPayItemCase":${austrian(1n)}}`,
  `{"Amount":-3.40,"ftPayItemCase":${austrian(0x20_0001n)}}`,
]

interface Sale {
  flags?: bigint
  items?: string[]
  payments?: readonly string[]
  state?: bigint
  code?: string
}

function ofAustria(sale: Sale = {}) {
  const { flags = 0n, items = SALE, payments = CASH, state = 0n, code = AUSTRIAN_CODE } = sale
  const request =
    `{"ftReceiptCase":${austrian((flags << 16n) | 1n)},"cbTerminalID":"T1",` +
    `"cbReceiptReference":"R-17","cbChargeItems":[${items.join(',')}],` +
    `"cbPayItems":[${payments.join(',')}],` +
    '"ftReceiptCaseData":{"cbReceiptLines":["Danke für Ihren Besuch"]}}'
  const sign = `{"ftSignatureFormat":3,"ftSignatureType":${austrian(1n)},"Data":"${code}"}`
  const response =
    '{"ftReceiptIdentification":"ft1A#","ftCashBoxIdentification":"KASSE-1",' +
    `"ftReceiptMoment":"2026-07-01T10:15:00Z","ftState":${austrian(state)},` +
    `"ftSignatures":[${sign}]}`
  return publishedPair({ request, response })
}

/** Type, data: the items of a business receipt. */
const GERMAN_ITEMS: readonly (readonly [bigint, string])[] = [
  [0x17n, '17'],
  [0x18n, '34'],
  [0x19n, '2026-07-01T10:14:58.000Z'],
  [0x1an, '2026-07-01T10:15:00.000Z'],
  [0x14n, 'kasse-7'],
  [0x23n, 'a3f9'.repeat(16)],
  [0x1dn, signature(9)],
  [0x22n, 'BSI-K-TR-0000-2026'],
  [0x15n, 'Kassenbeleg-V1'],
]

function ofGermany(): PublishedPair {
  const card =
    '{"Receipt":["** Kundenbeleg **","","Terminal-ID   60012345","girocard","EUR 24,80"]}'
  const request =
    `{"ftReceiptCase":${german(1n)},"cbCustomer":{"CustomerName":"Muster GmbH",` +
    '"CustomerZip":"10115","CustomerCity":"Berlin"},"cbChargeItems":[' +
    '{"Description":"Schnitzel mit Kartoffelsalat","Amount":19.30,"VATRate":19,' +
    `"ftChargeItemCase":${german(0x13n)}},{"Description":"Apfelschorle","Amount":5.50,` +
    `"VATRate":7,"ftChargeItemCase":${german(0x11n)}}],"cbPayItems":[{"Description":"Girocard",` +
    `"Amount":24.80,"ftPayItemCase":${german(4n)},"ftPayItemCaseData":${card}}]}`
  const items = GERMAN_ITEMS.map(
    ([type, data]) => `{"ftSignatureFormat":1,"ftSignatureType":${german(type)},"Data":"${data}"}`,
  )
  const code = `{"ftSignatureFormat":3,"ftSignatureType":${german(1n)},"Data":"${GERMAN_CODE}"}`
  const response =
    '{"ftReceiptIdentification":"ft3#IT17","ftReceiptMoment":"2026-07-01T10:15:00Z",' +
    `"ftState":${german(0n)},"ftSignatures":[${[code, ...items].join(',')}]}`
  return { ...publishedPair({ request, response, country: 'DE' }), merchant: ['Zur Linde'] }
}

const line = (description: string, amount: string): string =>
  `{"Description":${JSON.stringify(description)},"Amount":${amount},"VATRate":20,` +
  `"ftChargeItemCase":${austrian(0x13n)}}`

const STRANGE = [
  line('شاي بالنعناع 🍵 مع سكر كثير جدا', '5.00'),
  line('קפה הפוך ☕️ 👨‍👩‍👧‍👦', '4.20'),
  line('x'.repeat(1023), '99999999999999.99'),
  line('<script>document.title="taken"</script><img src=x onerror="document.title=1">', '1'),
  line('</script><style>*{display:none}</style><a href="javascript:alert(1)">', '1'),
]

/** The most that is signed, at rates with decimals, and one amount that goes back. */
const SUMS = [
  line('Anlage', '9999999999999.99'),
  line('Haus', '-1234567.89'),
  line('Wagen', '45678.90'),
].map((item, at) => item.replace('"VATRate":20', `"VATRate":${[20, 10.55, 13][at]}`))

const PAID = [
  `{"Description":"Bar","Amount":9999999999999.99,"ftPayItemCase":${austrian(1n)}}`,
  `{"Amount":-1234567.89,"ftPayItemCase":${austrian(0x20_0001n)}}`,
]

/** As the sandbox answers: a mark, explanations, and what the law wants to be named. */
function ofSandbox(): PublishedPair {
  const pair = ofAustria()
  const text = (type: bigint | string, caption: string, data: string): string =>
    `{"ftSignatureFormat":1,"ftSignatureType":${type},"Caption":"${caption}","Data":"${data}"}`
  const more = [
    text(austrian(0n), 'Stornobuchung', 'Stornobuchung'),
    text(austrian(0n), 'Decision 2', 'Sign: True Counter:True'),
    text('0', 'S A N D B O X', 'c719b59a-9ff0-491a-98a1-030776d8c46f'),
  ]
  const sign = `{"ftSignatureFormat":3,"ftSignatureType":${austrian(1n)},"Data":"${AUSTRIAN_CODE}"}`
  const response =
    '{"ftReceiptIdentification":"ft1A#","ftReceiptMoment":"2026-07-01T10:15:00Z",' +
    `"ftState":${austrian(0n)},"ftSignatures":[${[sign, ...more].join(',')}]}`
  return { ...pair, ...pick(publishedPair({ response })) }
}

const pick = ({ response }: PublishedPair): Pick<PublishedPair, 'response'> => ({ response })

const WINE = { primary: '#ffffff', background: '#7a1f2b' }

function branded(colours = WINE): PublishedPair {
  const canvas = createCanvas(400, 160)
  const context = canvas.getContext('2d')
  context.fillStyle = '#1f5fa8'
  context.fillRect(0, 0, 400, 160)
  const branding = {
    ...NO_BRANDING,
    logo: {
      type: 'image/png' as const,
      data: canvas.toBuffer('image/png'),
      width: 200,
      height: 80,
    },
    colours,
    footer: ['Bis zum nächsten Mal!'],
    website: 'https://cafe.example/',
    hospitality: true,
  }
  return { ...ofAustria(), branding }
}

export const LINKS: PageLinks = {
  address:
    'https://r.example/c719b59a-9ff0-491a-98a1-030776d8c46f/f838d7c8-3113-4c3a-914a-46d7de555d11',
  apps: [{ name: 'Belegbuch', href: 'https://app.example/in' }],
  feedback: 'https://app.example/say',
  query: '',
  files: [
    { name: 'Garantie bis 2028.pdf', href: 'https://r.example/1', size: 34_100 },
    { name: `${'langer-name-'.repeat(20)}<b>.png`, href: 'https://r.example/2', size: 3_400_000 },
    { name: 'ضمان.pdf', href: 'https://r.example/3', size: 1 },
  ],
  hideShare: false,
  hideFeedback: false,
  pdfFirst: false,
}

const page = (pair: PublishedPair, language: Language): string =>
  htmlReceipt(viewOf(pair, language), LINKS)

/** In the colours of a merchant. */
export const brandedPage = (colours: typeof WINE): string => page(branded(colours), 'de')

/** Pages by name. */
export function receiptScenes(): Record<string, string> {
  const many = Array.from({ length: 500 }, (_, at) => line(`Artikel ${at}`, `${at}.50`))
  const failed = `_R1-AT1_KASSE-1_ft1A_${FIELDS}_${FAILED}`
  return {
    at: page(ofAustria(), 'de'),
    de: page(ofGermany(), 'de'),
    english: page(ofGermany(), 'en'),
    training: page(ofAustria({ flags: 2n }), 'fr'),
    void: page(ofAustria({ flags: 4n }), 'it'),
    outage: page(ofAustria({ state: 3n, code: failed }), 'es'),
    many: page(ofAustria({ items: many }), 'de'),
    one: page(ofAustria({ items: [line('Melange', '3.80')] }), 'de'),
    strange: page(ofAustria({ items: STRANGE }), 'de'),
    branded: page(branded(), 'de'),
    sandbox: page(ofSandbox(), 'de'),
    sums: page(ofAustria({ items: SUMS, payments: PAID }), 'de'),
    ...Object.fromEntries(
      (['en', 'fr', 'it', 'es'] as const).map((language) => [
        `sums-${language}`,
        page(ofAustria({ items: SUMS, payments: PAID }), language),
      ]),
    ),
    missing: missingPage('de'),
  }
}
