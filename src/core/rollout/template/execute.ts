// Executes a template: text to components, rows and publication, in one transaction.
import { fail } from '../../../errors.js'
import { isUuid, randomId } from '../../../lib/id.js'
import { JsonError, JsonObject, parseJson } from '../../../lib/json.js'
import { writeJson } from '../../../lib/json-write.js'
import { KeyedMutex } from '../../../lib/keyed-mutex.js'
import type { Market } from '../../../market/contract.js'
import { locationRuleOf } from '../../../model/identifiers.js'
import { RESERVED_OUTLET } from '../../../model/outlet.js'
import { lockNumbering, lockOutlet } from '../../../store/account/outlets.js'
import type { Store } from '../../../store/client.js'
import {
  countQueues,
  findStandingUnits,
  largestOutletOfBoxes,
} from '../../../store/rollout/components.js'
import type { Transaction } from '../../../store/transaction.js'
import { requireLocation } from '../../accounts/outlets/location.js'
import { type Actor, audited } from '../../audit/audit.js'
import { publish, settingsOf } from '../publication/publish.js'
import type { Ground, Planned, WriteDeps } from './execution-context.js'
import { asksToMove, movedQueues, tellOthers } from './moves.js'
import { boxOf, type Component, componentsOf, Faults, invalid, type PlanInput } from './plan.js'
import { queueOf } from './queues.js'
import { referenceOf } from './references.js'
import { checkSigningOnly, SIGNING_ONLY } from './signing-only.js'
import { filled, templateText } from './text.js'
import { Variables } from './variables.js'
import { knownIds, writeComponents } from './write.js'

export interface TemplateDeps extends WriteDeps {
  store: Store
  now(): Date
  markets: readonly Market[]
}

export interface Execution {
  accountId: string
  /** Undefined: the one behind the largest that a cash box of the account stands at. */
  outletNumber: number | undefined
  /** An outlet without a record is an error. */
  strict: boolean
  /** As it was sent. */
  body: string
  query: ReadonlyMap<string, string>
  /** Of a cash box that another server has made: its token stays. */
  accessToken?: string
  /** Whether the caller may create instances that only sign. */
  mayCreateSigners: boolean
  /** What the caller notes about it commits with it; throws to have nothing of it. */
  also?(tx: Transaction, executed: Noted): Promise<void>
}

export interface Executed {
  cashBoxId: string
  accessToken: string
  /** With the names of the downloaded file. */
  configuration: JsonObject
}

export interface Noted extends Executed {
  /** It only signs, and was no such instance before. */
  newSigner: boolean
}

export interface Templates {
  /** Throws SHAPE_INVALID with faults, …_UNKNOWN (also for ids of others), PACKAGE_OTHER. */
  execute(actor: Actor, execution: Execution): Promise<Executed>
}

export function createTemplates(deps: TemplateDeps): Templates {
  const turns = new KeyedMutex()
  return {
    execute: (actor, execution) =>
      turns.run(execution.accountId, () => execute(deps, actor, execution)),
  }
}

function execute(deps: TemplateDeps, actor: Actor, execution: Execution): Promise<Executed> {
  const text = templateText(execution.body)
  return audited(deps, actor, async (tx) => {
    const ground = await groundOf(deps, tx, execution)
    const planned = planOf(deps, ground, { text, execution })
    const known = await knownIds(tx, ground.account.id, planned)
    const moved = await movedQueues(tx, { accountId: ground.account.id, planned })
    const written = await writeComponents(deps, tx, { planned, known, ground })
    const { accessToken, before, typeBefore } = written
    const key = { accountId: ground.account.id, id: planned.box.id }
    await tellOthers(deps, tx, { accountId: ground.account.id, planned, moved })
    const configuration = await publish(deps, tx, key)
    const result = { cashBoxId: planned.box.id, accessToken, configuration }
    const newSigner = planned.box.productType === SIGNING_ONLY && typeBefore !== SIGNING_ONLY
    await execution.also?.(tx, { ...result, newSigner })
    return {
      result,
      subjects: {
        ...{ cashBoxId: planned.box.id, outletNumber: ground.place.number },
        ...(moved.length === 0
          ? {}
          : { movedFrom: moved.map(({ cashBoxId }) => cashBoxId).join(' ') }),
      },
      ...(before === undefined ? {} : { before }),
      after: configuration,
    }
  })
}

