// A remote TSE that says no works; one that does not answer is out of order. Which answer over HTTP
// is which, and what a queue makes of it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  CredentialsRefused,
  DeviceError,
  DeviceRefusal,
  type ScuHead,
} from '../../../../src/device/device.js'
import { createOutbound } from '../../../../src/device/outbound.js'
import { TSE_STATES, type Tse } from '../../../../src/device/tse/tse.js'
import { REMOTE_PACKAGE, remoteDriver } from '../../../../src/market/de/devices/remote.js'
import { TseService } from '../../../support/de/tse-service.js'
import { CLIENT, LIMIT } from '../support/tse-stand.js'

let service: TseService
beforeEach(async () => {
  service = await TseService.start()
})
afterEach(() => service.close())

function device(): Tse {
  const scu: ScuHead = {
    accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
    id: '7a0f5a52-3f54-4f13-a1ab-6cf5b3e0a001',
    market: 'DE',
    package: REMOTE_PACKAGE,
    mode: 0,
    url: service.url,
    configuration: '{}',
    secrets: '{}',
    state: '{}',
    faultScript: null,
    version: 0n,
    changed: false,
    actions: [],
  }
  return remoteDriver.open(scu, {
    fetch: createOutbound({ allow: [`127.0.0.1:${service.port}`] }),
    now: () => new Date(),
    sleep: () => Promise.resolve(),
  })
}

async function working(): Promise<Tse> {
  const tse = device()
  await tse.setState(TSE_STATES.initialized, LIMIT)
  await tse.info(LIMIT)
  await tse.registerClient(CLIENT, LIMIT)
  return tse
}

const empty = { processType: '', processData: Buffer.alloc(0), isRetry: false }
const start = (tse: Tse, clientId = CLIENT) =>
  tse.startTransaction({ ...empty, clientId, queueItemId: 'item' }, LIMIT)

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'the call succeeded',
    (error: unknown) => error,
  )
}

/** How a start is answered: with a no, or not at all. */
async function answered(status: number): Promise<'no' | 'closed' | 'silence' | unknown> {
  const tse = await working()
  service.bend = ({ operation, response }) => {
    if (operation !== 'starttransaction') return false
    response.writeHead(status).end('{}')
    return true
  }
  const error = await errorOf(start(tse))
  if (error instanceof DeviceRefusal) return 'no'
  if (error instanceof CredentialsRefused) return 'closed'
  return error instanceof DeviceError ? 'silence' : error
}

describe('an answer of a remote TSE', () => {
  it.each([400, 404, 405, 409, 410, 422, 451, 500, 501])(
    'with status %i is a no of the device',
    async (status) => {
      expect(await answered(status)).toBe('no')
    },
  )

  it.each([401, 403, 407])('with status %i does not let this server in', async (status) => {
    expect(await answered(status)).toBe('closed')
  })

  it.each([408, 429, 502, 503, 504, 301, 307, 505, 599])(
    'with status %i says nothing of the device',
    async (status) => {
      expect(await answered(status)).toBe('silence')
    },
  )

  it('that is cut off, is no JSON or never comes is no no', async () => {
    const tse = await working()
    const bends: ((response: { destroy(): void; end(text: string): void }) => void)[] = [
      (response) => response.destroy(),
      (response) => response.end('<html>no</html>'),
      () => undefined,
    ]
    for (const bend of bends) {
      service.bend = ({ operation, response }) => {
        if (operation === 'starttransaction') bend(response)
        return operation === 'starttransaction'
      }
      const call = { ...empty, clientId: CLIENT, queueItemId: 'item' }
      const error = await errorOf(tse.startTransaction(call, { timeoutMs: 200 }))
      expect(error).toBeInstanceOf(DeviceError)
      expect(error).not.toBeInstanceOf(DeviceRefusal)
    }
  })

  it('is a no where the device behind the service refuses, and the next call works', async () => {
    const tse = await working()
    expect(await errorOf(start(tse, 'STRANGER-1'))).toBeInstanceOf(DeviceRefusal)
    const finish = { ...empty, clientId: CLIENT, queueItemId: 'item', transactionNumber: 77 }
    expect(await errorOf(tse.finishTransaction(finish, LIMIT))).toBeInstanceOf(DeviceRefusal)
    expect(await errorOf(tse.updateTransaction(finish, LIMIT))).toBeInstanceOf(DeviceRefusal)
    expect((await start(tse)).transactionNumber).toBe(1)
    expect((await tse.info(LIMIT)).openTransactions).toEqual([1])
  })
})
