// French registers from templates: the entry of the handbook names no package, the number of the
// outlet (SIRET) becomes the identity of the unit, and the register signs with it.
import { X509Certificate } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { type DealerStand, faults, openDealer } from '../../support/dealer.js'
import { HANDBOOK } from '../../support/fr/handbook.js'

const stands: DealerStand[] = []
afterAll(async () => {
  for (const stand of stands) await stand.close()
})

async function open(environment: 'sandbox' | 'production' = 'sandbox'): Promise<DealerStand> {
  const stand = await openDealer({
    variables: { ENVIRONMENT: environment, ALLOW_SOFTWARE_DEVICES: 'true' },
    dealer: { market: 'FR' },
  })
  stands.push(stand)
  return stand
}

const SIREN = '321654980'
const SIRET = '32165498000010'

const OUTLET = {
  ...{ name: 'Boulangerie', address: '1 rue de la Paix', postalCode: '75002' },
  ...{ city: 'Paris', country: 'FR' },
}

async function merchant(stand: DealerStand, locationId: string | null) {
  const account = await stand.operator('Full', {
    ...{ market: 'FR', country: 'FR', name: 'Boulangerie SARL' },
    company: { line1: '1 rue de la Paix', postalCode: '75002', city: 'Paris' },
    siren: SIREN,
  } as never)
  const made = await stand.call(`POST /api/posoperators/${account}/outlets`, {
    body: { ...OUTLET, ...(locationId === null ? {} : { locationId }) },
  })
  expect(made.status, made.text).toBeLessThan(300)
  const { outletNumber } = made.json() as { outletNumber: number }
  const execute = (text = HANDBOOK) =>
    stand.call(`POST /api/posoperators/${account}/templates?outlet_number=${outletNumber}`, {
      body: JSON.stringify(text),
    })
  return { account, outletNumber, execute }
}

interface Box {
  cashBoxId: string
  accessToken: string
  configuration: {
    ftQueues: { id: string; configuration: Record<string, Record<string, unknown>[]> }[]
  }
}

