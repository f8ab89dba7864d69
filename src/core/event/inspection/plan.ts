// What a bundle will hold, fixed when its work begins: queues, the ticks up to which they are read,
// and a line for each file. The same wish and the same limits give the same plan.
import { z } from 'zod'
import type { Market } from '../../../market/contract.js'
import { filesOf } from '../../../market/index.js'
import { LANGUAGES } from './words.js'

export const INCLUDES = [
  ...(['legal', 'journals', 'configurations', 'masterData', 'reports', 'keys'] as const),
] as const
export type Include = (typeof INCLUDES)[number]

/** As it stands in the row of the job. */
export const wish = z.object({
  cashBoxIds: z.array(z.string()).optional(),
  outletNumbers: z.array(z.int()).optional(),
  /** Of these alone. */
  queueIds: z.array(z.string()).optional(),
  /** ISO 8601, the end exclusive. */
  from: z.string(),
  to: z.string(),
  include: z.array(z.enum(INCLUDES)),
  language: z.enum(LANGUAGES),
})
export type Wish = z.output<typeof wish>

const queuePlan = z.object({
  id: z.string(),
  /** Folder of its files. */
  folder: z.string(),
  market: z.string(),
  identification: z.string(),
  description: z.string(),
  cashBoxId: z.string(),
  outletNumber: z.number().nullable(),
  startMoment: z.string().nullable(),
  stopMoment: z.string().nullable(),
  /** Ticks, both inclusive. */
  from: z.string(),
  upTo: z.string(),
  receipts: z.number(),
  /** Tick of the last receipt before; null: there is none. */
  before: z.string().nullable(),
  /** For each file of its market the words of those that there are several of. */
  each: z.array(z.array(z.string()).nullable()),
})
export type QueuePlan = z.output<typeof queuePlan>

export const plan = z.object({
  /** Of everything in the bundle that is dated: the newest row that it holds. */
  moment: z.string(),
  queues: z.array(queuePlan),
})
export type Plan = z.output<typeof plan>

/** Journals that every country has. */
export const JOURNALS = ['journal', 'receipt-journal', 'action-journal'] as const
export type JournalName = (typeof JOURNALS)[number]

export type PartContent =
  | { journal: JournalName }
  /** Place in the list of its market. */
  | { legal: number; each?: string }

export interface PartPlan {
  path: string
  queue: QueuePlan
  content: PartContent
  verified: 'alone' | 'chained' | 'part' | undefined
  /** Made in one pass with the others of its queue that go through the items. */
  sharesItems: boolean
}

/** In the order in which they are made. */
export function partsOf(
  { queues }: Plan,
  include: readonly Include[],
  marketOf: (code: string) => Market,
): PartPlan[] {
  return queues.flatMap((queue) => [
    ...(include.includes('legal') ? legalParts(queue, marketOf(queue.market)) : []),
    ...(include.includes('journals') ? JOURNALS : []).map((journal) => ({
      ...{ path: `${queue.folder}/${journal}.csv`, queue, content: { journal } },
      ...{ verified: undefined, sharesItems: journal === 'journal' },
    })),
  ])
}

/** Those that are made together, in the order of the first of each. */
export function passesOf(parts: readonly PartPlan[]): PartPlan[][] {
  const passes = new Map<string, PartPlan[]>()
  for (const part of parts) {
    const name = part.sharesItems ? part.queue.id : part.path
    passes.set(name, [...(passes.get(name) ?? []), part])
  }
  return [...passes.values()]
}

function legalParts(queue: QueuePlan, market: Market): PartPlan[] {
  return filesOf(market).flatMap(({ name, verified, sharesItems = false }, legal) => {
    const words = queue.each[legal] ?? [undefined]
    return words.map((each) => ({
      path: `${queue.folder}/${name.replace('{each}', each ?? '')}`,
      content: { legal, ...(each === undefined ? {} : { each }) },
      ...{ queue, verified, sharesItems },
    }))
  })
}

/** Shrinks no further. */
export const isPackedName = (name: string): boolean => /\.(zip|gz)$/.test(name)

/** Names of folders that no system refuses, each different from the others. */
export function folderNames(queues: readonly { id: string; identification: string }[]): string[] {
  const plain = queues.map(({ identification }) =>
    identification
      .replace(/[^A-Za-z0-9._+-]+/g, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 60),
  )
  return queues.map(({ id }, at) => {
    const name = plain[at] ?? ''
    const same = plain.filter((one) => one.toLowerCase() === name.toLowerCase())
    return `queues/${name === '' || same.length > 1 ? `${name}_${id}` : name}`
  })
}
