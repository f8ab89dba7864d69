// The rows of a journal as JSON: one array of objects, row by row as the text comes.
import { JSONParser } from '@streamparser/json'
import { FileFault } from './faults.js'

/** What may stand in an array; a text member of a row is read by `textOf`. */
export type JsonRow = Readonly<Record<string, unknown>> | null

/** Throws FileFault. */
export async function* jsonRows(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonRow, void, undefined> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let rows: JsonRow[] = []
  parser.onValue = ({ value }) => {
    rows.push(value as unknown as JsonRow)
  }
  for await (const piece of content) {
    guarded(() => parser.write(piece))
    yield* rows
    rows = []
  }
  if (!parser.isEnded) guarded(() => parser.end())
}

function guarded(work: () => void): void {
  try {
    work()
  } catch {
    throw new FileFault('JSON_BROKEN', 'one complete JSON array')
  }
}

/** '' for none. */
export function textOf(row: JsonRow, name: string): string {
  const value = row?.[name]
  return typeof value === 'string' ? value : ''
}
