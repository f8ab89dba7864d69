// The route table as a whole: no two rows collide, every refusal has words in every language, and
// the page is about exactly these operations.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { refusalsOf } from '../../../src/api/shared/account/document.js'
import { addressesOf } from '../../../src/api/shared/account/routes.js'
import { type ErrorCode, errorTable, fail } from '../../../src/errors.js'
import { LANGUAGES } from '../../../src/lib/language.js'
import { messageOf } from '../../../src/notify/message.js'
import { WORDS } from '../../../src/words/words.js'
import { type DealerStand, openDealer } from '../../support/dealer.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

describe('the table', () => {
  it('has every id and every address once', () => {
    const ids = dealerOperations.map((row) => row.id)
    expect(new Set(ids).size).toBe(ids.length)
    const addresses = dealerOperations
      .flatMap(addressesOf)
      .map(({ method, path }) => `${method} ${path.toLowerCase()}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  it('is what the page shows', async () => {
    const page = await stand.app.inject({ url: '/docs/dealer/openapi.json' })
    const { paths } = page.json<{ paths: Record<string, Record<string, object>> }>()
    const shown = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const rows = dealerOperations.map(
      ({ method, path }) => `${method} /api${path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}')}`,
    )
    expect(shown.toSorted()).toEqual(rows.toSorted())
  })
})

describe('words', () => {
  const translatedCodes = Object.keys(WORDS.de.refusals ?? {})
  const codes = new Set(dealerOperations.flatMap(refusalsOf))
  const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()

  it('are there in every language for every refusal that an operation documents', () => {
    expect([...codes].filter((code) => !translatedCodes.includes(code))).toEqual([])
  })

  it.each(LANGUAGES)('of %s fill the same holes as the English ones', (language) => {
    for (const code of translatedCodes as ErrorCode[]) {
      const names = holes(errorTable[code].text)
      const details = Object.fromEntries(names.map((name) => [name.slice(1, -1), `<${name}>`]))
      const message = messageOf(fail(code, details), language)
      expect(message, code).not.toBe('')
      expect(holes(message), code).toEqual(names)
    }
  })
})
