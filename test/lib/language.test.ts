// Which language an Accept-Language header asks for.
import { describe, expect, it } from 'vitest'
import { acceptedCulture, cultureOf } from '../../src/lib/language.js'

describe('Accept-Language', () => {
  it.each([
    ['de', 'de', 'de'],
    ['DE-at', 'de', 'de-AT'],
    ['nl,fr-FR;q=0.8,en;q=0.9', 'en', 'en'],
    ['en;q=0.1, it', 'it', 'it'],
    ['es,pt', 'es', 'es'],
    ['de;q=0, el;q=0.001', 'el', 'el'],
    [' pt-BR ; q=1.0 ', 'pt', 'pt-BR'],
  ])('%s means %s (%s)', (header, language, name) => {
    expect(acceptedCulture(header)).toEqual({ language, name })
  })

  it.each([undefined, '', '*', 'nl', 'de;q=0', ',,;;', 'xx-DE'])('%s means nothing', (header) => {
    expect(acceptedCulture(header)).toBeUndefined()
  })
})

it('a culture of another language is none', () => {
  expect(cultureOf('nl-BE')).toBeUndefined()
})
