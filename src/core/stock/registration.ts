// What a merchant tells the authority of a queue: its identification, its key, its signing units
// and the code of its start receipt. Called by api/dealer and the command line.
import { decodeResponse } from '../../model/stored-texts.js'
import { queueSecrets } from '../../store/queues.js'
import { findStartReceipt } from '../../store/start-receipt.js'
import { listStockUnits, listUnitsOfQueues, type StockUnit } from '../../store/stock.js'
import { findSecrets } from '../../store/stock-secrets.js'
import { type Actor, audited } from '../audit/audit.js'
import { plainly, queueOf, type StockDeps, type Wanted } from './stock.js'

export interface UnitToRegister {
  scuId: string
  mode: number
  /** Of the provider of the certificate; null where units have none. */
  zda: string | null
  serialDecimal: string | null
  serialHexadecimal: string | null
  certificationId: string | null
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
}

type RegistrationDeps = Omit<StockDeps, 'publications'>

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

async function registrationOf(deps: RegistrationDeps, wanted: Wanted): Promise<QueueRegistration> {
  const { accountId, id: queueId } = wanted
  const ask = plainly(deps)
  const queue = await queueOf(ask, wanted)
  const sealed = await findSecrets(deps.store, { accountId, queueId })
  const secrets =
    sealed === null ? '' : deps.store.sealer.open(Buffer.from(sealed), queueSecrets(queueId))
  const facts = deps.marketOf(queue.market).registration?.(JSON.parse(queue.configuration), secrets)
  const order = (await listUnitsOfQueues(ask, accountId)).filter((one) => one.queueId === queueId)
  const all = await listStockUnits(ask, deps.store, { accountId })
  const units = order.flatMap(({ scuId }) => all.filter(({ head }) => head.id === scuId))
  return {
    ...{ queueId, cashBoxId: queue.cashBoxId, market: queue.market },
    cashBoxIdentification: queue.identification,
    encryptionKeyBase64: facts?.encryptionKeyBase64 ?? null,
    encryptionKeyCheckValue: facts?.encryptionKeyCheckValue ?? null,
    closedSystemKind: facts?.closedSystemKind ?? null,
    closedSystemValue: facts?.closedSystemValue ?? null,
    units: await Promise.all(units.map((unit) => shownUnit(deps, unit))),
    startReceipt: await startOf(deps, { accountId, queueId }),
    purchaseDate: queue.purchaseDate,
    commissioningDate: queue.commissioningDate ?? queue.startMoment,
    decommissioningDate: queue.stopMoment,
  }
}

async function shownUnit(
  { marketOf }: RegistrationDeps,
  { head }: StockUnit,
): Promise<UnitToRegister> {
  const driver = marketOf(head.market).drivers[head.package]
  const facts = await driver?.describe(head)
  const hex = facts === undefined || facts.serial === '' ? null : facts.serial
  const zda = facts?.zda ?? ''
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
