// Where sandbox and production differ, and how a changed configuration reaches a till.
import { afterAll, describe, expect, it } from 'vitest'
import { type DealerStand, faults, openDealer } from '../../support/dealer.js'

const stands: DealerStand[] = []
afterAll(async () => {
  for (const stand of stands) await stand.close()
})

async function open(environment: 'sandbox' | 'production'): Promise<DealerStand> {
  const stand = await openDealer({
    variables: { ENVIRONMENT: environment },
    dealer: { market: 'DE' },
  })
  stands.push(stand)
  return stand
}

const TILL = JSON.stringify(`{ "ftCashBoxId": "|[cashbox_id]|",
  "ftSignaturCreationDevices": [ { "Id": "|[scu0_id]|", 
    "Package": "fiskaltrust.Middleware.SCU.DE.Epson" } ],
  "ftQueues": [ { "Id": "|[queue0_id]|", "Package": "fiskaltrust.Middleware.Queue.EF", 
    "Version": "1.3.1",
    "Configuration": { "init_ftQueueDE": [ { "CashBoxIdentification": "same-till" } ] } } ] }`)

describe('an identification that another queue of the account has', () => {
  it('is stored in the sandbox', async () => {
    const stand = await open('sandbox')
    for (const _ of [1, 2, 3]) {
      const reply = await stand.call('POST /api/v1/configuration?outlet_number=1', { body: TILL })
      expect(reply.status, reply.text).toBe(200)
    }
    const rows = await stand.rows('select repeated from queue order by repeated')
    expect(rows.map(({ repeated }) => repeated)).toEqual([0, 1, 2])
  })

  it('is refused in production, where a software device is stored and does not sign', async () => {
    const stand = await open('production')
    const first = await stand.call('POST /api/v1/configuration?outlet_number=1', { body: TILL })
    expect(first.status, first.text).toBe(200)
    const second = await stand.call('POST /api/v1/configuration?outlet_number=1', { body: TILL })
    expect(Object.keys(faults(second))).toEqual([
      'ftQueues[0].Configuration.init_ftQueueDE[0].CashBoxIdentification',
    ])
    const box = first.json() as {
      cashBoxId: string
      accessToken: string
      configuration: { ftQueues: { Id: string }[] }
    }
    const answer = await stand.app.inject({
      method: 'POST',
      url: `/${box.configuration.ftQueues[0]?.Id}/json/v1/sign`,
      headers: { cashboxid: box.cashBoxId, accesstoken: box.accessToken },
      payload: `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1","cbReceiptReference":"1",
        "cbReceiptMoment":"2026-01-01T00:00:00Z","cbChargeItems":[],"cbPayItems":[],
        "ftReceiptCase":${0x4445_0001_0000_0003n}}`,
    })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.body).not.toContain('ftSignatures')
  })
})
