// Instances that only sign (RKSV.Sign): one signing unit, no queue.
import { fail } from '../../../errors.js'
import { textMember } from '../../../lib/json-object.js'
import { SIGNING_ONLY_PACKAGE } from '../../../model/rollout.js'
import type { Component, Faults } from './plan.js'
import type { PlannedQueue } from './queues.js'

/** The product type of such a cash box. */
export const SIGNING_ONLY = 2

const TAX_IDS = ['TaxId', 'VatId']

/** Whether the template makes such an instance. Throws SIGNING_ROLE_MISSING. */
export function checkSigningOnly(
  { units, queues, faults }: { units: Component[]; queues: PlannedQueue[]; faults: Faults },
  mayCreate: boolean,
): boolean {
  const own = units.filter((unit) => isSigningOnly(unit.package))
  if (own.length === 0) return false
  if (!mayCreate) throw fail('SIGNING_ROLE_MISSING')
  for (const { path, settings, short } of own) {
    const named = TAX_IDS.some((name) => (textMember(settings, name) ?? '').trim() !== '')
    if (!named && !short) faults.add(`${path}.Configuration`, 'TaxId or VatId is needed.')
  }
  return queues.length === 0
}

const isSigningOnly = (name: string): boolean =>
  name.toLowerCase() === SIGNING_ONLY_PACKAGE.toLowerCase()
