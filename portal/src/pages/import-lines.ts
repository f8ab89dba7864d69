// Records of a CSV file, counted as the server counts them: the head is 1, those that are empty are
// none. What was written in another encoding comes out as UTF-8.

/** As the server reads files: by their mark, else UTF-8, else what older programs write. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A break within quotes ends no record. */
const RECORD = /(?:"(?:[^"]|"")*"|[^"\r\n])+/g
const EMPTY = /^[;,\s]*$/

export const recordsOf = (text: string): string[] =>
  (text.match(RECORD) ?? []).filter((record) => !EMPTY.test(record))

const NEW_LINE = '\r\n'
const MARK = '\ufeff'

/** Two files: without these records, and with the head and these alone. */
export async function split(
  file: File,
  lines: ReadonlySet<number>,
): Promise<{ rest: File; wrong: File }> {
  const [head = '', ...records] = recordsOf(textOf(new Uint8Array(await file.arrayBuffer())))
  const fileOf = (name: string, isWanted: (line: number) => boolean) => {
    const kept = records.filter((_, index) => isWanted(index + 2))
    return new File([MARK, [head, ...kept, ''].join(NEW_LINE)], name, { type: 'text/csv' })
  }
  return {
    rest: fileOf(file.name, (line) => !lines.has(line)),
    wrong: fileOf(`wrong-${file.name}`, (line) => lines.has(line)),
  }
}
