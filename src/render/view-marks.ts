// What stands in large letters over a shown receipt, and what its reader is asked to do.

import type { PagePart, ReceiptTraits, ToldDocument, ToldItem } from '../case/traits.js'
import type { JsonObject } from '../lib/json.js'
import { objectsIn, textIn, wordIn } from '../model/json-members.js'
import { plainText } from './plain-text.js'
import type { PublishedPair } from './published-pair.js'
import { type Language, type Words, wordsOf } from './words.js'

/** What the country says of a pair: once for head, marks, title and signatures. */
export interface Told extends ToldDocument {
  /** Those that marks know. */
  items: readonly ToldItem[]
  omits: ReadonlySet<PagePart>
}

/** Of a country that says nothing: no law of it wants to know who was at the register. */
const NOTHING_TOLD: Told = {
  ...{ items: [], marks: [], title: undefined, head: [] },
  omits: new Set(['operator']),
}

export function toldOf({ response, rules }: PublishedPair, { document }: ReceiptTraits): Told {
  if (rules === undefined) return NOTHING_TOLD
  const items = toldItems(response)
  return { ...rules.toldBy(items), items, omits: rules.omits(document) }
}

export function marksOf(
  pair: PublishedPair,
  { traits, told, language }: { traits: ReceiptTraits; told: Told; language: Language },
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
  const byLaw = told.marks
    .map(({ text }) => text)
    .filter((mark) => mark !== told.title)
    .map(plainText)
  // what the words of the law have said already is not said twice: Trainingsbuchung, Training
  const isSaid = (mark: string) => byLaw.some((law) => lower(law).includes(lower(mark)))
  const said = marks.flatMap(([applies, mark]) => (applies && !isSaid(mark) ? [mark] : []))
  return [...byLaw, ...said, ...(outage === undefined ? [] : [outage])]
}

const lower = (text: string): string => text.toLocaleLowerCase()

/** The signature items of an answer in their order. */
function toldItems(response: JsonObject): ToldItem[] {
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
