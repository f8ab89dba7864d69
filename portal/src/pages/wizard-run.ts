// What the wizard for a merchant does, call by call: planned as lines, run one after the other, and
// gone on with where one has failed.

import { newId } from '../../../client/src/new-id.js'
import { call, callOnce, publicAddressOf } from '../api/client.js'
import { curlOf } from '../api/curl.js'
import { numberIn } from '../api/numbers.js'
import type { Input } from '../api/types.js'

export interface Draft {
  company: Record<string, string>
  /** A line for each outlet. */
  outlets: string
  template: string
  count: string
  right: string
}

export interface Step {
  kind: 'company' | 'outlets' | 'till'
  /** Of a till: at which outlet of the table, 0 is the primary one. */
  outlet: number
  state: 'waits' | 'runs' | 'done' | 'failed'
  /** Whatever was cut off under it is not done twice. */
  key: string
  error?: unknown
  pin?: string
}

export interface Made {
  operatorId: string
  outletNumbers: number[]
  /** Of the first till. */
  cashBoxId: string
}

export const outletLines = (draft: Draft): string[][] =>
  draft.outlets
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(';').map((cell) => cell.trim()))

export const tillCount = (draft: Draft): number =>
  Math.min(20, Math.max(0, numberIn(draft.count) || 0))

/** The calls in their order; the first till of every outlet before the second one. */
export function planned(draft: Draft): Step[] {
  const lines = outletLines(draft)
  const waits = () => ({ state: 'waits' as const, outlet: 0, key: newId() })
  const tills = Array.from({ length: tillCount(draft) }, () =>
    Array.from({ length: lines.length + 1 }, (_, outlet) => ({
      ...{ ...waits(), kind: 'till' as const, outlet },
    })),
  ).flat()
  return [
    { ...waits(), kind: 'company' },
    ...(lines.length === 0 ? [] : [{ ...waits(), kind: 'outlets' as const }]),
    ...(draft.template === '' ? [] : tills),
  ]
}

export function companyBody(draft: Draft): Input<'autoInvitePosOperator'>['body'] {
  const { name = '', email = '', addressLine1 = '', postalCode = '', city = '' } = draft.company
  const { country = '', firstName = '', lastName = '', vatId = '', taxId = '' } = draft.company
  const identifiers = { ...(vatId === '' ? {} : { vatId }), ...(taxId === '' ? {} : { taxId }) }
  return {
    company: { name, email, addressLine1, postalCode, city, country, identifiers },
    primaryContact: { firstName, lastName, email },
    accessRights: draft.right as 'Full',
  }
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

export function outletTable(draft: Draft): string {
  const country = draft.company.country ?? ''
  const lines = outletLines(draft).map(([name = '', address = '', postcode = '', city = '']) =>
    [name, address, postcode, city, country].map(cell).join(';'),
  )
  return ['name;address;postalCode;city;country', ...lines, ''].join('\n')
}

interface Known {
  draft: Draft
  content: string
  made: Partial<Made>
  /** What can be wrong with a line of the table of outlets, for people. */
  faults: Readonly<Record<string, string>>
}

/** Runs one step; what it has made is known to those behind it. Throws ApiError. */
export async function runStep(
  step: Step,
  { draft, content, made, faults }: Known,
): Promise<Partial<Made> & { pin?: string }> {
  if (step.kind === 'company') {
    const { id } = await call('autoInvitePosOperator', { body: companyBody(draft) })
    return { operatorId: id }
  }
  const path = { posOperatorId: made.operatorId ?? '' }
  if (step.kind === 'outlets') {
    const table = { path, query: {}, body: outletTable(draft) }
    const { problems } = await callOnce('importOutlets', table, step.key)
    const [first] = problems
    if (first !== undefined) {
      throw new Error(`${first.line} ${first.column ?? ''}: ${faults[first.fault]}`)
    }
    const all = await call('listOutlets', { path, query: { limit: 200 } })
    return { outletNumbers: all.map(({ outletNumber }) => outletNumber) }
  }
  const numbers = made.outletNumbers ?? [1]
  const query = { outlet_number: numbers[step.outlet] ?? 1 }
  const wish = { path, query, body: content }
  const { cashBoxId } = await callOnce('executeTemplate', wish, step.key)
  const pin = await call('createPairingPin', { path: { ...path, cashBoxId } })
  return { pin, cashBoxId: made.cashBoxId ?? cashBoxId }
}

/** The same calls for a shell, with the id of the merchant as a variable. */
export function scriptOf(draft: Draft, content: string): string {
  const at = (id: Parameters<typeof publicAddressOf>[0], query: object) =>
    publicAddressOf(id, { path: { posOperatorId: 'OPERATOR' }, query: { ...query } })
  const lines = planned(draft).map((step) => {
    const post = { method: 'POST' }
    if (step.kind === 'company') {
      const address = publicAddressOf('autoInvitePosOperator', {})
      const line = curlOf({ ...post, address, body: companyBody(draft) })
      return `OPERATOR=$(${line} | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')`
    }
    const [address, body] =
      step.kind === 'outlets'
        ? [at('importOutlets', {}), outletTable(draft)]
        : [
            at('executeTemplate', { outlet_number: step.outlet === 0 ? 1 : step.outlet + 2 }),
            content,
          ]
    // the quotes of the line end where the variable begins
    return curlOf({ ...post, address, body }).replace('/OPERATOR/', `/'"$OPERATOR"'/`)
  })
  return ['#!/bin/sh', 'set -e', ...lines, ''].join('\n\n')
}
