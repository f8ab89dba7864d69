import { describe, expect, it } from 'vitest'
import { decodePayRequest } from '../../../src/api/possystem/pay-request.js'
import { FiscalError } from '../../../src/errors.js'
import { payment } from '../../support/payments.js'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'

const read = (text: string, header?: string) => decodePayRequest(text, header)

function refused(text: string, header?: string): [code: string, field: string | undefined] {
  try {
    read(text, header)
  } catch (error) {
    if (error instanceof FiscalError) return [error.code, error.field]
    throw error
  }
  return ['accepted', undefined]
}

describe('a PayRequest', () => {
  it('is read whatever the case of its names and words', () => {
    const text =
      '{"action":"PAYMENT","PROTOCOL":"Use_Auto",' +
      '"CBPAYITEM":{"amount":10.00,"description":"Card"},' +
      '"cbTerminalId":"term1"}'
    expect(read(text)).toMatchObject({
      action: 'payment',
      requestedProtocol: 'Use_Auto',
      protocol: 'use_auto',
      description: 'Card',
      terminalId: 'term1',
    })
    expect(read(text).amount.toString()).toBe('10.00')
  })

  it('Sale means payment', () => {
    expect(read(payment('1', { Action: 'Sale' })).action).toBe('payment')
  })

  it.each([
    ...['use_auto', 'test', 'gp_softpos_gptom', 'gp_mpas', 'payone_softpos_wpi', 'hobexecr'],
    ...['hobex_softpos_posit', 'viva_eft_pos_instore', 'softpayio', 'shift4'],
  ])('knows the protocol %s', (protocol) => {
    expect(read(payment('1', { Protocol: protocol }))).toMatchObject({
      requestedProtocol: protocol,
      protocol,
    })
  })

  it('use_first means use_auto', () => {
    expect(read(payment('1', { Protocol: 'use_first' }))).toMatchObject({
      requestedProtocol: 'use_first',
      protocol: 'use_auto',
    })
  })

  it.each(['none', 'bluecode', 'test_result_handler_throws_exception', 'x'])(
    'does not know the protocol %s',
    (protocol) => {
      expect(refused(payment('1', { Protocol: protocol }))).toEqual(['FIELD_INVALID', 'Protocol'])
    },
  )

  it('keeps every digit of the amount', () => {
    const amount = '12345678901234567890.12345678'
    expect(read(payment(amount)).amount.toString()).toBe(amount)
    expect(refused(payment(`1${amount}`))).toEqual(['FIELD_INVALID', 'cbPayItem.Amount'])
  })

  it.each([
    ['refund', '-5.00', '-5'],
    ['refund', '5.00', '-5'],
    ['cancel', '-5.00', '-5'],
    ['cancel', '5.00', '-5'],
    ['payment', '5.00', '5'],
  ])('%s of %s is %s', (Action, amount, expected) => {
    expect(read(payment(amount, { Action })).amount.toShortString()).toBe(expected)
  })

  it.each([
    ['payment', '0'],
    ['payment', '-0.01'],
    ['refund', '0.00'],
    ['cancel', '0'],
    ['payment', '"5"'],
  ])('%s of %s is refused', (Action, amount) => {
    expect(refused(payment(amount, { Action }))).toEqual(['FIELD_INVALID', 'cbPayItem.Amount'])
  })

  it('a missing amount is zero, because clients leave zeros out', () => {
    const text = '{"Action":"payment","Protocol":"test","cbPayItem":{"Description":"x"}}'
    expect(refused(text)).toEqual(['FIELD_INVALID', 'cbPayItem.Amount'])
  })

  it('DecimalPrecisionMultiplier divides the amount', () => {
    const of = (amount: string, DecimalPrecisionMultiplier: unknown) =>
      payment(amount, { cbPayItem: { DecimalPrecisionMultiplier } })
    expect(read(of('380', 100)).amount.toShortString()).toBe('3.8')
    expect(read(of('380', 0)).amount.toShortString()).toBe('380')
    expect(refused(of('3.80', 100))).toEqual(['FIELD_INVALID', 'cbPayItem.Amount'])
    expect(refused(of('3', 10))[1]).toBe('cbPayItem.DecimalPrecisionMultiplier')
  })

  it('without Action, Protocol or cbPayItem is refused by name', () => {
    const item = '"cbPayItem":{"Amount":1}'
    expect(refused(`{"Protocol":"test",${item}}`)).toEqual(['FIELD_MISSING', 'Action'])
    expect(refused(`{"Action":"payment",${item}}`)).toEqual(['FIELD_MISSING', 'Protocol'])
    expect(refused('{"Action":"payment","Protocol":"test"}')).toEqual([
      'FIELD_MISSING',
      'cbPayItem',
    ])
    expect(refused('{"Action":"payment","Protocol":"test","cbPayItem":[]}')).toEqual([
      'FIELD_INVALID',
      'cbPayItem',
    ])
    expect(refused(payment('1', { Action: 'authorize' }))).toEqual(['FIELD_INVALID', 'Action'])
  })

  it.each(['', '  ', '[]', '1', '{"Action":'])('%j is no PayRequest', (text) => {
    expect(refused(text)[0]).toMatch(/^BODY_/)
  })

  it('a name that comes twice in one spelling is refused', () => {
    const text = '{"Action":"payment","Action":"refund","Protocol":"test","cbPayItem":{"Amount":1}}'
    expect(refused(text)).toEqual(['FIELD_DOUBLED', 'Action'])
  })
})

