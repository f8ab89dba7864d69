// The forms of company identifiers, country by country; the examples of the field's documentation
// pass although their checksums do not.
import { describe, expect, it } from 'vitest'
import { isCountry } from '../../src/model/countries.js'
import { fitsIdentifier, type IdentifierName } from '../../src/model/identifiers.js'

const GOOD: readonly (readonly [string, IdentifierName, string])[] = [
  ['AT', 'vatId', 'ATU12345678'],
  ['AT', 'vatId', 'atu 6854.1544'],
  ['AT', 'taxId', '46 123/4567'],
  ['AT', 'fibuNr', 'FN 123456 a'],
  ['AT', 'fibuNr', '12345b'],
  ['AT', 'gln', '1234567890123'],
  ['DE', 'vatId', 'DE999999999'],
  ['DE', 'taxId', '181/815/08155'],
  ['DE', 'taxId', '9181081508155'],
  ['FR', 'vatId', 'FR3216549801'],
  ['FR', 'vatId', 'FR28321654980'],
  ['FR', 'taxId', '1230987654407'],
  ['FR', 'siren', '321 654 980'],
  ['IT', 'vatId', 'IT12345678903'],
  ['IT', 'taxId', 'RSSMRA85T10A562S'],
  ['ES', 'taxId', '12345678Z'],
  ['GR', 'vatId', 'EL123456783'],
  ['PT', 'vatId', 'PT123456789'],
  ['BE', 'vatId', 'BE 0123.456.749'],
  ['AT', 'siren', 'anything'],
  ['CH', 'vatId', 'CHE-123.456.789 MWST'],
  ['AT', 'vatId', ''],
]

const BAD: readonly (readonly [string, IdentifierName, string])[] = [
  ['AT', 'vatId', 'ATU1234567'],
  ['AT', 'vatId', 'DE123456788'],
  ['AT', 'taxId', '12345678'],
  ['AT', 'gln', '123456789012'],
  ['DE', 'vatId', 'DE12345678'],
  ['DE', 'taxId', '123456789012'],
  ['FR', 'taxId', '4230987654407'],
  ['FR', 'siren', '32165498'],
  ['GR', 'vatId', 'GR12345678'],
]

describe('an identifier', () => {
  it.each(GOOD)('of %s: %s may be "%s"', (country, name, text) => {
    expect(fitsIdentifier(country, name, text)).toBe(true)
  })
  it.each(BAD)('of %s: %s may not be "%s"', (country, name, text) => {
    expect(fitsIdentifier(country, name, text)).toBe(false)
  })
})

it('a country has two capital letters that the standard gave away', () => {
  expect(['AT', 'DE', 'GR', 'GB'].every(isCountry)).toBe(true)
  expect(['EL', 'UK', 'XX', 'at', 'AUT', ''].some(isCountry)).toBe(false)
})
