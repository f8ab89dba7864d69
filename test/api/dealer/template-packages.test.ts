// Every published package name in a template becomes what this server has for it: a unit that
// signs, a Queue that is started, a helper that is published.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findLostReferences } from '../../../src/store/journal/check.js'
import { type DealerStand, faults, openDealer } from '../../support/dealer.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

const GERMAN = [
  ...['CryptoVision', 'DeutscheFiskal', 'DieboldNixdorf', 'Epson', 'FiskalyCertified', 'Fiskaly'],
  ...['Swissbit', 'SwissbitAndroid', 'SwissbitCloud', 'SwissbitCloudAndroid', 'SwissbitCloudV2'],
  ...['ATrust', 'InMemory'],
].map((name) => `fiskaltrust.Middleware.SCU.DE.${name}`)

const AUSTRIAN = [
  ...['ATrustSmartcard', 'PrimeSignHSM', 'InMemory'].map(
    (name) => `fiskaltrust.Middleware.SCU.AT.${name}`,
  ),
  ...['atapdu', 'atrustonline', 'primesignhsm'].map((name) => `fiskaltrust.signing.${name}`),
]

const QUEUES = [
  ...['SQLite', 'EF', 'MySQL', 'AzureTableStorage', 'InMemory'].map(
    (name) => `fiskaltrust.Middleware.Queue.${name}`,
  ),
  ...['sqlite', 'sqlite.mono', 'ef', 'adonet', 'azure'].map((n) => `fiskaltrust.service.${n}`),
  'fiskalwerk.Queue',
]

const HELPERS = [
  ...['balancer', 'dailyclosing', 'helipad', 'rest', 'posapi'].map(
    (name) => `fiskaltrust.service.helper.${name}`,
  ),
  'fiskaltrust.Middleware.Helper.Helipad',
  'fiskaltrust.Middleware.Helper.LocalPosSystemApi',
]

const UNITS = [
  ...[...GERMAN, 'fiskalwerk.SCU.DE.Emulator'].map((name) => ['DE', name] as const),
  ...[...AUSTRIAN, 'fiskalwerk.SCU.AT.Software'].map((name) => ['AT', name] as const),
]

interface Box {
  cashBoxId: string
  accessToken: string
  configuration: {
    ftQueues: { id: string; package: string }[]
    ftSignaturCreationDevices: { package: string }[]
    helpers: { package: string }[]
  }
}

const operators: Record<string, string> = {}

async function till(market: 'AT' | 'DE', names: { unit: string; queue: string; helper?: string }) {
  operators[market] ??= await stand.operator('Full', { market })
  const reply = await stand.call(
    `POST /api/posoperators/${operators[market]}/templates?outlet_number=1`,
    {
      body: {
        ftCashBoxId: '|[cashbox_id]|',
        ftSignaturCreationDevices: [{ Id: '|[scu0_id]|', Package: names.unit }],
        ftQueues: [{ Id: '|[queue0_id]|', Package: names.queue }],
        helpers:
          names.helper === undefined ? [] : [{ Id: '|[helper0_id]|', Package: names.helper }],
      },
    },
  )
  expect(reply.status, reply.text).toBe(200)
  return reply.json() as unknown as Box
}

