// The texts of the portal: none that no page shows, and French ones with the spaces of French.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PORTAL = join(import.meta.dirname, '../../portal/src')
const read = (...path: string[]) => readFileSync(join(PORTAL, ...path), 'utf8')
const TABLES = ['', 'work', 'more', 'change', 'wire']

const sources = ['pages', 'ui', 'api']
  .flatMap((name) => readdirSync(join(PORTAL, name)).map((one) => read(name, one)))
  .join('\n')

/** `problems.until`, of a table whose groups and members stand one above the other. */
function membersOf(table: string): [string, string][] {
  let group = ''
  return read('text', table, 'en.ts')
    .split('\n')
    .flatMap((line): [string, string][] => {
      group = /^ {2}(\w+): \{/.exec(line)?.[1] ?? group
      const member = /^ {4}(\w+):/.exec(line)?.[1]
      return member === undefined ? [] : [[group, member]]
    })
}

it('each is shown by a page', () => {
  const all = TABLES.flatMap(membersOf)
  expect(all.length).toBeGreaterThan(500)
  const unused = all.filter(
    ([group, member]) =>
      !new RegExp(`\\b${group}\\.${member}\\b`).test(sources) &&
      // by a name that is only known while the page runs
      !new RegExp(`['"]${member}['"]`).test(sources) &&
      !new RegExp(`\\b${group}\\[`).test(sources),
  )
  expect(unused).toEqual([])
})

it('French marks have a space before them that ends no line', () => {
  const texts = TABLES.flatMap((table) =>
    read('text', table, 'fr.ts')
      .split('\n')
      .filter((line) => !line.startsWith('//'))
      .flatMap((line) => line.match(/'(?:[^'\\]|\\.)*'|`[^`]*`/g) ?? []),
  )
  expect(texts.filter((text) => / [:;!?](?=[\s'`])/.test(text))).toEqual([])
})
