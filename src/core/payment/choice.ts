// Which terminal takes a payment: the one whose filter and provider fit, the oldest of several.

import {
  ANY_TERMINAL,
  type PaymentAction,
  type PaymentProvider,
  type PayRequest,
  type Terminal,
} from '../../device/payment/order.js'
import { type FiscalError, fail } from '../../errors.js'
import { TEST_PROVIDER, USE_AUTO } from './providers.js'

export interface Place {
  cashBoxId: string
  sandbox: boolean
}

/** Every CashBox of the sandbox has it until somebody sets up test terminals of its own. */
const IMPLICIT: Terminal = { id: null, filter: null, provider: TEST_PROVIDER, url: null }

/** Those that exist here; production has no test terminals. The implicit one is the last. */
export function terminalsHere(
  stored: readonly Terminal[],
  { sandbox }: Pick<Place, 'sandbox'>,
): readonly Terminal[] {
  const real = stored.filter(({ provider }) => sandbox || provider !== TEST_PROVIDER)
  const own = real.some(({ provider }) => provider === TEST_PROVIDER)
  return sandbox && !own ? [...real, IMPLICIT] : real
}

export function takesPart(terminal: Terminal, asked: { protocol: string; terminalId: string }) {
  const byName = terminal.provider === asked.protocol
  if (asked.protocol !== USE_AUTO && !byName) return false
  return terminal.filter === null || terminal.filter === asked.terminalId
}

export interface Open {
  terminal: Terminal
  provider: PaymentProvider
}

export interface Choice {
  /** Oldest first. */
  candidates: readonly Open[]
  request: PayRequest
  /** The terminal of the payment that is refunded or cancelled, where it is known. */
  preferred: string | null | undefined
  place: Place
}

/** Throws PROVIDER_NONE. */
export function chooseTerminal({ candidates, request, preferred, place }: Choice): Open {
  const { action } = request
  const able = candidates.filter(({ provider }) => provider[action] !== undefined)
  const same = able.find(({ terminal }) => terminal.id === preferred)
  const chosen = same ?? able[0]
  if (chosen !== undefined) return chosen
  throw none(request, hintOf(request, candidates[0]?.terminal, place))
}

const VERBS: Record<PaymentAction, string> = {
  payment: 'take payments',
  refund: 'refund',
  cancel: 'cancel',
}
const LONGEST_SHOWN = 100

function none({ protocol, terminalId }: PayRequest, hint: string): FiscalError {
  const named = `terminal ${terminalId.slice(0, LONGEST_SHOWN)}`
  const terminal = terminalId === ANY_TERMINAL ? 'any terminal' : named
  return fail('PROVIDER_NONE', { protocol, terminal, hint })
}

function hintOf(request: PayRequest, unable: Terminal | undefined, place: Place): string {
  const { action, protocol, terminalId } = request
  if (unable !== undefined) return `${unable.provider} cannot ${VERBS[action]} from here`
  if (protocol === TEST_PROVIDER && !place.sandbox) return 'it exists in the sandbox only'
  const named = protocol === USE_AUTO ? 'PROVIDER' : protocol
  const quoted = terminalId.slice(0, LONGEST_SHOWN).replace(/'/g, "'\\''")
  const filter = terminalId === ANY_TERMINAL ? '' : ` --terminal '${quoted}'`
  const url = named === TEST_PROVIDER ? '' : ' --url ADDRESS'
  return (
    'add one with: npx fiskalwerk terminal add ' +
    `--cashbox ${place.cashBoxId} --provider ${named}${filter}${url}`
  )
}
