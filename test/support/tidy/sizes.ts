// Sizes beyond which code is cut in two: files, functions, parameters, nesting, lines.
import { parse } from '@babel/parser'
import { childrenOf, lineOf, listOf, nameOf, type SyntaxNode, walk } from './syntax.js'
import type { Finding, Tree } from './tree.js'

export const LIMITS = {
  fileLines: 400,
  verifierLines: 400,
  marketLines: 1500,
  driverLines: 1500,
  functionLines: 70,
  parameters: 3,
  nesting: 3,
  lineWidth: 100,
  floors: 7,
}

const FOLDERS = ['', 'src', 'test', 'bench', 'scripts', 'bin']

/** Lengths of files and lines, in every source, tests included. */
export function checkLengths(tree: Tree): Finding[] {
  return tree.code(...FOLDERS).flatMap((path) => {
    const lines = tree.lines(path)
    if (lines.at(-1) === '') lines.pop()
    const findings = lines.flatMap((line, index) => {
      const width = [...line].length
      if (width <= LIMITS.lineWidth) return []
      return [{ file: path, line: index + 1, text: `line of ${width} characters` }]
    })
    if (lines.length > LIMITS.fileLines) {
      findings.push({ file: path, line: 1, text: `file of ${lines.length} lines` })
    }
    return findings
  })
}

/** Their files are of several kinds, with logs of devices beside them: they have no limit. */
const LARGE_VERIFIERS = new Set(['at', 'de'])

const wholeLines = (tree: Tree, path: string): number => {
  const lines = tree.lines(path)
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}

/** The files of a country's verifier together: it is read as a whole by who is to trust it. */
export function checkVerifierSizes(tree: Tree): Finding[] {
  const sizes = new Map<string, number>()
  for (const path of tree.code('src/verify')) {
    const [folder, country = ''] = /^src\/verify\/([a-z]{2})\//.exec(path) ?? []
    if (folder === undefined || LARGE_VERIFIERS.has(country)) continue
    sizes.set(folder, (sizes.get(folder) ?? 0) + wholeLines(tree, path))
  }
  return [...sizes].flatMap(([file, lines]) =>
    lines > LIMITS.verifierLines ? [{ file, line: 1, text: `verifier of ${lines} lines` }] : [],
  )
}

/** Lines that have more than comments. */
export function codeLines(text: string): number {
  const { comments } = parse(text, { sourceType: 'module', plugins: ['typescript'] })
  let code = text
  for (const { start = 0, end = 0 } of comments ?? []) {
    const blank = code.slice(start, end).replace(/[^\n]/g, ' ')
    code = code.slice(0, start) + blank + code.slice(end)
  }
  return code.split('\n').filter((line) => line.trim() !== '').length
}

/** Certified devices and their exports; what all have in common. */
const LARGE_MARKETS = new Set(['at', 'de', 'kit'])
/** Several systems of one country. */
const MOST_LINES: Readonly<Record<string, number>> = { es: 3000 }
/** Of its lines those alone that are no comment. */
const BY_CODE = new Set(['fr'])

/** The files of a country together, comments and all: what is a table lies beside them. */
export function checkMarketSizes(tree: Tree): Finding[] {
  const sizes = new Map<string, number>()
  for (const path of tree.code('src/market')) {
    const [, country = ''] = /^src\/market\/([a-z]{2,3})\//.exec(path) ?? []
    if (country === '' || LARGE_MARKETS.has(country)) continue
    const lines = BY_CODE.has(country) ? codeLines(tree.text(path)) : wholeLines(tree, path)
    sizes.set(country, (sizes.get(country) ?? 0) + lines)
  }
  return [...sizes].flatMap(([country, lines]) => {
    const isOver = lines > (MOST_LINES[country] ?? LIMITS.marketLines)
    return isOver
      ? [{ file: `src/market/${country}/`, line: 1, text: `market of ${lines} lines` }]
      : []
  })
}

/** What a queue sees of a device, or its simulator too: counted with the market. */
const SEEN = /\/(unit|sums|clock|tax-id)\.ts$/

/** The drivers of a country together, with comments and blank lines. */
export function checkDriverSizes(tree: Tree): Finding[] {
  const sizes = new Map<string, number>()
  for (const path of tree.code('src/device')) {
    const [folder] = /^src\/device\/[a-z]{2}\//.exec(path) ?? []
    if (folder === undefined || SEEN.test(path)) continue
    sizes.set(folder, (sizes.get(folder) ?? 0) + wholeLines(tree, path))
  }
  return [...sizes].flatMap(([file, lines]) =>
    lines > LIMITS.driverLines ? [{ file, line: 1, text: `drivers of ${lines} lines` }] : [],
  )
}

/** Folders in folders, the file itself counted. */
export function checkFloors(tree: Tree): Finding[] {
  return tree.code(...FOLDERS).flatMap((path) => {
    const floors = path.split('/').length
    return floors > LIMITS.floors ? [{ file: path, line: 1, text: `${floors} floors` }] : []
  })
}

/** Length, parameters and nesting. Test files are tables of cases: only their support counts. */
export function checkFunctions(tree: Tree): Finding[] {
  const sources = tree.code(...FOLDERS).filter((path) => !/\.test\.tsx?$/.test(path))
  return sources.flatMap((path) => {
    const findings: Finding[] = []
    walk(tree.program(path), (node) => {
      if (!isFunction(node)) return
      const at = { file: path, line: lineOf(node) }
      for (const text of faultsOf(node)) findings.push({ ...at, text })
    })
    return findings
  })
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
  'TSDeclareFunction',
  'TSDeclareMethod',
  'TSMethodSignature',
])

function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.type)
}

function faultsOf(node: SyntaxNode): string[] {
  const name = nameOf(node.id ?? node.key) || 'a function'
  const length = lineOf(node, 'end') - lineOf(node) + 1
  const parameters = parametersOf(node).length
  const depth = depthOf(node.body)
  const faults: string[] = []
  if (length > LIMITS.functionLines) faults.push(`${name} has ${length} lines`)
  if (parameters > LIMITS.parameters) faults.push(`${name} takes ${parameters} parameters`)
  if (depth > LIMITS.nesting) faults.push(`${name} nests ${depth} levels deep`)
  return faults
}

function parametersOf(node: SyntaxNode): SyntaxNode[] {
  // Babel calls them `parameters` in type members; `this` is no parameter of the caller
  return listOf(node.params ?? node.parameters).filter((part) => nameOf(part) !== 'this')
}

const BLOCKS = new Set([
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
])

/** Deepest nesting below a node; an inner function starts anew, `else if` adds none. */
function depthOf(value: unknown): number {
  const node = Object(value)
  if (typeof node.type !== 'string' || isFunction(node)) return 0
  const below = childrenOf(node).map((child) =>
    node.type === 'IfStatement' && child === node.alternate && child.type === 'IfStatement'
      ? depthOf(child) - 1
      : depthOf(child),
  )
  return Math.max(0, ...below) + (BLOCKS.has(node.type) ? 1 : 0)
}