async function send(stand: DealerStand, box: Box, path: string, payload = '') {
  const answer = await stand.app.inject({
    method: 'POST',
    url: `/${box.configuration.ftQueues[0]?.id}/json/v0/${path}`,
    headers: { cashboxid: box.cashBoxId, accesstoken: box.accessToken },
    payload,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer
}

const start = (box: Box) =>
  `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1","cbReceiptReference":"1",` +
  '"cbReceiptMoment":"2026-03-01T08:00:00Z","cbChargeItems":[],"cbPayItems":[],' +
  '"ftReceiptCase":5067112530745229328}'

describe('a French register', () => {
  it('signs with the SIRET of its outlet, under a name made of the time', async () => {
    const stand = await open()
    const { execute } = await merchant(stand, SIRET)
    const reply = await execute()
    expect(reply.status, reply.text).toBe(200)
    const box = reply.json() as unknown as Box
    const tables = box.configuration.ftQueues[0]?.configuration ?? {}
    const [row] = tables.init_ftQueueFR ?? []
    expect(row).toMatchObject({ CashBoxIdentification: expect.stringMatching(/^ft\d{14}$/) })
    const [unit] = tables.init_ftSignaturCreationUnitFR ?? []
    expect(unit).toMatchObject({ Siret: SIRET, CompanyName: 'Boulangerie SARL', PrivateKey: null })

    const answer = await send(stand, box, 'sign', start(box))
    const { ftReceiptIdentification, ftSignatures } = answer.json()
    expect(ftReceiptIdentification).toBe('ft0#G1')
    const jws = ftSignatures
      .map((one: { data: string }) => one.data)
      .find((one: string) => one.startsWith('eyJ'))
    const payload = JSON.parse(Buffer.from(jws.split('.')[1], 'base64url').toString())
    expect(payload).toMatchObject({ siret: SIRET, cbid: row?.CashBoxIdentification })
    const { body } = await send(stand, box, 'journal?type=0xFF')
    const [, der = ''] = /"CertificateBase64":"([^"]+)"/.exec(body) ?? []
    const { subject } = new X509Certificate(Buffer.from(der, 'base64'))
    expect(subject.split('\n').sort()).toEqual([`CN=${SIRET}`, 'O=Boulangerie SARL'])
  })

  it('is not made for an outlet without number; the sandbox takes any digits', async () => {
    const stand = await open()
    const without = await merchant(stand, null)
    expect((await without.execute()).status).toBe(400)
    const some = await merchant(stand, '4711')
    const refused = await some.execute()
    expect([refused.status, refused.text.includes('14 digits')]).toEqual([400, true])
  })

  it('takes names and numbers of the query where the template has none', async () => {
    const stand = await open()
    const { account, outletNumber } = await merchant(stand, SIRET)
    const text = HANDBOOK.replace('"Siret": "|[siret]|", "CompanyName": "|[company_name]|",', '')
    const query = `outlet_number=${outletNumber}&Siret=11111111111111&CompanyName=Autre`
    const reply = await stand.call(`POST /api/posoperators/${account}/templates?${query}`, {
      body: JSON.stringify(text),
    })
    expect(reply.status, reply.text).toBe(200)
    const { configuration } = reply.json() as unknown as Box
    const [unit] = configuration.ftQueues[0]?.configuration.init_ftSignaturCreationUnitFR ?? []
    expect(unit).toMatchObject({ Siret: '11111111111111', CompanyName: 'Autre' })
  })

  it('in production needs the SIRET of its company', async () => {
    const stand = await open('production')
    const other = await merchant(stand, '99999999900010')
    const pattern = `(${SIREN}#####, # = 0…9)`
    const refused = await other.execute()
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(pattern)])
    const right = await merchant(stand, SIRET)
    const reply = await right.execute()
    expect(reply.status, reply.text).toBe(200)
  })

  it.each([
    ['entry', '"CountryCode": "FR"', '"CountryCode": "FR", "SignatureForm": "der"'],
    [
      'row',
      '"Siret": "|[siret]|" } ] }',
      '"Siret": "|[siret]|" } ], "init_ftSignaturCreationUnitFR": [ ' +
        '{ "ftSignaturCreationUnitFRId": "|[scu0_id]|", "signatureform": "der", ' +
        '"signatureExcerpt": true } ] }',
    ],
  ])('signs in the form that its %s asks for', async (place, text, instead) => {
    const stand = await open()
    const { execute } = await merchant(stand, SIRET)
    expect(HANDBOOK).toContain(text)
    const reply = await execute(HANDBOOK.replace(text, instead))
    expect(reply.status, reply.text).toBe(200)
    const box = reply.json() as unknown as Box
    const { ftSignatures } = (await send(stand, box, 'sign', start(box))).json()
    const shown = ftSignatures.map(({ data }: { data: string }) => data)
    const [, , signature = ''] = shown.find((one: string) => one.startsWith('eyJ')).split('.')
    expect(Buffer.from(signature, 'base64url')[0]).toBe(0x30)
    const excerpts = shown.filter((one: string) => one.length === 4)
    expect(excerpts).toHaveLength(place === 'row' ? 1 : 0)
  })

  it('is not made with a form that there is not', async () => {
    const stand = await open()
    const { execute } = await merchant(stand, SIRET)
    const text = HANDBOOK.replace('"CountryCode"', '"SignatureForm": "pem", "CountryCode"')
    const reply = await execute(text)
    expect([reply.status, reply.text.includes('signatureform')]).toEqual([400, true])
  })

  it('tells what is wrong with a number', async () => {
    const stand = await open()
    const { execute } = await merchant(stand, SIRET)
    const reply = await execute(HANDBOOK.replaceAll('|[siret]|', 'abc'))
    expect(Object.keys(faults(reply))).toEqual([
      'ftQueues[0].Configuration.init_ftSignaturCreationUnitFR[0].Siret',
    ])
  })
})
