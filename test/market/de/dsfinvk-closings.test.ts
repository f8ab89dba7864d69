import { generateKeyPairSync, webcrypto } from 'node:crypto'
import 'reflect-metadata'
import { X509CertificateGenerator } from '@peculiar/x509'
import { describe, expect, it } from 'vitest'
import { bytesOf, cellsOf, filesOf, rowsOf } from './support/archive.js'
import { cash, charge, goods, receipt, receiptCase } from './support/items.js'
import { entryOf, FIRST_TICKS, masterData, type TestUnit, Till, unit } from './support/till.js'

const sale = (amount: number, changes = {}) => receipt([goods(amount)], [cash(amount)], changes)

/** Three closings: two sales, none, one sale; a last sale that is not closed. */
function threeClosings() {
  const till = new Till()
  till.add(sale(1))
  till.add(sale(2))
  const first = till.close()
  const second = till.close()
  till.add(sale(4))
  const third = till.close()
  till.add(sale(8))
  return { till, first, second, third }
}

const closed = async (till: Till, range: { from: bigint; to: bigint }) => {
  const files = await filesOf(till.source({ range, pageSize: 2 }))
  return cellsOf(files, 'cashpointclosing', 'Z_NR Z_START_ID Z_ENDE_ID Z_SE_ZAHLUNGEN')
}

const FIRST = '1|ft0#IT1|ft1#IT2|3,00'
const SECOND = '2|ft3#IT4|ft3#IT4|0,00'
const THIRD = '3|ft4#IT5|ft4#IT5|4,00'

describe('the closings of an export', () => {
  it('are all that are written, each with the receipts since the one before', async () => {
    const { till } = threeClosings()
    expect(await closed(till, { from: 0n, to: 0n })).toEqual([FIRST, SECOND, THIRD])
    const files = await filesOf(till.source())
    expect(cellsOf(files, 'transactions', 'Z_NR BON_ID')).toEqual([
      '1|ft0#IT1',
      '1|ft1#IT2',
      '3|ft4#IT5',
    ])
  })

  it('are in the range by their own row, then with all their receipts', async () => {
    const { till, first, second, third } = threeClosings()
    expect(await closed(till, { from: first, to: first })).toEqual([FIRST])
    expect(await closed(till, { from: first + 1n, to: 0n })).toEqual([SECOND, THIRD])
    expect(await closed(till, { from: first + 1n, to: third - 1n })).toEqual([SECOND])
    expect(await closed(till, { from: third, to: 0n })).toEqual([THIRD])
    expect(await closed(till, { from: second, to: third })).toEqual([SECOND, THIRD])
  })

  it('are among the first receipts from `from` on, where the end is a number', async () => {
    const { till } = threeClosings()
    expect(await closed(till, { from: 0n, to: -3n })).toEqual([FIRST])
    expect(await closed(till, { from: 0n, to: -4n })).toEqual([FIRST, SECOND])
    // from the second sale on: the closing is the second receipt
    expect(await closed(till, { from: FIRST_TICKS + 20n, to: -2n })).toEqual([FIRST])
    expect(await bytesOf(till.source({ range: { from: 0n, to: -2n } }))).toHaveLength(0)
  })

  it('without receipts still say who, where, with which register and TSE', async () => {
    const till = new Till()
    till.close()
    const files = await filesOf(till.source())
    for (const table of ['cashpointclosing', 'location', 'cashregister', 'tse']) {
      expect(rowsOf(files, table), table).toHaveLength(1)
    }
    for (const table of ['slaves', 'vat', 'payment', 'businesscases', 'transactions', 'lines']) {
      expect(rowsOf(files, table), table).toEqual([])
    }
    expect(cellsOf(files, 'cashpointclosing', 'Z_START_ID Z_ENDE_ID')).toEqual(['ft0#IT1|ft0#IT1'])
  })
})

