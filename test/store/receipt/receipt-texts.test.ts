// The texts of receipts have one way into the ledger and one out of it.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const FOLDER = new URL('../../../src/store/', import.meta.url)
/** A statement that writes or gives out one of the two columns of a queue item. */
const TOUCHES = /queue_item\b/
const COLUMNS = /\b(?:request|response)\b(?:,| as | from |\)|,? done_moment| = )/
const READS = /from '(?:\.\/|(?:\.\.\/)+receipt\/)receipt-texts\.js'/

it('no file of the store reads or writes them beside it', () => {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'))
  const touching = names.filter((name) => {
    const text = readFileSync(new URL(name, FOLDER), 'utf8').replaceAll(
      /^ *(?:\/\/|\/?\*).*$/gm,
      '',
    )
    return TOUCHES.test(text) && COLUMNS.test(text)
  })
  // it looks for a text within one of them, and gives none out
  const looking = 'event/fleet/search.ts'
  const without = touching.filter(
    (name) => name !== looking && !READS.test(readFileSync(new URL(name, FOLDER), 'utf8')),
  )
  expect(touching).toContain('sign/sign-statement.ts')
  expect(without).toEqual([])
})
