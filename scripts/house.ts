// Measures the house: the figures that docs/architecture.md shows beside their budgets.
// Run by `npm run -s house`.
import { fileURLToPath } from 'node:url'
import { codeLines } from '../test/support/tidy/sizes.js'
import { type SyntaxNode, walk } from '../test/support/tidy/syntax.js'
import { Tree } from '../test/support/tidy/tree.js'

const tree = Tree.read(fileURLToPath(new URL('..', import.meta.url)))
const sources = tree.code('src')

const linesOf = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + tree.text(path).split('\n').length - 1, 0)

const codeOf = (path: string): number => codeLines(tree.text(path))

const below = (folder: string): string[] => sources.filter((path) => path.startsWith(`${folder}/`))

/** Files of a market but for these folders of it. */
const without = (folder: string, ...left: string[]): string[] =>
  below(folder).filter((path) => !left.some((one) => path.startsWith(`${folder}/${one}/`)))

/** Members of every interface of a module, by its name. */
function membersOf(path: string): Map<string, number> {
  const found = new Map<string, number>()
  walk(tree.program(path), (node) => {
    if (node.type !== 'TSInterfaceDeclaration') return
    const { id, body } = node as { id?: { name?: string }; body?: { body?: SyntaxNode[] } }
    found.set(id?.name ?? '', body?.body?.length ?? 0)
  })
  return found
}

function contract(): { market: number; parts: number } {
  const members = membersOf('src/market/contract.ts')
  const market = members.get('Market') ?? 0
  return { market, parts: [...members.values()].reduce((sum, one) => sum + one, 0) - market }
}

const foldersOf = (paths: readonly string[]): Map<string, number> => {
  const found = new Map<string, number>()
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    found.set(folder, (found.get(folder) ?? 0) + 1)
  }
  return found
}

const most = (counts: Map<string, number>): string => {
  const [name = '', count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? []
  return `${count} (${name})`
}

const rooms = (layer: string): number =>
  new Set(below(layer).map((path) => path.split('/')[2])).size -
  sources.filter((path) => path.split('/').length === 3 && path.startsWith(`${layer}/`)).length

const HEADER_CALLERS =
  /(^|[.;] )(made|called|read|written|loaded|stored|declared|used|heard) by |, called by /im

function headersWithCallers(): number {
  const header = (path: string): string => /^(?:\/\/.*\n)*/.exec(tree.text(path))?.[0] ?? ''
  return sources.filter((path) => HEADER_CALLERS.test(header(path))).length
}

const touching = (table: string): number =>
  below('src/store').filter((path) =>
    new RegExp(`\\b(from|join|update|into) "?${table}"?\\b(?!_)`, 'i').test(tree.text(path)),
  ).length

const cases = (): number =>
  tree
    .code('test')
    .filter((path) => path.endsWith('.test.ts'))
    .reduce(
      (sum, path) => sum + (tree.text(path).match(/^\s*(it|test)(\.each)?\(/gm)?.length ?? 0),
      0,
    )

const { market, parts } = contract()
const AT = ['verify', 'export', 'devices']
const DE = ['verify', 'export', 'devices', 'tse']
const rows: [string, string | number][] = [
  ['lines of src without generated ones', linesOf(sources)],
  ['files of src', sources.length],
  ['members of the market interface', market],
  ['members of its parts', parts],
  ['market/at: law of signing, lines', linesOf(without('src/market/at', ...AT))],
  ['market/at: law of signing, files', without('src/market/at', 'export', 'devices').length],
  ['market/de: law of signing, lines', linesOf(without('src/market/de', ...DE))],
  ['market/de: law of signing, files', without('src/market/de', 'export', 'devices').length],
  ['market/de/export/dsfinvk, lines', linesOf(below('src/market/de/export/dsfinvk'))],
  ['market/kit, lines', linesOf(below('src/market/kit'))],
  ['case, lines', linesOf(below('src/case'))],
  ['verify, lines', linesOf(below('src/verify'))],
  ['simulator, lines', linesOf(below('src/simulator'))],
  ['rooms of core', rooms('src/core')],
  ['most files of store on one floor', most(foldersOf(below('src/store')))],
  ['files of store that touch the table queue', touching('queue')],
  ['headers that list callers', headersWithCallers()],
  ['floors of src', Math.max(...sources.map((path) => path.split('/').length - 1))],
  ['test files', tree.code('test').filter((path) => path.endsWith('.test.ts')).length],
  ['guarantees (it, test) as written', cases()],
]
const lines = (paths: readonly string[]): string =>
  `${paths.reduce((sum: number, path) => sum + codeOf(path), 0)} (${linesOf(paths)})`
for (const letters of ['fr', 'it', 'es', 'gr', 'pt']) {
  for (const folder of [`market/${letters}`, `verify/${letters}`, `device/${letters}`]) {
    const paths = below(`src/${folder}`)
    if (paths.length > 0) rows.push([`${folder}: lines of code (all lines)`, lines(paths)])
  }
}
/** What a queue sees of Italian devices, and simulators as well: no part of a driver. */
const SEEN = ['unit', 'sums', 'clock', 'tax-id'].map((name) => `src/device/it/${name}.ts`)
const drivers = below('src/device/it').filter((path) => !SEEN.includes(path))
rows.push(['device/it, drivers alone', lines(drivers)])
rows.push(['market/it and what it sees of devices', lines([...below('src/market/it'), ...SEEN])])
const wide = Math.max(...rows.map(([what]) => what.length))
for (const [what, figure] of rows) console.log(`${what.padEnd(wide)}  ${figure}`)
for (const layer of [...new Set(sources.map((path) => path.split('/')[1] ?? ''))].sort()) {
  console.log(
    `  src/${layer}`.padEnd(wide + 2) + linesOf(sources.filter((p) => p.split('/')[1] === layer)),
  )
}
