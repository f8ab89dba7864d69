// Outlets from a table: all that is wrong by its line; then all of it is stored, or nothing.
import { CsvReader } from '../../../lib/csv-records.js'
import { randomId } from '../../../lib/id.js'
import { isCountry } from '../../../model/countries.js'
import {
  FIRST_FREE_OUTLET,
  LAST_OUTLET,
  type OutletData,
  PRIMARY_OUTLET,
} from '../../../model/outlet.js'
import {
  insertOutlet,
  listOutlets,
  lockNumbering,
  lockOutlet,
  nextNumber,
  updateCompanyAddress,
  updateOutlet,
} from '../../../store/account/outlets.js'
import { noteSellerChange } from '../../../store/sign/seller.js'
import type { Transaction } from '../../../store/transaction.js'
import { type Actor, type AuditDeps, audited } from '../../audit/audit.js'

export const OUTLET_FAULTS = [
  ...(['unknown', 'missing', 'twice', 'columns', 'required', 'long', 'number', 'country'] as const),
  ...(['used', 'many', 'empty'] as const),
] as const
export type OutletFault = (typeof OUTLET_FAULTS)[number]

export interface OutletProblem {
  line: number
  /** Null: of the whole line. */
  column: string | null
  fault: OutletFault
  value: string
}

export interface OutletImport {
  created: number
  updated: number
  problems: OutletProblem[]
}

/** Columns in the order of the template: whether one must be there, and its longest text. */
const COLUMNS = {
  outletNumber: { needed: false, longest: 10 },
  name: { needed: true, longest: 200 },
  address: { needed: true, longest: 250 },
  postalCode: { needed: true, longest: 20 },
  city: { needed: true, longest: 80 },
  country: { needed: true, longest: 2 },
  locationId: { needed: false, longest: 4000 },
  contactName: { needed: false, longest: 150 },
  telephone: { needed: false, longest: 50 },
  fax: { needed: false, longest: 50 },
  county: { needed: false, longest: 50 },
  stateOrProvince: { needed: false, longest: 50 },
} as const
type Column = keyof typeof COLUMNS
const NAMES = Object.keys(COLUMNS) as Column[]

export const OUTLET_TEMPLATE = `${NAMES.join(';')}\r\n`
const MOST_ROWS = 2_000
const MOST_PROBLEMS = 1_000
const SEPARATORS = [';', ',', '\t'] as const

interface Row {
  line: number
  number: number | null
  outlet: OutletData
}

interface Read {
  rows: Row[]
  problems: OutletProblem[]
}

/** What the table would do. With `problems` nothing of it is done. */
export async function lookAtOutlets(
  { store }: Pick<AuditDeps, 'store'>,
  accountId: string,
  text: string,
): Promise<OutletImport> {
  const { rows, problems } = readTable(text)
  const known = await listOutlets(store, accountId, { after: 0, most: LAST_OUTLET })
  const numbers = new Set(known.map(({ outletNumber }) => outletNumber))
  const updated = rows.filter(({ number }) => number !== null && numbers.has(number)).length
  return { created: rows.length - updated, updated, problems }
}

/** All of a table that has no problems, with one row that tells of it. */
export async function importOutlets(
  deps: AuditDeps,
  actor: Actor,
  { accountId, text }: { accountId: string; text: string },
): Promise<OutletImport> {
  const { rows, problems } = readTable(text)
  if (problems.length > 0) return { created: 0, updated: 0, problems }
  return audited(deps, actor, async (tx) => {
    await lockNumbering(tx, accountId)
    const numbers: number[] = []
    let updated = 0
    for (const row of rows) {
      const { number, isNew } = await store(tx, { accountId, row, now: deps.now() })
      numbers.push(number)
      if (!isNew) updated += 1
    }
    await noteSellerChange(tx, accountId)
    const result = { created: rows.length - updated, updated, problems }
    const after = { created: result.created, updated, outletNumbers: numbers }
    return { result, subjects: { outlets: rows.length }, after }
  })
}

async function store(
  tx: Transaction,
  { accountId, row: { number: wanted, outlet }, now }: { accountId: string; row: Row; now: Date },
): Promise<{ number: number; isNew: boolean }> {
  const number = wanted ?? (await nextNumber(tx, accountId))
  if ((await lockOutlet(tx, { accountId, number })) === undefined) {
    await insertOutlet(tx, { accountId, id: randomId(), number, outlet, createdAt: now })
    return { number, isNew: true }
  }
  await updateOutlet(tx, { accountId, number }, outlet)
  if (number === PRIMARY_OUTLET) await updateCompanyAddress(tx, accountId, outlet)
  return { number, isNew: false }
}

