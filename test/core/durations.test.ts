import fc from 'fast-check'
import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { durations } from '../../src/core/metrics.js'

const SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const NAMES = { name: 'x_seconds', help: 'What takes time.' }

const seconds = fc.oneof(
  fc.constantFrom(...SECONDS),
  fc.double({ min: 0, max: 20, noNaN: true }),
  fc.constantFrom(0, 1e-9, 1e6),
)
const told = fc.array(fc.tuple(seconds, fc.constantFrom('a', 'b b', 'c"')), { maxLength: 60 })

it.each([[['group']], [[]]])(
  'durations are what the library makes of each (%j)',
  async (labels) => {
    await fc.assert(
      fc.asyncProperty(told, async (all) => {
        const [own, its] = [new Registry(), new Registry()]
        const tallied = durations(own, { ...NAMES, labelNames: labels })
        const buckets = { buckets: SECONDS, registers: [its] }
        const histogram = new Histogram({ ...NAMES, labelNames: labels, ...buckets })
        for (const [value, group] of all) {
          if (labels.length === 0) {
            tallied.add(value)
            histogram.observe(value)
          } else {
            tallied.add(value, group)
            histogram.observe({ group }, value)
          }
        }
        expect(await own.metrics()).toBe(await its.metrics())
        const twice = async (registry: Registry) => {
          const figures = await registry.getMetricsAsJSON()
          return AggregatorRegistry.aggregate([figures, figures]).metrics()
        }
        expect(await twice(own)).toBe(await twice(its))
      }),
      { numRuns: 50 },
    )
  },
)
