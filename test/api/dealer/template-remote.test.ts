// Templates whose unit is somewhere else: the Queue signs with the device behind its address.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ACCOUNT, type ATrust, simulateATrust } from '../../../src/simulator/devices/rksv/atrust.js'
import {
  PRIMESIGN_TOKEN,
  type PrimeSign,
  simulatePrimeSign,
} from '../../../src/simulator/devices/rksv/primesign.js'
import { SERVICE_CASH_BOX, SERVICE_TOKEN, TseService } from '../../support/de/tse-service.js'
import { type DealerStand, faults, openDealer } from '../../support/dealer.js'

const SIRET = '73282932000074'

let other: DealerStand
let tse: TseService
let stand: DealerStand
let address: string
let atrust: ATrust
let primesign: PrimeSign
beforeAll(async () => {
  other = await openDealer()
  address = await other.app.listen({ host: '127.0.0.1', port: 0 })
  tse = await TseService.start()
  atrust = await simulateATrust()
  primesign = await simulatePrimeSign()
  const ports = [tse, atrust, primesign].map(({ port }) => `127.0.0.1:${port}`)
  const hosts = [new URL(address).host, ...ports]
  stand = await openDealer({ variables: { OUTBOUND_ALLOW: hosts.join(',') } })
})
afterAll(async () => {
  await stand.close()
  await other.close()
  await tse.close()
  await atrust.close()
  await primesign.close()
})

interface Box {
  cashBoxId: string
  accessToken: string
  configuration: { ftQueues: { id: string }[] }
}

const QUEUE = { Id: '|[queue0_id]|', Package: 'fiskalwerk.Queue' }

async function till(
  of: DealerStand,
  market: string,
  unit: object,
  ftQueues: object[] = [QUEUE],
): Promise<Box> {
  const operator = await of.operator('Full', { market })
  const place = { name: 'R', address: 'R 2', postalCode: '1010', city: 'Wien', country: market }
  const body = { ...place, locationId: SIRET }
  const outlet = await of.call(`POST /api/posoperators/${operator}/outlets`, { body })
  const { outletNumber } = outlet.json() as { outletNumber: number }
  const reply = await of.call(
    `POST /api/posoperators/${operator}/templates?outlet_number=${outletNumber}`,
    {
      body: {
        ftCashBoxId: '|[cashbox_id]|',
        ftSignaturCreationDevices: [{ Id: '|[scu0_id]|', ...unit }],
        ftQueues,
      },
    },
  )
  expect(reply.status, reply.text).toBe(200)
  return reply.json() as unknown as Box
}

/** The state of a start receipt, without the letters of the country. */
async function started({ cashBoxId, accessToken, configuration }: Box, word: string) {
  const answer = await stand.app.inject({
    method: 'POST',
    url: `/${configuration.ftQueues[0]?.id}/json/v1/sign`,
    headers: { cashboxid: cashBoxId, accesstoken: accessToken },
    payload:
      `{"ftCashBoxID":"${cashBoxId}","cbTerminalID":"1","cbReceiptReference":"1",` +
      `"cbReceiptMoment":"2026-01-31T10:15:00Z","cbChargeItems":[],"cbPayItems":[],` +
      `"ftReceiptCase":"${word}"}`,
  })
  const state = BigInt(/"ftState":(\d+)/.exec(answer.body)?.[1] ?? '-1')
  return { state: BigInt.asUintN(32, state), text: answer.body }
}

it.each(['fiskalwerk.SCU.AT.Remote', 'fiskaltrust.signing.atapdu'])(
  '%s with address and credentials signs with the service of another server',
  async (name) => {
    const service = await till(other, 'AT', { Package: 'fiskalwerk.SCU.AT.Software' })
    const { cashBoxId: cashboxid, accessToken: accesstoken } = service
    const unit = { Package: name, Url: [address], Configuration: { cashboxid, accesstoken } }
    const { state, text } = await started(await till(stand, 'AT', unit), '0x4154000000000003')
    expect(state, text).toBe(0n)
    expect(text).toContain('"_R1-AT100_')
  },
)

