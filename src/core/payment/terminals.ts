// Setting up payment terminals of a CashBox.

import { ANY_TERMINAL } from '../../device/payment/order.js'
import { fail } from '../../errors.js'
import { isUuid, randomId } from '../../lib/id.js'
import type { Store } from '../../store/client.js'
import {
  allTerminals,
  insertTerminal,
  retireTerminal,
  terminalsOfBox,
} from '../../store/operation/terminals.js'
import { findCashBox } from '../../store/rollout/cashboxes.js'
import { providerNames, TEST_PROVIDER } from './providers.js'

export interface TerminalDeps {
  store: Store
  sandbox: boolean
}

export interface NewTerminal {
  cashBoxId: string
  provider: string
  terminal: string | undefined
  url: string | undefined
}

export interface ShownTerminal {
  id: string
  cashBoxId: string
  provider: string
  terminal: string | null
  url: string | null
  createdAt: string
}

/** As long as a cbTerminalID may be. */
const LONGEST = 1023
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f]/

/** Throws CASH_BOX_UNKNOWN, NOT_IN_PRODUCTION and FIELD_INVALID. */
export async function addTerminal(deps: TerminalDeps, given: NewTerminal): Promise<ShownTerminal> {
  const provider = providerOf(deps, given.provider)
  const filter = filterOf(given.terminal)
  const url = addressOf(provider, given.url)
  const { accountId, cashBoxId } = await boxOf(deps.store, given.cashBoxId)
  const row = { accountId, id: randomId(), cashBoxId, filter, provider, url }
  return shown(await insertTerminal(deps.store, row))
}

/** Oldest first: the order in which they are chosen. Throws CASH_BOX_UNKNOWN. */
export async function listTerminals(store: Store, box?: string): Promise<ShownTerminal[]> {
  const found =
    box === undefined
      ? await allTerminals(store)
      : await terminalsOfBox(store, await boxOf(store, box))
  return found.map(shown)
}

/** Payments that it has begun go on. Throws TERMINAL_UNKNOWN. */
export async function removeTerminal(store: Store, id: string): Promise<ShownTerminal> {
  const row = isUuid(id) ? await retireTerminal(store, id.toLowerCase()) : undefined
  if (row === undefined) throw fail('TERMINAL_UNKNOWN', { terminal: id })
  return shown(row)
}

async function boxOf(store: Store, id: string): Promise<{ accountId: string; cashBoxId: string }> {
  const box = isUuid(id) ? await findCashBox(store, id.toLowerCase()) : undefined
  if (box === undefined) throw fail('CASH_BOX_UNKNOWN', { cashBox: id })
  return box
}

function providerOf({ sandbox }: TerminalDeps, text: string): string {
  const provider = providerNames.find((name) => name === text.toLowerCase())
  if (provider === undefined) {
    throw fail('FIELD_INVALID', { field: 'provider', expected: providerNames.join(', ') })
  }
  if (provider === TEST_PROVIDER && !sandbox) throw fail('NOT_IN_PRODUCTION')
  return provider
}

function filterOf(text: string | undefined): string | null {
  const filter = text?.trim() ?? ''
  if (filter === '') return null
  if (filter.length <= LONGEST && !CONTROL.test(filter) && filter !== ANY_TERMINAL) return filter
  const expected = `the cbTerminalID that it serves, up to ${LONGEST} characters; none for any`
  throw fail('FIELD_INVALID', { field: 'terminal', expected })
}

/** Without the slash at its end. */
function addressOf(provider: string, text: string | undefined): string | null {
  if (provider === TEST_PROVIDER) {
    if (text === undefined) return null
    throw fail('FIELD_INVALID', { field: 'url', expected: 'none: test terminals have no address' })
  }
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  const plain = url !== undefined && url.username === '' && url.search === '' && url.hash === ''
  if (plain && url.password === '' && /^https?:$/.test(url.protocol)) {
    return url.href.replace(/\/+$/, '')
  }
  const expected = 'the address of the terminal, such as http://192.168.0.20:9700'
  throw fail('FIELD_INVALID', { field: 'url', expected })
}

type Row = Omit<ShownTerminal, 'terminal' | 'createdAt'> & {
  filter: string | null
  createdAt: Date
}

function shown({ id, cashBoxId, provider, filter, url, createdAt }: Row): ShownTerminal {
  return { id, cashBoxId, provider, terminal: filter, url, createdAt: createdAt.toISOString() }
}
