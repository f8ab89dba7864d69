// Exports of any length are read in constant memory.
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/market/contract.js'
import { NumberSet } from '../../../src/verify/de/number-set.js'
import { tarFile } from '../../../src/verify/de/verifiers.js'
import { TestDevice, tarOf } from '../../support/tse-device.js'

describe('large exports', () => {
  it('memory does not grow with the number of messages', async () => {
    const device = new TestDevice()
    device.register()
    for (let sold = 0; sold < 40; sold += 1) device.sale()
    const block = (await tarOf(device.archive())).length
    const tar = await tarOf(device.archive())
    const most = { small: 0, large: 0 }
    for (const [name, times] of [
      ['small', 5],
      ['large', 60],
    ] as const) {
      async function* read() {
        for (let at = 0; at < times; at += 1) {
          yield tar
          most[name] = Math.max(most[name], process.memoryUsage().heapUsed)
        }
      }
      const found: string[] = []
      const sink = {
        add: ({ code, notice }: Finding) => {
          if (notice !== true) found.push(code)
        },
        clear: () => undefined,
      }
      const summary = await tarFile.verify(read, {}, sink)
      expect(found).toEqual([])
      expect(summary).toMatchObject({ archives: times, proven: 81 * times })
    }
    expect(block * 60).toBeGreaterThan(4_000_000)
    expect(most.large - most.small).toBeLessThan(64 * 1024 * 1024)
  })

  it('counters in a row are one range, in whatever order they come', () => {
    const set = new NumberSet()
    for (let at = 0; at < 10_000; at += 1) expect(set.add((at * 7919) % 10_007)).toBe(true)
    expect(set.add(7919)).toBe(false)
    for (let at = 10_000; at < 10_007; at += 1) set.add((at * 7919) % 10_007)
    expect(set.ranges()).toEqual([[0, 10_006]])
  })
})
