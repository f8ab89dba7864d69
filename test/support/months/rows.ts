// The countries of the months, one row each: how registers work there, what stands outside, and
// what its books must say.
import { MYDATA_PACKAGE } from '../../../src/device/gr/unit.js'
import { serve } from '../../../src/simulator/es/authority.js'
import { emptyRegister } from '../../../src/simulator/es/register.js'
import { MydataDoor } from '../../../src/simulator/gr/door.js'
import { emptyRegister as emptyBook } from '../../../src/simulator/gr/register.js'
import { EpsonPrinterSimulator } from '../../../src/simulator/it/epson-printer.js'
import { isVoid, type Kept, VOID } from './kept.js'
import { type Judged, Line, type Outside, parted, scripted } from './outside.js'
import type { Habits } from './till.js'

export type { Outside } from './outside.js'

export interface MonthRow {
  name: string
  habits: Habits
  tills: number
  /** Of each till, on both servers. */
  callers: number
  /** A void has the number of what it cancels. */
  sharesNumbers?: boolean
  open(): Promise<Outside>
}

const REFUND = 0x100_0000
const ZERO = 0x2000

const numbered = (kept: readonly Kept[]): Kept[] => kept.filter(({ number }) => number !== '')

// ------------------------------------------------------------------------------------- Spain

const spain: Habits = {
  country: 'ES',
  words: ['Café', 'Pan & más', 'Vino – tinto'],
  rates: { 3: '21', 2: '10', 4: '4' },
  sales: [
    { kind: 1 },
    {
      kind: 0x1001,
      customer: {
        ...{ CustomerName: 'Cliente, S.A.', CustomerVATId: 'A28083806' },
        ...{ CustomerZip: '28001', CustomerStreet: 'Calle Mayor 1' },
      },
    },
  ],
  turns: [
    { flag: VOID, sign: 1 },
    { flag: REFUND, sign: -1 },
    { flag: REFUND, sign: -1 },
  ],
  others: [ZERO],
}
const issuer = { nif: 'B12345674', name: 'Prueba, S.L.' }
const recordOf = (one: Kept): string => `${isVoid(one) ? 'Anulacion' : 'Alta'} ${one.number}`

async function taxAgency(): Promise<Outside> {
  const register = emptyRegister()
  const arrived: string[] = []
  const line = new Line(async (request, body) => {
    const asked = { method: request.method ?? '', body, now: new Date() }
    const { status, text } = serve(register, asked, { waitSeconds: 1, most: 1_000_000 })
    if (!body.includes('ConsultaFactu')) arrived.push(...recordsIn(body))
    return { status, text }
  })
  await line.open()
  return {
    allow: [line.address],
    unit: () => ({
      package: 'fiskalwerk.SCU.ES.VeriFactu',
      configuration: { ...issuer, baseUrl: `http://${line.address}` },
    }),
    strike: async ({ chance }) => line.strike(chance),
    calm: async () => void line.faults.splice(0),
    close: () => line.close(),
    faults: async ({ till, kept, client }) => {
      const expected = numbered(kept).map(recordOf)
      const own = new Set(expected)
      const is = arrived.filter((one) => own.has(one))
      const { rows } = await client.query(
        `select content from market_journal where queue_id = $1 and kind = 'T'`,
        [till.queueId],
      )
      const odd = rows.filter(({ content }) => !content.includes('"state":"Correcto"'))
      const strange = arrived.length - new Set(arrived).size
      return [
        ...parted('records at the authority', { is, expected }),
        ...odd.map(({ content }) => `an answer of the authority: ${content}`),
        ...(strange === 0 ? [] : [`${strange} records arrived more than once`]),
      ]
    },
  }
}

function recordsIn(body: string): string[] {
  const operations = [...body.matchAll(/<Registro(Alta|Anulacion) /g)]
  return [...body.matchAll(/<IDFactura><\w+>[^<]*<[^>]*><\w+>([^<]+)</g)].map(
    ([, number], at) => `${operations[at]?.[1]} ${number}`,
  )
}

interface Ranges {
  register: { there: Record<string, string>; cancelled: Record<string, string> }
}

/** Series and ranges of numbers, as single numbers. */
const spread = (list: Record<string, string>): string[] =>
  Object.entries(list).flatMap(([series, text]) =>
    text.split(',').flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number)
      const [, name = ''] = series.split('|')
      return Array.from({ length: to - from + 1 }, (_, at) => `${name}${from + at}`)
    }),
  )

function province({ kept, state }: Judged & { state: string }): string[] {
  const { there, cancelled } = (JSON.parse(state) as Ranges).register
  const of = (list: Kept[]) => list.map(({ number }) => plain(number)).toSorted()
  const told = numbered(kept)
  return [
    ...parted('files at the province', {
      is: spread(there).map(plain).toSorted(),
      expected: of(told.filter((one) => !isVoid(one))),
    }),
    ...parted('cancellations at the province', {
      is: spread(cancelled).map(plain).toSorted(),
      expected: of(told.filter(isVoid)),
    }),
  ]
}

