// Places of business: numbering, overwriting, and the company address that the primary one carries.
import { fail } from '../../../errors.js'
import { randomId } from '../../../lib/id.js'
import { KeyedMutex } from '../../../lib/keyed-mutex.js'
import {
  type Outlet,
  type OutletData,
  PRIMARY_OUTLET,
  RESERVED_OUTLET,
} from '../../../model/outlet.js'
import {
  findOutlet,
  insertOutlet,
  listOutlets,
  lockNumbering,
  lockOutlet,
  nextNumber,
  updateCompanyAddress,
  updateOutlet,
} from '../../../store/account/outlets.js'
import { noteSellerChange } from '../../../store/sign/seller.js'
import { type Actor, type AuditDeps, audited } from '../../audit/audit.js'

export interface Outlets {
  /** By number, without the reserved one, behind the number `after`. */
  list(accountId: string, page: { after: number; most: number }): Promise<Outlet[]>
  /** Throws OUTLET_UNKNOWN; the reserved one is unknown. */
  get(accountId: string, number: number): Promise<Outlet>
  /** Without a number the next one. Throws OUTLET_NUMBER_TAKEN. */
  create(actor: Actor, outlet: NewOutlet): Promise<Outlet>
  /** Overwrites everything but the number. Throws OUTLET_UNKNOWN. */
  update(actor: Actor, outlet: ChangedOutlet): Promise<Outlet>
}

export interface NewOutlet {
  accountId: string
  number: number | null
  outlet: OutletData
}

export interface ChangedOutlet {
  accountId: string
  number: number
  outlet: OutletData
}

export function createOutlets(deps: AuditDeps): Outlets {
  const { store } = deps
  // those who wait for a number wait here, not each with a connection of the pool
  const turns = new KeyedMutex()
  return {
    list: (accountId, page) => listOutlets(store, accountId, page),
    get: async (accountId, number) => {
      const found =
        number === RESERVED_OUTLET ? undefined : await findOutlet(store, { accountId, number })
      if (found === undefined) throw fail('OUTLET_UNKNOWN', { outlet: number })
      return found
    },
    create: (actor, outlet) => turns.run(outlet.accountId, () => create(deps, actor, outlet)),
    update: (actor, outlet) => update(deps, actor, outlet),
  }
}

function create(deps: AuditDeps, actor: Actor, wanted: NewOutlet): Promise<Outlet> {
  const { accountId, outlet } = wanted
  return audited(deps, actor, async (tx) => {
    await lockNumbering(tx, accountId)
    const number = wanted.number ?? (await nextNumber(tx, accountId))
    const id = randomId()
    const inserted = await insertOutlet(tx, {
      accountId,
      id,
      number,
      outlet,
      createdAt: deps.now(),
    })
    await noteSellerChange(tx, accountId)
    if (!inserted) throw fail('OUTLET_NUMBER_TAKEN', { number })
    const result = { id, outletNumber: number, ...outlet }
    return { result, subjects: { outletId: id, outletNumber: number }, after: result }
  })
}

function update(deps: AuditDeps, actor: Actor, changed: ChangedOutlet): Promise<Outlet> {
  const { accountId, number, outlet } = changed
  return audited(deps, actor, async (tx) => {
    // accounts are locked before outlets everywhere, so that nobody waits in a circle
    if (number === PRIMARY_OUTLET) await lockNumbering(tx, accountId)
    const before =
      number === RESERVED_OUTLET ? undefined : await lockOutlet(tx, { accountId, number })
    if (before === undefined) throw fail('OUTLET_UNKNOWN', { outlet: number })
    await updateOutlet(tx, { accountId, number }, outlet)
    await noteSellerChange(tx, accountId)
    if (number === PRIMARY_OUTLET) await updateCompanyAddress(tx, accountId, outlet)
    const result = { id: before.id, outletNumber: number, ...outlet }
    return {
      result,
      subjects: { outletId: before.id, outletNumber: number },
      before,
      after: result,
    }
  })
}