// ------------------------------------------------------------------------- reading

function readTable(text: string): Read {
  const plain = text.replace(/^\uFEFF/, '')
  const head = plain.split(/[\r\n]/, 1)[0] ?? ''
  const separator = SEPARATORS.find((one) => head.includes(one)) ?? ';'
  const reader = new CsvReader(separator)
  const records = [...reader.push(plain), ...reader.end()].map(({ cells, count }, at) => ({
    ...{ cells, count, line: at + 1 },
  }))
  const filled = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const [first, ...lines] = filled
  if (first === undefined || lines.length === 0) return { rows: [], problems: [at(1, 'empty')] }
  const { columns, problems } = columnsOf(first.cells)
  if (lines.length > MOST_ROWS) problems.push(at(lines[MOST_ROWS]?.line ?? 1, 'many'))
  if (problems.length > 0) return { rows: [], problems }
  return readRows(columns, lines)
}

const at = (line: number, fault: OutletFault, column: string | null = null): OutletProblem => ({
  ...{ line, column, fault, value: '' },
})

const key = (name: string) => name.replaceAll(/[\s_-]/g, '').toLowerCase()

function columnsOf(cells: readonly string[]): { columns: Column[]; problems: OutletProblem[] } {
  const columns: Column[] = []
  const problems: OutletProblem[] = []
  for (const cell of cells) {
    const column = NAMES.find((name) => key(name) === key(cell))
    if (column === undefined) problems.push(at(1, 'unknown', cell))
    else if (columns.includes(column)) problems.push(at(1, 'twice', cell))
    else columns.push(column)
  }
  for (const name of NAMES) {
    if (COLUMNS[name].needed && !columns.includes(name)) problems.push(at(1, 'missing', name))
  }
  return { columns, problems }
}

function readRows(
  columns: readonly Column[],
  lines: readonly { line: number; cells: string[]; count: number }[],
): Read {
  const rows: Row[] = []
  const problems: OutletProblem[] = []
  const used = new Set<number>()
  for (const { line, cells, count } of lines) {
    if (count !== columns.length) {
      problems.push({ ...at(line, 'columns'), value: String(count) })
      continue
    }
    const values = Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']))
    const found = faultsOf(line, values)
    const number = values.outletNumber?.trim() ? Number(values.outletNumber) : null
    if (number !== null && used.has(number)) {
      found.push({ ...at(line, 'used', 'outletNumber'), value: String(number) })
    }
    if (number !== null) used.add(number)
    problems.push(...found)
    if (found.length === 0) rows.push({ line, number, outlet: outletOf(values) })
  }
  return { rows, problems: problems.slice(0, MOST_PROBLEMS) }
}

type Values = Partial<Record<string, string>>

function faultsOf(line: number, values: Values): OutletProblem[] {
  return NAMES.flatMap((name) => {
    const value = (values[name] ?? '').trim()
    const fault = faultOf(name, value)
    return fault === undefined ? [] : [{ line, column: name, fault, value: value.slice(0, 60) }]
  })
}

function faultOf(name: Column, value: string): OutletFault | undefined {
  const { needed, longest } = COLUMNS[name]
  if (value === '') return needed ? 'required' : undefined
  if (name === 'country') return isCountry(value.toUpperCase()) ? undefined : 'country'
  if (name === 'outletNumber') return isNumber(value) ? undefined : 'number'
  return value.length > longest ? 'long' : undefined
}

/** 2 is nobody's. */
function isNumber(value: string): boolean {
  if (!/^\d{1,10}$/.test(value)) return false
  const number = Number(value)
  return number === PRIMARY_OUTLET || (number >= FIRST_FREE_OUTLET && number <= LAST_OUTLET)
}

function outletOf(values: Values): OutletData {
  const text = (name: Column) => (values[name] ?? '').trim()
  const orNull = (name: Column) => text(name) || null
  return {
    ...{ name: text('name'), address: text('address'), postalCode: text('postalCode') },
    ...{ city: text('city'), country: text('country').toUpperCase() },
    ...{ locationId: orNull('locationId'), contactName: orNull('contactName') },
    ...{ telephone: orNull('telephone'), fax: orNull('fax'), county: orNull('county') },
    stateOrProvince: orNull('stateOrProvince'),
  }
}
