// TypeScript sources as plain syntax nodes, and a walk over them, for the checks of the tidy test.
import { parse } from '@babel/parser'

/** A node of the syntax tree; which members it has depends on `type`. */
export interface SyntaxNode {
  type: string
  [member: string]: unknown
}

export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  )
}

/** Reads one TypeScript or JavaScript module. Throws for text that is neither. */
export function parseModule(path: string, text: string): SyntaxNode {
  const jsx = path.endsWith('.tsx')
  const file: unknown = parse(text, {
    sourceType: 'module',
    sourceFilename: path,
    // no check asks for them, and finding their nodes takes as long as all the rest
    attachComment: false,
    plugins: jsx ? ['typescript', 'jsx'] : ['typescript'],
  })
  if (!isNode(file) || !isNode(file.program)) throw new Error(`no program in ${path}`)
  return file.program
}

const APART = new Set(['loc', 'extra'])

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (const member of Object.keys(node)) {
    const value = node[member]
    if (typeof value !== 'object' || value === null || APART.has(member)) continue
    if (!Array.isArray(value)) {
      if (isNode(value)) found.push(value)
      continue
    }
    for (const item of value) if (isNode(item)) found.push(item)
  }
  return found
}

/** Calls `visit` for the node and everything below it, outer nodes first. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node)
  for (const child of childrenOf(node)) walk(child, visit)
}

export function lineOf(node: SyntaxNode, edge: 'start' | 'end' = 'start'): number {
  const loc = node.loc
  if (typeof loc !== 'object' || loc === null) return 0
  const place: unknown = Reflect.get(loc, edge)
  if (typeof place !== 'object' || place === null) return 0
  const line: unknown = Reflect.get(place, 'line')
  return typeof line === 'number' ? line : 0
}

/** The name of an identifier or the text of a string literal; '' for anything else. */
export function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'Identifier' && typeof value.name === 'string') return value.name
  return textOf(value)
}

/** The text of a string literal, or of a template without holes; '' for anything else. */
export function textOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'StringLiteral' && typeof value.value === 'string') return value.value
  if (value.type !== 'TemplateLiteral' || listOf(value.expressions).length > 0) return ''
  const [piece] = listOf(value.quasis)
  const cooked = piece === undefined ? undefined : piece.value
  const text = typeof cooked === 'object' && cooked !== null && Reflect.get(cooked, 'cooked')
  return typeof text === 'string' ? text : ''
}

/** The nodes of a list member. */
export function listOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}