const START = { AT: '0x4154000000000003', DE: '0x4445000100000003' }
/** The data of a signed receipt, as its law has it. */
const SIGNED = { AT: /"_R1-AT100_/, DE: /"caption":"<signatur>","data":"[\w+/]{86}=="/ }

async function signs(market: 'AT' | 'DE', box: Box): Promise<void> {
  const answer = await stand.app.inject({
    method: 'POST',
    url: `/${box.configuration.ftQueues[0]?.id}/json/v1/sign`,
    headers: {
      cashboxid: box.cashBoxId,
      accesstoken: box.accessToken,
      'content-type': 'application/json',
    },
    payload: JSON.stringify({
      ...{ ftCashBoxID: box.cashBoxId, cbTerminalID: '1', cbReceiptReference: 'start' },
      ...{ cbReceiptMoment: '2026-01-31T10:15:00Z', cbChargeItems: [], cbPayItems: [] },
      ftReceiptCase: START[market],
    }),
  })
  expect(answer.statusCode, answer.body).toBe(200)
  const state = BigInt(/"ftState":(\d+)/.exec(answer.body)?.[1] ?? '-1')
  expect(BigInt.asUintN(32, state), answer.body).toBe(0n)
  expect(answer.body).toMatch(SIGNED[market])
}

describe('a package of a signing unit', () => {
  it.each(UNITS)('(%s) %s becomes one that signs', async (market, unit) => {
    const box = await till(market, { unit, queue: 'fiskalwerk.Queue' })
    expect(box.configuration.ftSignaturCreationDevices).toMatchObject([{ package: unit }])
    await signs(market, box)
  })
})

describe('a package of a Queue', () => {
  it.each(QUEUES)('%s becomes one that can be started', async (queue) => {
    const box = await till('AT', { unit: 'fiskaltrust.signing.atapdu', queue })
    expect(box.configuration.ftQueues).toMatchObject([{ package: queue }])
    await signs('AT', box)
  })
})

describe('a package of a helper', () => {
  it.each(HELPERS)('%s is published', async (helper) => {
    const unit = 'fiskaltrust.signing.atapdu'
    const box = await till('AT', { unit, queue: 'fiskalwerk.Queue', helper })
    expect(box.configuration.helpers).toMatchObject([{ package: helper }])
  })
})

it('a name that is nobody’s is refused', async () => {
  const reply = await stand.call(
    `POST /api/posoperators/${operators.AT}/templates?outlet_number=1`,
    {
      body: {
        ftCashBoxId: '|[cashbox_id]|',
        ftSignaturCreationDevices: [{ Id: '|[scu0_id]|', Package: 'fiskalwerk.SCU.DE.Toaster' }],
        ftQueues: [],
      },
    },
  )
  const told = faults(reply)
  expect(Object.keys(told)).toEqual(['ftSignaturCreationDevices[0].Package'])
  const [text = ''] = Object.values(told).flat()
  expect(text).toMatch(/^This package is not known\. Expected: /)
  expect(namesIn(text)).toEqual(expect.arrayContaining(AUSTRIAN))
})

/** What a fault says that is expected. */
const namesIn = (text: string) => text.replace(/^.* Expected: (.*)\.$/, '$1').split(', ')

it.each([
  ['ftSignaturCreationDevices', 'AT', 'scu0_id', AUSTRIAN],
  ['ftSignaturCreationDevices', 'DE', 'scu0_id', GERMAN],
  ['ftQueues', 'AT', 'queue0_id', QUEUES],
  ['helpers', 'AT', 'helper0_id', HELPERS],
] as const)(
  'an entry of %s without a name is told those of %s',
  async (list, market, id, names) => {
    const operator = await stand.operator('Full', { market })
    const reply = await stand.call(`POST /api/posoperators/${operator}/templates?outlet_number=1`, {
      body: { ftCashBoxId: '|[cashbox_id]|', [list]: [{ Id: `|[${id}]|` }] },
    })
    const { [`${list}[0].Package`]: [text = ''] = [] } = faults(reply)
    expect(text).toMatch(/^The package is missing\. Expected: /)
    expect(namesIn(text)).toEqual(expect.arrayContaining([...names]))
    expect(
      namesIn(text).filter((name) => name.includes(market === 'AT' ? '.DE.' : '.AT.')),
    ).toEqual([])
  },
)

it('the helper whose id is the same everywhere can be in cash boxes of every account', async () => {
  const id = 'c32204ee-63d9-48c2-b548-acfb389fa713'
  const body = {
    ftCashBoxId: '|[cashbox_id]|',
    helpers: [{ Id: id, Package: 'fiskaltrust.service.helper.helipad' }],
  }
  for (const operator of [await stand.operator(), await stand.operator()]) {
    const path = `/api/posoperators/${operator}`
    for (const _ of [1, 2]) {
      const reply = await stand.call(`POST ${path}/templates?outlet_number=1`, { body })
      expect(reply.status, reply.text).toBe(200)
      const { cashBoxId, configuration } = reply.json() as unknown as Box
      expect(configuration.helpers).toMatchObject([{ id }])
      const details = (await stand.call(`GET ${path}/cashboxes/${cashBoxId}`)).json()
      expect(details.helpers).toEqual([])
    }
  }
  expect(await findLostReferences(stand.deps.store)).toEqual([])
})
