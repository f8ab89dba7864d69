// What the strict simulators refuse, asked without any driver; OpenSSL judges what they sign.
import { X509Certificate } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EpsonSimulator } from '../../../src/simulator/devices/epson/simulator.js'
import { FiskalySimulator } from '../../../src/simulator/devices/fiskaly/simulator.js'
import { type Listening, listenHttp } from '../../../src/simulator/devices/http-door.js'
import { SecurityUnit } from '../../../src/simulator/devices/security-unit.js'
import { CURVES, type Curve } from '../../../src/simulator/devices/unit-key.js'
import { opensslVerdict } from '../../market/de/support/openssl.js'
import { findingsOf, opensslChain } from '../../support/de/device-bench.js'

describe('the unit behind the simulators', () => {
  for (const curve of Object.keys(CURVES) as Curve[]) {
    it(`signs and certifies on ${curve} what OpenSSL verifies`, async () => {
      const unit = new SecurityUnit({ curve, maker: 'maker', now: () => new Date() })
      unit.initialize()
      unit.register('KASSE0001')
      const step = { client: 'KASSE0001', processType: '', processData: Buffer.alloc(0) }
      unit.start(step)
      unit.go('Finish', 1, {
        ...step,
        processType: 'SonstigerVorgang',
        processData: Buffer.from('x'),
      })
      const [certificate = Buffer.alloc(0)] = unit.key.certificates
      const { hash, size } = CURVES[curve]
      for (const { der } of unit.entries) {
        const checked = { der, certificate, hash, signatureBytes: 2 * size }
        expect(opensslVerdict(checked)).toBe('Verified OK')
      }
      expect(opensslChain(unit.key.certificates)).toBe('OK')
      expect(new X509Certificate(certificate).subject).toContain(unit.serialHex)
      expect(await findingsOf(Buffer.concat([...unit.tar()]))).toEqual([])
    })
  }
})

