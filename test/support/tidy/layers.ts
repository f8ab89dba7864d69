// The arrows of CONTRIBUTING.md: which folder of src may import which, and no circles.
import { importsOf, resolveImport } from './imports.js'
import type { Finding, Tree } from './tree.js'

const DEVICES = ['device', 'case', 'model', 'lib']
const BELOW_CORE = [
  ...['store', 'market', 'verify', 'simulator', 'render', 'notify', 'words', 'config'],
  ...DEVICES,
]
const BELOW_API = ['core', ...BELOW_CORE]
/** What `deps` puts together; the groups themselves do not know it. */
const BELOW_APP = ['deps', 'log', 'api', 'portal', 'jobs', 'postgres', ...BELOW_API]

/** Layer → layers it may import; itself and `errors` are always allowed. `import type` counts. */
const ARROWS: Record<string, readonly string[]> = {
  main: ['lib', 'serve'],
  cli: ['serve', ...BELOW_APP],
  serve: ['app', ...BELOW_APP],
  app: BELOW_APP,
  deps: ['log', 'api', 'portal', 'jobs', 'postgres', ...BELOW_API],
  log: [],
  api: BELOW_API,
  portal: BELOW_API,
  jobs: ['postgres', ...BELOW_API],
  core: BELOW_CORE,
  store: ['generated', 'postgres', 'config', 'device', 'model', 'lib'],
  postgres: ['generated', 'config', 'model', 'lib'],
  market: DEVICES,
  verify: ['words', 'model', 'lib'],
  simulator: ['device', 'model', 'lib'],
  render: ['words', 'config', 'case', 'model', 'lib'],
  notify: ['words', 'config', 'device', 'model', 'lib'],
  words: ['lib'],
  config: ['model', 'lib'],
  device: ['model', 'lib'],
  case: ['model', 'lib'],
  model: ['lib'],
  lib: [],
  errors: [],
}

/** Files outside market/ that may reach into one country: its paths name the Austrian device. */
const COUNTRY_DOORS = /^src\/api\/signing-device\//
const MARKET_FRONT = new Set(
  ['index', 'contract', 'facts', 'named'].map((name) => `src/market/${name}.ts`),
)
/** Gives each country the devices that lie in this server; countries know their interface only. */
const MARKET_TABLE = 'src/market/index.ts'
/** A part of the interface. */
const MARKET_FACTS = 'src/market/facts.ts'
/** What countries have in common; it imports none of them. */
const MARKET_KIT = /^src\/market\/kit\//

export function layerOf(path: string): string {
  const [, first = ''] = path.split('/')
  return first.replace(/\.tsx?$/, '')
}

export function checkLayers(tree: Tree): Finding[] {
  return tree.code('src').flatMap((path) =>
    importsOf(tree.program(path)).flatMap(({ specifier, line }) => {
      if (!specifier.startsWith('.')) return []
      const target = resolveImport(tree, path, specifier)
      const text = target === undefined ? `${specifier} does not exist` : faultOf(path, target)
      return text === undefined ? [] : [{ file: path, line, text }]
    }),
  )
}

/** Why `path` may not import `target`, or undefined when it may. */
function faultOf(path: string, target: string): string | undefined {
  if (!target.startsWith('src/')) return `src imports ${target}`
  const [from, to] = [layerOf(path), layerOf(target)]
  const allowed = ARROWS[from]
  if (allowed === undefined) return `src/${from} is no layer of the architecture`
  const isTable = path === MARKET_TABLE && to === 'simulator'
  if (from !== to && to !== 'errors' && !isTable && !allowed.includes(to)) {
    return `${from} imports ${to}`
  }
  if (to === 'market') return marketFault(path, target)
  if (from === 'api' && to === 'api') return groupFault(path, target)
  return undefined
}

function marketFault(path: string, target: string): string | undefined {
  if (layerOf(path) !== 'market') {
    const front = MARKET_FRONT.has(target) || COUNTRY_DOORS.test(path)
    return front ? undefined : `${target} is reached around src/market/index.ts`
  }
  if (path === 'src/market/contract.ts') {
    return target === MARKET_FACTS ? undefined : 'the market interface imports a market'
  }
  const isShared = target === 'src/market/contract.ts' || target === MARKET_FACTS
  if (path === MARKET_TABLE || isShared || MARKET_KIT.test(target)) return undefined
  const [own, other] = [path, target].map((file) => file.split('/')[2])
  return own === other ? undefined : `market ${own} imports ${target}`
}

