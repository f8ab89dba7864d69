import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, call, certificate, outcome, sign, verifies } from '../../support/group-c.js'
import { makeServer, makeSigner, type TestServer, type TestSigner } from '../../support/make-scu.js'

const DATA = Buffer.of(1, 2, 3, 4, 5)
let server: TestServer
let box: TestSigner

beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  box = await makeSigner(server)
})

function fault(method: 'PUT' | 'GET' | 'DELETE', steps?: object[]): Promise<Answer> {
  const path = `/sandbox/scus/${box.scuId}/fault`
  const body = steps === undefined ? undefined : { steps }
  return call(server.app, { method, path, headers: box.headers, body })
}

async function outcomes(count: number): Promise<string[]> {
  const found: string[] = []
  for (let turn = 0; turn < count; turn += 1) found.push(await outcome(server.app, box, DATA))
  return found
}

describe('a device that fails', () => {
  it('is unreachable until the script is cleared, and named in the problem', async () => {
    await fault('PUT', [{ do: 'unreachable' }])
    expect(await outcomes(20)).toEqual(Array(20).fill('500'))
    const { headers, body } = await sign(server.app, box, 'AQ==')
    expect(headers['content-type']).toContain('application/problem+json')
    expect(body).toMatchObject({ status: 500, code: 'DEVICE_FAILED' })
    expect(body.detail).toContain(box.scuId)
    await fault('DELETE')
    expect(await outcomes(2)).toEqual(['signed', 'signed'])
  })

  it.each(['error', 'error-after', 'certificate-expired', 'unreachable'])(
    'with "%s" for one call answers 500 once',
    async (kind) => {
      await fault('PUT', [{ do: kind, calls: 1 }])
      expect(await outcomes(2)).toEqual(['500', 'signed'])
    },
  )

  it('gives garbage for exactly 12 calls', async () => {
    await fault('PUT', [{ do: 'garbage', calls: 12 }])
    expect(await outcomes(14)).toEqual([...Array<string>(12).fill('spoiled'), 'signed', 'signed'])
  })

  it('gives garbage for exactly 12 of 20 calls that come at once', async () => {
    await fault('PUT', [{ do: 'garbage', calls: 12 }])
    const found = await Promise.all(
      Array.from({ length: 20 }, () => outcome(server.app, box, DATA)),
    )
    expect(found.filter((one) => one === 'spoiled')).toHaveLength(12)
    expect(found.filter((one) => one === 'signed')).toHaveLength(8)
    expect((await fault('GET')).body.steps).toEqual([])
  })

  it('gives a signature of the right size that does not verify', async () => {
    await fault('PUT', [{ do: 'wrong-signature', calls: 1 }])
    const { status, body } = await sign(server.app, box, DATA.toString('base64'))
    const signature = Buffer.from(String(body.signedDataBase64), 'base64')
    expect([status, signature.length]).toEqual([200, 64])
    expect(await verifies(await certificate(server.app, box), DATA, signature)).toBe(false)
  })

  it('goes through its steps in order', async () => {
    await fault('PUT', [
      { do: 'error', calls: 2 },
      { do: 'garbage', calls: 1 },
      { do: 'certificate-expired', calls: 1 },
    ])
    expect(await outcomes(5)).toEqual(['500', '500', 'spoiled', '500', 'signed'])
  })
})

describe('a slow device', () => {
  async function timed(work: () => Promise<Answer>): Promise<[number, number]> {
    const began = performance.now()
    const { status } = await work()
    return [status, performance.now() - began]
  }

  it('answers after the delay of the script', async () => {
    await fault('PUT', [{ do: 'delay', ms: 300, calls: 1 }])
    const [status, took] = await timed(() => sign(server.app, box, 'AQ=='))
    expect(status).toBe(200)
    expect(took).toBeGreaterThanOrEqual(295)
  })

  it('with a delay of 5 s is given up before it answers', async () => {
    await fault('PUT', [{ do: 'delay', ms: 5000, calls: 1 }])
    const [status, took] = await timed(() => sign(server.app, box, 'AQ=='))
    expect(status).toBe(500)
    expect(took).toBeGreaterThanOrEqual(2450)
    expect(await outcomes(1)).toEqual(['signed'])
  })

  it('is waited for as long as the second byte of its mode says', async () => {
    box = await makeSigner(server, { mode: 0x0100 })
    await fault('PUT', [{ do: 'delay', ms: 2000, calls: 1 }])
    const [status, took] = await timed(() => sign(server.app, box, 'AQ=='))
    expect(status).toBe(500)
    expect(took).toBeGreaterThanOrEqual(950)
  })

  it('delays each call once when several come at once', async () => {
    await fault('PUT', [{ do: 'delay', ms: 300, calls: 4 }])
    const calls = await Promise.all(
      Array.from({ length: 6 }, () => timed(() => sign(server.app, box, 'AQ=='))),
    )
    expect(calls.map(([status]) => status)).toEqual(Array(6).fill(200))
    expect(calls.filter(([, took]) => took >= 295).length).toBeGreaterThanOrEqual(4)
    expect((await fault('GET')).body.steps).toEqual([])
  })
})
