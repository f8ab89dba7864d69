// What may happen to imports of two dealers at two servers, as commands of a model.
import fc from 'fast-check'
import { parts } from '../parts.js'
import { longHistories } from './long-histories.js'
import type { UploadShop } from './upload-shop.js'

export interface Model {
  steps: number
}

function command(name: string, step: object, run: (shop: UploadShop) => Promise<void>) {
  return {
    check: () => true,
    run: async (model: Model, shop: UploadShop) => {
      model.steps += 1
      await run(shop)
      expectAlive(shop)
    },
    toString: () => `${name} ${JSON.stringify(step)}`,
  }
}

function expectAlive({ pair: { faults } }: UploadShop): void {
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

const sides = fc.constantFrom(0 as const, 1 as const)

const wishes = fc.record({
  ...{ dealer: sides, server: sides, rows: fc.integer({ min: 1, max: 3 }) },
  wrong: fc.constantFrom(false, false, false, true),
})

const brokenOnes = fc.record({
  ...{ dealer: sides, server: sides },
  // often all of it, so that the end of a body breaks as well
  part: fc.oneof({ weight: 4, arbitrary: parts }, { weight: 1, arbitrary: fc.constant(1) }),
  how: fc.constantFrom('whole' as const, 'broken' as const, 'closed' as const),
  name: fc.constantFrom('a.csv', 'a.csv', 'a.exe'),
})

const imports = wishes.map((wish) => command('import', wish, (shop) => shop.all([wish])))

const broken = brokenOnes.map((one) => command('break', one, (shop) => shop.all([one])))

const together = fc
  .array(fc.oneof(brokenOnes, wishes), { minLength: 2, maxLength: 6, size: 'max' })
  .map((all) => command('together', all, (shop) => shop.all(all)))

/** Long enough to be left. */
const left = fc.record({
  ...{ dealer: sides, server: sides, rows: fc.integer({ min: 20, max: 40 }) },
})
const leaves = left.map((wish) => command('leave', wish, (shop) => shop.leave(wish)))

const looks = fc
  .record({ dealer: sides, server: sides })
  .map((one) => command('look', one, (shop) => shop.look(one.dealer, one.server)))

/** Long enough to be met at any moment. */
const ends = fc
  .record({
    ...{ dealer: sides, server: sides, rows: fc.integer({ min: 100, max: 1_500 }) },
    ...{ ms: fc.nat({ max: 150 }), left: fc.boolean() },
    ending: fc.constantFrom('stop' as const, 'kill' as const),
    behind: fc.array(brokenOnes, { maxLength: 4, size: 'max' }),
  })
  .map(({ ending, ...end }) => command(ending, end, (shop) => shop.end(ending, end)))

/** An end costs a process, and meets the histories of all lanes: it is so much rarer. */
const RARER = 40

export const histories = longHistories<fc.AsyncCommand<Model, UploadShop>>(
  fc.oneof(
    { weight: 6 * RARER, arbitrary: imports },
    { weight: 14 * RARER, arbitrary: broken },
    { weight: 2 * RARER, arbitrary: together },
    { weight: 1 * RARER, arbitrary: leaves },
    { weight: 7 * RARER, arbitrary: looks },
    { weight: 1, arbitrary: ends },
  ),
)
