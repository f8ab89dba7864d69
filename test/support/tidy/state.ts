// Modules keep nothing between two calls: what changes lives in what deps.ts puts together.
import { childrenOf, isNode, lineOf, listOf, nameOf, type SyntaxNode, walk } from './syntax.js'
import type { Finding, Tree } from './tree.js'

/**
 * Results of pure functions that are kept because making them costs more than the call that needs
 * them, and one queue of the event loop. A further one needs a measurement; one that is gone leaves
 * this list.
 */
const MEASURED: readonly string[] = [
  'src/lib/slices.ts waiting',
  'src/device/es256.ts keys',
  'src/market/at/devices/certificate.ts read',
  'src/market/at/turnover.ts blockCiphers',
  'src/market/at/turnover.ts cached',
  'src/market/de/devices/remote-proof.ts keys',
  'src/render/fonts-more.ts tables',
  'src/render/fonts.ts faces',
  'src/render/fonts.ts files',
  'src/render/fonts.ts fonts',
  'src/render/glyphs.ts canvas',
  'src/render/glyphs.ts registered',
  'src/render/glyphs.ts texts',
  'src/render/plain-text.ts formats',
  'src/render/qr.ts drawn',
  'src/simulator/tse/state.ts texts',
]

export function checkModuleState(tree: Tree, measured = MEASURED): Finding[] {
  const found = tree.code('src').flatMap((path) => changingIn(path, tree.program(path)))
  const names = new Set(found.map(({ file, text }) => `${file} ${text}`))
  const gone = measured.filter((name) => !names.has(name))
  return [
    ...found
      .filter(({ file, text }) => !measured.includes(`${file} ${text}`))
      .map((one) => ({ ...one, text: `${one.text} changes outside of deps` })),
    ...gone.map((name) => ({
      file: 'test/support/tidy/state.ts',
      line: 1,
      text: `${name} is gone`,
    })),
  ]
}

/** Top-level names that a function writes to. */
function changingIn(path: string, program: SyntaxNode): Finding[] {
  const kept = new Map(keptIn(program).map((declared) => [nameOf(declared.id), declared]))
  if (kept.size === 0) return []
  const written = new Set<string>()
  for (const body of functionsIn(program)) {
    walk(body, (node) => {
      const name = writtenBy(node)
      if (name !== '' && kept.has(name)) written.add(name)
    })
  }
  return [...written].map((name) => {
    const declared = kept.get(name)
    return { file: path, line: declared === undefined ? 1 : lineOf(declared), text: name }
  })
}

const COLLECTIONS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'LRUCache', 'Array'])

/** Variables, and constants that hold a collection, perhaps inside of an object. */
function keptIn(program: SyntaxNode): SyntaxNode[] {
  const statements = listOf(program.body).map((one) =>
    isNode(one.declaration) ? one.declaration : one,
  )
  return statements
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap((one) =>
      listOf(one.declarations).filter(({ init }) => one.kind === 'let' || isCollection(init)),
    )
}

function isCollection(value: unknown): boolean {
  if (!isNode(value)) return false
  if (value.type === 'NewExpression') return COLLECTIONS.has(nameOf(value.callee))
  if (value.type === 'ArrayExpression') return true
  if (/^TS(As|Satisfies)Expression$/.test(value.type)) return isCollection(value.expression)
  if (value.type !== 'ObjectExpression') return false
  return listOf(value.properties).some((property) => isCollection(property.value))
}

function functionsIn(program: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = []
  const look = (node: SyntaxNode): void => {
    if (/Function|Method/.test(node.type)) found.push(node)
    else childrenOf(node).forEach(look)
  }
  look(program)
  return found
}

const WRITES = new Set([
  'set',
  'add',
  'delete',
  'clear',
  'push',
  'unshift',
  'splice',
  'shift',
  'pop',
])

/** `name = …`, `name.set(…)`, `name[key] = …`; '' for anything else. */
function writtenBy(node: SyntaxNode): string {
  if (node.type === 'AssignmentExpression') return rootOf(node.left)
  if (node.type === 'UpdateExpression') return rootOf(node.argument)
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return ''
  const isWrite = WRITES.has(nameOf(node.callee.property))
  return isWrite ? rootOf(node.callee.object) : ''
}

function rootOf(value: unknown): string {
  if (!isNode(value)) return ''
  return /^(Optional)?MemberExpression$/.test(value.type) ? rootOf(value.object) : nameOf(value)
}