describe('the cloud service', () => {
  const LOGIN = { apiKey: 'key', apiSecret: 'secret' }
  const TSS = '0f6a3c1e-5b4d-4c2a-9e1f-2a3b4c5d6e7f'
  const OTHER = '1f6a3c1e-5b4d-4c2a-9e1f-2a3b4c5d6e7f'
  const CLIENT = '2f6a3c1e-5b4d-4c2a-9e1f-2a3b4c5d6e7f'
  const TX = '3f6a3c1e-5b4d-4c2a-9e1f-2a3b4c5d6e7f'
  let simulator: FiskalySimulator
  let listening: Listening
  let token = ''

  beforeAll(async () => {
    simulator = new FiskalySimulator({ ...LOGIN, env: 'TEST', exportPolls: 20 })
    listening = await listenHttp(simulator, 0)
    const told = await call('POST', '/auth', { api_key: 'key', api_secret: 'secret' })
    token = String(Reflect.get(told, 'access_token'))
  })
  afterAll(() => listening.close())

  async function call(method: string, path: string, body?: unknown) {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const url = `http://127.0.0.1:${listening.port}/api/v2${path}`
    const answer = await fetch(url, { method, headers, ...text })
    const json = (await answer.json()) as Record<string, unknown>
    return { status: answer.status, retry: answer.headers.get('retry-after'), ...json }
  }

  const code = async (...asked: Parameters<typeof call>) => {
    const { status, code: told } = (await call(...asked)) as { status: number; code?: string }
    return told === undefined ? status : `${status} ${told}`
  }

  const raw = { process_type: 'SonstigerVorgang', process_data: 'eA==' }
  const active = { state: 'ACTIVE', client_id: CLIENT }
  const finished = { state: 'FINISHED', client_id: CLIENT, schema: { raw } }

  it('goes through its states in their order alone, and shows the PUK once', async () => {
    expect(await code('GET', `/tss/${TSS}`)).toBe('404 E_TSS_NOT_FOUND')
    expect(await code('PUT', '/tss/no-uuid', {})).toBe('400 E_FAILED_SCHEMA_VALIDATION')
    const made = await call('PUT', `/tss/${TSS}`, {})
    expect((await call('PUT', `/tss/${TSS}`, {})) as object).not.toHaveProperty('admin_puk')
    const toInitialized = ['PATCH', `/tss/${TSS}`, { state: 'INITIALIZED' }] as const
    expect(await code(...toInitialized)).toBe('400 E_ILLEGAL_TSS_STATE_CHANGE')
    expect(await code('PATCH', `/tss/${TSS}`, { state: 'UNINITIALIZED' })).toBe(200)
    expect(await code(...toInitialized)).toBe('401 E_UNAUTHORIZED')
    expect(await code('POST', `/tss/${TSS}/admin/auth`, { admin_pin: '123456' })).toBe(
      '423 E_ADMIN_PIN_BLOCKED',
    )
    const pin = { admin_puk: Reflect.get(made, 'admin_puk'), new_admin_pin: '123456' }
    expect(await code('PATCH', `/tss/${TSS}/admin`, { ...pin, admin_puk: 'x' })).toBe(
      '400 E_CHANGE_ADMIN_PIN_FAILED',
    )
    expect(await code('PATCH', `/tss/${TSS}/admin`, pin)).toBe(200)
    for (let tried = 0; tried < 5; tried += 1) {
      expect(await code('POST', `/tss/${TSS}/admin/auth`, { admin_pin: '654321' })).toBe(
        '401 E_ADMIN_LOGIN_FAILED',
      )
    }
    expect(await code('POST', `/tss/${TSS}/admin/auth`, { admin_pin: '123456' })).toBe(
      '423 E_ADMIN_PIN_BLOCKED',
    )
    await call('PATCH', `/tss/${TSS}/admin`, pin)
    expect(await code('POST', `/tss/${TSS}/admin/auth`, { admin_pin: '123456' })).toBe(200)
    expect(await code('PUT', `/tss/${TSS}/tx/${TX}?tx_revision=1`, active)).toBe(
      '400 E_TSS_NOT_INITIALIZED',
    )
    expect(await code(...toInitialized)).toBe(200)
  })

  it('takes a transaction by its revisions, and the same call twice as one', async () => {
    const client = ['PUT', `/tss/${TSS}/client/${CLIENT}`] as const
    expect(await code(...client, { serial_number: 'a_b' })).toBe('400 E_FAILED_SCHEMA_VALIDATION')
    expect(await code(...client, { serial_number: 'KASSE0001' })).toBe(200)
    const at = (revision: number | '', name = TX) =>
      ['PUT', `/tss/${TSS}/tx/${name}${revision === '' ? '' : `?tx_revision=${revision}`}`] as const
    expect(await code(...at(''), active)).toBe('400 E_FAILED_SCHEMA_VALIDATION')
    expect(await code(...at(2), active)).toBe('400 E_TX_UPSERT')
    expect(await code(...at(1), { ...active, schema: { raw } })).toBe(
      '400 E_FAILED_SCHEMA_VALIDATION',
    )
    expect(await code(...at(1), { ...active, client_id: OTHER })).toBe('400 E_CLIENT_NOT_FOUND')
    expect(await code(...at(1, 'no-uuid'), active)).toBe('400 E_FAILED_SCHEMA_VALIDATION')
    const first = await call(...at(1), active)
    expect(await call(...at(1), active)).toEqual(first)
    expect(await code(...at(1), { ...active, metadata: { a: 'b' } })).toBe('400 E_TX_UPSERT')
    expect(await code(...at(3), finished)).toBe('400 E_TX_UPSERT')
    expect(await code(...at(2, '1'), { state: 'FINISHED', client_id: CLIENT })).toBe(
      '400 E_FAILED_SCHEMA_VALIDATION',
    )
    expect(await code(...at(2, '1'), finished)).toBe(200)
    expect(await code(...at(3), finished)).toBe('400 E_TX_UPSERT')
    expect(simulator.units.get(TSS)?.unit.lastNumber).toBe(1)
  })

  it('refuses what it does not know, and notes it', async () => {
    simulator.watched.offences.length = 0
    expect(await code('PATCH', `/tss/${TSS}`, { state: 'DISABLED', other: 1 })).toBe(
      '400 E_FAILED_SCHEMA_VALIDATION',
    )
    expect(await code('GET', `/tss/${TSS}?x=1`)).toBe('400 E_FAILED_SCHEMA_VALIDATION')
    expect(await code('GET', `/tss/${TSS}/nothing`)).toBe('404 E_NOT_FOUND')
    expect(simulator.watched.offences).toHaveLength(3)
    const elsewhere = await fetch(`http://127.0.0.1:${listening.port}/api/v1/auth`, {
      method: 'POST',
    })
    expect(elsewhere.status).toBe(432)
    const large = { metadata: { a: 'x'.repeat(1_100_000) } }
    expect(await code('PUT', `/tss/${TSS}`, large)).toBe('413 E_PAYLOAD_TOO_LARGE')
    for (let at = 0; at < 4; at += 1) await call('PUT', `/tss/${OTHER.slice(0, -1)}${at}`, {})
    expect(await code('PUT', `/tss/${OTHER}`, {})).toBe('403 E_TSS_LIMIT_REACHED')
  })

  it('makes exports wait, counts looks, and refuses the same range twice', async () => {
    const path = `/tss/${TSS}/export`
    expect(await code('PUT', `${path}/${TX}`, {})).toBe(200)
    expect(await code('PUT', `${path}/${TX}`, {})).toBe('400 E_DUPLICATE_EXPORT')
    expect(await code('PUT', `${path}/${CLIENT}`, {})).toBe('409 E_EXPORT_DUPLICATE_RATE_LIMITED')
    const early = await call('GET', `${path}/${TX}/file`)
    expect(early).toMatchObject({ status: 404, code: 'E_EXPORT_NOT_COMPLETED', retry: '60' })
    for (let at = 0; at < 11; at += 1) await call('GET', `${path}/${TX}`)
    expect(await code('GET', `${path}/${TX}`)).toBe('429 E_TOO_MANY_REQUESTS')
  })
})

