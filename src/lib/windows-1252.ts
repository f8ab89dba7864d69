// Windows-1252, the character set of older western files.

/** Bytes 80 to 9F; five of them mean nothing. The others are those of Latin 1. */
const OWN = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const FIRST_OWN = 0x80
const LATIN_FROM = 0xa0
const LATIN_TO = 0xff

function byteOf(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0
  if (code < FIRST_OWN || (code >= LATIN_FROM && code <= LATIN_TO)) return code
  const at = OWN.indexOf(character)
  return at < 0 ? undefined : FIRST_OWN + at
}

/** Whether every character has a byte. */
export function isEncodable(text: string): boolean {
  return [...text].every((character) => byteOf(character) !== undefined)
}

/** Of an XML text: what has no byte is written as a reference to its number. */
export function encode(text: string): Buffer {
  const bytes: number[] = []
  for (const character of text) {
    const code = byteOf(character)
    if (code === undefined) bytes.push(...Buffer.from(`&#${character.codePointAt(0)};`))
    else bytes.push(code)
  }
  return Buffer.from(bytes)
}
