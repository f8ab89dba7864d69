// Reads the archive of an export with the system's unzip, its tables with an independent parser.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import papaparse from 'papaparse'
import { dsfinvk } from '../../../../src/market/de/export/dsfinvk/dsfinvk.js'
import type { ExportSource } from '../../../../src/model/export-source.js'

export type Files = ReadonlyMap<string, string>
export type TableRow = Record<string, string>

export async function bytesOf(source: ExportSource): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of dsfinvk.run(source)) parts.push(Buffer.from(piece))
  return Buffer.concat(parts)
}

/** Every file of the archive; unzip checks the sums of all entries. */
export async function filesOf(source: ExportSource): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), 'dsfinvk-'))
  try {
    const file = join(folder, 'export.zip')
    writeFileSync(file, await bytesOf(source))
    return unzipped(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function unzipped(file: string): Files {
  const folder = mkdtempSync(join(tmpdir(), 'dsfinvk-files-'))
  try {
    execFileSync('unzip', ['-q', file, '-d', folder])
    const names = readdirSync(folder)
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The rows of a table by the names of its header. */
export function rowsOf(files: Files, table: string): TableRow[] {
  const text = files.get(`${table}.csv`)
  if (text === undefined) throw new Error(`${table}.csv is not in the archive`)
  const { data, errors } = papaparse.parse<TableRow>(text, {
    header: true,
    delimiter: ';',
    skipEmptyLines: true,
  })
  if (errors.length > 0) throw new Error(`${table}.csv: ${errors[0]?.message}`)
  return data
}

/** Only these columns, joined: short expectations. */
export function cellsOf(files: Files, table: string, columns: string): string[] {
  const names = columns.split(' ')
  return rowsOf(files, table).map((row) => names.map((name) => row[name] ?? '?').join('|'))
}