function groupFault(path: string, target: string): string | undefined {
  const [own, other] = [path, target].map((file) => file.split('/')[2])
  return own === other || other === 'shared' ? undefined : `API group ${own} imports ${other}`
}

/** Circles of imports, `import type` included; each is reported once, at its first file. */
export function checkCycles(tree: Tree): Finding[] {
  const findings: Finding[] = []
  const state = new Map<string, 'open' | 'done'>()
  const trail: string[] = []
  const visit = (path: string): void => {
    state.set(path, 'open')
    trail.push(path)
    for (const target of targetsOf(tree, path)) {
      if (state.get(target) === undefined) visit(target)
      else if (state.get(target) === 'open') findings.push(circle(trail, target))
    }
    trail.pop()
    state.set(path, 'done')
  }
  const unseen = (path: string): boolean => state.get(path) === undefined
  for (const path of tree.code('src', 'bench')) if (unseen(path)) visit(path)
  return findings
}

/** Rooms that stand beside each other and both need the other: one of them has a wrong wall. */
export function checkPairs(tree: Tree): Finding[] {
  const arrows = new Map<string, string>()
  for (const path of tree.code('src/core', 'src/store')) {
    for (const target of targetsOf(tree, path)) {
      const rooms = roomsOf(path, target)
      if (rooms !== undefined && !arrows.has(rooms.join(' '))) arrows.set(rooms.join(' '), path)
    }
  }
  return [...arrows].flatMap(([rooms, file]) => {
    const [own = '', other = ''] = rooms.split(' ')
    if (own > other || !arrows.has(`${other} ${own}`)) return []
    return [{ file, line: 1, text: `${own} and ${other} import each other` }]
  })
}

/** The two folders side by side in which the files are; undefined where there are none. */
function roomsOf(path: string, target: string): [string, string] | undefined {
  const [own, other] = [path, target].map((file) => file.split('/').slice(0, -1))
  const apart = own?.findIndex((name, depth) => name !== other?.[depth]) ?? -1
  if (own === undefined || other === undefined || apart < 2 || other.length <= apart) {
    return undefined
  }
  const [left, right] = [own, other].map((names) => names.slice(0, apart + 1).join('/'))
  return [left ?? '', right ?? '']
}

function targetsOf(tree: Tree, path: string): string[] {
  return importsOf(tree.program(path))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => resolveImport(tree, path, specifier))
    .filter((target) => target !== undefined)
    .filter((target) => tree.has(target) && !target.endsWith('.json'))
}

function circle(trail: string[], target: string): Finding {
  const files = [...trail.slice(trail.indexOf(target)), target]
  return { file: target, line: 1, text: `imports in a circle: ${files.join(' → ')}` }
}

/**
 * Libraries that a verifier may use: foreign eyes too, and the signing does not use them, or their
 * other half only (papaparse writes tables there and reads them here).
 */
const VERIFIER_PACKAGES = new Set([
  ...['@streamparser/json', 'fast-xml-parser', 'papaparse', 'saxes', 'tar-stream', 'yauzl'],
])

/** Sentences in another language: no signing has any. */
const VERIFIER_WORDS = new Set(['src/errors.ts', 'src/lib/phrases.ts', 'src/words/findings.ts'])

/** What a verifier is given and says. */
const VERIFIER_TYPES = new Set(['src/model/verdict.ts'])

/** A verifier is a second pair of eyes: its own country, what all share, Node, words and types. */
export function checkVerifiers(tree: Tree): Finding[] {
  return tree.code('src/verify').flatMap((path) =>
    importsOf(tree.program(path)).flatMap(({ specifier, line, typeOnly }) => {
      if (specifier.startsWith('node:') || VERIFIER_PACKAGES.has(specifier)) return []
      const target = specifier.startsWith('.') ? resolveImport(tree, path, specifier) : undefined
      const isWord = VERIFIER_WORDS.has(target ?? '')
      const isType = typeOnly && VERIFIER_TYPES.has(target ?? '')
      if (isWord || isType || isVerifierFile(path, target)) return []
      return [{ file: path, line, text: `a verifier imports ${target ?? specifier}` }]
    }),
  )
}

/** A file of the same country, or one that all share; the table of the room knows all countries. */
function isVerifierFile(path: string, target = ''): boolean {
  const [own, other] = [path, target].map((file) => /^src\/verify\/(?:([a-z]+)\/)?/.exec(file))
  if (other === null || other === undefined) return false
  return path === 'src/verify/index.ts' || other[1] === undefined || other[1] === own?.[1]
}
