// Ids that a caller must not be able to use, by the place where an operation takes one: of another
// dealer, of another PosOperator of the same dealer, of nobody.
import { randomUUID } from 'node:crypto'
import type { Operation } from '../../../src/api/dealer/operation.js'
import { namesIn, type Sent } from './cell.js'
import { cellOf } from './cells.js'
import type { World } from './world.js'

/** Only at the stranger's PosOperator there is an outlet of this number. */
export const FOREIGN_OUTLET = 77

export interface Stranger {
  /** Of which estate it is. */
  of: string
  id: string
}

export interface Place {
  /** `queueId`, `body targetScuId` */
  name: string
  strangers(world: World): Stranger[]
  nobody(): string
  /** A call that would work, were it not for the id in this place. */
  call(world: World, id: string): Promise<Sent>
  /** An id of nobody makes something new: templates bring ids of their own. */
  creates: boolean
}

/** Every place of the row's path, body, query and headers. */
export function placesIn(row: Operation): Place[] {
  const inPath = namesIn(row.path).map((name): Place => {
    const kind = name === 'id' || name === 'number' ? kindOf(row.id) : name
    return {
      ...{ name, ...kindsOf(kind), creates: false },
      call: async (world, id) => {
        const sent = await cellOf(row.id).works(world)
        return { ...sent, params: { ...sent.params, [name]: id } }
      },
    }
  })
  const elsewhere = Object.entries(cellOf(row.id).places ?? {}).map(
    ([name, call]): Place => ({
      ...{ name: `in ${name}`, ...kindsOf(name) },
      call: (world, id) => call(id, world),
      creates: name in TEMPLATE_IDS,
    }),
  )
  return [
    ...inPath,
    ...elsewhere.filter(({ name }) => !inPath.some((one) => `in ${one.name}` === name)),
  ]
}

function kindOf(operation: string): string {
  if (operation === 'getRolloutPlanByNumber') return 'rolloutPlanNumber'
  return operation === 'getRolloutPlan' ? 'planId' : 'invitation'
}

const TEMPLATE_IDS: Readonly<Record<string, string>> = {
  cashbox_id: 'cashBoxId',
  queue0_id: 'queueId',
  scu0_id: 'scuId',
  helper0_id: 'helperId',
}

const SAME: Readonly<Record<string, string>> = {
  ...TEMPLATE_IDS,
  targetScuId: 'scuId',
  queueIds: 'queueId',
}

type Kind = Pick<Place, 'strangers' | 'nobody'>

function kindsOf(name: string): Kind {
  const found = KINDS[SAME[name] ?? name]
  if (found === undefined) throw new Error(`nobody knows what ${name} is the id of`)
  return found
}

const guid = (foreign: (world: World) => string, second?: (world: World) => string): Kind => ({
  strangers: (world) => [
    { of: 'another dealer', id: foreign(world) },
    ...(second === undefined ? [] : [{ of: 'another PosOperator', id: second(world) }]),
  ],
  nobody: randomUUID,
})

const text = (foreign: (world: World) => string, nobody: string): Kind => ({
  strangers: (world) => [{ of: 'another dealer', id: foreign(world) }],
  nobody: () => nobody,
})

const KINDS: Readonly<Record<string, Kind>> = {
  posOperatorId: guid(({ foreign }) => foreign.operator),
  accountId: guid(({ foreign }) => foreign.operator),
  queueId: guid(
    ({ foreign }) => foreign.box.queueId,
    ({ second }) => second.box.queueId,
  ),
  scuId: guid(
    ({ foreign }) => foreign.box.scuId,
    ({ second }) => second.box.scuId,
  ),
  cashBoxId: guid(
    ({ foreign }) => foreign.box.cashBoxId,
    ({ second }) => second.box.cashBoxId,
  ),
  helperId: guid(
    ({ foreign }) => foreign.helper,
    ({ second }) => second.helper,
  ),
  invitation: guid(({ foreign }) => foreign.invitation),
  planId: guid(({ foreign }) => foreign.planId),
  rolloutPlanNumber: text(({ foreign }) => foreign.plan, '4445-9999'),
  ordernumber: text(({ foreign }) => foreign.order, 'ORD-99999-X0Y1Z2'),
  outletNumber: text(() => String(FOREIGN_OUTLET), '78'),
  outletNumbers: text(() => String(FOREIGN_OUTLET), '78'),
}
