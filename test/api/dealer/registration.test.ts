// What is told to the authorities of a Queue, over HTTP, in both markets. Expected forms: § 146a
// (4) AO with the form of ELSTER, and the registration at FinanzOnline.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, openDealer } from '../../support/dealer.js'
import { RECEIPTS, rollOut, sign } from '../../support/dealer-stock.js'

const AT_START = 0x4154_0000_0000_0003n

let stand: DealerStand
let austrian: Awaited<ReturnType<DealerStand['account']>>
beforeAll(async () => {
  stand = await openDealer({ dealer: { market: 'DE' } })
  austrian = await stand.account({ market: 'AT' })
})
afterAll(() => stand.close())

async function shop(market: string) {
  const of = market === 'DE' ? stand.dealer : austrian
  const company = { line1: 'Ring 2', postalCode: '10115', city: 'Berlin', taxId: '', vatId: '' }
  const operator = await stand.operator('ReadWrite', { market, of, name: 'Café Ring', company })
  const box = await rollOut(stand, operator, market)
  const path = `/api/posoperators/${operator}`
  const ask = async (language = 'en') => {
    const headers = { 'accept-language': language }
    const line = `POST ${path}/queues/${box.queueId}/registration`
    return (await stand.call(line, { as: of, headers })).json() as unknown as Shown
  }
  return { operator, box, path, ask }
}

interface Shown {
  [name: string]: unknown
  notification: Record<'merchant' | 'outlet' | 'system', Record<string, unknown>>
  missing: { member: string; message: string }[]
  units: Record<string, unknown>[]
}

const membersOf = ({ missing }: Shown) => missing.map(({ member }) => member)

/** What nobody but the maker of the till knows. */
const posSystem = {
  Brand: 'ExamplePOS',
  Model: 'R 1',
  SoftwareVersion: '1.2',
  Type: 'Registrierkasse',
}

async function configure(queueId: string, masterData: object): Promise<void> {
  const text = JSON.stringify({ init_masterData: masterData })
  await stand.rows('update queue set configuration = $2 where id = $1', [queueId, text])
}

