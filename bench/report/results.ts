// Results as files, one per day and class of machine:
// bench/results/2026-11-20-linux-x64-2-cores.json. Parts that were measured again replace the older
// ones of that file.
import * as fs from 'node:fs'
import * as os from 'node:os'
import type { Options, PartName } from '../options.js'
import { type PartResult, short } from './figures.js'

const FOLDER = new URL('../results/', import.meta.url)

export interface KeptPart extends PartResult {
  measured: string
  roundCount: number
  seconds: number
  /** Average of the last minute before the part: above 0.5, something else was at work. */
  loadBefore: number
}

export interface Result {
  date: string
  machine: {
    class: string
    processor: string
    cores: number
    memoryGb: number
    system: string
  }
  node: string
  /** Null while no part needed a database. */
  postgres: string | null
  parts: Partial<Record<PartName, KeptPart>>
}

export function machineClass(): string {
  return `${process.platform}-${process.arch}-${os.cpus().length}-cores`
}

export function keptPart(part: PartResult, options: Options, loadBefore: number): KeptPart {
  return {
    measured: new Date().toISOString(),
    roundCount: options.rounds,
    seconds: options.seconds,
    loadBefore: short(loadBefore),
    figures: part.figures.map((figure) => ({ ...figure, value: short(figure.value) })),
    rounds: part.rounds.map(shortened),
    notes: part.notes,
  }
}

function shortened(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const broken = typeof value === 'number' && !Number.isInteger(value)
      return [name, broken ? short(value) : value]
    }),
  )
}

/** Writes the parts beside those that the file of today has already; gives the whole. */
export function keep(parts: Result['parts'], postgres: string | null): Result {
  const date = new Date().toISOString().slice(0, 10)
  const file = new URL(`${date}-${machineClass()}.json`, FOLDER)
  const before = fs.existsSync(file) ? readResult(file) : undefined
  const result: Result = {
    date,
    machine: {
      class: machineClass(),
      processor: os.cpus()[0]?.model ?? '',
      cores: os.cpus().length,
      memoryGb: Math.round(os.totalmem() / 2 ** 30),
      system: `${os.type()} ${os.release()}`,
    },
    node: process.version,
    postgres: postgres ?? before?.postgres ?? null,
    parts: { ...before?.parts, ...parts },
  }
  fs.mkdirSync(FOLDER, { recursive: true })
  fs.writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  return result
}

/** With parts that were not measured on this day, each as it was measured last. */
export function withOlder(result: Result): Result {
  const end = `-${result.machine.class}.json`
  const files = fs.readdirSync(FOLDER).filter((name) => name.endsWith(end) && name < result.date)
  const older = files.toSorted().map((name) => readResult(new URL(name, FOLDER)).parts)
  return { ...result, parts: Object.assign({}, ...older, result.parts) }
}

function readResult(file: URL): Result {
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Result
}
