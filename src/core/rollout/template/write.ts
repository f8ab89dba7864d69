// Writes what a template plans: the cash box, its components, and what it holds from then on.
import { GLOBAL_HELPER } from '../../../model/rollout.js'
import { cashBoxToken } from '../../../store/master-key.js'
import {
  findBox,
  findEntries,
  putBoxContents,
  putHelper,
  updateBox,
} from '../../../store/rollout/components.js'
import { noteSellerChange } from '../../../store/sign/seller.js'
import type { Transaction } from '../../../store/transaction.js'
import { makeBox } from '../create.js'
import { packageOf } from '../publication/packages.js'
import { publishedDocument } from '../publication/publish.js'
import {
  type Kind,
  type KnownIds,
  keepSettings,
  momentOf,
  type Planned,
  UNKNOWN,
  type WriteDeps,
  type Writing,
} from './execution-context.js'
import type { Component } from './plan.js'
import { writeQueue } from './write-queues.js'
import { writeUnit } from './write-units.js'

/** Throws …_UNKNOWN for an id of somebody else, or of another kind of thing. */
export async function knownIds(
  tx: Transaction,
  accountId: string,
  { box, units, queues, helpers }: Planned,
): Promise<KnownIds> {
  const kinds = new Map<string, Kind>([[box.id, 'cashbox']])
  for (const { id } of units) kinds.set(id, 'scu')
  for (const { id } of queues) kinds.set(id, 'queue')
  for (const { id } of helpers) if (id !== GLOBAL_HELPER) kinds.set(id, 'helper')
  const found = await findEntries(tx, [...kinds.keys()])
  for (const { id, kind, accountId: owner } of found) {
    const wanted = kinds.get(id)
    if (wanted === undefined || (owner === accountId && kind === wanted)) continue
    throw UNKNOWN[wanted](id)
  }
  return new Set(found.map(({ id }) => id))
}

/** With what was there before, where the cash box was known. */
export interface Written {
  accessToken: string
  /** The configuration that was published. */
  before: unknown
  typeBefore: number | undefined
}

export async function writeComponents(
  deps: WriteDeps,
  tx: Transaction,
  writing: Writing,
): Promise<Written> {
  const { planned, known, ground } = writing
  const { units, queues, helpers, box } = planned
  const accountId = ground.account.id
  for (const component of [...units, ...queues, ...helpers]) warnOfUnknown(deps, component)
  const written = await writeBox(deps, tx, writing)
  for (const unit of units) await writeUnit(deps, tx, { ...writing, unit })
  for (const queue of queues) await writeQueue(deps, tx, { ...writing, queue })
  for (const [index, helper] of helpers.entries()) {
    const { id, description, package: name, version, urls, settings } = helper
    const { stamp, createdAt } = momentOf(deps, index)
    const url = JSON.stringify(urls)
    const row = { accountId, id, description, package: name, packageVersion: version, url }
    await putHelper(tx, { ...row, timeStamp: stamp, createdAt }, !known.has(id))
    await keepSettings(deps, tx, { accountId, id, settings, stamp })
  }
  await putBoxContents(
    tx,
    { accountId, id: box.id },
    {
      queues: queues.map(({ id }) => id),
      scus: [...new Set([...units.map(({ id }) => id), ...queues.flatMap((one) => one.unitIds)])],
      helpers: helpers.map(({ id }) => id),
    },
  )
  return written
}

function warnOfUnknown({ markets, log }: WriteDeps, { path, package: name, version }: Component) {
  const kinds = { ftQ: 'queue', ftS: 'scu', hel: 'helper' } as const
  const kind = kinds[path.slice(0, 3) as keyof typeof kinds]
  const found = packageOf(markets, kind, name)
  if (found?.known === true && (version === found.newest || version === '')) return
  log.warn({ package: name, version, path }, 'a template names a package that the table lacks')
}

async function writeBox(deps: WriteDeps, tx: Transaction, writing: Writing): Promise<Written> {
  const { planned, known, ground } = writing
  const { id, description, ipAddress, productType } = planned.box
  const { accountId, outletId, number } = ground.place
  const { createdAt, stamp } = momentOf(deps, 0)
  const place = { outletId, outletNumber: outletId === null ? number : null }
  const data = { ...place, description, ipAddress, productType, timeStamp: stamp }
  const key = { accountId, id }
  if (known.has(id)) {
    const found = await findBox(tx, key)
    if (found === undefined) throw UNKNOWN.cashbox(id)
    const before = await publishedDocument(deps, key, tx)
    await updateBox(tx, key, data)
    await noteSellerChange(tx, key.accountId)
    const { sealer } = deps.store
    const token = sealer.open(found.accessTokenSealed, cashBoxToken(id))
    return { accessToken: token, before, typeBefore: found.productType }
  }
  const accessToken = await makeBox(deps.store, tx, {
    ...{ ...key, ...data, createdAt },
    given: ground.accessToken,
  })
  return { accessToken, before: undefined, typeBefore: undefined }
}
