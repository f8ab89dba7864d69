// Every operation of groups A and F is used by a page that an address of the portal leads to. Forms
// made from documents and the drawer do not count: they show whatever there is.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { platformOperations } from '../../../src/api/platform/operations.js'

const PORTAL = join(import.meta.dirname, '../../../portal/src')
/** They lead to every operation, of whatever kind. */
const GENERAL = ['pages/run.tsx', 'pages/operations.tsx', 'ui/drawer.tsx']
/** A call names its operation first; names of a cache are no calls. */
const CALLS =
  /\b(?:call\w*|send|upload|fetchFile|linkOf|addressOf|publicAddressOf)\(\s*(?:'(\w+)'|(\w+),)/g
/** The page has a link with this address, which another operation has answered. */
const BY_ADDRESS: Readonly<Record<string, string>> = { openInspectionLink: 'linkInspection' }

const read = (file: string): string => readFileSync(join(PORTAL, file), 'utf8')

/** What is loaded at once or later; types are no pages. */
const IMPORTS = /^import (?!type\b)[^']*'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

function importsOf(file: string): string[] {
  return [...read(file).matchAll(IMPORTS)].flatMap(([, atOnce, later]) => {
    const path = join(dirname(file), atOnce ?? later ?? '').replace(/\.js$/, '')
    return [`${path}.tsx`, `${path}.ts`].filter((one) => existsSync(join(PORTAL, one)))
  })
}

function reachedFrom(first: string): Set<string> {
  const reached = new Set<string>()
  const waiting = [first]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file) || GENERAL.includes(file) || file.startsWith('generated/')) continue
    reached.add(file)
    waiting.push(...importsOf(file))
  }
  return reached
}

/** The operations that a file calls, also by a constant that is one of them. */
function calledIn(text: string): string[] {
  const constants = new Map(
    [...text.matchAll(/^ *const (\w+) = (.*)$/gm)].map(([, name, value = '']) => [
      name,
      [...value.matchAll(/'(\w+)'/g)].map(([, id = '']) => id),
    ]),
  )
  return [...text.matchAll(CALLS)].flatMap(([, id, name]) =>
    id === undefined ? (constants.get(name) ?? []) : [id],
  )
}

describe('every operation', () => {
  const files = [...reachedFrom('main.tsx')]
  const called = new Set(files.flatMap((file) => calledIn(read(file))))

  it('is called by a page that an address leads to', () => {
    const all = [...dealerOperations, ...platformOperations].map(({ id }) => id)
    const isCalled = (id: string) => called.has(BY_ADDRESS[id] ?? id)
    expect(all.filter((id) => !isCalled(id))).toEqual([])
    expect(all.length).toBeGreaterThan(100)
  })

  it('is looked for in pages, not in forms for everything', () => {
    expect(files).toContain('pages/cash-box-parts.tsx')
    expect(files.filter((file) => GENERAL.includes(file))).toEqual([])
    expect(calledIn("const KEY = 'getJob'\ncall(KEY, {}); queryKey: ['listJobs']")).toEqual([
      'getJob',
    ])
  })
})
