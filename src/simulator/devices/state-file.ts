// The state of a simulated device in a file: a line per call that changed it, written before the
// call is answered, so that a process that is killed has told of nothing that the next one does not
// know.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'

/** One thing that is kept; written again when its mark is another one. */
export interface KeptRecord {
  key: string
  mark: string | number
  value(): unknown
}

export type Found = ReadonlyMap<string, unknown>

type Line = [key: string, value?: unknown][]

export class StateFile {
  private readonly marks = new Map<string, string | number>()
  private readonly out: number

  /** Throws Error for a file of another device, or one that is none. */
  static open(path: string, device: string): { file: StateFile; found: Found } {
    const found = new Map<string, unknown>()
    if (existsSync(path)) readLines(path, device, found)
    // what was written again and again is written once
    const fresh = `${path}.new`
    const out = openSync(fresh, 'w', 0o600)
    const lines = [JSON.stringify({ simulator: device }), JSON.stringify([...found])]
    writeSync(out, `${lines.join('\n')}\n`)
    fsyncSync(out)
    renameSync(fresh, path)
    return { file: new StateFile(out), found }
  }

  private constructor(out: number) {
    this.out = out
  }

  save(records: Iterable<KeptRecord>): void {
    const line: Line = []
    const seen = new Set<string>()
    for (const { key, mark, value } of records) {
      seen.add(key)
      if (this.marks.get(key) === mark) continue
      this.marks.set(key, mark)
      line.push([key, value()])
    }
    for (const key of this.marks.keys()) {
      if (seen.has(key)) continue
      this.marks.delete(key)
      line.push([key])
    }
    if (line.length > 0) writeSync(this.out, `${JSON.stringify(line)}\n`)
  }

  close(): void {
    closeSync(this.out)
  }
}

function readLines(path: string, device: string, into: Map<string, unknown>): void {
  const [head = '', ...lines] = readFileSync(path, 'utf8').split('\n')
  const { simulator } = parsed(head, path) as { simulator?: unknown }
  if (simulator !== device) throw new Error(`${path} is not of ${device}`)
  // behind the last end of a line stands nothing, or a call that nobody was answered
  for (const text of lines.slice(0, -1)) {
    const changes = parsed(text, path) as Line
    for (const [key, value] of changes) {
      if (value === undefined) into.delete(key)
      else into.set(key, value)
    }
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${path} is no state of a simulator`)
  }
}

/** A record whose mark is all of it. */
export function wholeRecord(key: string, value: unknown): KeptRecord {
  return { key, mark: JSON.stringify(value), value: () => value }
}
