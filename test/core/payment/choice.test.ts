import { describe, expect, it } from 'vitest'
import { chooseTerminal, takesPart, terminalsHere } from '../../../src/core/payment/choice.js'
import { openProvider } from '../../../src/core/payment/providers.js'
import type { PayRequest, Terminal } from '../../../src/device/payment/order.js'
import type { FiscalError } from '../../../src/errors.js'
import { Decimal } from '../../../src/lib/decimal.js'

const VIVA: Terminal = { id: 'v', filter: null, provider: 'viva_eft_pos_instore', url: 'http://x' }
const POSIT: Terminal = { ...VIVA, id: 'p', provider: 'hobex_softpos_posit' }
const TEST: Terminal = { id: 't', filter: null, provider: 'test', url: null }
const IMPLICIT = { ...TEST, id: null }

const request = (given: Partial<PayRequest> = {}): PayRequest => ({
  action: 'payment',
  requestedProtocol: 'use_auto',
  protocol: 'use_auto',
  description: 'Card',
  amount: Decimal.of('10'),
  currency: undefined,
  terminalId: 'undefined',
  original: { itemId: undefined, references: [] },
  ...given,
})

const carry = () => Promise.reject(new Error('never called'))

function choose(
  terminals: Terminal[],
  asked: PayRequest,
  preferred?: string | null,
): string | null {
  const candidates = terminals.map((terminal) => ({
    terminal,
    provider: terminal.provider === 'test' ? { payment: carry } : openProvider(terminal),
  }))
  const place = { cashBoxId: 'box', sandbox: true }
  return chooseTerminal({ candidates, request: asked, preferred, place }).terminal.id
}

function refusal(terminals: Terminal[], asked: PayRequest): string {
  try {
    choose(terminals, asked)
  } catch (error) {
    return (error as FiscalError).message
  }
  return 'nothing was refused'
}

describe('which terminal takes part', () => {
  it.each([
    ['A1', null, true],
    ['A1', 'A1', true],
    ['A1', 'B1', false],
    ['undefined', null, true],
    ['undefined', 'A1', false],
  ])('a till that names %s and a terminal for %s: %s', (terminalId, filter, takes) => {
    for (const protocol of ['use_auto', 'viva_eft_pos_instore']) {
      expect(takesPart({ ...VIVA, filter }, { protocol, terminalId })).toBe(takes)
    }
  })

  it('use_auto takes any provider, a named protocol only its own', () => {
    const asked = { terminalId: 'undefined' }
    expect(takesPart(TEST, { ...asked, protocol: 'use_auto' })).toBe(true)
    expect(takesPart(TEST, { ...asked, protocol: 'test' })).toBe(true)
    expect(takesPart(TEST, { ...asked, protocol: 'shift4' })).toBe(false)
  })
})

describe('the test terminal', () => {
  it('is there in the sandbox, behind the ones that were set up', () => {
    expect(terminalsHere([], { sandbox: true })).toEqual([IMPLICIT])
    expect(terminalsHere([VIVA], { sandbox: true })).toEqual([VIVA, IMPLICIT])
  })

  it('that was set up replaces the one that is there by itself', () => {
    expect(terminalsHere([TEST, VIVA], { sandbox: true })).toEqual([TEST, VIVA])
  })

  it('does not exist in production, not even when it was set up', () => {
    expect(terminalsHere([TEST, VIVA], { sandbox: false })).toEqual([VIVA])
    expect(terminalsHere([], { sandbox: false })).toEqual([])
  })
})

describe('one of several', () => {
  it('the oldest wins', () => {
    expect(choose([POSIT, VIVA], request())).toBe('p')
    expect(choose([VIVA, POSIT], request())).toBe('v')
  })

  it('one that cannot do it is passed over', () => {
    expect(choose([POSIT, VIVA], request({ action: 'refund' }))).toBe('v')
    expect(choose([POSIT, VIVA], request({ action: 'cancel' }))).toBe('v')
  })

  it('the terminal of the earlier payment takes the money back', () => {
    const second = { ...VIVA, id: 'w' }
    expect(choose([VIVA, second], request({ action: 'refund' }), 'w')).toBe('w')
    expect(choose([VIVA, second], request({ action: 'refund' }), 'gone')).toBe('v')
    expect(choose([VIVA, IMPLICIT], request(), null)).toBe(null)
  })
})

describe('no terminal', () => {
  it('is refused with the terminal id and the command that adds one', () => {
    const text = refusal([], request({ protocol: 'shift4', terminalId: "B'1" }))
    expect(text).toBe(
      "No payment terminal takes shift4 for terminal B'1; add one with: npx fiskalwerk terminal " +
        "add --cashbox box --provider shift4 --terminal 'B'\\''1' --url ADDRESS.",
    )
  })

  it('that can do it is refused by name', () => {
    const text = refusal([POSIT], request({ action: 'refund' }))
    expect(text).toContain('hobex_softpos_posit cannot refund from here')
  })
})