describe('the terminal of a PayRequest', () => {
  it('comes from the body, else from x-terminal-id, else there is none', () => {
    expect(read(payment('1', { cbTerminalID: 'A1' }), 'B1').terminalId).toBe('A1')
    expect(read(payment('1'), 'B1').terminalId).toBe('B1')
    expect(read(payment('1', { cbTerminalID: '' }), 'B1').terminalId).toBe('B1')
    expect(read(payment('1', { cbTerminalID: null })).terminalId).toBe('undefined')
  })

  it('has at most 1023 characters and no control characters', () => {
    expect(read(payment('1', { cbTerminalID: 'x'.repeat(1023) })).terminalId).toHaveLength(1023)
    for (const text of ['x'.repeat(1024), 'a\u0000b', 'a\u001bb']) {
      const wrong = payment('1', { cbTerminalID: text })
      expect(refused(wrong)).toEqual(['FIELD_INVALID', 'cbTerminalID'])
      expect(refused(payment('1'), text)).toEqual(['FIELD_INVALID', 'x-terminal-id'])
    }
  })
})

describe('the earlier payment of a PayRequest', () => {
  const named = (cbPayItem: object) => read(payment('-1', { Action: 'cancel', cbPayItem })).original
  const data = { Provider: { ProtocolResponse: { OperationID: 'op' } } }

  it('is named by ftPayItemId, MoneyBarcode, and OperationID of the case data', () => {
    const item = { ftPayItemId: ID.toUpperCase(), MoneyBarcode: 'bar', ftPayItemCaseData: data }
    expect(named(item)).toEqual({ itemId: ID, references: ['bar', 'op'] })
    expect(named({ ftPayItemID: ID }).itemId).toBe(ID)
  })

  it('the first spelling that is not empty counts', () => {
    expect(named({ ftPayItemId: '', ftPayItemID: ID }).itemId).toBe(ID)
  })

  it('case data may be text', () => {
    expect(named({ ftPayItemCaseData: JSON.stringify(data) }).references).toEqual(['op'])
  })

  it('an id of zeros, an empty one and strange case data name nothing', () => {
    for (const cbPayItem of [
      { ftPayItemId: '00000000-0000-0000-0000-000000000000' },
      { ftPayItemId: '', MoneyBarcode: '' },
      { ftPayItemCaseData: 'free text' },
      { ftPayItemCaseData: { Provider: [1] } },
      { ftPayItemCaseData: { Provider: { ProtocolResponse: { OperationID: 7 } } } },
    ]) {
      expect(named(cbPayItem)).toEqual({ itemId: undefined, references: [] })
    }
  })

  it('an id that is no uuid is refused', () => {
    const text = payment('-1', { Action: 'cancel', cbPayItem: { ftPayItemId: 'abc' } })
    expect(refused(text)).toEqual(['FIELD_INVALID', 'cbPayItem.ftPayItemId'])
  })
})
