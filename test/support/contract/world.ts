// One server with two dealers who own the same sort of things: the caller, and a stranger whose ids
// the caller must not be able to use. Opened once by each file of the contract test.
import { randomUUID } from 'node:crypto'
import type { AccountAccess } from '../../../src/core/accounts/accounts.js'
import { importTemplates } from '../../../src/core/rollout/template/records.js'
import { grantEntitlement } from '../../../src/core/sales/entitlements.js'
import { importPlans } from '../../../src/core/sales/plans.js'
import type { Right } from '../../../src/store/account/connections.js'
import { type DealerStand, openDealer } from '../dealer.js'
import { type Box, furtherUnit, rollOut } from '../dealer-stock.js'
import { person } from '../invitations.js'
import { TILL } from './templates.js'

/** What a dealer of the market with the most operations has. */
export interface Estate {
  dealer: AccountAccess
  /** A PosOperator of his, connected with Full. */
  operator: string
  box: Box
  helper: string
  invitation: string
  /** A rollout plan that is his own. */
  planId: string
  plan: string
  order: string
  template: string
}

export interface World {
  stand: DealerStand
  /** The caller's. */
  own: Estate
  /** A second PosOperator of the caller, with a cash box of its own. */
  second: { operator: string; box: Box; helper: string }
  foreign: Estate
  /** Of the caller's first PosOperator: a CashBox that calls may change, and a unit beside it. */
  spare: { box: Box; scuId: string }
  /** A dealer of a market that declares none of the capabilities that operations ask for. */
  elsewhere: AccountAccess
  /** An account that is no dealer. */
  merchant: AccountAccess
}

/** Files of more bytes are refused. */
export const CSV_LIMIT = 20_000
const MARKET = 'DE'
export const SIGNER = 'RKSV.Sign'

export async function openWorld(variables: Record<string, string> = {}): Promise<World> {
  const stand = await openDealer({
    dealer: { market: MARKET },
    variables: {
      RATE_LIMITS: 'credentials=0,dealer=0',
      CSV_LIMIT: String(CSV_LIMIT),
      PUBLIC_URL: 'https://fiskalwerk.example',
      ...variables,
    },
  })
  const own = await estateOf(stand, stand.dealer)
  const foreign = await estateOf(stand, await stand.account({ market: MARKET }))
  const operator = await stand.operator('Full', { market: MARKET })
  const box = await rollOut(stand, operator, MARKET)
  const changing = await rollOut(stand, own.operator, MARKET)
  return {
    ...{ stand, own, foreign },
    spare: { box: changing, scuId: await furtherUnit(stand, changing) },
    second: { operator, box, helper: await helperIn(stand, box) },
    elsewhere: await stand.account({ market: 'AT', roles: ['PosDealer', SIGNER] }),
    merchant: await stand.account({ kind: 'PosOperator', roles: [], market: MARKET }),
  }
}

async function estateOf(stand: DealerStand, dealer: AccountAccess): Promise<Estate> {
  const operator = await stand.operator('Full', { market: MARKET, of: dealer })
  const box = await rollOut(stand, operator, MARKET)
  const { id: planId, number: plan } = await planOf({ stand, dealer }, 'Outlet', {
    owner: dealer.accountId,
  })
  const world = { stand, as: dealer, operator }
  const kept = { name: `Template of ${dealer.accountId}`, content: TILL }
  const [record] = await importTemplates(
    { store: stand.deps.store, now: () => new Date() },
    { text: JSON.stringify([kept]), accountId: dealer.accountId },
  )
  return {
    ...{ dealer, operator, box, planId, plan },
    helper: await helperIn(stand, box),
    invitation: await invitationOf(stand, dealer),
    order: await orderOf(world, plan),
    template: String(record?.id),
  }
}

let made = 0

export interface Planned {
  id: string
  number: string
  entitlement: string
}

/** A plan with a product of its own, and terms of it. */
export async function planOf(
  { stand, dealer }: { stand: DealerStand; dealer: AccountAccess },
  rolloutType: 'Outlet' | 'Queue',
  { terms = '9', ...more }: { terms?: string; [member: string]: unknown } = {},
): Promise<Planned> {
  made += 1
  const number = `4445-${String(made).padStart(4, '0')}`
  const entitlement = `DE_PRODUCT_${made}`
  const products = [{ number: `4445-${String(made).padStart(6, '0')}`, name: 'P', entitlement }]
  const { sales } = stand.deps.dealer
  const plan = { number, title: 'Plan', rolloutType, includedProducts: products, ...more }
  await importPlans(sales, [plan])
  if (terms !== '0') {
    const lot = { name: entitlement, terms, market: MARKET, validTo: null }
    await grantEntitlement(sales, { accountId: dealer.accountId, ...lot })
  }
  const [row] = await stand.rows('select id from rollout_plan where number = $1', [number])
  return { id: String(row?.id), number, entitlement }
}

async function orderOf(
  { stand, as, operator }: { stand: DealerStand; as: AccountAccess; operator: string },
  rolloutPlanNumber: string,
): Promise<string> {
  const reply = await stand.call(`POST /api/posoperators/${operator}/produce/outlets`, {
    as,
    body: { rolloutPlanNumber, outletNumbers: [1] },
  })
  if (reply.status !== 200) throw new Error(reply.text)
  return String(reply.json().orderNumber)
}

/** A pending one with a contact of its own. */
export async function invitationOf(
  stand: DealerStand,
  as: AccountAccess,
  body: object = person(),
): Promise<string> {
  const reply = await stand.call('POST /api/pos-operators-invitation', { as, body })
  if (reply.status !== 201) throw new Error(reply.text)
  return String(reply.json().id)
}

async function helperIn({ rows }: DealerStand, { accountId, cashBoxId }: Box): Promise<string> {
  const id = randomUUID()
  await rows(
    `insert into helper (account_id, id, description, package, time_stamp, created_at)
     values ($1, $2, 'Helper', 'fiskaltrust.service.helper.posapi', 0, now())`,
    [accountId, id],
  )
  await rows(`insert into directory (id, kind, account_id) values ($1, 'helper', $2)`, [
    id,
    accountId,
  ])
  await rows('insert into cash_box_helper values ($1, $2, $3)', [accountId, cashBoxId, id])
  return id
}

/** Changes what the connection of the caller to his first PosOperator grants. */
export async function granting(
  { stand, own }: World,
  to: { rights?: Right; state?: 'active' | 'pending' },
): Promise<void> {
  const { rights = 'Full', state = 'active' } = to
  await stand.rows(
    'update connection set rights = $1, state = $2 where account_id = $3 and to_account_id = $4',
    [rights, state, own.dealer.accountId, own.operator],
  )
}

/** What nobody but its owner may learn: by name. */
export function idsOf({ dealer, operator, box, ...rest }: Estate): Record<string, string> {
  const { accountId, accessToken } = dealer
  const { cashBoxId, queueId, scuId, accessToken: boxToken } = box
  return { accountId, accessToken, operator, cashBoxId, queueId, scuId, boxToken, ...rest }
}
