// The documents of one chain as a table: what was signed, member by member, without signatures.
import { csvLines, EXACT } from '../../../lib/csv.js'
import type { JsonObject } from '../../../lib/json.js'
import { textIn } from '../../../model/json-members.js'
import type { Export, LegalFile } from '../../contract.js'
import { csvTable } from '../../kit/csv-table.js'
import { isWord } from '../../kit/journal-word.js'
import { membersIn } from '../../kit/jws.js'
import { LETTERS, type Letter } from '../rows.js'
import { BLOCK, type BlockMember, NAMES, PERPETUAL } from '../totals.js'
import tables from './columns.json' with { type: 'json' }

const two = (value: number): string => value.toString().padStart(2, '0')

/** `MM/dd/yyyy HH:mm:ss` in UTC, as other programs of the field read it. */
export function tableMoment(date: Date): string {
  const day = `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${date.getUTCFullYear()}`
  return `${day} ${date.toISOString().slice(11, 19)}`
}

type Column = readonly [name: string, member: string]

const HEAD: Column[] = Object.entries(tables.head)
const TAIL: Column[] = Object.entries(tables.tail)

/** `letter`: before the names of the columns, and in lower case before those of the members. */
function block(letter: string, members: readonly BlockMember[] = BLOCK): Column[] {
  const prefix = letter === '' ? '' : `${letter.toLowerCase()}-`
  const nameOf = (member: BlockMember) => NAMES[member].replace(/^(..)Total/, '$1')
  return members.map((member) => [letter + nameOf(member), prefix + member])
}

const GRAND_TOTAL = [
  ...[...HEAD, ...block('D'), ...block('M'), ...block('Y'), ...block('S')],
  ...[...TAIL, ...block('P', PERPETUAL)],
]
/** Chains whose documents are no tickets. */
const COLUMNS: Partial<Record<Letter, readonly Column[]>> = {
  G: GRAND_TOTAL,
  A: [...block('A'), ...Object.entries(tables.archive), ...GRAND_TOTAL],
  C: [...HEAD, ...Object.entries(tables.copy), ...TAIL],
}
const TICKET = [...HEAD, ...block(''), ...TAIL]

const MOMENTS: ReadonlySet<string> = new Set(['dt', 'fcrm', 'lcrm'])

function cell(payload: JsonObject, member: string): string {
  const text = textIn(payload, member)
  return MOMENTS.has(member) && text !== '' ? tableMoment(new Date(text)) : text
}

/** Journal numbers of the chains, the same in both versions. */
const NUMBERS: Readonly<Record<Letter, string>> = tables.journals

function groupOf(letter: Letter): Export {
  const columns = COLUMNS[letter] ?? TICKET
  return {
    matches: isWord(`0x465200000000000${NUMBERS[letter]}`, `0x465220000000100${NUMBERS[letter]}`),
    contentType: 'text/csv; charset=utf-8',
    run: (source) =>
      csvTable(source.marketRows({ kind: letter }), {
        columns: columns.map(([name]) => name),
        linesOf: ({ content }) => {
          const payload = membersIn(content)
          return csvLines([columns.map(([, member]) => cell(payload, member))], EXACT)
        },
        form: EXACT,
      }),
  }
}

/** By journal type, and as files for auditors in the order of the letters. */
export const groups: readonly (Export | LegalFile)[] = LETTERS.flatMap((letter) => {
  const group = groupOf(letter)
  return [group, { name: `chains/${letter}.csv`, run: group.run }]
})
