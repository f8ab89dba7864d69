// A simulated cloud service with a unit that is deployed as a dealer does it in the portal.
import {
  type FiskalyOptions,
  FiskalySimulator,
} from '../../../src/simulator/devices/fiskaly/simulator.js'
import { listenHttp } from '../../../src/simulator/devices/http-door.js'
import type { SecurityUnit } from '../../../src/simulator/devices/security-unit.js'

export const TSS = '0f6a3c1e-5b4d-4c2a-9e1f-2a3b4c5d6e7f'
export const LOGIN = { apiKey: 'test_key', apiSecret: 'test_secret' }
export const ADMIN_PIN = '1234567890'

export interface FiskalyService {
  simulator: FiskalySimulator
  port: number
  url: string
  unit(): SecurityUnit
  close(): Promise<void>
}

export async function startFiskaly(options: Partial<FiskalyOptions> = {}): Promise<FiskalyService> {
  const simulator = new FiskalySimulator({ ...LOGIN, env: 'TEST', ...options })
  const { port, close } = await listenHttp(simulator, 0)
  const url = `http://127.0.0.1:${port}/api/v2`
  await deploy(url)
  const unit = () => {
    const found = simulator.units.get(TSS)
    if (found === undefined) throw new Error('the unit is deployed')
    return found.unit
  }
  return { simulator, port, url, unit, close }
}

export async function deploy(url: string): Promise<void> {
  let token = ''
  const call = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    return (await answer.json()) as Record<string, string>
  }
  const { apiKey: api_key, apiSecret: api_secret } = LOGIN
  const told = await call('POST', '/auth', { api_key, api_secret })
  token = told.access_token ?? ''
  const { admin_puk } = await call('PUT', `/tss/${TSS}`, {})
  await call('PATCH', `/tss/${TSS}`, { state: 'UNINITIALIZED' })
  await call('PATCH', `/tss/${TSS}/admin`, { admin_puk, new_admin_pin: ADMIN_PIN })
}
