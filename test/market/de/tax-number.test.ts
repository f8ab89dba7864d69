// The German tax number in the forms of the states. Expected values: the table of the
// ELSTER description, and the examples of python-stdnum (de/stnr.py).
import { describe, expect, it } from 'vitest'
import {
  readIdentificationNumber,
  readPostalCode,
  readTaxNumber,
  stateForms,
} from '../../../src/market/de/notification.js'

describe('a local number', () => {
  it.each([
    ['93815/08152', '2893081508152'],
    ['181/815/08155', '9181081508155'],
    ['21/815/08150', '1121081508150'],
    ['048/815/08155', '3048081508155'],
    ['75 815 08152', '2475081508152'],
    ['02/815/08156', '2202081508156'],
    ['013 815 08153', '2613081508153'],
    ['079/815/08151', '4079081508151'],
    ['24/815/08151', '2324081508151'],
    ['133/8150/8159', '5133081508159'],
    ['22/815/08154', '2722081508154'],
    ['010/815/08182', '1010081508182'],
    ['201/123/12340', '3201012312340'],
    ['101/815/08154', '3101081508154'],
    ['29/815/08158', '2129081508158'],
    ['151/815/08156', '4151081508156'],
  ])('%s is %s in one of the states whose form it has', (local, long) => {
    expect(stateForms(local.replace(/\D/g, ''))).toContain(long)
    expect(readTaxNumber(local)).toBeDefined()
    expect(readTaxNumber(long)).toEqual({ long })
  })

  it('leaves the state open, so no long form is made up', () => {
    expect(readTaxNumber('181/815/08155')).toEqual({ long: '' })
    expect(readTaxNumber('93815/08152')).toEqual({ long: '' })
  })
})

it.each([
  '',
  '123456789',
  '123456789012',
  '12345678901234',
  '2893181508152',
  '1234567890x',
  '28930815081٥2',
])('"%s" is no tax number', (text) => {
  expect(readTaxNumber(text)).toBeUndefined()
})

// python-stdnum, de/idnr.py: its examples, valid and not
it.each([
  ['36 574 261 809', '36574261809'],
  ['36574261890', undefined],
  ['36554266806', undefined],
  ['181/815/08155', undefined],
  ['03657426180', undefined],
])('%s is the identification number %s', (text, number) => {
  expect(readIdentificationNumber(text)).toBe(number)
})

describe('a postal code', () => {
  it.each([
    [1067, '01067'],
    ['1067', '01067'],
    ['01067', '01067'],
    [' 80331 ', '80331'],
    [1001, '01001'],
    [99998, '99998'],
    [1000, undefined],
    [99999, undefined],
    [0, undefined],
    [-1067, undefined],
    ['', undefined],
    ['8033', '08033'],
    ['803310', undefined],
    ['D-80331', undefined],
  ])('%s is %s', (given, code) => {
    expect(readPostalCode(given)).toBe(code)
  })
})