describe('master data of a closing', () => {
  it('are those that were in force, else those of the configuration', async () => {
    const till = new Till()
    till.close({
      masterData: { ...masterData, Account: { AccountName: 'Alt', Country: 'Austria' } },
    })
    till.close({ masterData: null })
    const configuration = { init_masterData: { Account: { AccountName: 'Neu', Country: 'ch' } } }
    const text = { init_masterData: JSON.stringify(configuration.init_masterData) }
    for (const one of [configuration, text]) {
      const files = await filesOf(till.source({ configuration: one }))
      expect(cellsOf(files, 'cashpointclosing', 'NAME LAND')).toEqual(['Alt|AUT', 'Neu|CHE'])
      expect(cellsOf(files, 'cashregister', 'KASSE_BRAND KASSE_SERIENNR')).toEqual([
        'ExamplePOS|KASSE-0001',
        '|KASSE-0001',
      ])
    }
    const without = await filesOf(till.source())
    expect(cellsOf(without, 'cashpointclosing', 'NAME')).toEqual(['Alt', ''])
  })

  it('name the POS system of the receipts and its currency', async () => {
    const till = new Till()
    const system = { Brand: 'B', Model: 'M2', SoftwareVersion: '2', BaseCurrency: 'CHF' }
    const PosSystems = [...masterData.PosSystems, { PosSystemId: 'ABC-1', ...system }]
    till.add(sale(1, { ftPosSystemId: 'abc-1' }))
    till.close({ masterData: { ...masterData, PosSystems } })
    const files = await filesOf(till.source())
    const columns = 'KASSE_BRAND KASSE_MODELL KASSE_SW_VERSION KASSE_BASISWAEH_CODE'
    expect(cellsOf(files, 'cashregister', columns)).toEqual(['B|M2|2|CHF'])
    expect(cellsOf(files, 'datapayment', 'ZAHLWAEH_CODE ZAHLWAEH_BETRAG')).toEqual(['CHF|'])
  })

  it('list the agencies that were used, by their place', async () => {
    const agency = (AgencyId: string, Name: string) => ({ AgencyId, Name, Country: 'DE' })
    const Agencies = [agency('a', 'Eins'), agency('b', 'Zwei'), agency('c', 'Drei')]
    const own = (id: string) =>
      charge(0xa2, 5, { ftChargeItemCaseData: JSON.stringify({ AgencyId: id }) })
    const till = new Till()
    till.add(receipt([own('C'), own('a'), own('c'), own('unknown'), goods(1)], [cash(21)]))
    till.close({ masterData: { ...masterData, Agencies } })
    const files = await filesOf(till.source())
    expect(cellsOf(files, 'pa', 'AGENTUR_ID AGENTUR_NAME AGENTUR_LAND')).toEqual([
      '1|Eins|DEU',
      '3|Drei|DEU',
    ])
    expect(cellsOf(files, 'lines', 'AGENTUR_ID')).toEqual(['3', '1', '3', '0', '0'])
    expect(cellsOf(files, 'businesscases', 'AGENTUR_ID UST_SCHLUESSEL Z_UMS_BRUTTO')).toEqual([
      '3|5|10,00000',
      '1|5|5,00000',
      '0|5|5,00000',
      '0|1|1,00000',
    ])
  })

  it('have the place of the taxpayer where no outlet has a name or an address', async () => {
    const Account = {
      ...{ AccountName: 'Muster GmbH', Street: 'Musterweg 1', Zip: '10115' },
      ...{ City: 'Berlin', Country: 'DE', VatId: 'DE123456789' },
    }
    const till = new Till()
    till.close({ masterData: { Account } })
    till.close({ masterData: { Account, Outlet: { OutletName: 'Filiale', Street: ' ' } } })
    till.close({ masterData: { Account, Outlet: { City: 'Wien', Country: 'AT' } } })
    const files = await filesOf(till.source())
    const columns = 'LOC_NAME LOC_STRASSE LOC_PLZ LOC_ORT LOC_LAND LOC_USTID'
    expect(cellsOf(files, 'location', columns)).toEqual([
      'Muster GmbH|Musterweg 1|10115|Berlin|DEU|',
      'Filiale|Musterweg 1|10115|Berlin|DEU|',
      'Muster GmbH|||Wien|AUT|',
    ])
  })

  it('write countries with three letters, whatever they were called', async () => {
    const names = ['DE', 'deu', 'Deutschland', 'GERMANY', 'Schweiz', ' at ', 'Utopia', 'xk', '']
    const till = new Till()
    for (const Country of names) till.close({ masterData: { Outlet: { Country } } })
    const files = await filesOf(till.source())
    expect(cellsOf(files, 'location', 'LOC_LAND')).toEqual([
      ...['DEU', 'DEU', 'DEU', 'DEU', 'CHE', 'AUT', '', '', ''],
    ])
  })

  it('list every terminal once', async () => {
    const till = new Till()
    for (const cbTerminalID of ['T2', 'T1', 'T2', null, ' ']) till.add(sale(1, { cbTerminalID }))
    till.close()
    const files = await filesOf(till.source())
    expect(cellsOf(files, 'slaves', 'TERMINAL_ID')).toEqual(['T2', 'T1'])
    expect(cellsOf(files, 'transactions', 'TERMINAL_ID')).toEqual(['T2', 'T1', 'T2', '', ''])
  })

  it('have the version of the standard that the queue is set to', async () => {
    const till = new Till()
    till.close()
    const versionOf = async (configuration: object) =>
      cellsOf(
        await filesOf(till.source({ configuration })),
        'cashpointclosing',
        'TAXONOMIE_VERSION',
      )
    expect(await versionOf({})).toEqual(['2.3'])
    expect(await versionOf({ DsfinvkVersion: '2.4' })).toEqual(['2.4'])
  })
})

