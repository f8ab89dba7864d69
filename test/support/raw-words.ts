// Words of the wire that a page shows to people: what interfaces call states, kinds and rights.
import type { Page } from 'playwright-core'
import { dealerTable } from '../../src/api/dealer/document.js'
import { dealerOperations } from '../../src/api/dealer/operations.js'
import { platformTable } from '../../src/api/platform/document.js'
import { portalTable } from '../../src/api/portal/document.js'
import { documentOf } from '../../src/api/shared/openapi/document.js'

/** The same in German, or names that nobody translates. */
const SAME: ReadonlySet<string> = new Set([
  ...['1.0', 'Administrator', 'pdf', 'csv', 'json', 'xml', 'png', 'txt', 'tar', 'live', 'apple'],
  ...['google', 'Queue', 'queue', 'portal', 'pos', 'autopilot', 'webhook', 'link', 'helper'],
])

function enumsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(enumsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    (name === 'enum' || name === 'const') && !isSchema(one)
      ? [one].flat().filter((word): word is string => typeof word === 'string')
      : enumsOf(one),
  )
}

const isSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every value that a member of an interface can only have one of, by the documents. */
function wireWords(): string[] {
  const head = { title: '', description: '', version: '1', credentials: {}, tags: {}, server: '/' }
  const tables = [dealerTable(dealerOperations), platformTable, portalTable]
  const all = tables.flatMap((table) => enumsOf(documentOf(head, table, '3.1')))
  return [...new Set(all)].filter((word) => /^[a-z]/i.test(word) && !SAME.has(word))
}

/** What is set like code is shown as programs see it, and names are anything. */
const AS_CODE = 'pre, code, kbd, textarea, .mono, [lang]'

const LOOK = `((words, names) => {
  const known = new Set(words)
  const given = new Set(names)
  const found = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const { parentElement, data } = walk.currentNode
    if (parentElement.closest(${JSON.stringify(AS_CODE)}) !== document.documentElement) continue
    for (const part of data.split(/[·,:;()\\n]/)) {
      const text = part.trim()
      const isOne = known.has(text) || /^[a-z]+([._][a-z]+)+$|^[a-z]+[A-Z]\\w*$/.test(text)
      if (isOne && !given.has(text)) found.push(text)
    }
  }
  return [...new Set(found)]
})`

const WORDS = wireWords()

/** Empty where every one of them has a text; `names` are no words of the wire. */
export function rawWords(page: Page, names: readonly string[] = []): Promise<string[]> {
  return page.evaluate<string[]>(`${LOOK}(${JSON.stringify(WORDS)}, ${JSON.stringify(names)})`)
}
