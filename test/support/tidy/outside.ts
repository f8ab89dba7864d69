// Who may touch the outside: frameworks, database, environment, files, network, clock, chance.
import { importsOf, packageOf } from './imports.js'
import { lineOf, listOf, nameOf, type SyntaxNode, walk } from './syntax.js'
import type { Finding, Tree } from './tree.js'

interface PackageRule {
  packages: RegExp
  homes: RegExp
  text: string
}

const PACKAGE_RULES: PackageRule[] = [
  {
    packages: /^(fastify|@fastify\/|fastify-)/,
    homes: /^src\/(app\.ts|api\/|portal\/)/,
    text: 'only src/app.ts, src/api and src/portal import Fastify',
  },
  {
    packages: /^(pg|pg-.*|@prisma\/.*|prisma)$/,
    homes: /^src\/(store|postgres)\//,
    text: 'only src/store and src/postgres import Prisma and pg',
  },
]

export function checkPackageHomes(tree: Tree): Finding[] {
  return tree.code('src').flatMap((path) =>
    importsOf(tree.program(path)).flatMap(({ specifier, line }) => {
      const name = packageOf(specifier) ?? ''
      return PACKAGE_RULES.filter(
        ({ packages, homes }) => packages.test(name) && !homes.test(path),
      ).map(({ text }) => ({ file: path, line, text }))
    }),
  )
}

/** `process.env` in any spelling outside src/config.ts. */
export function checkEnvironment(tree: Tree): Finding[] {
  return tree
    .code('src')
    .filter((path) => path !== 'src/config.ts')
    .flatMap((path) =>
      places(tree.program(path), readsEnvironment).map((line) => ({
        file: path,
        line,
        text: 'only src/config.ts reads the environment',
      })),
    )
}

function readsEnvironment(node: SyntaxNode): boolean {
  if (node.type === 'ImportDeclaration' && /^(node:)?process$/.test(nameOf(node.source))) {
    return listOf(node.specifiers).some((part) => nameOf(part.imported) === 'env')
  }
  if (isMember(node)) return nameOf(node.property) === 'env' && isProcess(node.object)
  if (node.type !== 'VariableDeclarator' || !isProcess(node.init)) return false
  const properties = listOf(Reflect.get(Object(node.id), 'properties'))
  return properties.some((property) => nameOf(property.key) === 'env')
}

function isProcess(value: unknown): boolean {
  if (nameOf(value) === 'process') return true
  const node = Object(value)
  return isMember(node) && nameOf(node.property) === 'process'
}

function isMember(node: SyntaxNode): boolean {
  return node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
}

const NETWORK = ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns']
const MACHINE = ['fs', 'os', 'process', 'child_process', 'cluster', 'worker_threads', 'timers']
const OUTSIDE_MODULES = new Set([...NETWORK, ...MACHINE])
const FREE_WORDS = new Set(['fetch', 'performance', 'process', 'XMLHttpRequest', 'WebSocket'])
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate'])
const CHANCE = /^(random[A-Z].*|getRandomValues|randomId|orderedId)$/

/** market/ and model/ see no file, network, clock or chance; drivers get theirs handed in. */
export function checkPurity(tree: Tree): Finding[] {
  return tree
    .code('src/market', 'src/simulator/rksv', 'src/simulator/tse', 'src/model')
    .flatMap((path) => {
      const driver = /^src\/(market\/[a-z]+\/devices|simulator)\//.test(path)
      const program = tree.program(path)
      const imports = importsOf(program).filter(
        ({ specifier, names }) =>
          OUTSIDE_MODULES.has(moduleOf(specifier)) ||
          (!driver && names.some((name) => CHANCE.test(name))),
      )
      const lines = [
        ...imports.map(({ line }) => line),
        ...places(program, (node) => asksTheWorld(node, driver)),
      ]
      return lines.map((line) => ({
        file: path,
        line,
        text: 'countries and words reach no file, network, clock or chance of their own',
      }))
    })
}

