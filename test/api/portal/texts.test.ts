// Texts of the portal: French ones have their narrow spaces, and no language leaves one empty.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../src/api/dealer/operations.js'
import { platformOperations } from '../../../src/api/platform/operations.js'
import { sessionTable } from '../../../src/api/portal/operations.js'
import { eventKinds } from '../../../src/core/event/kinds.js'
import { EVENT_TYPES } from '../../../src/model/event.js'

const TEXTS = join(import.meta.dirname, '../../../portal/src/text')

const WORDS = ['1', '2', '3', '4', '5']

/** Functions are called with a word for each value. */
function sentences(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return sentences(Reflect.apply(value, undefined, WORDS))
  return Object.values(Object(value)).flatMap(sentences)
}

/** French: a space that does not break is missing. */
const BROKEN = /[^\u00a0\u202f:/][:;!?»](?=\s|$)|«[^\u00a0\u202f]/

const LANGUAGES = ['de', 'en', 'fr'] as const

async function textsOf(language: (typeof LANGUAGES)[number]): Promise<string[]> {
  const first = (await import(join(TEXTS, `${language}.ts`))) as Record<string, unknown>
  const pages = (await import(join(TEXTS, 'pages', `${language}.ts`))) as Record<string, unknown>
  return [...sentences(first), ...sentences(pages)]
}

describe('texts', () => {
  it.each(LANGUAGES)('%s says something everywhere', async (language) => {
    const texts = await textsOf(language)
    expect(texts.length).toBeGreaterThan(700)
    expect(texts.filter((text) => text.trim() === '')).toEqual([])
  })

  it.each(['de', 'fr'])('%s has a title for every operation', async (language) => {
    const { titles } = (await import(join(TEXTS, 'titles', `${language}.ts`))) as {
      titles: Record<string, string>
    }
    const all = [...dealerOperations, ...platformOperations, ...sessionTable].map(({ id }) => id)
    expect(Object.keys(titles).toSorted()).toEqual(all.toSorted())
    expect(Object.values(titles).filter((text) => / [:;!?]/.test(text))).toEqual([])
  })

  it.each(['de', 'fr'])('%s explains every type of event, in one language', async (language) => {
    const { events } = (await import(join(TEXTS, 'events', `${language}.ts`))) as {
      events: Record<string, string>
    }
    expect(Object.keys(events).toSorted()).toEqual([...EVENT_TYPES].toSorted())
    const texts = Object.values(events)
    expect(new Set(texts).size).toBe(EVENT_TYPES.length)
    // those of the document, taken over as they are
    const english = new Set(Object.values(eventKinds).map(({ text }) => text))
    expect(texts.filter((text) => english.has(text))).toEqual([])
    if (language === 'fr') expect(texts.filter((text) => BROKEN.test(text))).toEqual([])
  })

  it('French has a space that does not break before : ; ! ? and within « »', async () => {
    const texts = (await textsOf('fr')).filter((text) => !/https?:/.test(text))
    expect(texts.filter((text) => BROKEN.test(text))).toEqual([])
  })
})
