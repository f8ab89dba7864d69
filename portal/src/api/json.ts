// JSON whose 64-bit words keep all their digits: numbers that a browser would round become text.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const LONGEST_EXACT = 15

export function readJson(text: string): unknown {
  const exact = text.replace(TOKEN, (token) => {
    const rounds = /^-?\d+$/.test(token) && token.replace('-', '').length > LONGEST_EXACT
    return rounds ? `"${token}"` : token
  })
  return JSON.parse(exact)
}
