// A figure of the bench that nobody measured must not hold a target: the run fails instead.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fire } from '../../bench/load/sockets.js'
import { checkMeasured, type Figure, holds } from '../../bench/report/figures.js'

const figure = (value: number, more: Partial<Figure> = {}): Figure => ({
  ...{ name: 'Signing, one client, p50', value, unit: 'ms', target: { atMost: 2 } },
  ...more,
})

describe('a figure', () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('of %d is an error', (value) => {
    expect(() => checkMeasured([figure(1), figure(value)])).toThrow(
      `Signing, one client, p50: ${value} ms was not measured`,
    )
  })

  it('of 0 would hold its target, were it no error', () => {
    expect(holds(figure(0))).toBe(true)
  })

  it.each([0.0005, 0.001])('of %d ms is none when whole microseconds are counted', (value) => {
    expect(() => checkMeasured([figure(value, { resolution: 0.001 })])).toThrow('was not measured')
    expect(() => checkMeasured([figure(value)])).not.toThrow()
  })

  it('that was measured passes, and so does nothing where nothing is good', () => {
    const growth = figure(0, { name: 'Growth', unit: 'MB', mayBeNothing: true })
    expect(() => checkMeasured([figure(0.72, { resolution: 0.001 }), growth])).not.toThrow()
  })
})

describe('the generator', () => {
  it('tells apart what takes less than a millisecond', async () => {
    const server = createServer((request, response) => {
      request.resume()
      response.end('{}')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    try {
      const load = {
        url: `http://127.0.0.1:${port}`,
        targets: [{ path: '/', headers: {}, body: '{}' }],
        ...{ clients: 1, seconds: 2 },
      }
      const { p50Ms, p99Ms, perSecond, resolutionMs } = await fire(load)
      expect(resolutionMs).toBe(0.001)
      expect(p50Ms).toBeGreaterThan(resolutionMs)
      expect(p99Ms).toBeGreaterThanOrEqual(p50Ms)
      // one client waits for each answer: its waits cannot be longer than the whole time
      expect(p50Ms).toBeLessThan(2000 / perSecond)
      checkMeasured([figure(p50Ms, { resolution: resolutionMs })])
    } finally {
      server.close()
    }
  })
})
