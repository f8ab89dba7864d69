// Which files of a bundle are finished: a line each, written when the file has its name. A server
// that is killed finds there what it need not do again.
import { appendFile, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export class Ledger<T extends object> {
  private readonly file: string
  private readonly entries = new Map<string, T>()

  private constructor(folder: string) {
    this.file = join(folder, 'ledger.ndjson')
  }

  static async open<T extends object>(folder: string): Promise<Ledger<T>> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const ledger = new Ledger<T>(folder)
    for (const line of (await ledger.text()).split('\n').slice(0, -1)) {
      const { name, entry } = parsed<T>(line) ?? {}
      if (name !== undefined && entry !== undefined) ledger.entries.set(name, entry)
    }
    return ledger
  }

  get(name: string): T | undefined {
    return this.entries.get(name)
  }

  async add(name: string, entry: T): Promise<void> {
    await appendFile(this.file, `\n${JSON.stringify({ name, entry })}\n`, { mode: 0o600 })
    this.entries.set(name, entry)
  }

  private async text(): Promise<string> {
    try {
      return await readFile(this.file, 'utf8')
    } catch (error) {
      if (isMissing(error)) return ''
      throw error
    }
  }
}

/** A line that was cut off says nothing. */
function parsed<T>(line: string): { name: string; entry: T } | undefined {
  try {
    return JSON.parse(line) as { name: string; entry: T }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Bytes of a file; undefined: there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