describe('a German till', () => {
  it('is told with its merchant, place, system and TSE; what is wanting is named', async () => {
    const { box, ask } = await shop('DE')
    const before = await ask()
    expect(before.notification).toEqual({
      merchant: {
        ...{ name: 'Café Ring', street: 'Ring 2', postalCode: '10115', city: 'Berlin' },
        ...{ country: 'DE', taxId: null, taxNumber: null, identificationNumber: null, vatId: null },
      },
      outlet: expect.objectContaining({ outletNumber: 1, street: 'Ring 2', city: 'Berlin' }),
      system: {
        ...{ kind: null, serialNumber: before.cashBoxIdentification, manufacturer: null },
        ...{ model: null, software: null, softwareVersion: null },
      },
    })
    expect(membersOf(before)).toEqual([
      'merchant.taxId',
      ...['kind', 'manufacturer', 'model', 'softwareVersion'].map((name) => `system.${name}`),
      'units[0].certificationId',
      'commissioningDate',
    ])
    expect(before.missing[0]?.message).toBe(
      'The company has no taxId: enter it in its master data and rebuild the CashBox.',
    )
    expect(before.units).toMatchObject([{ linked: false }])
    await sign(stand, box, RECEIPTS.start)
    const after = await ask()
    expect(membersOf(after)).not.toContain('commissioningDate')
    expect(after.purchaseDate).toBe(after.commissioningDate)
    expect(after.units).toMatchObject([
      {
        ...{ linked: true, certificationId: 'EMULATOR-NOT-CERTIFIED' },
        serialHexadecimal: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    expect([after.encryptionKeyBase64, after.decommissioningDate]).toEqual([null, null])
    await sign(stand, box, RECEIPTS.stop)
    expect((await ask()).decommissioningDate).toMatch(/Z$/)
  })

  it('is told as its DSFinV-K shows it, and filled up from account and product', async () => {
    const { operator, box, path, ask } = await shop('DE')
    await stand.rows(
      `update account set tax_id = '21/815/08150', tax_number = '1121081508150' where id = $1`,
      [operator],
    )
    await stand.rows(
      `insert into pos_system
       values ($1, gen_random_uuid(), 'TillMaker', 'Pad', '7', 'EUR', 'App', now())`,
      [operator],
    )
    const rows = await ask()
    const taxes = { taxId: '21/815/08150', taxNumber: '1121081508150' }
    expect(rows.notification.merchant).toMatchObject(taxes)
    const named = { kind: 'App', manufacturer: 'TillMaker', model: 'Pad', softwareVersion: '7' }
    expect(rows.notification.system).toMatchObject(named)
    expect(membersOf(rows)).toEqual(['units[0].certificationId', 'commissioningDate'])
    const Outlet = { OutletName: 'Mitte', Street: 'Allee 5', Zip: '10117', City: 'Berlin' }
    const Account = { TaxId: '181/815/08155', VatId: 'DE123456789' }
    await configure(box.queueId, { Account, Outlet, PosSystems: [posSystem] })
    const configured = await ask('de')
    expect(configured.notification).toMatchObject({
      merchant: { name: 'Café Ring', street: 'Ring 2', taxNumber: null, vatId: 'DE123456789' },
      outlet: { name: 'Mitte', street: 'Allee 5', postalCode: '10117' },
      system: { kind: 'Registrierkasse', manufacturer: 'ExamplePOS', software: 'ExamplePOS' },
    })
    expect(configured.missing[0]).toEqual({
      member: 'merchant.taxNumber',
      message:
        'Die Steuernummer 181/815/08155 lässt das Bundesland offen: die 13-stellige eintragen.',
    })
    await configure(box.queueId, { Account: { TaxId: '36574261809' }, PosSystems: [posSystem] })
    const person = await ask()
    expect(person.notification.merchant).toMatchObject({ identificationNumber: '36574261809' })
    expect(membersOf(person)).not.toContain('merchant.taxNumber')
    // an outlet without address of its own stands where the company is
    const patched = { purchaseDate: '2026-03-01', commissioningDate: '2026-03-02' }
    await stand.call(`PATCH ${path}/queues/${box.queueId}`, { body: patched })
    expect(await ask()).toMatchObject({ purchaseDate: '2026-03-01T00:00:00Z' })
  })

  it('has the product that its newest receipts name', async () => {
    const { box, ask } = await shop('DE')
    const other = {
      ...posSystem,
      PosSystemId: 'f0000000-0000-4000-8000-00000000000f',
      Brand: 'Two',
    }
    await configure(box.queueId, { PosSystems: [posSystem, other] })
    await sign(stand, box, RECEIPTS.start)
    expect((await ask()).notification.system.manufacturer).toBe('ExamplePOS')
    const till = { ...box, posSystemId: other.PosSystemId.toUpperCase() }
    await sign(stand, till, RECEIPTS.sale)
    await sign(stand, box, RECEIPTS.daily)
    expect((await ask()).notification.system.manufacturer).toBe('Two')
  })

  it('has no RKSV facts in its cash box', async () => {
    const { box, path } = await shop('DE')
    const shown = await stand.call(`GET ${path}/cashboxes/${box.cashBoxId}`)
    expect(shown.json()).toMatchObject({ queueATProperties: [] })
  })
})

describe('an Austrian till', () => {
  it('is registered with key, check value, ZDA and serial number, and nothing else', async () => {
    const { box, ask, path } = await shop('AT')
    const before = await ask()
    expect(before).toMatchObject({ notification: null, encryptionKeyBase64: null })
    expect(membersOf(before)).toEqual(['encryptionKeyBase64', 'commissioningDate'])
    await sign(stand, box, AT_START)
    const after = await ask()
    expect(after).toMatchObject({
      encryptionKeyBase64: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      encryptionKeyCheckValue: expect.stringMatching(/^\S{4}$/),
      startReceipt: { code: expect.stringMatching(/^_R1-AT100_/) },
      units: [{ zda: 'AT100', serialDecimal: expect.stringMatching(/^\d+$/), linked: null }],
      ...{ missing: [], notification: null, purchaseDate: null },
    })
    const shown = await stand.call(`GET ${path}/cashboxes/${box.cashBoxId}`, { as: austrian })
    const { queueATProperties } = shown.json()
    expect(queueATProperties).toMatchObject([{ encryptionKeyBase64: after.encryptionKeyBase64 }])
  })
})
