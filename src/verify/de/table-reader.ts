// One table of the export, row by row, with form and values judged.

import { CsvFault, type CsvRow, csvRows } from '../csv-rows.js'
import type { Reporter } from '../reporter.js'
import { quote } from '../text.js'
import { ZipFault } from '../zip-reader.js'
import { unitsOf } from './amounts.js'
import type { DsfinvkCode } from './dsfinvk-rules.js'
import { type FieldCheck, fieldCheck } from './fields.js'
import { type Column, columnsFor, type Table } from './tables.js'

/** Where findings of this export go. */
export type Report = Reporter<DsfinvkCode>

export class Row {
  readonly file: string
  /** 1 for the header. */
  readonly number: number
  private readonly fields: readonly string[]
  private readonly columns: ReadonlyMap<string, number>

  constructor(
    place: { file: string; columns: ReadonlyMap<string, number> },
    { number, fields }: CsvRow,
  ) {
    this.file = place.file
    this.columns = place.columns
    this.number = number
    this.fields = fields
  }

  /** '' for an empty value, and for a column that the table does not have. */
  get(column: string): string {
    return this.fields[this.columns.get(column) ?? -1] ?? ''
  }

  /** In five decimals; undefined when it is empty or no number. */
  units(column: string): bigint | undefined {
    return unitsOf(this.get(column))
  }

  /** `lines.csv row 3` */
  get place(): string {
    return `${this.file} row ${this.number}`
  }

  /** Whose row it is, for findings: its receipt, else its place. */
  get owner(): string {
    return this.get('BON_ID') || this.place
  }
}

export interface TableSource {
  table: Table
  content(): AsyncIterable<Buffer>
}

/**
 * Rows of a table in groups. With a report every fault of form is told; without, the same rows
 * come again silently. Nothing more comes after what cannot be read.
 */
export async function* rowsOf(
  { table, content }: TableSource,
  report: Report | undefined,
): AsyncGenerator<Row[], void> {
  let reader: RowReader | undefined
  try {
    for await (const group of csvRows(content())) {
      const rows = reader === undefined ? group.slice(1) : group
      reader ??= readerFor(table, group[0], report)
      if (reader === undefined) return
      const { read } = reader
      yield rows.map(read).filter((row) => row !== undefined)
    }
    if (reader === undefined) report?.add('CSV_HEADER', table.file, 'expected a header, found none')
  } catch (error) {
    if (error instanceof CsvFault) report?.add('CSV_FORM', table.file, `expected ${error.message}`)
    else if (error instanceof ZipFault) report?.add('ZIP_BROKEN', table.file, error.message)
    else throw error
  }
}

interface RowReader {
  read(row: CsvRow): Row | undefined
}

function readerFor(
  table: Table,
  header: CsvRow | undefined,
  report: Report | undefined,
): RowReader | undefined {
  const { file } = table
  const columns = header === undefined ? undefined : columnsFor(table, header.fields)
  if (header === undefined || columns === undefined) {
    const names = table.columns.map(({ name }) => name).join(';')
    const text = `expected the header ${names}, found ${quote(header?.fields.join(';') ?? '')}`
    report?.add('CSV_HEADER', file, text)
    return undefined
  }
  if (header.fault !== undefined) {
    report?.add('CSV_FORM', `${file} row 1`, `expected ${header.fault}`)
  }
  const place = { file, columns: new Map(columns.map(({ name }, at) => [name, at])) }
  const checks = columns.map((column) => ({ column, check: fieldCheck(column) }))
  return { read: (row) => readRow(row, { place, checks, report }) }
}

interface Reading {
  place: { file: string; columns: ReadonlyMap<string, number> }
  checks: { column: Column; check: FieldCheck }[]
  report: Report | undefined
}

function readRow(csv: CsvRow, { place, checks, report }: Reading): Row | undefined {
  const row = new Row(place, csv)
  if (csv.fault !== undefined) report?.add('CSV_FORM', row.place, `expected ${csv.fault}`)
  if (csv.fields.length !== checks.length) {
    if (csv.fault === undefined || csv.fields.length > checks.length) {
      const text = `expected ${checks.length} values, found ${csv.fields.length}`
      report?.add('CSV_FORM', row.place, text)
    }
    return undefined
  }
  if (report === undefined) return row
  for (const [at, { column, check }] of checks.entries()) {
    const fault = check(csv.fields[at] ?? '')
    if (fault === undefined) continue
    report.add(fault.code, row.owner, `${row.place}, ${column.name}: ${fault.text}`)
  }
  return row
}

/** All rows of a table one by one. */
export async function eachRow(
  source: TableSource | undefined,
  report: Report | undefined,
  take: (row: Row) => void,
): Promise<void> {
  if (source === undefined) return
  for await (const rows of rowsOf(source, report)) for (const row of rows) take(row)
}
