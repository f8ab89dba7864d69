// The headers of a group D call, checked in the order that clients rely on: all that are missing,
// then their form, then the credentials, then whether the cash box can be used.
import type { FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { type CallerDeps, header } from '../shared/caller.js'

/**
 * Which headers a call must have: those of an operation, of its cash box, or none. A journal is an
 * operation for which the cash box need not hold a queue any more.
 */
export type Needs = 'operation' | 'journal' | 'cashbox' | 'nothing'

export interface PosHead {
  access: CashBoxAccess
  /** In lower case; '' for a call without one. */
  operationId: string
  posSystemId: string
  terminalId: string | undefined
}

export interface HeadDeps extends CallerDeps {
  settings: { posSystemIdRequired: boolean }
}

const BOX = 'x-cashbox-id'
const TOKEN = 'x-cashbox-accesstoken'
const OPERATION = 'x-operation-id'
const SYSTEM = 'x-possystem-id'
const TERMINAL = 'x-terminal-id'
const NO_SYSTEM = '00000000-0000-0000-0000-000000000000'
/** Longest text of group D, in UTF-16 code units. */
export const LONGEST_TEXT = 1023

/** Throws HEADERS_MISSING, HEADER_INVALID, ACCESS_WRONG, CREDENTIALS_LIMITED, CASH_BOX_UNUSABLE. */
export async function headOf(
  deps: HeadDeps,
  request: FastifyRequest,
  needs: Exclude<Needs, 'nothing'>,
): Promise<PosHead> {
  const operates = needs !== 'cashbox'
  const box = header(request, BOX)
  const token = header(request, TOKEN)
  const operation = operates ? header(request, OPERATION) : ''
  const system = header(request, SYSTEM)
  const terminal = header(request, TERMINAL)
  const hasSystem = !operates || !deps.settings.posSystemIdRequired || system !== undefined
  if (box === undefined || token === undefined || operation === undefined || !hasSystem) {
    const missing = [
      ...(box === undefined ? [BOX] : []),
      ...(token === undefined ? [TOKEN] : []),
      ...(operation === undefined ? [OPERATION] : []),
      ...(hasSystem ? [] : [SYSTEM]),
    ]
    throw fail('HEADERS_MISSING', { headers: missing.join(', ') })
  }
  checkUuid(BOX, box)
  if (operates) checkUuid(OPERATION, operation)
  checkLength(SYSTEM, system)
  checkLength(TERMINAL, terminal)
  const access = await deps.credentials.check(box, token)
  if (access === undefined) {
    await deps.failures.failed(box, request.ip)
    throw fail('ACCESS_WRONG')
  }
  request.box = access
  return {
    access: access.queues.length === 0 && needs !== 'journal' ? await usable(deps, access) : access,
    operationId: operation.toLowerCase(),
    posSystemId: system ?? NO_SYSTEM,
    terminalId: terminal,
  }
}

/** It may hold a queue by now. */
async function usable({ credentials }: HeadDeps, access: CashBoxAccess): Promise<CashBoxAccess> {
  const now = await credentials.renewed(access)
  if (now !== undefined && now.queues.length > 0) return now
  throw fail('CASH_BOX_UNUSABLE', { cashBox: access.cashBoxId })
}

function checkUuid(name: string, value: string): void {
  if (isUuid(value)) return
  throw fail('HEADER_INVALID', { header: name, expected: 'a UUID of 36 characters' })
}

function checkLength(name: string, value: string | undefined): void {
  if (value === undefined || value.length <= LONGEST_TEXT) return
  throw fail('HEADER_INVALID', { header: name, expected: `at most ${LONGEST_TEXT} characters` })
}

/** Values that no record may hold. */
const SECRET = [
  TOKEN,
  // who called through a proxy, or with which program, is told to nobody either
  ...['x-forwarded-for', 'x-real-ip', 'forwarded', 'user-agent'],
  ...['x-app-secret', 'accesstoken', 'authorization', 'proxy-authorization', 'cookie'],
]

/** The headers as a record keeps them: JSON text, names in lower case. */
export function recordedHeaders(request: FastifyRequest): string {
  const kept: Record<string, unknown> = { ...request.headers }
  for (const name of SECRET) if (kept[name] !== undefined) kept[name] = '***'
  return JSON.stringify(kept)
}
