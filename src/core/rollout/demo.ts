// The demo: one dealer, one merchant with an outlet, one started cash box per market. Made once;
// asked again, it finds what is there.

import { randomUUID } from 'node:crypto'
import { withWords } from '../../case/reader.js'
import { fail } from '../../errors.js'
import type { Market } from '../../market/contract.js'
import { decodeRequest } from '../../model/receipt-json.js'
import {
  type AccountRow,
  findAccountByEmail,
  findConnectedAccount,
} from '../../store/account/accounts.js'
import { cashBoxToken } from '../../store/master-key.js'
import { exclusively, listQueues, type QueueOverview } from '../../store/rollout/rollout.js'
import { accessOf, connectAccounts, createAccount, type NewAccount } from '../accounts/accounts.js'
import type { Signing } from '../sign/sign.js'
import { createCashBox, createQueue, createScu, type RolloutDeps } from './create.js'

export interface DemoDeps extends RolloutDeps {
  markets: Record<string, Market>
  signing: Signing
  /** Whether software devices may be used: the demo has no others. */
  software: boolean
}

export interface DemoCashBox {
  market: string
  cashBoxId: string
  accessToken: string
  queueId: string
  scuIds: string[]
}

export interface Demo {
  dealer: { accountId: string; accessToken: string }
  operator: { accountId: string }
  cashBoxes: DemoCashBox[]
}

const DEALER_EMAIL = 'dealer@demo.fiskalwerk.example'
const DEMO_LOCK = 727_073_70

/** Throws SOFTWARE_DEVICE where there is no demo yet and its devices would be refused. */
export function ensureDemo(deps: DemoDeps): Promise<Demo> {
  return exclusively(deps.store, DEMO_LOCK, async () => {
    const dealer = await ensureDealer(deps)
    const operator = await ensureOperator(deps, dealer)
    return {
      dealer: accessOf(deps.store, dealer),
      operator: { accountId: operator.id },
      cashBoxes: await ensureCashBoxes(deps, operator.id),
    }
  })
}

/** One of each market, started. */
export async function ensureCashBoxes(deps: DemoDeps, accountId: string): Promise<DemoCashBox[]> {
  const cashBoxes: DemoCashBox[] = []
  for (const code of Object.keys(deps.markets)) {
    cashBoxes.push(await ensureCashBox(deps, { accountId, code }))
  }
  return cashBoxes
}

/** A further merchant of the dealer of the demo: its account. */
export function ensureMerchant(
  deps: DemoDeps,
  { dealerId, name, email }: { dealerId: string; name: string; email: string },
): Promise<string> {
  return exclusively(deps.store, DEMO_LOCK, async () => {
    const found = await findAccountByEmail(deps.store, { email, kind: 'PosOperator' })
    if (found !== undefined) return found.id
    const { accountId } = await createAccount(deps, person('PosOperator', name, email))
    await connectAccounts(deps, { accountId: dealerId, toAccountId: accountId, rights: 'Full' })
    return accountId
  })
}

async function ensureDealer(deps: DemoDeps): Promise<AccountRow> {
  const key = { email: DEALER_EMAIL, kind: 'PosDealer' }
  const found = await findAccountByEmail(deps.store, key)
  if (found !== undefined) return found
  if (!deps.software) throw fail('SOFTWARE_DEVICE', { scu: 'The signing unit of the demo' })
  await createAccount(deps, person('PosDealer', 'Demo dealer', DEALER_EMAIL))
  return ensureDealer(deps)
}

function person(kind: NewAccount['kind'], name: string, email: string): NewAccount {
  const roles = kind === 'PosDealer' ? ['PosDealer', 'PosDealerRksvSign'] : []
  const company = { line1: 'Demogasse 1', postalCode: '1010', city: 'Wien' }
  return { kind, name, market: 'AT', country: 'AT', email, roles, autoInvite: true, company }
}

async function ensureOperator(deps: DemoDeps, dealer: AccountRow): Promise<AccountRow> {
  const key = { accountId: dealer.id, kind: 'PosOperator' }
  const found = await findConnectedAccount(deps.store, key)
  if (found !== undefined) return found
  const { accountId } = await createAccount(
    deps,
    person('PosOperator', 'Café Demo', 'merchant@demo.fiskalwerk.example'),
  )
  await connectAccounts(deps, { accountId: dealer.id, toAccountId: accountId, rights: 'Full' })
  return ensureOperator(deps, dealer)
}

async function ensureCashBox(
  deps: DemoDeps,
  { accountId, code }: { accountId: string; code: string },
): Promise<DemoCashBox> {
  const queues = await listQueues(deps.store, accountId)
  const found = queues.find((queue) => queue.market === code)
  if (found === undefined) {
    await createBox(deps, { accountId, code })
    return ensureCashBox(deps, { accountId, code })
  }
  if (!found.started) await start(deps, { accountId, queue: found })
  const { store } = deps
  return {
    market: code,
    cashBoxId: found.cashBoxId,
    accessToken: store.sealer.open(found.accessTokenSealed, cashBoxToken(found.cashBoxId)),
    queueId: found.id,
    scuIds: found.scuIds,
  }
}

async function createBox(
  deps: DemoDeps,
  { accountId, code }: { accountId: string; code: string },
): Promise<void> {
  const description = `Demo ${code}`
  const { cashBoxId } = await createCashBox(deps, { accountId, outletId: null, description })
  const unit = { accountId, cashBoxId, market: code, description }
  const { scuPackage, configuration = {} } = deps.marketOf(code).rollout.demo
  const scuId = await createScu(deps, { ...unit, package: scuPackage })
  await createQueue(deps, { ...unit, configuration, scuIds: [scuId] })
}

async function start(
  deps: DemoDeps,
  { accountId, queue }: { accountId: string; queue: QueueOverview },
): Promise<void> {
  const requestText =
    `{"ftCashBoxID":"${queue.cashBoxId}","cbTerminalID":"1",` +
    `"cbReceiptReference":"start-${randomUUID()}",` +
    `"cbReceiptMoment":"${deps.now().toISOString()}",` +
    '"cbChargeItems":[],"cbPayItems":[],' +
    `"ftReceiptCase":${deps.marketOf(queue.market).rollout.demo.startCase}}`
  const { request, wcfDates } = decodeRequest(requestText)
  await deps.signing.sign({
    accountId,
    cashBoxId: queue.cashBoxId,
    queueId: queue.id,
    market: queue.market,
    version: 'v1',
    ...withWords(request),
    requestText,
    style: { wcfDates, pascal: false },
  })
}
