// Which format a file has, by its header, and which column is what.
import { COMPANY_FIELDS, CONTACT_FIELDS, type FieldRule } from '../../../../model/invitation.js'
import { type Column, marketColumns, PLAIN_COLUMNS } from '../../../../model/invitation-columns.js'
import type { Problem } from './problem.js'
import { firstRecord, type SourceFile } from './source.js'

export interface Placed {
  /** As the file spells it. */
  header: string
  path: string
  at: number
}

export interface Format {
  kind: 'plain' | 'portal'
  separator: string
  columns: readonly Placed[]
  /** Columns of the header. */
  count: number
  problems: readonly Problem[]
}

/** Undefined: there is nothing but white space. */
export async function formatOf(file: SourceFile, market: string): Promise<Format | undefined> {
  const header = await firstRecord(file, ';')
  if (header === undefined) return undefined
  const plain = PLAIN_COLUMNS.map((column) => column.header)
  if (header.count === plain.length && header.cells.every((cell, at) => cell === plain[at])) {
    const columns = PLAIN_COLUMNS.map(({ header: name, path }, at) => ({ header: name, path, at }))
    return { kind: 'plain', separator: ';', columns, count: plain.length, problems: [] }
  }
  const separator = header.count > 1 ? ';' : ','
  const own = (await firstRecord(file, separator)) ?? header
  const placed = placedOf(own.cells, marketColumns(market))
  return { kind: 'portal', separator, count: own.count, ...placed }
}

function placedOf(headers: readonly string[], known: readonly Column[]) {
  const problems: Problem[] = []
  const columns: Placed[] = []
  const fault = (header: string, error: Problem['error']): void => {
    problems.push({ line: 1, csvHeader: header, error, errorArgs: [header] })
  }
  for (const [at, header] of headers.entries()) {
    const column = columnOf(header, known)
    if (column === undefined) fault(header, 'Csv_UnknownHeader')
    else if (columns.some(({ path }) => path === column.path)) fault(header, 'Csv_DuplicateHeader')
    else columns.push({ header, path: column.path, at })
  }
  const missing = known.filter(
    ({ path }) => isRequired(path) && !columns.some((column) => column.path === path),
  )
  for (const { header } of missing) fault(header, 'Csv_MissingHeader')
  return { columns, problems }
}

function columnOf(header: string, known: readonly Column[]): Column | undefined {
  const wanted = header.toLowerCase()
  const named = known.find((column) => column.header.toLowerCase() === wanted)
  return (
    named ?? known.find((column) => column.aliases.some((alias) => alias.toLowerCase() === wanted))
  )
}

const RULES: Readonly<Record<string, FieldRule>> = Object.fromEntries([
  ...Object.entries(COMPANY_FIELDS).map(([name, rule]) => [`company.${name}`, rule] as const),
  ...Object.entries(CONTACT_FIELDS).map(([name, rule]) => [`contact.${name}`, rule] as const),
])

const isRequired = (path: string): boolean => RULES[path]?.required === true

/** Most characters of a field. */
export const longestOf = (path: string, identifier: number): number =>
  RULES[path]?.max ?? identifier
