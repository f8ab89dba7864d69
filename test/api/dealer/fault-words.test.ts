// Whatever is wrong with path, query or body of whatever operation is told in sentences of our own,
// in the language that was asked for.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { LANGUAGES, type Language } from '../../../src/lib/language.js'
import { type DealerStand, faults, openDealer } from '../../support/dealer.js'

let stand: DealerStand
beforeAll(async () => {
  const free = { RATE_LIMITS: 'dealer=0,credentials=0' }
  stand = await openDealer({ variables: free, dealer: { market: 'DE' } })
})
afterAll(() => stand.close())

/** How the library of the schemas begins its sentences, in each language. */
const FOREIGN = new RegExp(
  [
    '^(Invalid|Too (big|small)|Unrecognized|Must (have|contain)|Number must|Ungültig)',
    '^(Zu (groß|klein)|Unbekannt|Entrée|Option invalide|Trop (grand|petit)|Clé|Input non)',
    '^(Opzione|Troppo (grande|piccolo)|Chiav|Entrada|Opción|Opção|Muito (grande|pequeno))',
    '^(Demasiado (grande|pequeñ)|Llave|Chave|Μη έγκυρη|Πολύ (μεγάλο|μικρό):)',
    'received|expected string|erhalten|reçu|ricevuto|recibid|recebid|λήφθηκε',
  ].join('|'),
  'u',
)

/** Words that stand in sentences of this language alone. */
const ENGLISH = /\b(expected|missing|must|the)\b/

const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', ' ', 'x', 'x'.repeat(8_001), 0, -1, 2.5, 1e20, [], {}),
  fc.constantFrom<unknown>(
    [null],
    { a: 1 },
    [[1]],
    '2026-02-31',
    '{',
    'Undefined',
    'AT',
    99_999_999_999,
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

type Path = (string | number)[]

const pathsOf = (value: unknown): Path[] => [
  [],
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) => pathsOf(one).map((rest) => [name, ...rest]))
    : []),
]

/** The value with another one, or none, at the path. */
function withAt(value: unknown, [name, ...rest]: Path, put: unknown): unknown {
  if (name === undefined) return put
  const copy: Record<string, unknown> = { ...(value as object) }
  copy[name] = withAt(copy[name], rest, put)
  return Array.isArray(value) ? Object.values(copy) : copy
}

/** What the members of a schema are called, down to the third one. */
function skeletonOf(schema: unknown): unknown {
  const { def } = (schema as { _zod: { def: Record<string, unknown> } })._zod
  const inner = def.innerType ?? def.in ?? def.element
  if (def.type === 'array') return [skeletonOf(inner)]
  if (inner !== undefined) return skeletonOf(inner)
  if (def.type !== 'object') return 'x'
  return Object.fromEntries(
    Object.entries(def.shape as object).map(([name, one]) => [name, skeletonOf(one)]),
  )
}

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const addressOf = (path: string) => `/api${path.replace(/:\w+/g, ID)}`

const withBody = dealerOperations.filter(({ body, upload }) => body && upload === undefined)
// of an upload the file is looked at first
const withQuery = dealerOperations.filter(
  ({ query, upload }) => Object.keys(query.shape).length > 0 && upload === undefined,
)
const withParams = dealerOperations.filter(
  ({ params, badPath, access }) =>
    Object.keys(params.shape).length > 0 && badPath === undefined && access !== 'open',
)

async function judge(line: string, language: Language, body?: unknown): Promise<void> {
  const reply = await stand.call(line, {
    headers: { 'accept-language': language },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(reply.status, reply.text).toBeLessThan(500)
  if (reply.status !== 400) return
  const told = Object.entries(faults(reply))
  expect(told.length).toBeGreaterThan(0)
  for (const [member, texts] of told) {
    for (const text of [...texts, String(reply.json().detail)]) {
      expect(text, `${line} ${member}`).not.toMatch(FOREIGN)
      expect(text, `${line} ${member}`).toMatch(/^\S.*[.)]$/su)
      if (language !== 'en') expect(text, `${line} ${member}`).not.toMatch(ENGLISH)
    }
  }
}

const languages = fc.constantFrom(...LANGUAGES)
const RUNS = { seed: SEED, numRuns: 60 }

describe(`with seed ${SEED}`, () => {
  it.each(withBody.map((row) => [row.id, row] as const))('the body of %s', async (_id, row) => {
    const base = row.example ?? skeletonOf(row.body)
    const paths = [...pathsOf(base), ...pathsOf(skeletonOf(row.body))]
    const change = fc.record({
      path: fc.constantFrom(...paths),
      put: fc.oneof(
        { weight: 4, arbitrary: junk },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
      language: languages,
    })
    const line = `${row.method} ${addressOf(row.path)}`
    await fc.assert(
      fc.asyncProperty(change, async ({ path, put, language }) => {
        const body = withAt(base, path, put)
        await judge(line, language, body === undefined ? '' : body)
      }),
      RUNS,
    )
  })

  it.each(withQuery.map((row) => [row.id, row] as const))('the query of %s', async (_id, row) => {
    const change = fc.record({
      name: fc.constantFrom(...Object.keys(row.query.shape)),
      value: fc.oneof(
        fc.string({ minLength: 1 }),
        fc.constantFrom('x', '-1', '1e99', '9'.repeat(40)),
      ),
      language: languages,
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ name, value, language }) => {
        const query = new URLSearchParams({ [name]: value }).toString()
        const line = `${row.method} ${addressOf(row.path)}?${query}`
        await judge(line, language, row.body === undefined ? undefined : row.example)
      }),
      { ...RUNS, numRuns: 20 },
    )
  })

  it.each(withParams.map((row) => [row.id, row] as const))('the path of %s', async (_id, row) => {
    for (const language of LANGUAGES) {
      await judge(`${row.method} /api${row.path.replace(/:\w+/g, 'x')}`, language, row.example)
    }
  })
})

it('a member that is missing is named together with what is expected', async () => {
  const call = (language: string) =>
    stand.call('POST /api/pos-operators-invitation', {
      ...{ body: { contact: 'Eva' }, headers: { 'accept-language': language } },
    })
  expect(faults(await call('en'))).toMatchObject({
    company: ['company is missing; expected an object.'],
    contact: ['contact is not valid; expected an object.'],
  })
  expect(faults(await call('de'))).toMatchObject({
    company: ['company fehlt; erwartet wird ein Objekt.'],
  })
  expect((await call('en')).json().code).toBe('RequestInvalid')
})