async function groundOf(
  deps: TemplateDeps,
  tx: Transaction,
  { accountId, outletNumber, strict, accessToken }: Execution,
): Promise<Ground> {
  await lockNumbering(tx, accountId)
  const account = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { id: true, name: true, market: true, siren: true },
  })
  const number = outletNumber ?? (await largestOutletOfBoxes(tx, accountId)) + 1
  const outlet =
    number === RESERVED_OUTLET ? undefined : await lockOutlet(tx, { accountId, number })
  if (strict && outlet === undefined) throw fail('OUTLET_UNKNOWN', { outlet: number })
  refuseUnplaced(deps, account, { number, locationId: outlet?.locationId })
  const place = { accountId, outletId: outlet?.id ?? null, number }
  const units = await findStandingUnits(tx, place)
  return {
    ...{ account, place, accessToken },
    location: outlet?.locationId ?? '',
    queues: await countQueues(tx, accountId),
    units: units.map((unit) => ({
      id: unit.id,
      package: unit.packageName === '' ? unit.driver : unit.packageName,
      urls: JSON.parse(unit.urls) as string[],
      settings: settingsOf(deps.store, unit),
    })),
  }
}

/** Throws OUTLET_LOCATION_MISSING where the country of the account wants the outlet's number. */
function refuseUnplaced(
  { sandbox }: TemplateDeps,
  { market, siren }: { market: string; siren: string | null },
  { number, locationId = null }: { number: number; locationId: string | null | undefined },
): void {
  const outlet = { outletNumber: number, locationId, company: siren ?? '' }
  requireLocation(locationRuleOf(market), outlet, sandbox ? 'sandbox' : 'production')
}

function planOf(
  deps: TemplateDeps,
  ground: Ground,
  { text, execution }: { text: string; execution: Execution },
): Planned {
  const { account, place } = ground
  const rules = deps.markets.find(({ facts }) => facts.code === account.market)?.rollout.templates
  const variables = new Variables({
    query: execution.query,
    now: deps.now(),
    outletNumber: place.number,
    location: ground.location,
    company: account.name,
    queues: ground.queues,
    newId: randomId,
    reference: (name) => referenceOf(name, ground.units, rules),
  })
  const root = rootOf(text, variables)
  const faults = new Faults()
  const input: PlanInput = {
    ...{ markets: deps.markets, variables, market: account.market },
    now: deps.now(),
    randomBytes: deps.randomBytes,
  }
  const box = boxOf(variables, root, faults)
  const { scu, queue, helper } = componentsOf(input, root, faults)
  const queues = queue.flatMap((component) => {
    const planned = queueOf(input, { component, units: scu }, faults)
    return planned ?? []
  })
  const signsOnly = checkSigningOnly({ units: scu, queues, faults }, execution.mayCreateSigners)
  checkUnits(queues, { units: scu, ground }, faults)
  if (faults.any) throw invalid(faults)
  return {
    box: signsOnly ? { ...box, productType: SIGNING_ONLY } : box,
    units: scu,
    queues,
    helpers: helper,
    market: account.market,
    moves: asksToMove(execution.query, root),
  }
}

function rootOf(text: string, variables: Variables): JsonObject {
  const { text: whole, missing } = filled(text, (name) => variables.get(name))
  const faults = new Faults()
  for (const name of missing) {
    faults.add('$', `The variable ${name} has no value; give it as query parameter.`)
  }
  if (!faults.any) {
    try {
      const value = parseJson(whole, { trailingComma: true, cleanText: true })
      if (value instanceof JsonObject) return value
      faults.add('$', 'The template must be a JSON object.')
    } catch (error) {
      if (!(error instanceof JsonError)) throw error
      faults.add('$', `The template is no JSON: ${error.message}.`)
    }
  }
  throw invalid(faults)
}

/** Units of a queue are in the template, or stand at the outlet. */
function checkUnits(
  queues: Planned['queues'],
  { units, ground }: { units: readonly Component[]; ground: Ground },
  faults: Faults,
): void {
  for (const { path, rules, unitIds } of queues) {
    const { queueTable, unitTable, unitMember } = rules
    for (const id of unitIds) {
      if (!isUuid(id)) continue
      const known = [...units, ...ground.units].some((unit) => unit.id === id)
      if (known) continue
      const member = unitMember ?? unitTable.id
      const table = unitMember === undefined ? unitTable.name : queueTable.name
      faults.add(
        `${path}.Configuration.${table}[0].${member}`,
        `There is no signing unit ${id} in the template or at this outlet.`,
      )
    }
  }
}

/** For the answer that carries the configuration as text. */
export const documentText = (document: JsonObject): string => writeJson(document)
