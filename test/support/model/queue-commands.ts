// What may happen to cash boxes and queues that templates give from one to the other, as commands
// of a model.
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Answered, START } from '../two-servers.js'
import { longHistories } from './long-histories.js'
import { at, BOXES, type Plan, QUEUES, type QueueShop, UNITS } from './queue-shop.js'

/** What must be true, kept beside the servers. */
export interface Model {
  /** The queues of each cash box; undefined until it has credentials. */
  boxes: (number[] | undefined)[]
  queues: { started: boolean; rows: number }[]
  steps: number
}

export const newModel = (): Model => ({
  boxes: Array.from({ length: BOXES }, () => undefined),
  queues: Array.from({ length: QUEUES }, () => ({ started: false, rows: 0 })),
  steps: 0,
})

type Command = fc.AsyncCommand<Model, QueueShop>

function command(
  name: string,
  check: (model: Readonly<Model>) => boolean,
  run: (model: Model, shop: QueueShop) => Promise<void>,
): Command {
  return {
    check,
    run: async (model, shop) => {
      model.steps += 1
      shop.told.push(name)
      await run(model, shop)
    },
    toString: () => name,
  }
}

interface Template extends Plan {
  server: number
}

async function template(model: Model, shop: QueueShop, { server, ...plan }: Template) {
  const { box, queues, move } = plan
  const stolen = queues.filter((queue) =>
    model.boxes.some((held, other) => other !== box && held?.includes(queue) === true),
  )
  const reply = await shop.template(server, plan)
  if (stolen.length > 0 && !move) {
    expect(reply.status, reply.text).toBe(400)
    return
  }
  expect(reply.status, reply.text).toBe(200)
  model.boxes = model.boxes.map((held) => held?.filter((queue) => !queues.includes(queue)))
  model.boxes[box] = [...queues]
}

interface Sign {
  server: number
  box: number
  /** Of all, or of the ones that the cash box holds. */
  queue: number
  own: boolean
  named: boolean
}

/** One receipt, a start receipt where that is the first; checks whose it is. */
async function sign(model: Model, shop: QueueShop, step: Sign): Promise<void> {
  const { server, box } = step
  const held = model.boxes[box] ?? []
  const queue = step.own ? (held[step.queue % held.length] ?? step.queue) : step.queue
  const named = step.named || held.length !== 1
  const chosen = named ? queue : (held[0] ?? 0)
  const receiptCase = at(model.queues, chosen).started ? undefined : START
  const answer = await shop.sign(server, { box, queue: named ? queue : undefined, receiptCase })
  if (!held.includes(chosen)) {
    expect(answer.status, answer.text).toBe(404)
    return
  }
  note(model, shop, { answer, box, queue: chosen })
}

/** A receipt of this cash box at this queue. */
function note(
  model: Model,
  shop: QueueShop,
  { answer, box, queue }: { answer: Answered; box: number; queue: number },
): void {
  expect(answer.status, answer.text).toBe(200)
  const wanted = [at(shop.boxes, box).id, at(shop.queues, queue)]
  expect([answer.box, answer.queue]).toEqual(wanted)
  const counted = at(model.queues, queue)
  counted.started = true
  counted.rows += 1
  shop.answered.push(answer)
}

interface Race extends Plan {
  /** The one that signs, at both servers, of those that have begun. */
  signs: number
  server: number
}

/** The queues with a start receipt. */
const begunOf = ({ queues }: Readonly<Model>): number[] =>
  queues.flatMap(({ started }, number) => (started ? [number] : []))

/** Receipts on both servers while a template gives the cash box other queues. */
async function race(model: Model, shop: QueueShop, step: Race): Promise<void> {
  const { box, signs: chosen, ...plan } = step
  const begun = begunOf(model)
  const signs = at(begun, chosen % begun.length)
  const isHeld = model.boxes[box]?.includes(signs) === true
  const staysHeld = isHeld && step.queues.includes(signs)
  const calls = [0, 1].map((server) =>
    shop.sign(server, { box, queue: signs, receiptCase: undefined }),
  )
  await template(model, shop, { ...plan, box, move: true })
  for (const answer of await Promise.all(calls)) {
    if (answer.status === 404 && !staysHeld) continue
    note(model, shop, { answer, box, queue: signs })
  }
}

interface Publication {
  server: number
  box: number
}

async function publish(model: Model, shop: QueueShop, { server, box }: Publication) {
  const { status, text } = await shop.published(server, box)
  expect(status, text).toBe(200)
  const { ftQueues } = JSON.parse(text) as { ftQueues: { Id: string }[] }
  const wanted = (model.boxes[box] ?? []).map((queue) => at(shop.queues, queue))
  expect(ftQueues.map(({ Id }) => Id).toSorted()).toEqual(wanted.toSorted())
}

const index = (count: number) => fc.nat({ max: count - 1 })
const always = () => true
const plan = {
  box: index(BOXES),
  queues: fc.uniqueArray(index(QUEUES), { maxLength: QUEUES }),
  unit: index(UNITS),
  server: index(2),
}
const told = (kind: string, step: object): string => `${kind} ${JSON.stringify(step)}`

const templatesOf = (which: { box: fc.Arbitrary<number>; move: fc.Arbitrary<boolean> }) =>
  fc
    .record({ ...plan, ...which })
    .map((step) =>
      command(told('template', step), always, (model, shop) => template(model, shop, step)),
    )
const templates = templatesOf({ box: plan.box, move: fc.boolean() })

/** Each cash box is there before anything else is done with it. */
const opening = Array.from({ length: BOXES }, (_, box) =>
  templatesOf({ box: fc.constant(box), move: fc.constant(true) }),
)

const signs = fc
  .record({
    ...{ server: index(2), box: index(BOXES), queue: index(QUEUES) },
    ...{ own: fc.constantFrom(true, true, true, false), named: fc.boolean() },
  })
  .map((step) =>
    command(
      told('sign', step),
      ({ boxes }) => boxes[step.box] !== undefined,
      (model, shop) => sign(model, shop, step),
    ),
  )

const publications = fc.record({ box: index(BOXES), server: index(2) }).map((step) =>
  command(
    told('publish', step),
    ({ boxes }) => boxes[step.box] !== undefined,
    (model, shop) => publish(model, shop, step),
  ),
)

const races = fc.record({ ...plan, signs: index(QUEUES) }).map((step) =>
  command(
    told('race', step),
    (model) => model.boxes[step.box] !== undefined && begunOf(model).length > 0,
    (model, shop) => race(model, shop, { ...step, move: true }),
  ),
)

/** A template costs as much as ten receipts: so many of them that the run stays short. */
const steps = fc.oneof(
  { weight: 2, arbitrary: templates },
  { weight: 20, arbitrary: signs },
  { weight: 1, arbitrary: publications },
  { weight: 2, arbitrary: races },
)

export const histories = longHistories(steps, opening)
