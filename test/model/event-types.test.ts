// Each type of event that is promised is told somewhere, and stands on the page of the Platform.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EVENT_TYPES } from '../../src/model/event.js'

const ONLY_NAMED = ['model/event.ts', 'core/event/kinds.ts']

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('generated'))
  .filter((path) => !ONLY_NAMED.includes(path))
  .map((path) => readFileSync(join('src', path), 'utf8'))

it.each(EVENT_TYPES)('%s is told somewhere', (type) => {
  expect(sources.some((text) => text.includes(`'${type}'`))).toBe(true)
})

it('the page of the Platform names all of them, and no other', () => {
  const page = readFileSync('docs/platform.md', 'utf8')
  const part = page.slice(page.indexOf('### Kinds of events'), page.indexOf('## Keys for programs'))
  const named = [...part.matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, type]) => type)
  expect(named.toSorted()).toEqual([...EVENT_TYPES].toSorted())
})
