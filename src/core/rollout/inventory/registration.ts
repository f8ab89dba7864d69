// What a merchant tells the authority of a queue: its identification, its key, its signing units,
// the code of its start receipt, and what else its country wants.
import type { Missing, Notification } from '../../../model/queue-facts.js'
import { decodeResponse } from '../../../model/stored-texts.js'
import { findCompany } from '../../../store/account/company.js'
import { findOutlet } from '../../../store/account/outlets.js'
import { listPosSystems, newestPosSystemId } from '../../../store/account/pos-systems.js'
import {
  listStockUnits,
  listUnitsOfQueues,
  type StockQueue,
  type StockUnit,
} from '../../../store/rollout/inventory.js'
import { findSecrets } from '../../../store/rollout/inventory-secrets.js'
import { findStartReceipt } from '../../../store/rollout/start-receipt.js'
import { queueSecrets } from '../../../store/sign/queues.js'
import { type Actor, audited } from '../../audit/audit.js'
import { plainly, queueOf, type StockDeps, type Wanted } from './inventory.js'

export interface UnitToRegister {
  scuId: string
  mode: number
  /** Of the provider of the certificate; null where units have none. */
  zda: string | null
  serialDecimal: string | null
  serialHexadecimal: string | null
  certificationId: string | null
  /** Whether the queue signs with it now; null: it tries all that its order allows. */
  linked: boolean | null
}

export interface QueueRegistration {
  queueId: string
  cashBoxId: string | null
  market: string
  cashBoxIdentification: string
  encryptionKeyBase64: string | null
  encryptionKeyCheckValue: string | null
  closedSystemKind: string | null
  closedSystemValue: string | null
  units: UnitToRegister[]
  /** Machine-readable, as it is printed. */
  startReceipt: { queueItemId: string; moment: Date; code: string | null } | null
  purchaseDate: Date | null
  commissioningDate: Date | null
  decommissioningDate: Date | null
  /** Null in countries where nobody is told of the merchant and the place. */
  notification: Notification | null
  /** What is wanting before it can be registered; empty: nothing. */
  missing: Missing[]
}

export type RegistrationDeps = Omit<StockDeps, 'publications'>

/** Throws QUEUE_UNKNOWN. Who sees the key is written down. */
export async function registerQueue(
  deps: RegistrationDeps,
  actor: Actor,
  wanted: Wanted,
): Promise<QueueRegistration> {
  // read before: whoever has a transaction waits for no further connection
  const result = await registrationOf(deps, wanted)
  return audited(deps, actor, async () => ({
    result,
    subjects: { queueId: wanted.id },
    after: { shown: 'registration' },
  }))
}

/** Without a word about who asks: the key is in it. Throws QUEUE_UNKNOWN. */
export async function registrationOf(
  deps: RegistrationDeps,
  wanted: Wanted,
): Promise<QueueRegistration> {
  const { accountId, id: queueId } = wanted
  const ask = plainly(deps)
  const queue = await queueOf(ask, wanted)
  const { turnoverKey } = deps.marketOf(queue.market).rollout
  const sealed = await findSecrets(deps.store, { accountId, queueId })
  const secrets =
    sealed === null ? '' : deps.store.sealer.open(Buffer.from(sealed), queueSecrets(queueId))
  const key = turnoverKey?.(JSON.parse(queue.configuration), secrets)
  const units = await unitsOf(deps, { accountId, queue })
  const told = await notificationOf(deps, { accountId, queue, units })
  const commissioningDate = queue.commissioningDate ?? queue.startMoment
  const shown = {
    ...{ queueId, cashBoxId: queue.cashBoxId, market: queue.market },
    cashBoxIdentification: queue.identification,
    encryptionKeyBase64: key?.encryptionKeyBase64 ?? null,
    encryptionKeyCheckValue: key?.encryptionKeyCheckValue ?? null,
    closedSystemKind: key?.closedSystemKind ?? null,
    closedSystemValue: key?.closedSystemValue ?? null,
    units,
    startReceipt: await startOf(deps, { accountId, queueId }),
    // who notifies a register must say when it was bought: nobody had it before it was in use
    purchaseDate: queue.purchaseDate ?? (told === undefined ? null : commissioningDate),
    commissioningDate,
    decommissioningDate: queue.stopMoment,
    notification: told?.notification ?? null,
  }
  const unmade = key !== undefined && key.encryptionKeyBase64 === null
  const start = unmade ? ['encryptionKeyBase64'] : []
  return { ...shown, missing: [...(told?.missing ?? []), ...commonGaps(shown, start)] }
}

