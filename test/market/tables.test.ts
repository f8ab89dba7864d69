// Tables beside the code of a country: what documents say in which order, and which case it is.
import { expect, it } from 'vitest'
import { formOf } from '../../src/lib/form.js'
import { decidedBy } from '../../src/market/kit/decide.js'

const form = {
  Version: '=1.0',
  Number: 'number',
  Seller: { Name: 'seller.name', Country: '=PT' },
  Regime: { Cash: '=0', Self: '=0' },
  Void: 'status.void',
}

it('members come in the order of their table, whatever the order of what they say', () => {
  const values = { status: { void: null }, seller: { name: 'Ana' }, number: '7', other: 'x' }
  const said = formOf(form)(values)
  expect(JSON.stringify(said)).toBe(
    '{"Version":"1.0","Number":"7","Seller":{"Name":"Ana","Country":"PT"},' +
      '"Regime":{"Cash":"0","Self":"0"},"Void":null}',
  )
})

it('what is not there is left out, and a group with it that has nothing but constants then', () => {
  expect(Object.keys(formOf(form)({ seller: null }))).toEqual(['Version', 'Regime'])
  expect(formOf(form)({ number: '' })).toMatchObject({ Number: '' })
})

it('the first row of which everything holds decides, by whole texts', () => {
  const kindOf = decidedBy<string>([
    { when: { type: '8\\.[45]', isBack: true }, is: 'transfer back' },
    { when: { type: '8|9' }, is: 'plain' },
    { when: { service: 0 }, is: 'unknown' },
  ])
  expect(kindOf({ type: '8.4', isBack: true, service: 0 })).toBe('transfer back')
  expect(kindOf({ type: '8.4', isBack: false, service: 0 })).toBe('unknown')
  expect(kindOf({ type: '9', isBack: false, service: 1 })).toBe('plain')
  expect(kindOf({ type: '19', isBack: false, service: 10 })).toBeUndefined()
})
