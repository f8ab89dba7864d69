// Texts from a file as findings show them.

/** Safe to print: no control characters, no endless length. */
export function short(text: string, longest = 120): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be printed
  return cut.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd')
}

/** The same in quotes. */
export function quote(text: string): string {
  return JSON.stringify(short(text))
}