async function unitsOf(
  deps: RegistrationDeps,
  { accountId, queue }: { accountId: string; queue: StockQueue },
): Promise<UnitToRegister[]> {
  const ask = plainly(deps)
  const order = (await listUnitsOfQueues(ask, accountId)).filter((one) => one.queueId === queue.id)
  const all = await listStockUnits(ask, deps.store, { accountId })
  const units = order.flatMap(({ scuId }) => all.filter(({ head }) => head.id === scuId))
  const { link, state } = deps.marketOf(queue.market).queue
  const linked = link?.(state.parse(JSON.parse(queue.state)))
  return Promise.all(
    units.map(async (unit) => ({
      ...(await shownUnit(deps, unit)),
      linked: linked === undefined ? null : linked.scuId === unit.head.id,
    })),
  )
}

interface Told {
  accountId: string
  queue: StockQueue
  units: UnitToRegister[]
}

/** Undefined: the country wants none, or the account is gone. */
export async function notificationOf({ store, marketOf }: RegistrationDeps, told: Told) {
  const { accountId, queue, units } = told
  const { notification } = marketOf(queue.market).rollout
  const company = notification === undefined ? undefined : await findCompany(store, accountId)
  if (notification === undefined || company === undefined) return undefined
  const { outletNumber, identification } = queue
  return notification({
    configuration: JSON.parse(queue.configuration),
    ...{ identification, company, outletNumber, units },
    outlet: await findOutlet(store, { accountId, number: outletNumber }),
    posSystems: await listPosSystems(store, accountId),
    posSystemId: await newestPosSystemId(store, { accountId, queueId: queue.id }),
  })
}

type Shown = Pick<QueueRegistration, 'units' | 'purchaseDate' | 'commissioningDate'>

/** What no country can do without; `made`: members that the start receipt makes. */
function commonGaps({ units, purchaseDate, commissioningDate }: Shown, made: string[]): Missing[] {
  const unstarted = commissioningDate === null ? [...made, 'commissioningDate'] : made
  const reversed = Number(purchaseDate ?? 0) > Number(commissioningDate ?? Infinity)
  return [
    ...unstarted.map((member) => ({ member, gap: 'gapStart' as const, details: {} })),
    ...(reversed ? [{ member: 'purchaseDate', gap: 'gapDates' as const, details: {} }] : []),
    ...(units.length === 0 ? [{ member: 'units', gap: 'gapUnits' as const, details: {} }] : []),
    ...units.flatMap(({ scuId, serialHexadecimal }, at) =>
      serialHexadecimal === null
        ? [
            {
              member: `units[${at}].serialHexadecimal`,
              ...{ gap: 'gapUnit' as const, details: { scu: scuId } },
            },
          ]
        : [],
    ),
  ]
}

export async function shownUnit(
  { marketOf }: RegistrationDeps,
  { head }: StockUnit,
): Promise<Omit<UnitToRegister, 'linked'>> {
  const driver = marketOf(head.market).drivers[head.package]
  const facts = await driver?.describe(head)
  // rows of journals have the 0x, forms of authorities have not
  const serial = facts?.serial.replace(/^0x/i, '') ?? ''
  const hex = serial === '' ? null : serial
  const zda = facts?.members.ZDA ?? ''
  return {
    ...{ scuId: head.id, mode: head.mode, zda: zda === '' ? null : zda },
    serialDecimal: hex === null || !/^[0-9a-f]+$/i.test(hex) ? null : BigInt(`0x${hex}`).toString(),
    serialHexadecimal: hex,
    certificationId: driver?.module?.(head).certificationId ?? null,
  }
}

/** The format of a signature that is drawn as QR code. */
const QR_CODE = 3n

async function startOf(
  { store }: RegistrationDeps,
  key: { accountId: string; queueId: string },
): Promise<QueueRegistration['startReceipt']> {
  const found = await findStartReceipt(store, key)
  if (found === undefined) return null
  const { queueItemId, moment, response } = found
  const { signatures } = decodeResponse(response)
  const code = signatures.find(({ format }) => (format & 0xffffn) === QR_CODE)?.data ?? null
  return { queueItemId, moment, code }
}
