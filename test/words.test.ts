// The files of src/words: every language says the same things, with the same places for values.
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorTable } from '../src/errors.js'
import { LANGUAGES } from '../src/lib/language.js'
import { isReceiptLanguage, WORDS } from '../src/words/words.js'

/** `receipt.total` → its text. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  const entries = Object.entries(Object(value))
  return entries.flatMap(([key, one]) => textsOf(one, path === '' ? key : `${path}.${key}`))
}

const placesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted()

const { en, ...others } = WORDS
const english = new Map(textsOf(en))

/** Places that a language leaves out, or says otherwise, on purpose. */
const OTHER_PLACES: Readonly<Record<string, string[]>> = {
  // what the reader of JSON says is English: other languages tell the place
  'sentences.bodyMalformed': ['{position}'],
}

describe('the files', () => {
  it('are one for each language of the list', () => {
    const files = readdirSync('src/words').filter((name) => name.endsWith('.json'))
    expect(files.toSorted()).toEqual(LANGUAGES.map((one) => `${one}.json`).toSorted())
  })

  it.each(Object.entries(others))('%s has what English has', (language, words) => {
    const { refusals, ...rest } = words
    const keys = textsOf(rest).map(([path]) => path)
    const wanted = [...english.keys()].filter(
      (path) => isReceiptLanguage(language) || !/^receipt(Message)?\./.test(path),
    )
    expect(keys.toSorted()).toEqual(wanted.toSorted())
    expect(Object.keys(refusals ?? {})).toEqual(Object.keys(WORDS.de.refusals ?? {}))
  })

  it.each(Object.entries(others))('%s has the same places for values', (_language, words) => {
    for (const [path, text] of textsOf(words)) {
      const [section, code = ''] = path.split('.')
      const told = section === 'refusals' ? Reflect.get(errorTable, code).text : english.get(path)
      const places = OTHER_PLACES[path] ?? placesOf(told)
      expect(placesOf(text), path).toEqual(places)
    }
  })
})
