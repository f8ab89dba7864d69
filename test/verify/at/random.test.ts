// Random days at a register: a right file gives no finding, a change findings at its place only.
// fast-check prints the seed of a failure.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Amounts,
  chainOver,
  depOf,
  exampleSigner,
  type Group,
  newSigner,
  type Plan,
  Register,
  repaint,
  type Signer,
} from '../../support/dep7-maker.js'
import { findingsOf } from '../../support/dep7-scene.js'

let backup: Signer
beforeAll(async () => {
  backup = await newSigner()
})

const cents = fc.oneof(fc.constant(0), fc.integer({ min: -500_000, max: 2_000_000 }))
const amounts = fc.tuple(cents, cents, cents, cents, cents) as fc.Arbitrary<Amounts>
const counterBytes = fc.constantFrom(5, 5, 5, 6, 8, 16)

/** One thing that happens at a register, as the receipts it makes. */
const happening: fc.Arbitrary<Plan[]> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ amounts, counterBytes }).map((plan) => [plan]) },
  { weight: 1, arbitrary: amounts.map((plan) => [{ amounts: plan, kind: 'training' as const }]) },
  { weight: 1, arbitrary: amounts.map((plan) => [{ amounts: plan, kind: 'void' as const }]) },
  { weight: 1, arbitrary: fc.constant<Plan[]>([{}]) },
  { weight: 1, arbitrary: outage() },
)

/** Failed receipts of all kinds, perhaps one signed sale, then the collective receipt. */
function outage(): fc.Arbitrary<Plan[]> {
  const failed = fc.record({ amounts, kind: fc.constantFrom('normal', 'training', 'void') })
  const list = fc.array(failed, { minLength: 1, maxLength: 5 })
  return fc
    .tuple(list, fc.option(amounts))
    .map(([plans, sale]) => [
      ...plans.map((plan) => ({ ...plan, failed: true }) as Plan),
      ...(sale === null ? [] : [{ amounts: sale }]),
      {},
    ])
}

const day = fc.record({
  cashBox: fc.constantFrom('K1', 'OFP-AT-0001', 'Käsekrainer 7', 'a+/='),
  plans: fc.array(happening, { minLength: 5, maxLength: 60 }).map((list) => list.flat()),
  /** After how many receipts the signing device changes. */
  draft: fc.integer({ min: 1, max: 40 }),
})
type Day = typeof day extends fc.Arbitrary<infer T> ? T : never

interface Made {
  key: string
  groups: Group[]
  receipts: string[]
}

function make({ cashBox, plans, draft }: Day): Made {
  const register = new Register({ cashBox })
  const groups: Group[] = []
  const receipts: string[] = []
  let failing = false
  for (const [index, plan] of [{}, ...plans].entries()) {
    const wanted = Math.floor(index / draft) % 2 === 0 ? exampleSigner : backup
    failing = plan.failed === true
    if (!failing) register.signer = wanted
    const jws = register.next(plan)
    const { certificate } = register.signer
    const group = groups.at(-1)
    if (group?.certificate === certificate) group.receipts.push(jws)
    else groups.push({ certificate, receipts: [jws] })
    receipts.push(jws)
  }
  return { key: register.keyText, groups, receipts }
}

describe('random files', () => {
  it('made as the law wants them give no finding', async () => {
    const property = fc.asyncProperty(day, async (plan) => {
      const made = make(plan)
      expect(await findingsOf(depOf(...made.groups), { key: made.key })).toEqual([])
    })
    await fc.assert(property, { numRuns: 15 })
  })

  const changes: Record<string, (receipts: string[], at: number) => unknown> = {
    'with a receipt removed': (receipts, at) => receipts.splice(at, 1),
    'with a receipt doubled': (receipts, at) => receipts.splice(at, 0, receipts[at] ?? ''),
    'with an amount changed': (receipts, at) => paint(receipts, at, 5, '123456,78'),
    'with a number changed': (receipts, at) => paint(receipts, at, 3, 'other'),
    'with a chaining value changed': (receipts, at) => paint(receipts, at, 12, chainOver('x')),
    'with a time changed': (receipts, at) => paint(receipts, at, 4, '2025-01-05T07:00:00'),
    'with two neighbours swapped': (receipts, at) =>
      receipts.splice(at, 2, receipts[at + 1] ?? '', receipts[at] ?? ''),
  }

  it.each(Object.entries(changes))('%s are refused, and only there', async (_, change) => {
    const property = fc.asyncProperty(day, fc.nat(), async (plan, where) => {
      const made = make(plan)
      const receipts = [...made.receipts]
      const at = 1 + (where % (receipts.length - 2))
      change(receipts, at)
      const certificates = [exampleSigner.certificate, backup.certificate]
      const text = depOf({ certificate: '', receipts })
      const findings = await findingsOf(text, { key: made.key, certificates })
      expect(findings.length).toBeGreaterThan(0)
      expect(findings.length).toBeLessThanOrEqual(2)
      for (const { text } of findings) expect([at + 1, at + 2]).toContain(positionIn(text))
    })
    await fc.assert(property, { numRuns: 12 })
  })
})

function paint(receipts: string[], index: number, field: number, text: string): void {
  receipts[index] = repaint(receipts[index] ?? '', (fields) => fields.splice(field, 1, text))
}

function positionIn(text: string): number {
  return Number(/^position (\d+): /.exec(text)?.[1])
}