/** `node:fs/promises` → `fs` */
function moduleOf(specifier: string): string {
  return specifier.replace(/^node:/, '').replace(/\/.*$/, '')
}

function asksTheWorld(node: SyntaxNode, driver: boolean): boolean {
  if (node.type === 'NewExpression') {
    return nameOf(node.callee) === 'Date' && listOf(node.arguments).length === 0
  }
  if (isMember(node)) {
    const spelled = `${nameOf(node.object)}.${nameOf(node.property)}`
    if (spelled === 'Date.now' || spelled === 'Math.random') return true
    if (!driver && CHANCE.test(nameOf(node.property)))
      return /^(node)?crypto$/i.test(nameOf(node.object))
    return FREE_WORDS.has(nameOf(node.object))
  }
  if (node.type !== 'CallExpression') return false
  const callee = nameOf(node.callee)
  // `process(…)` is the market's own step: the global of that name is no function
  return (callee !== 'process' && FREE_WORDS.has(callee)) || (!driver && TIMERS.has(callee))
}

const COUNTRIES = new Set(['AT', 'DE', 'FR', 'IT', 'ES', 'GR', 'PT', 'ME', 'BE'])

/** `country === 'DE'` belongs into a market; elsewhere its facts and capabilities are asked. */
export function checkCountries(tree: Tree): Finding[] {
  return tree
    .code('src')
    .filter((path) => !/^src\/(market|api\/signing-device)\//.test(path))
    .flatMap((path) =>
      places(tree.program(path), comparesCountry).map((line) => ({
        file: path,
        line,
        text: 'asks for a country by name; ask a capability of the market',
      })),
    )
}

function comparesCountry(node: SyntaxNode): boolean {
  if (node.type === 'SwitchCase') return COUNTRIES.has(nameOf(node.test))
  if (node.type !== 'BinaryExpression') return false
  if (!/^[!=]==?$/.test(String(node.operator))) return false
  return [node.left, node.right].some(
    (side) => Object(side).type === 'StringLiteral' && COUNTRIES.has(nameOf(side)),
  )
}

function places(program: SyntaxNode, test: (node: SyntaxNode) => boolean): number[] {
  const lines: number[] = []
  walk(program, (node) => {
    if (test(node)) lines.push(lineOf(node))
  })
  return lines
}

/** Imported by the generated client, which is in no repository. */
const GENERATED_FOR = '@prisma/client'

/** Runtime packages are used, and what is used at run time is a runtime package. */
export function checkDependencies(tree: Tree): Finding[] {
  if (!tree.has('src/main.ts')) return []
  const manifest: unknown = JSON.parse(tree.text('package.json'))
  const declared = namesIn(manifest, 'dependencies')
  const usable = new Set([...declared, ...namesIn(manifest, 'optionalDependencies')])
  const used = new Map<string, string>()
  const spoken = new Set<string>()
  for (const path of tree.code('src')) {
    for (const { specifier } of importsOf(tree.program(path))) {
      const name = packageOf(specifier)
      if (name !== undefined) used.set(name, path)
    }
    walk(tree.program(path), (node) => spoken.add(nameOf(node)))
  }
  // a transport or a plug-in may be named in a string instead of imported
  const reached = (name: string) => used.has(name) || spoken.has(name) || name === GENERATED_FOR
  const unused = declared.filter((name) => !reached(name))
  const missing = [...used].filter(([name]) => !usable.has(name))
  return [
    ...unused.map((name) => ({
      file: 'package.json',
      line: 1,
      text: `${name} is not used in src`,
    })),
    ...missing.map(([name, file]) => ({ file, line: 1, text: `${name} is no runtime dependency` })),
  ]
}

function namesIn(manifest: unknown, member: string): string[] {
  return Object.keys(Object(Reflect.get(Object(manifest), member)))
}