/** Without the zeros in front of a number. */
const plain = (number: string): string => number.replace(/-0*(\d+)$/, '-$1')

// ------------------------------------------------------------------------------------- Italy

const italy: Habits = {
  country: 'IT',
  words: ['Caffè', 'Pane', 'Vino rosso', 'Formaggio – Alpi'],
  rates: { 1: '10', 2: '5', 3: '22', 4: '4' },
  sales: [{ kind: 1 }],
  turns: [
    { flag: VOID, sign: -1 },
    { flag: REFUND, sign: -1 },
    { flag: REFUND, sign: -1 },
  ],
  others: [ZERO],
  evening: { kind: 0x2011, every: 60 },
}
const RT_FAULTS = [
  ...['unreachable', 'error', 'error-after', 'printed-then-silent', 'garbage', 'paper-out'],
  ...['cover-open', 'closing-needed', 'journal-full'],
]

interface RtBooks {
  z: number
  doc: number
  ejUsed: number
}

function rtBooks({ kept, state }: Judged & { state: string }): string[] {
  const { z, ejUsed } = JSON.parse(state) as RtBooks
  const names = numbered(kept).map(({ number }) => number)
  const closings = names.filter((name) => name.startsWith('Z')).length
  return z === closings && ejUsed === names.length - closings
    ? []
    : [`the device has ${ejUsed} documents and ${z} closings, the queue ${names.length} of both`]
}

async function printers(): Promise<Outside> {
  const made: { printer: EpsonPrinterSimulator; line: Line }[] = []
  for (const digits of ['018305', '018306']) {
    const printer = new EpsonPrinterSimulator(digits, Date.now)
    const line = new Line(async ({ url = '' }, body) => {
      const text = printer.serve(url, body)
      return text === undefined ? undefined : { status: 200, text }
    })
    await line.open()
    made.push({ printer, line })
  }
  return {
    allow: made.map(({ line }) => line.address),
    unit: (at) => ({
      package: 'fiskalwerk.SCU.IT.EpsonRTPrinter',
      ...{ url: `http://${made[at]?.line.address}`, untried: true, named: true },
    }),
    strike: async ({ chance }, { at }) => made[at]?.line.strike(chance),
    calm: async (_stage, { at }) => void made[at]?.line.faults.splice(0),
    close: async () => {
      for (const { line } of made) await line.close()
    },
    faults: async ({ at, kept }) =>
      parted('printed documents', {
        is: made[at]?.printer.printed.map(({ name }) => name) ?? [],
        expected: numbered(kept)
          .filter(({ number }) => !number.startsWith('Z'))
          .map(({ number }) => number.split('-').map(Number).join('-')),
      }),
  }
}

// ------------------------------------------------------------------------------------ Greece

const greece: Habits = {
  country: 'GR',
  words: ['Μουσακάς', 'Χωριάτικη σαλάτα', 'Ελληνικός καφές'],
  rates: { 1: '13', 3: '24' },
  sales: [
    { kind: 1 },
    {
      kind: 0x1002,
      customer: {
        ...{ CustomerName: 'ΠΕΛΑΤΗΣ ΑΕ', CustomerVATId: 'EL026883248', CustomerCountry: 'GR' },
      },
    },
  ],
  turns: [{ flag: REFUND, sign: -1 }],
  others: [ZERO],
  orders: { kind: 0x3004, more: { cbArea: '7' } },
}

const LIMITS = { timeoutMs: 1000, maxBytes: 1_000_000 }

