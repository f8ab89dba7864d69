// Reads the archive of an export with the system's unzip, its tables with an independent parser.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import papaparse from 'papaparse'
import { dsfinvk } from '../../../../src/market/de/export/dsfinvk/dsfinvk.js'
import type { ExportSource } from '../../../../src/market/market.js'

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
    writeFileSync(join(folder, 'export.zip'), await bytesOf(source))
    execFileSync('unzip', ['-q', 'export.zip', '-d', 'files'], { cwd: folder })
    const names = readdirSync(join(folder, 'files'))
    return new Map(names.map((name) => [name, readFileSync(join(folder, 'files', name), 'utf8')]))
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
