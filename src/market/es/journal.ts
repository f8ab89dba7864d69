// The export that the law of Spain wants: every document with its certificate, one per line.
import type { Export } from '../contract.js'
import { isWord } from '../kit/journal-word.js'

/** The first line of the file, by which its verifier knows it. */
const HEAD = 'es-journal 1'

export const journal: Export = {
  matches: isWord('0x4553200000001001'),
  contentType: 'text/plain; charset=utf-8',
  async *run(source) {
    let isEmpty = true
    let last = ''
    for await (const page of source.marketRows()) {
      for (const { content, certificateFingerprint: print } of page) {
        if (isEmpty) yield `${HEAD}\n`
        isEmpty = false
        const name = print?.toString('hex') ?? ''
        if (name !== last && print !== null) {
          const found = await source.certificate(print)
          yield `certificate ${found?.der.toString('base64') ?? ''}\n`
        }
        last = name
        yield `${content}\n`
      }
    }
  },
}
