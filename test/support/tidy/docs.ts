// Documentation against the repository: links, decision records, variables, error codes.
import { posix } from 'node:path'
import { listOf, nameOf, type SyntaxNode, walk } from './syntax.js'
import type { Finding, Tree } from './tree.js'

interface Link {
  target: string
  line: number
}

const INLINE = /!?\[[^\]]*\]\(\s*<?([^()\s>]+(?:\([^()]*\))?[^()\s>]*)>?(?:\s+"[^"]*")?\s*\)/g
const DEFINITION = /^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)/

/** Text lines of a page with fenced blocks and code spans blanked out. */
function proseOf(tree: Tree, path: string): string[] {
  let fence = ''
  return tree.lines(path).map((line) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? ''
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : ''
      return ''
    }
    return fence === '' ? line : ''
  })
}

function linksOf(tree: Tree, path: string): Link[] {
  return proseOf(tree, path).flatMap((raw, index) => {
    const line = raw.replace(/`[^`]*`/g, (code) => 'x'.repeat(code.length))
    const targets = [...line.matchAll(INLINE)].map((found) => found[1] ?? '')
    const definition = DEFINITION.exec(line)?.[1]
    if (definition !== undefined) targets.push(definition)
    return targets.map((target) => ({ target, line: index + 1 }))
  })
}

/** Anchors of a page as GitHub makes them from headings, and explicit ids. */
export function anchorsOf(tree: Tree, path: string): Set<string> {
  const anchors = new Set<string>()
  for (const line of proseOf(tree, path)) {
    for (const found of line.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(found[1] ?? '')
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1]
    if (heading !== undefined) anchors.add(freeSlug(anchors, slugOf(heading)))
  }
  return anchors
}

function slugOf(heading: string): string {
  const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
  return plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function freeSlug(taken: Set<string>, slug: string): string {
  if (!taken.has(slug)) return slug
  let number = 1
  while (taken.has(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}

export function checkLinks(tree: Tree): Finding[] {
  return pages(tree).flatMap((path) =>
    linksOf(tree, path).flatMap(({ target, line }) => {
      const text = linkFault(tree, path, target)
      return text === undefined ? [] : [{ file: path, line, text }]
    }),
  )
}

function pages(tree: Tree): string[] {
  return tree.paths().filter((path) => path.endsWith('.md'))
}

function linkFault(tree: Tree, path: string, target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined
  if (target.startsWith('/')) return `${target} is no relative link`
  const [file = '', anchor = ''] = target.split('#')
  const folder = posix.dirname(path)
  const found = file === '' ? path : posix.normalize(posix.join(folder, decodeURI(file)))
  const place = found.replace(/\/$/, '')
  if (!tree.has(place) && !tree.hasFolder(place)) return `${target} leads nowhere`
  if (anchor === '' || !place.endsWith('.md') || anchorsOf(tree, place).has(anchor))
    return undefined
  return `${target}: there is no such heading`
}

/** Every decision record is in an index, so that somebody finds it. */
export function checkDecisions(tree: Tree): Finding[] {
  const indexes = ['docs/decisions/README.md', 'docs/README.md']
  const linked = new Set(
    indexes.flatMap((index) =>
      linksOf(tree, index).map(({ target }) => posix.join(posix.dirname(index), target)),
    ),
  )
  const records = pages(tree).filter((path) => /^docs\/decisions\/\d{4}-/.test(path))
  return records
    .filter((path) => !linked.has(path))
    .map((path) => ({ file: path, line: 1, text: 'is in no index of the decisions' }))
}

const VARIABLE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

/** Every runtime package is named, as code, in a decision record: somebody wrote down why. */
export function checkReasons(tree: Tree): Finding[] {
  const manifest: unknown = JSON.parse(tree.text('package.json'))
  const names = Object.keys(Object(Reflect.get(Object(manifest), 'dependencies')))
  const records = pages(tree)
    .filter((path) => /^docs\/decisions\/\d{4}-/.test(path))
    .map((path) => tree.text(path))
    .join('\n')
  return names
    .filter((name) => !records.includes(`\`${name}\``))
    .map((name) => ({ file: 'package.json', line: 1, text: `${name} has no decision record` }))
}

const SETTINGS = 'src/config/table.ts'

