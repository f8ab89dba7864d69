// Pages of the portal make no number of JavaScript out of digits: one of 64 bits would be rounded.
// Adding to one is a fault of its type (Int64); what types let through is found here.
import { lineOf, listOf, nameOf, type SyntaxNode, walk } from './syntax.js'
import type { Finding, Tree } from './tree.js'

/** That have tests of their own for it. */
const CAREFUL = new Set(['portal/src/api/numbers.ts', 'portal/src/api/json.ts'])
const READERS = new Set(['Number', 'parseInt', 'parseFloat'])

export function checkRounding(tree: Tree): Finding[] {
  return tree
    .code('portal/src')
    .filter((path) => !CAREFUL.has(path) && !path.includes('/generated/'))
    .flatMap((path) => {
      const found: Finding[] = []
      walk(tree.program(path), (node) => {
        const text = roundingOf(node)
        if (text !== undefined) found.push({ file: path, line: lineOf(node), text })
      })
      return found
    })
}

/** How digits become a number here; undefined: they do not. */
function roundingOf(node: SyntaxNode): string | undefined {
  const { type, operator } = node
  if (type === 'UnaryExpression' && operator === '+') return 'a unary plus rounds'
  if (type === 'TSAsExpression' && Object(node.typeAnnotation).type === 'TSNumberKeyword') {
    return 'it is called a number'
  }
  if (type === 'CallExpression' || type === 'NewExpression') {
    // handed on, as in map(Number), it reads digits as well
    const reader = [node.callee, ...listOf(node.arguments)].map(readerOf).find(Boolean)
    if (reader !== undefined) return `${reader} rounds`
  }
  return undefined
}

function readerOf(value: unknown): string | undefined {
  const { type, object, property } = Object(value)
  if (type === 'Identifier') return READERS.has(nameOf(value)) ? nameOf(value) : undefined
  if (type !== 'MemberExpression' && type !== 'OptionalMemberExpression') return undefined
  const [of, name] = [nameOf(object), nameOf(property)]
  if (of === 'JSON' && name === 'parse') return 'JSON.parse'
  if (READERS.has(name)) return name
  return name === 'json' ? 'json()' : undefined
}
