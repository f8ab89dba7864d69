// Moments as the portal shows them: what tills have sent may look like one and be none.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

type Shown = (given: { at: string | null }) => unknown

let Day: Shown
let Moment: Shown
let shown: (what: Shown, at: string | null) => string

/**
 * What is written for browsers has types of its own, and so have React's: they declare the elements
 * of a page for every file, empty ones, and what the other tests ask of a page is wrong then.
 */
const ofBrowsers = async (module: string): Promise<Record<string, unknown>> =>
  import(/* @vite-ignore */ module)
const ofPortal = (file: string): Promise<Record<string, unknown>> =>
  ofBrowsers(new URL(`../../../portal/src/${file}`, import.meta.url).href)

beforeAll(async () => {
  // what a browser has, and is read when the texts are loaded
  vi.stubGlobal('location', { search: '' })
  const { Speech, textOf } = (await ofPortal('text/index.ts')) as {
    Speech: { Provider: unknown }
    textOf(language: string): Promise<object>
  }
  const { createElement } = (await ofBrowsers('react')) as {
    createElement(what: unknown, given: object, inside?: unknown): unknown
  }
  const { renderToStaticMarkup } = (await ofBrowsers('react-dom/server')) as {
    renderToStaticMarkup(element: unknown): string
  }
  const time = await ofPortal('ui/time.tsx')
  ;[Day, Moment] = [time.Day as Shown, time.Moment as Shown]
  const value = { language: 'en', t: await textOf('en') }
  shown = (what, at) =>
    renderToStaticMarkup(createElement(Speech.Provider, { value }, createElement(what, { at })))
})
afterAll(() => vi.unstubAllGlobals())

const NONE = ['2026-02-30T99:00:00Z', '2026-13-01T00:00:00Z', '+275761-01-01T00:00:00Z']

it.each(NONE)('%s is shown as it was sent', (at) => {
  expect(shown(Day, at)).toBe(`<time dateTime="${at}">${at}</time>`)
  expect(shown(Moment, at)).toBe(`<time dateTime="${at}">${at}</time>`)
})

it('a moment has its day and hour, and says how long ago it was', () => {
  expect(shown(Day, '2026-11-25T12:00:00Z')).toMatch(/>25 Nov 2026|>Nov 25, 2026/)
  const ago = new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString()
  expect(shown(Moment, ago)).toMatch(/ title="[^"]+">3 days ago<\/time>$/)
})

it('where there is none, a day is left out and a moment has never been', () => {
  expect([shown(Day, null), shown(Moment, null)]).toEqual(['', 'never'])
})