/** Every row of the table of settings is in .env.example and in a page; none is left over. */
export function checkVariables(tree: Tree): Finding[] {
  if (!tree.has(SETTINGS)) return []
  const read = variablesOf(tree.program(SETTINGS))
  const sample = new Set(
    tree.lines('.env.example').map((line) => /^#?\s*([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? ''),
  )
  const prose = pages(tree)
    .filter((path) => path === 'README.md' || path.startsWith('docs/'))
    .map((path) => tree.text(path))
    .join('\n')
  const words = new Set(prose.match(/\b[A-Z][A-Z0-9_]*\b/g))
  const config = [...read].flatMap((name) => [
    ...(sample.has(name) ? [] : [fault(SETTINGS, `${name} is not in .env.example`)]),
    ...(words.has(name) ? [] : [fault(SETTINGS, `${name} is in no page`)]),
  ])
  const stale = [...sample].filter((name) => name !== '' && !read.has(name))
  return [...config, ...stale.map((name) => fault('.env.example', `${name} is read by nobody`))]
}

function fault(file: string, text: string): Finding {
  return { file, line: 1, text }
}

/** Members spelled like a variable whose value is a row. */
function variablesOf(program: SyntaxNode): Set<string> {
  const names = new Set<string>()
  walk(program, (node) => {
    if (node.type !== 'ObjectProperty' || Object(node.value).type !== 'ObjectExpression') return
    const name = nameOf(node.key)
    if (VARIABLE.test(name)) names.add(name)
  })
  return names
}

/** docs/errors.md has a section per code, `### CODE`, with `Kind: kind`; none is left over. */
export function checkErrors(tree: Tree): Finding[] {
  const files = tree.code('src/errors')
  const table = new Map(files.flatMap((path) => [...kindsOf(tree.program(path))]))
  const described = sectionsOf(tree.lines('docs/errors.md'))
  const missing = [...table.keys()].filter((code) => !described.has(code))
  const stale = [...described.keys()].filter((code) => !table.has(code))
  const other = [...described].filter(([code, kind]) => table.has(code) && table.get(code) !== kind)
  return [
    ...missing.map((code) => fault('docs/errors.md', `${code} is not described`)),
    ...stale.map((code) => fault('docs/errors.md', `${code} does not exist`)),
    ...other.map(([code, kind]) => fault('docs/errors.md', `${code} is not ${kind || 'nothing'}`)),
  ]
}

function kindsOf(program: SyntaxNode): Map<string, string> {
  const kinds = new Map<string, string>()
  walk(program, (node) => {
    if (node.type !== 'ObjectProperty' || !VARIABLE.test(nameOf(node.key))) return
    const members = listOf(Object(node.value).properties)
    const kind = members.find((member) => nameOf(member.key) === 'kind')
    if (kind !== undefined) kinds.set(nameOf(node.key), nameOf(kind.value))
  })
  return kinds
}

function sectionsOf(lines: string[]): Map<string, string> {
  const sections = new Map<string, string>()
  let code = ''
  for (const line of lines) {
    const heading = /^#+ `?([A-Z][A-Z0-9_]+)`?\s*$/.exec(line)?.[1]
    if (heading !== undefined) code = heading
    if (heading !== undefined) sections.set(code, '')
    const kind = /^Kind: `?([a-z-]+)`?/.exec(line)?.[1]
    if (kind !== undefined && code !== '') sections.set(code, kind)
  }
  return sections
}

const GAP_ROW = /^\|\s*([A-Z]-\d+)\s*\|.*\|\s*([^|]*?)\s*\|\s*$/

/**
 * docs/spec-gaps.md: every row names its tests in the last column, each a file below test/, or
 * has a dash; no number stands twice.
 */
export function checkPins(tree: Tree): Finding[] {
  const page = 'docs/spec-gaps.md'
  const seen = new Set<string>()
  return tree.lines(page).flatMap((text, index) => {
    const [, number, pins] = GAP_ROW.exec(text) ?? []
    if (number === undefined || pins === undefined) return []
    const faults = pinFaults(tree, pins)
    if (seen.has(number)) faults.push('is given twice')
    seen.add(number)
    return faults.map((fault) => ({ file: page, line: index + 1, text: `${number} ${fault}` }))
  })
}

function pinFaults(tree: Tree, pins: string): string[] {
  const paths = [...pins.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? '')
  if (paths.length === 0) return pins === '–' ? [] : ['names no test']
  return paths
    .filter((path) => !tree.has(`test/${path}`))
    .map((path) => `test/${path} is not there`)
}

/** A file of the program or its tests in a page: `core/sign/step.ts`, `api/mount.test.ts`. */
const NAMED_FILE = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|js|sh|sql|json|prisma))`/g
/** One that stands beside the file named before it: `step.ts`. */
const NAMED_ALONE = /`([\w.-]+\.ts)`/g
const ROOTS = ['', 'src/', 'test/', 'docs/', 'docs/examples/']

/** Files that a page names, written from the root or from src/ or test/, or alone, exist. */
export function checkNamedFiles(tree: Tree): Finding[] {
  const names = new Set(tree.paths().map((path) => path.split('/').at(-1) ?? ''))
  const isThere = (path: string): boolean =>
    path.includes('/') ? ROOTS.some((root) => tree.has(root + path)) : names.has(path)
  return pages(tree).flatMap((page) =>
    tree.lines(page).flatMap((line, index) =>
      [...line.matchAll(NAMED_FILE), ...line.matchAll(NAMED_ALONE)]
        .map((found) => found[1] ?? '')
        .filter((path) => !isThere(path))
        .map((path) => ({ file: page, line: index + 1, text: `${path} is not there` })),
    ),
  )
}
