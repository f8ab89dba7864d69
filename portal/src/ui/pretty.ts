// Text as it came, with line breaks where it is JSON.
const LONGEST = 20_000

export function pretty(text: string): string {
  const short = text.slice(0, LONGEST)
  if (short.length < text.length || !/^[[{]/.test(text)) return short
  // numbers are not read: a browser would round them
  let depth = 0
  return text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') {
      depth += 1
      return `${token}\n${'  '.repeat(depth)}`
    }
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      return `\n${'  '.repeat(depth)}${token}`
    }
    if (token === ',') return `,\n${'  '.repeat(depth)}`
    return token === ':' ? ': ' : token
  })
}
