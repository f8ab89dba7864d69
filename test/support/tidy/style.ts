// Names of files, exports, and the holes in the type system that the house does without.
import { lineOf, listOf, nameOf, type SyntaxNode, walk } from './syntax.js'
import type { Finding, Tree } from './tree.js'

const FOLDERS = ['', 'src', 'test', 'bench', 'scripts', 'bin']
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/
const EMPTY_NAMES = new Set([
  'util',
  'utils',
  'utility',
  'utilities',
  'helper',
  'helpers',
  'common',
  'manager',
  'service',
  'base',
])
const SHOUTED = /^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/

/** kebab-case, and no word that says nothing. */
export function checkNames(tree: Tree): Finding[] {
  const named = [
    ...tree.code(...FOLDERS),
    ...tree.paths().filter((path) => path.startsWith('docs/') && path.endsWith('.md')),
  ]
  return named.flatMap((path) => {
    const parts = path.split('/')
    const file = parts.pop() ?? ''
    if (SHOUTED.test(file)) return []
    const words = [...parts, ...file.replace(/\.[a-z]+$/, '').split('.')]
    const crooked = words.filter((word) => !KEBAB.test(word) && !word.startsWith('.'))
    // a test may be about a service of somebody else
    const parted = path.startsWith('test/') ? words : words.flatMap((word) => word.split('-'))
    const hollow = parted.filter((word) => EMPTY_NAMES.has(word))
    return [
      ...crooked.map((word) => ({ file: path, line: 1, text: `${word} is not kebab-case` })),
      ...hollow.map((word) => ({ file: path, line: 1, text: `${word} says nothing` })),
    ]
  })
}

const DEFAULT_ALLOWED = new Set(['prisma.config.ts', 'vitest.config.ts'])

export function checkDefaultExports(tree: Tree): Finding[] {
  return findNodes(tree, (node, path) => {
    if (DEFAULT_ALLOWED.has(path)) return undefined
    if (node.type === 'ExportDefaultDeclaration') return 'a default export'
    const names = listOf(node.specifiers).map((part) => nameOf(part.exported))
    return names.includes('default') ? 'a default export' : undefined
  })
}

const HOLES: Record<string, string> = {
  TSAnyKeyword: 'the type any',
  TSNonNullExpression: 'a non-null assertion',
}

/** `any`, `!`, and catches that swallow. */
export function checkHoles(tree: Tree): Finding[] {
  return findNodes(tree, (node) => {
    if (node.definite === true) return 'a definite assignment assertion'
    if (node.type === 'CatchClause' && listOf(Object(node.body).body).length === 0) {
      return 'an empty catch'
    }
    return swallows(node) ? 'a swallowed promise' : HOLES[node.type]
  })
}

/** `promise.catch(() => {})` and the like: a failure that nobody hears of. */
function swallows(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression' || nameOf(Object(node.callee).property) !== 'catch')
    return false
  const [handler] = listOf(node.arguments)
  if (handler === undefined || !/^(Arrow)?FunctionExpression$/.test(handler.type)) return false
  const body = Object(handler.body)
  if (body.type === 'BlockStatement') return listOf(body.body).length === 0
  return nameOf(body) === 'undefined' || body.type === 'NullLiteral'
}

function findNodes(
  tree: Tree,
  faultOf: (node: SyntaxNode, path: string) => string | undefined,
): Finding[] {
  return tree.code(...FOLDERS).flatMap((path) => {
    const findings: Finding[] = []
    walk(tree.program(path), (node) => {
      const text = faultOf(node, path)
      if (text !== undefined) findings.push({ file: path, line: lineOf(node), text })
    })
    return findings
  })
}