describe('the printer', () => {
  it('ends a line on which something else comes than its messages', async () => {
    const simulator = new EpsonSimulator()
    const listening = await simulator.listen(0)
    for (const wrong of ['<other/>', '"<open_device/>"', '<open_device>']) {
      const socket = connect(listening.port, '127.0.0.1')
      socket.write(`${wrong}\0`)
      socket.resume()
      await new Promise((resolve) => socket.once('close', resolve))
    }
    expect(simulator.watched.offences).toHaveLength(3)
    await listening.close()
  })

  it('locks a PIN at the third wrong one, and takes a challenge once', async () => {
    const pins = { admin: '11111', timeAdmin: '22222', puk: '123456' }
    const { storage } = new EpsonSimulator({ pins })
    const refusal = (work: () => void) => {
      try {
        work()
        return 'done'
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
    }
    for (let tried = 0; tried < 3; tried += 1) {
      expect(refusal(() => storage.checkPin('admin', '00000'))).toContain('AUTHENTICATION_FAILED')
    }
    expect(refusal(() => storage.checkPin('admin', '11111'))).toContain('PIN_BLOCKED')
    for (let tried = 0; tried < 3; tried += 1) refusal(() => storage.checkPin('puk', '000000'))
    expect(storage.state).toBe('DECOMMISSIONED')
    expect(refusal(() => storage.checkHash('KASSE0001', 'hash'))).toContain('HOST_AUTHENTICATION')
    expect(refusal(() => storage.register('myEPSON1'))).toContain('INVALID_PARAMETER')
  })
})
