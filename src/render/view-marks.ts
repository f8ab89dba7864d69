// What stands in large letters over a shown receipt, and what its reader is asked to do.

import type { ReceiptTraits, ToldItem } from '../case/traits.js'
import type { JsonObject } from '../lib/json.js'
import { objectsIn, textIn, wordIn } from '../model/json-members.js'
import { plainText } from './plain-text.js'
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
  const outage = outageOf(pair, words)
  const items = toldItems(pair.response)
  const title = pair.rules?.titleOf?.(items)
  const byLaw = items
    .flatMap((item) => pair.rules?.lawMark?.(item) ?? [])
    .filter((mark) => mark !== title)
    .map(plainText)
  // what the words of the law have said already is not said twice: Trainingsbuchung, Training
  const isSaid = (mark: string) => byLaw.some((law) => lower(law).includes(lower(mark)))
  const said = marks.flatMap(([applies, mark]) => (applies && !isSaid(mark) ? [mark] : []))
  return [...byLaw, ...said, ...(outage === undefined ? [] : [outage])]
}

const lower = (text: string): string => text.toLocaleLowerCase()

/** By the law of the country, else in the language of the reader. */
export function titleOf({ response, rules }: PublishedPair, usual: string): string {
  const title = rules?.titleOf?.(toldItems(response))
  return title === undefined ? usual : plainText(title)
}

/** The signature items of an answer in their order. */
export function toldItems(response: JsonObject): ToldItem[] {
  return objectsIn(response, 'ftSignatures').map((item) => ({
    caption: textIn(item, 'Caption'),
    data: textIn(item, 'Data'),
  }))
}

/** The law wants its own words; readers of another language get theirs behind. */
function outageOf({ response, rules }: PublishedPair, words: Words): string | undefined {
  const outage = rules?.outageOf(toldItems(response))
  return outage === undefined || words.outage === '' ? outage : `${outage} (${words.outage})`
}

export function noticesOf({ response, rules }: PublishedPair, words: Words): string[] {
  const state = wordIn(response, 'ftState') ?? 0n
  return rules?.keepsPaper(state) === true ? [words.keepPaper] : []
}
