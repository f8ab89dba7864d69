// What stands in large letters over a shown receipt, and what its reader is asked to do.

import type { ReceiptTraits } from '../case/traits.js'
import { objectsIn, textIn, wordIn } from '../model/json-members.js'
import type { PublishedPair } from './published-pair.js'
import { type Language, type Words, wordsOf } from './words.js'

export function marksOf(
  pair: PublishedPair,
  { traits, language }: { traits: ReceiptTraits; language: Language },
): string[] {
  const words = wordsOf(language)
  const marks: [boolean, string][] = [
    [!pair.verified, words.unverified],
    [traits.training, words.training],
    [traits.void, words.void],
    [traits.refund, words.refund],
    [pair.copy === true, words.duplicate],
    [traits.handwritten, words.handwritten],
    [traits.late, words.late],
  ]
  const said = marks.filter(([applies]) => applies).map(([, mark]) => mark)
  const outage = outageOf(pair, words)
  return outage === undefined ? said : [...said, outage]
}

/** The law wants its own words; readers of another language get theirs behind. */
function outageOf({ response, rules }: PublishedPair, words: Words): string | undefined {
  const items = objectsIn(response, 'ftSignatures').map((item) => ({
    caption: textIn(item, 'Caption'),
    data: textIn(item, 'Data'),
  }))
  const outage = rules?.outageOf(items)
  return outage === undefined || words.outage === '' ? outage : `${outage} (${words.outage})`
}

export function noticesOf({ response, rules }: PublishedPair, words: Words): string[] {
  const state = wordIn(response, 'ftState') ?? 0n
  return rules?.keepsPaper(state) === true ? [words.keepPaper] : []
}
