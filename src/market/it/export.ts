// The Italian journal: every document and Z report of the queue as it was stored, byte for byte,
// one on each line; each names the hash of the one before.
import type { Export } from '../contract.js'
import { isWord } from '../kit/journal-word.js'
import { each } from '../kit/receipt-range.js'
import { RECORDS } from './rows.js'

export const documentJournal: Export = {
  matches: isWord('0x4954200000001001'),
  contentType: 'application/x-ndjson',
  async *run(source) {
    for await (const { content } of each(source.marketRows({ kind: RECORDS }))) yield `${content}\n`
  },
}
