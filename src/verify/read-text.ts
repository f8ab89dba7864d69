// Files in UTF-8, read as text: in pieces as they come, or line by line.
import type { ReadPart } from './contract.js'

export async function* textsOf(read: ReadPart): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of read()) yield decoder.decode(piece, { stream: true })
}

/** Without their ends; nothing follows the last end. */
export async function* linesOf(read: ReadPart): AsyncGenerator<string> {
  let text = ''
  for await (const piece of textsOf(read)) {
    text += piece
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.slice(0, end)
      text = text.slice(end + 1)
    }
  }
  if (text !== '') yield text
}
