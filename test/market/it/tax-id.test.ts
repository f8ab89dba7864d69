// Published tax numbers, and the buyer of a receipt.
import { describe, expect, it } from 'vitest'
import { isTaxId } from '../../../src/device/it/tax-id.js'
import { customerOf } from '../../../src/market/it/customer.js'

describe('tax numbers', () => {
  it.each([
    '01606720215',
    '12345678903',
    '02498250345',
    'RSSMRA80A01H501U',
    'RSSMRA85T10A562S',
    'MRTMTT91D08F205J',
  ])('%s is right', (text) => expect(isTaxId(text)).toBe(true))

  it.each(['RSSMRA85T10A562T', '12345678904', '00000000000', 'RSSMRA85T72A562S', '1234567890'])(
    '%s is wrong',
    (text) => expect(isTaxId(text)).toBe(false),
  )

  it('the letters IT are cut, and CustomerId goes first', () => {
    const taxId = (given: object) => customerOf(JSON.stringify(given)).taxId
    expect(taxId({ CustomerVATId: ' it01606720215 ' })).toBe('01606720215')
    expect(taxId({ CustomerId: 'IT12345678903', CustomerVATId: '01606720215' })).toBe('12345678903')
    expect(customerOf('no JSON')).toEqual({ taxId: '', isValid: true, lines: [] })
  })
})
