// The documents of one chain as a table: what was signed, member by member, without signatures.
import { csvLines } from '../../../lib/csv.js'
import { JsonNumber, type JsonObject, objectIn } from '../../../lib/json.js'
import type { Export, LegalFile } from '../../contract.js'
import { isWord } from '../../kit/journal-word.js'
import { payloadOf } from '../../kit/jws.js'
import { LETTERS, type Letter } from '../rows.js'
import { BLOCK, PERPETUAL } from '../totals.js'
import { tableMoment } from './table-text.js'

type Column = readonly [name: string, member: string]

const HEAD: readonly Column[] = [
  ['QueueId', 'qid'],
  ['CashBoxIdentification', 'cbid'],
  ['Siret', 'siret'],
  ['ReceiptId', 'rid'],
  ['ReceiptMoment', 'dt'],
  ['QueueItemId', 'qiid'],
]
const TAIL: readonly Column[] = [
  ['CertificateSerialNumber', 'csn'],
  ['ReceiptCase', 'rc'],
  ['LastHash', 'hash'],
]
const NAMES = [
  ...['Totalizer', 'CINormal', 'CIReduced1', 'CIReduced2', 'CIReducedS', 'CIZero', 'CIUnknown'],
  ...['PICash', 'PINonCash', 'PIInternal', 'PIUnknown'],
]

/** `letter`: before the names of the columns, and in lower case before those of the members. */
function block(letter: string, members: readonly string[] = BLOCK): Column[] {
  const prefix = letter === '' ? '' : `${letter.toLowerCase()}-`
  return members.map((member, at) => [`${letter}${NAMES[at]}`, `${prefix}${member}`])
}

const TICKET = [...HEAD, ...block(''), ...TAIL]
const GRAND_TOTAL = [
  ...[...HEAD, ...block('D'), ...block('M'), ...block('Y'), ...block('S')],
  ...[...TAIL, ...block('P', PERPETUAL)],
]
const ARCHIVE: readonly Column[] = [
  ...block('A'),
  ['LastActionJournalId', 'lajid'],
  ['LastJournalFRId', 'ljid'],
  ['LastReceiptJournalId', 'lrjid'],
  ['PreviousArchiveQueueItemId', 'paqiid'],
  ['FirstContainedReceiptQueueItemId', 'fcrqiid'],
  ['FirstContainedReceiptMoment', 'fcrm'],
  ['LastContainedReceiptQueueItemId', 'lcrqiid'],
  ['LastContainedReceiptMoment', 'lcrm'],
  ...GRAND_TOTAL,
]
const COPY: readonly Column[] = [...HEAD, ['CopiedReceiptReference', 'crr'], ...TAIL]

function columnsOf(letter: Letter): readonly Column[] {
  if (letter === 'G') return GRAND_TOTAL
  if (letter === 'A') return ARCHIVE
  return letter === 'C' ? COPY : TICKET
}

const MOMENTS: ReadonlySet<string> = new Set(['dt', 'fcrm', 'lcrm'])

function cell(payload: JsonObject | undefined, member: string): string {
  const value = payload?.get(member)
  if (value instanceof JsonNumber) return value.text
  if (typeof value !== 'string') return ''
  return MOMENTS.has(member) ? tableMoment(new Date(value)) : value
}

/** Of a file that programs compare with what was signed: nothing is put in front of a value. */
const FORM = { delimiter: ',', exact: true }

/** Journal numbers of the chains, the same in both versions. */
const NUMBERS: Readonly<Record<Letter, number>> = {
  ...{ T: 0x1, P: 0x2, I: 0x3, G: 0x4, B: 0x7 },
  ...{ A: 0x8, L: 0x9, C: 0xa, X: 0xb },
}

const hex = (value: number): string => value.toString(16).padStart(3, '0')

function groupOf(letter: Letter): Export {
  const number = hex(NUMBERS[letter])
  const columns = columnsOf(letter)
  return {
    matches: isWord(`0x4652000000000${number}`, `0x4652200000001${number}`),
    contentType: 'text/csv; charset=utf-8',
    async *run(source) {
      yield csvLines([columns.map(([name]) => name)], FORM)
      for await (const page of source.chainRows(letter)) {
        const payloads = page.map((row) => objectIn(payloadOf(row.content)))
        const rows = payloads.map((payload) => columns.map(([, member]) => cell(payload, member)))
        yield csvLines(rows, FORM)
      }
    },
  }
}

/** By journal type, and as files for auditors in the order of the letters. */
export const groups: readonly (Export | LegalFile)[] = LETTERS.flatMap((letter) => {
  const group = groupOf(letter)
  return [group, { name: `chains/${letter}.csv`, run: group.run }]
})