async function otherUnit(curve: 'P-256' | 'P-384', comment: string): Promise<TestUnit> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve })
  const algorithm = { name: 'ECDSA', namedCurve: curve, hash: 'SHA-256' }
  const imported = async (key: typeof privateKey, usage: KeyUsage) =>
    webcrypto.subtle.importKey('jwk', key.export({ format: 'jwk' }), algorithm, true, [usage])
  const certificate = await X509CertificateGenerator.create({
    ...{ serialNumber: '01', subject: `CN=${comment}`, issuer: 'CN=Test CA' },
    ...{ notBefore: new Date('2025-01-01'), notAfter: new Date('2035-01-01') },
    signingAlgorithm: algorithm,
    publicKey: await imported(publicKey, 'verify'),
    signingKey: await imported(privateKey, 'sign'),
  })
  const serialHex = curve === 'P-256' ? 'ab'.repeat(32) : 'cd'.repeat(32)
  return { serialHex, entry: entryOf(Buffer.from(certificate.rawData)) }
}

type KeyUsage = 'sign' | 'verify'

describe('the TSEs of a closing', () => {
  it('are numbered by their use, and receipts name the one that signed', async () => {
    const second = await otherUnit('P-384', 'zwei')
    const till = new Till()
    const failed = { caption: 'TSE ausgefallen', type: 0x1000n }
    const base64 = Buffer.from(second.serialHex, 'hex').toString('base64')
    till.add(sale(1))
    till.add(sale(1), { unit: second })
    till.add(sale(1), { fault: failed })
    till.add(sale(1), { unit: { ...second, serialHex: base64 } })
    till.close({ units: [unit, second] })
    till.add(sale(1), { unit: second })
    till.close({ units: [second] })
    const files = await filesOf(till.source())
    expect(cellsOf(files, 'transactions_tse', 'Z_NR TSE_ID')).toEqual([
      ...['1|1', '1|2', '1|2', '1|2', '2|1'],
    ])
    expect(cellsOf(files, 'tse', 'Z_NR TSE_ID TSE_SERIAL')).toEqual([
      `1|1|${unit.serialHex}`,
      `1|2|${second.serialHex}`,
      `2|1|${second.serialHex}`,
    ])
  })

  it('get their algorithm from the curve where no receipt tells it', async () => {
    const till = new Till()
    till.close({ units: [await otherUnit('P-256', 'a'), await otherUnit('P-384', 'b')] })
    const files = await filesOf(till.source())
    expect(cellsOf(files, 'tse', 'TSE_SIG_ALGO TSE_ZEITFORMAT TSE_PD_ENCODING')).toEqual([
      'ecdsa-plain-SHA256|unixTime|UTF-8',
      'ecdsa-plain-SHA384|unixTime|UTF-8',
    ])
    const points = rowsOf(files, 'tse').map((row) =>
      Buffer.from(row.TSE_PUBLIC_KEY ?? '', 'base64'),
    )
    expect(points.map((point) => [point[0], point.length])).toEqual([
      [4, 65],
      [4, 97],
    ])
  })

  it('get further columns, in index.xml as well, where a certificate is long', async () => {
    const long = await otherUnit('P-256', 'x'.repeat(1800))
    const till = new Till()
    till.close()
    till.close({ units: [long] })
    const files = await filesOf(till.source())
    const parts = ['I', 'II', 'III'].map((number) => `TSE_ZERTIFIKAT_${number}`)
    const [usual, split] = rowsOf(files, 'tse')
    expect(parts.map((name) => split?.[name] ?? '').join('')).toBe(
      long.entry.der.toString('base64'),
    )
    expect(split?.TSE_ZERTIFIKAT_I).toHaveLength(1000)
    expect(usual?.TSE_ZERTIFIKAT_III).toBe('')
    expect(files.get('index.xml')).toContain(
      '<VariableColumn><Name>TSE_ZERTIFIKAT_III</Name><AlphaNumeric/><MaxLength>1000</MaxLength>',
    )
  })
})

describe('handwritten and late receipts', () => {
  it('are in the sums of the closing like any other', async () => {
    const till = new Till()
    const caption = 'Handschriftbelegerfassung vom 2026-01-01T08:00:00Z'
    till.add(sale(3, { ftReceiptCase: receiptCase(1, 0x8) }), { fault: { caption, type: 2n } })
    till.close()
    const files = await filesOf(till.source())
    expect(cellsOf(files, 'payment', 'ZAHLART_TYP Z_ZAHLART_BETRAG')).toEqual(['Bar|3,00'])
    expect(cellsOf(files, 'transactions_tse', 'TSE_TA_FEHLER')).toEqual([caption])
  })
})