it('fiskalwerk.SCU.FR.Remote signs with the service of another server', async () => {
  const signer = { Package: 'fiskalwerk.SCU.FR.Software', Configuration: { Siret: SIRET } }
  const service = await till(other, 'FR', signer, [])
  const { cashBoxId: cashboxid, accessToken: accesstoken } = service
  const settings = { cashboxid, accesstoken, Siret: SIRET }
  const unit = { Package: 'fiskalwerk.SCU.FR.Remote', Url: [address], Configuration: settings }
  const { state, text } = await started(await till(stand, 'FR', unit), '0x4652000000000010')
  expect(state, text).toBe(0n)
  const [payload = ''] = /(?<=\.)[\w-]{100,}(?=\.)/.exec(text) ?? []
  expect(Buffer.from(payload, 'base64url').toString()).toContain(`"siret":"${SIRET}"`)
})

it('fiskalwerk.SCU.DE.Remote signs with a TSE service', async () => {
  const unit = {
    Package: 'fiskalwerk.SCU.DE.Remote',
    Url: [`http://127.0.0.1:${tse.port}`],
    Configuration: { cashboxid: SERVICE_CASH_BOX, accesstoken: SERVICE_TOKEN },
  }
  const { state, text } = await started(await till(stand, 'DE', unit), '0x4445000100000003')
  expect(state, text).toBe(0n)
  expect(text).toContain('"caption":"<signatur>"')
  expect(tse.calls.length).toBeGreaterThan(0)
})

it('a private address that nobody has allowed is not called', async () => {
  const unit = {
    Package: 'fiskalwerk.SCU.AT.Remote',
    Url: ['http://127.0.0.1:9'],
    Configuration: { cashboxid: SERVICE_CASH_BOX, accesstoken: 'x' },
  }
  expect((await started(await till(stand, 'AT', unit), '0x4154000000000003')).state).not.toBe(0n)
})

it('a mode that is none is refused where it stands', async () => {
  const operator = await stand.operator()
  const body = {
    ftSignaturCreationDevices: [{ Package: 'fiskalwerk.SCU.AT.Software' }],
    ftQueues: [{ Package: 'fiskalwerk.Queue' }],
  }
  const path = `POST /api/posoperators/${operator}/templates?outlet_number=1`
  for (const mode of ['backups', 'constructor']) {
    const members = Object.keys(faults(await stand.call(`${path}&Mode=${mode}`, { body })))
    const table = 'ftQueues[0].Configuration.init_ftSignaturCreationUnitAT'
    expect(members).toEqual([`${table}[0].Mode`])
  }
  const product = await stand.call(`${path}&cashbox_producttype=constructor`, { body })
  expect(Object.keys(faults(product))).toEqual(['cashbox_producttype'])
  for (const mode of ['backup', 'DEACTIVE', '7681']) {
    expect((await stand.call(`${path}&scu0_mode=${mode}`, { body })).status, mode).toBe(200)
  }
})

it.each(['fiskalwerk.SCU.AT.ATrust', 'fiskaltrust.signing.atrustonline'])(
  '%s with user and password signs with the account there, and says nothing of the password',
  async (name) => {
    const unit = { Package: name, Url: [atrust.online], Configuration: { ...ACCOUNT } }
    const box = await till(stand, 'AT', unit)
    const { state, text } = await started(box, '0x4154000000000003')
    expect(state, text).toBe(0n)
    expect(text).toContain('"_R1-AT1_')
    expect(text).not.toContain(ACCOUNT.password)
  },
)

it('a PrimeSign unit takes its secret and its issuers from the template', async () => {
  const CertificateChain = primesign.leaf().chain.map((der) => der.toString('base64'))
  const unit = {
    Package: 'fiskaltrust.Middleware.SCU.AT.PrimeSignHSM',
    Url: [primesign.url],
    Configuration: { SharedSecret: PRIMESIGN_TOKEN, CertificateChain },
  }
  const { state, text } = await started(await till(stand, 'AT', unit), '0x4154000000000003')
  expect(state, text).toBe(0n)
  expect(text).toContain('"_R1-AT3_')
})