async function mydata(): Promise<Outside> {
  const book = emptyBook()
  const door = new MydataDoor(book, () => ({
    ...{ now: new Date(), most: 1_000_000, base: 'https://mydata.example' },
    ...{ callers: [{ user: 'user', key: 'key' }], issuers: { '112545020': 'active' } },
  }))
  const line = new Line(async ({ method, url = '', headers: given }, body) => {
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, String(value)]),
    )
    const asked = { method: method === 'GET' ? ('GET' as const) : ('POST' as const), headers }
    const reply = await door.fetch(`http://mydata${url}`, { ...asked, body, ...LIMITS })
    return { status: reply.status, text: reply.body.toString(), type: 'application/xml' }
  })
  await line.open()
  return {
    allow: [line.address],
    unit: () => ({
      package: MYDATA_PACKAGE,
      untried: true,
      configuration: {
        ...{ vat: '112545020', username: 'user', subscriptionKey: 'key', providerName: 'P' },
        ...{ receiptBaseAddress: 'https://receipts.example' },
        baseAddress: `http://${line.address}`,
      },
    }),
    strike: async ({ chance }) => line.strike(chance),
    calm: async () => void line.faults.splice(0),
    close: () => line.close(),
    faults: async ({ till, kept, client }) => {
      const { rows } = await client.query(
        `select kind, content from market_journal where queue_id = $1 and kind in ('R', 'T')
         order by kind, number`,
        [till.queueId],
      )
      const stored = (kind: string) =>
        rows.filter((row) => row.kind === kind).map(({ content }) => JSON.parse(content))
      const [records, told] = [stored('R'), stored('T')]
      // in the place of a document whose number a dead process had used
      const documents: { record: { uid: string; settles?: string }; mark: string }[] =
        records.flatMap((record, at) => told[at]?.instead ?? [{ record, mark: told[at]?.mark }])
      const known = book.recent.filter(({ url }) => url.includes(till.queueId))
      const uids = new Set(documents.map(({ record }) => record.uid))
      const refused = told.filter(({ isTaken }) => isTaken !== true)
      const orphans = known.filter(({ uid }) => !uids.has(uid))
      return [
        ...parted('documents at the authority', {
          is: known.filter(({ uid }) => uids.has(uid)).map(({ uid, mark }) => `${uid} ${mark}`),
          expected: documents.map(({ record, mark }) => `${record.uid} ${mark}`),
        }),
        ...parted('records of receipts', {
          is: records.filter(({ settles }) => !settles).map(({ series, aa }) => `${series}-${aa}`),
          expected: numbered(kept).map(({ number }) => number),
        }),
        ...refused.map((one) => `refused: ${JSON.stringify(one)}`),
        ...unsettled(
          orphans,
          documents.map(({ record }) => record),
        ),
      ]
    },
  }
}

/** Documents of processes that died: taken back, but for those that take back themselves. */
function unsettled(
  orphans: readonly { mark: number; type: string; whole?: Record<string, unknown> | undefined }[],
  records: readonly { settles?: string }[],
): string[] {
  const settled = new Set(records.map(({ settles }) => settles))
  const isEnd = ({ type, whole }: (typeof orphans)[number]) =>
    type === '11.4' || type === '5.1' || JSON.stringify(whole).includes('totalCancelDelivery')
  return orphans
    .filter((one) => !settled.has(String(one.mark)) && !isEnd(one))
    .map(({ mark, type }) => `nothing takes back ${type} with MARK ${mark}`)
}

// ---------------------------------------------------------------------------------- Portugal

const portugal: Habits = {
  country: 'PT',
  words: ['Café', 'Pão', 'Vinho tinto', 'Queijo – Serra'],
  rates: { 1: '6', 2: '13', 3: '23' },
  sales: [{ kind: 1 }, { kind: 0x1001 }],
  turns: [
    { flag: VOID, sign: -1 },
    { flag: REFUND, sign: -1 },
  ],
  others: [ZERO],
}

interface SeriesBooks {
  register: { series: { serie: string; tipoDoc: string }[] }
}

function seriesBooks({ kept, state }: Judged & { state: string }): string[] {
  const { series } = (JSON.parse(state) as SeriesBooks).register
  const names = series.map(({ tipoDoc, serie }) => `${tipoDoc} ${serie}`)
  const numbers = numbered(kept.filter((one) => !isVoid(one)))
  const used = new Map<string, number[]>()
  for (const { number } of numbers) {
    const [name = '', n] = number.split('/')
    used.set(name, [...(used.get(name) ?? []), Number(n)])
  }
  return [
    ...names.filter((one, at) => names.indexOf(one) !== at).map((one) => `${one} twice there`),
    ...[...used].flatMap(([name, list]) =>
      parted(name, { is: list.map(String), expected: list.map((_, at) => String(at + 1)) }),
    ),
  ]
}

export const ROWS: readonly MonthRow[] = [
  {
    ...{ name: 'ES VeriFactu', habits: spain, tills: 2, callers: 2, sharesNumbers: true },
    open: taxAgency,
  },
  {
    ...{ name: 'ES TicketBAI', habits: spain, tills: 1, callers: 2, sharesNumbers: true },
    open: async () =>
      scripted({
        kinds: [
          ...['unreachable', 'error', 'error-after', 'garbage'],
          ...['authority-away', 'authority-error', 'authority-error-after'],
        ],
        configuration: { ...issuer, kind: 'Araba' },
        faults: province,
      }),
  },
  {
    ...{ name: 'IT simulated device', habits: italy, tills: 1, callers: 1 },
    open: async () => scripted({ kinds: RT_FAULTS, faults: rtBooks }),
  },
  { name: 'IT Epson printer', habits: italy, tills: 2, callers: 1, open: printers },
  { name: 'GR myDATA', habits: greece, tills: 2, callers: 2, open: mydata },
  {
    ...{ name: 'PT', habits: portugal, tills: 2, callers: 2, sharesNumbers: true },
    open: async () =>
      scripted({
        kinds: ['unreachable', 'error-after', 'wrong-signature', 'authority-away', 'garbage'],
        faults: seriesBooks,
      }),
  },
]
