// Guessing of PINs is told, and does not fill the log.
import { expect, it } from 'vitest'
import { createPinLimit } from '../../../src/api/possystem/pin-limit.js'
import { fail } from '../../../src/errors.js'

const wrong = () => Promise.reject(fail('PIN_WRONG'))

async function tries(perMinute: number, address: string, count: number) {
  const told: string[] = []
  const limit = createPinLimit(perMinute, (from, what) => told.push(`${from} ${what}`))
  const codes: string[] = []
  for (let turn = 0; turn < count; turn += 1) {
    await limit.during(address, wrong).catch((error: { code: string }) => codes.push(error.code))
  }
  await limit.during('192.0.2.2', () => Promise.resolve(true))
  return { told, codes }
}

it('each wrong try is told with its address, the refusal of further ones once', async () => {
  const { told, codes } = await tries(3, '192.0.2.1', 20)
  expect(codes).toEqual([
    ...Array.from({ length: 3 }, () => 'PIN_WRONG'),
    ...Array.from({ length: 17 }, () => 'PIN_LIMITED'),
  ])
  expect(told).toEqual([...Array.from({ length: 3 }, () => '192.0.2.1 wrong'), '192.0.2.1 limited'])
})

it('wrong tries are told without a limit as well, faults of the server are not', async () => {
  expect((await tries(0, '192.0.2.1', 2)).told).toEqual(['192.0.2.1 wrong', '192.0.2.1 wrong'])
  const told: string[] = []
  const limit = createPinLimit(3, (from) => told.push(from))
  await expect(limit.during('x', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(told).toEqual([])
})
