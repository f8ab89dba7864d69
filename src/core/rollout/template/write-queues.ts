// Queues of a template: new ones, and what a later publication can still change of known ones.
import { fail } from '../../../errors.js'
import type { JsonObject } from '../../../lib/json.js'
import { rowsMember, textMember, withMembers } from '../../../lib/json-object.js'
import {
  findSettings,
  identificationUse,
  lockQueue,
  updateQueueRow,
} from '../../../store/rollout/components.js'
import { putQueueUnits } from '../../../store/rollout/unit-links.js'
import { queueSecrets } from '../../../store/sign/queues.js'
import type { Transaction } from '../../../store/transaction.js'
import { makeQueue } from '../create.js'
import { settingsOf } from '../publication/publish.js'
import {
  type Ground,
  keepSettings,
  momentOf,
  type Planned,
  UNKNOWN,
  type WriteDeps,
  type Writing,
} from './execution-context.js'
import { Faults, invalid } from './plan.js'
import type { PlannedQueue } from './queues.js'
import { prepareUnits } from './running-queue.js'

/** Throws SHAPE_INVALID for an identification in use, PACKAGE_OTHER for another country. */
export async function writeQueue(
  deps: WriteDeps,
  tx: Transaction,
  { planned, known, ground, queue }: Writing & { queue: PlannedQueue },
): Promise<void> {
  const writing = { planned, ground, queue }
  const repeated = await repeatedOf(deps, tx, writing)
  const isKnown = known.has(queue.id)
  const kept = isKnown ? await keptRow(deps, tx, writing) : queue.row
  if (isKnown) await changeQueue(deps, tx, { ...writing, repeated })
  else await createQueue(deps, tx, { ...writing, repeated })
  const { stamp } = momentOf(deps, queue.index)
  const { id, rules } = queue
  const settings = withMembers(queue.settings, { [rules.queueTable.name]: [kept] })
  await keepSettings(deps, tx, { accountId: ground.account.id, id, settings, stamp })
}

/** What a queue was published with once and may not change: the key of its turnover counter. */
async function keptRow(
  { store }: WriteDeps,
  tx: Transaction,
  { ground, queue }: QueueWriting,
): Promise<JsonObject> {
  const { id, rules, row } = queue
  const sealed = await findSettings(tx, { accountId: ground.account.id, id })
  if (sealed === undefined) return row
  const settings = settingsOf(store, { id, settingsSealed: sealed })
  const before = rowsMember(settings, rules.queueTable.name)[0]
  const kept = rules.keptMembers.flatMap((name): [string, string][] => {
    const value = textMember(before, name)
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  return withMembers(row, Object.fromEntries(kept))
}

interface QueueWriting {
  planned: Planned
  ground: Ground
  queue: PlannedQueue
}

async function repeatedOf(
  { sandbox, log }: WriteDeps,
  tx: Transaction,
  { ground, queue }: QueueWriting,
): Promise<number> {
  const { id, identification, path, rules } = queue
  const accountId = ground.account.id
  const { used, next } = await identificationUse(tx, { accountId, identification, but: id })
  if (!used) return 0
  if (sandbox) {
    log.warn({ accountId, identification }, 'an identification is used by several queues')
    return next
  }
  const faults = new Faults()
  const at = `${path}.Configuration.${rules.queueTable.name}[0].CashBoxIdentification`
  faults.add(at, 'Another queue of this account has this identification.')
  throw invalid(faults)
}

async function createQueue(
  deps: WriteDeps,
  tx: Transaction,
  { planned, ground, queue, repeated }: QueueWriting & { repeated: number },
): Promise<void> {
  const { market, id, description, identification, configuration, timeoutMs, urls } = queue
  const { createdAt, stamp } = momentOf(deps, queue.index)
  const accountId = ground.account.id
  await makeQueue(deps.store, tx, {
    ...{ accountId, id, description, identification, repeated, configuration, timeoutMs, market },
    cashBoxId: planned.box.id,
    secrets: queue.rules.secretsOf(queue.row),
    package: queue.package,
    packageVersion: queue.version,
    url: JSON.stringify(urls),
    purchaseDate: queue.purchaseDate,
    commissioningDate: queue.commissioningDate,
    timeStamp: stamp,
    createdAt,
    scuIds: queue.unitIds,
  })
}

/**
 * What a later publication can still change: identification, key and units of a queue that was
 * started stay what they are.
 */
async function changeQueue(
  deps: WriteDeps,
  tx: Transaction,
  { planned, ground, queue, repeated }: QueueWriting & { repeated: number },
): Promise<void> {
  const { id, market, rules } = queue
  const accountId = ground.account.id
  const found = await lockQueue(tx, { accountId, id })
  if (found === undefined) throw UNKNOWN.queue(id)
  if (found.market !== market.facts.code) {
    throw fail('PACKAGE_OTHER', { id, package: found.market })
  }
  const isFresh = found.startMoment === null
  const secrets = rules.secretsOf(queue.row)
  const sealed =
    found.secretsSealed === null && secrets !== ''
      ? { secretsSealed: deps.store.sealer.seal(secrets, queueSecrets(id)) }
      : {}
  const { purchaseDate, commissioningDate } = queue
  await updateQueueRow(
    tx,
    { accountId, id },
    {
      cashBoxId: planned.box.id,
      description: queue.description,
      configuration: queue.configuration,
      timeoutMs: queue.timeoutMs,
      package: queue.package,
      packageVersion: queue.version,
      url: JSON.stringify(queue.urls),
      ...sealed,
      ...(isFresh ? { identification: queue.identification, repeated } : {}),
      ...(purchaseDate === null ? {} : { purchaseDate }),
      ...(commissioningDate === null ? {} : { commissioningDate }),
    },
  )
  if (isFresh || rules.unitMember === undefined) {
    await putQueueUnits(tx, { accountId, queueId: id, scuIds: queue.unitIds })
  } else if (ground.accessToken !== undefined) {
    await prepareUnits(deps, tx, { accountId, queue })
  }
}
