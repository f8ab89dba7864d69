// logs tail.
import { setTimeout as sleep } from 'node:timers/promises'
import { accountOf } from '../core/accounts/accounts.js'
import { toldCall } from '../core/event/call/told.js'
import { fail } from '../errors.js'
import { isUuid } from '../lib/id.js'
import { writeJson } from '../lib/json-write.js'
import type { KeptCall } from '../model/kept-call.js'
import type { Store } from '../store/client.js'
import { type CallQuestion, readCalls } from '../store/event/calls.js'
import { findCashBox } from '../store/rollout/cashboxes.js'
import { type Command, type Input, needed, optional, UsageError } from './command.js'

const USUAL = 10
const MOST = 200
const LOOK_MS = 500
/** Another server may write that much later what it has answered before. */
const LATE_MS = 5_000

export const logCommands: Record<string, Command> = {
  'logs tail': {
    usage:
      'logs tail --account ID | --cashbox ID [--last N] [--failed] [--code CODE] [--short] ' +
      '[--follow] [--json]',
    summary:
      'Shows the last calls of an account with its merchants, or of a CashBox: what came, what ' +
      'went, hints, and a curl; with --follow those that come, until Ctrl-C. Sandbox only.',
    examples: [
      'npx fiskalwerk logs tail --cashbox CASHBOX_ID --follow',
      'npx fiskalwerk logs tail --account ACCOUNT_ID --failed --short',
    ],
    options: {
      account: { type: 'string' },
      cashbox: { type: 'string' },
      last: { type: 'string' },
      code: { type: 'string' },
      failed: { type: 'boolean' },
      short: { type: 'boolean' },
      follow: { type: 'boolean' },
    },
    positionals: [],
    run: async (input) => {
      const limit = lastOf(input)
      const { store, config } = await input.open()
      if (config.production) throw fail('NOT_IN_PRODUCTION')
      const asked = { ...(await ownerOf(store, input)), code: optional(input, 'code') }
      const failed = input.options.failed === true ? true : undefined
      await tail(store, { asked: { ...asked, failed, limit }, input })
      return undefined
    },
  },
}

async function ownerOf(
  store: Store,
  input: Input,
): Promise<Pick<CallQuestion, 'accountId' | 'cashBoxId'>> {
  const cashBoxId = optional(input, 'cashbox')
  if (cashBoxId === undefined) {
    return { accountId: (await accountOf(store, needed(input, 'account'))).id }
  }
  const box = isUuid(cashBoxId) ? await findCashBox(store, cashBoxId) : undefined
  if (box === undefined) throw fail('CASH_BOX_UNKNOWN', { cashBox: cashBoxId })
  return { accountId: box.accountId, cashBoxId: box.cashBoxId }
}

function lastOf(input: Input): number {
  const text = optional(input, 'last') ?? String(USUAL)
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= MOST) return count
  throw new UsageError(`--last must be a number of calls, 1 to ${MOST}`)
}

async function tail(
  store: Store,
  { asked, input }: { asked: CallQuestion; input: Input },
): Promise<void> {
  const stop = new AbortController()
  const onStop = () => stop.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onStop)
  let page = await readCalls(store, asked)
  for (let seen = new Set<string>(); ; ) {
    const fresh = page.filter(({ id }) => !seen.has(id)).reverse()
    for (const row of fresh) say(row, input)
    if (input.options.follow !== true) return
    seen = new Set([...seen, ...page.map(({ id }) => id)].slice(-2 * MOST))
    const isOver = await sleep(LOOK_MS, false, { signal: stop.signal }).catch(() => true)
    if (isOver) return
    const from = new Date(Date.now() - LATE_MS)
    page = await readCalls(store, { ...asked, from, limit: MOST })
  }
}

function say(row: KeptCall, { options }: Input): void {
  const lines = options.json === true ? [writeJson(toldCall(row))] : linesOf(row, options)
  process.stdout.write(`${lines.join('\n')}\n`)
}

function linesOf(row: KeptCall, { short }: Input['options']): string[] {
  const { hints, curl, body, answer } = toldCall(row)
  const { at, method, path, status, ms, code, cashBoxId, accountId } = row
  const who = cashBoxId === null ? `account/${accountId}` : `cashbox/${cashBoxId}`
  const head = `${at.toISOString()}  ${status}  ${method} ${path}  ${ms} ms  ${who}`
  if (short === true) return [code === null ? head : `${head}  ${code}`]
  return [
    head,
    ...(body === null ? [] : [`  > ${body}`]),
    ...(answer === null ? [] : [`  < ${answer}`]),
    ...hints.map(({ code: word, text }) => `  ! ${word}: ${text}`),
    ...(curl === null ? [] : [`  $ ${curl}`]),
    '',
  ]
}
