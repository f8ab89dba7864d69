// Journal types by their words, for the exports of a market.

/** True for these words, as they are written in tables: `0x4154000000000001`. */
export function isWord(...texts: string[]): (word: bigint) => boolean {
  const words = new Set(texts.map(BigInt))
  return (word) => words.has(word)
}
