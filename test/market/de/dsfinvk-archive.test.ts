import { createHash } from 'node:crypto'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { dsfinvk } from '../../../src/market/de/export/dsfinvk/dsfinvk.js'
import { tables } from '../../../src/market/de/export/dsfinvk/tables.js'
import { bytesOf, cellsOf, type Files, filesOf, rowsOf } from './support/archive.js'
import { faultsOf } from './support/dtd.js'
import { cash, charge, goods, pay, receipt } from './support/items.js'
import { masterData, Till } from './support/till.js'

const DTD = 'gdpdu-01-09-2004.dtd'

function smallTill(): Till {
  const till = new Till()
  till.add(receipt([goods(11.9)], [cash(11.9)]))
  till.close()
  return till
}

const fileOf = (files: Files, name: string) => files.get(name) ?? ''

interface DescribedColumn {
  Name: string
  MaxLength?: number
  Numeric?: { Accuracy?: number }
}

interface DescribedTable {
  URL: string
  VariableLength: { VariableColumn: DescribedColumn[] }
}

/** Tables of index.xml: file name and columns with `A50`, `N2`. */
function describedTables(files: Files) {
  const parser = new XMLParser({ isArray: (name) => name === 'Table' || name === 'VariableColumn' })
  const { Media } = parser.parse(fileOf(files, 'index.xml')).DataSet
  return (Media.Table as DescribedTable[]).map(({ URL, VariableLength }) => ({
    url: URL,
    columns: VariableLength.VariableColumn.map(({ Name, MaxLength, Numeric }) =>
      MaxLength === undefined ? `${Name} N${Numeric?.Accuracy ?? 0}` : `${Name} A${MaxLength}`,
    ),
  }))
}

describe('index.xml', () => {
  it('is valid by the grammar beside it', async () => {
    const files = await filesOf(smallTill().source())
    expect(fileOf(files, 'index.xml')).toContain(`<!DOCTYPE DataSet SYSTEM "${DTD}">`)
    expect(faultsOf(fileOf(files, 'index.xml'), fileOf(files, DTD))).toEqual([])
  })

  it('would not be valid with elements in another order or unknown ones', async () => {
    const files = await filesOf(smallTill().source())
    const [xml, dtd] = [fileOf(files, 'index.xml'), fileOf(files, DTD)]
    const late = xml.replace('<UTF8/>', '').replace('</Range>', '</Range><UTF8/>')
    expect(faultsOf(late, dtd)[0]).toContain('Table holds')
    expect(faultsOf(xml.replace('<Version>1.0</Version>', ''), dtd)[0]).toContain('DataSet holds')
    expect(faultsOf(xml.replaceAll('Location>', 'Place>'), dtd)).toContain('Place is not declared')
    expect(faultsOf(xml.replace('<UTF8/>', '<UTF8>x</UTF8>'), dtd)).toEqual([])
  })

  it('describes every file as it is: columns, order, places', async () => {
    const files = await filesOf(smallTill().source())
    const described = describedTables(files)
    expect(described).toHaveLength(20)
    const columns = described.flatMap((table) => table.columns)
    expect(columns).toHaveLength(219)
    for (const { url, columns: own } of described) {
      const header = fileOf(files, url).split('\r\n')[0]
      expect(header).toBe(own.map((one) => `"${one.split(' ')[0]}"`).join(';'))
    }
  })

  it('escapes what the taxpayer is called', async () => {
    const till = new Till()
    till.close({ masterData: { Account: { AccountName: 'Müller & <Söhne>\u0007', City: 'Ulm' } } })
    const files = await filesOf(till.source())
    expect(fileOf(files, 'index.xml')).toContain('<Name>Müller &amp; &lt;Söhne&gt;</Name>')
    expect(fileOf(files, 'index.xml')).toContain('<Location>Ulm</Location>')
    expect(faultsOf(fileOf(files, 'index.xml'), fileOf(files, DTD))).toEqual([])
  })
})

describe('cells', () => {
  it('lose control characters and outer blanks, are cut, and double their quotes', async () => {
    const till = new Till()
    const emoji = '😀'.repeat(60)
    till.add(
      receipt(
        [
          goods(1, { description: '  a\r\nb\t"c";\u0085 ' }),
          goods(1, { description: `${'x'.repeat(254)}""` }),
          goods(1, { productNumber: emoji, unit: '=1+1' }),
        ],
        [cash(3)],
      ),
    )
    till.close()
    const files = await filesOf(till.source())
    const text = fileOf(files, 'lines.csv')
    expect(text).toContain(';"a  b ""c"";";')
    expect(text).toContain(`;"${'x'.repeat(254)}""";`)
    expect(rowsOf(files, 'lines')[2]).toMatchObject({ ART_NR: '😀'.repeat(25), EINHEIT: '=1+1' })
  })

  it('have exactly the decimals of their column, rounded half away from zero', async () => {
    const till = new Till()
    const odd = { quantity: '0.0005', unitQuantity: '-0.0004', unitPrice: '1234567.123455' }
    till.add(receipt([goods('0.005', odd), goods('-0.005')], [cash('0.005'), cash('-0.004')]))
    till.close()
    const files = await filesOf(till.source())
    expect(cellsOf(files, 'lines', 'MENGE FAKTOR STK_BR')).toEqual([
      // a price for nothing is the price for one
      '0,001|1,000|1234567,12346',
      '-1,000|1,000|0,00500',
    ])
    expect(cellsOf(files, 'datapayment', 'BASISWAEH_BETRAG')).toEqual(['0,01', '-0,01'])
  })

  it('of mandatory columns are filled, in every file', async () => {
    const till = new Till()
    const agencies = [
      {
        ...{ AgencyId: 'a-1', Name: 'Reisen', Street: 'Weg 3', Zip: '20095', City: 'Hamburg' },
        ...{ Country: 'DE', TaxId: '1', VatId: 'DE1' },
      },
    ]
    const own = { ftChargeItemCaseData: '{"AgencyId":"A-1"}' }
    till.add(receipt([charge(0xa2, 5, own)], [pay(1, 5)], { cbReceiptReference: 'A' }))
    till.add(receipt([goods(5)], [pay(1, 5)], { cbReceiptReference: 'A' }))
    till.close({ masterData: { ...masterData, Agencies: agencies } })
    const files = await filesOf(till.source())
    for (const { file, columns } of Object.values(tables)) {
      const rows = rowsOf(files, file.replace('.csv', ''))
      if (!/itemamounts|subitems/.test(file)) expect(rows.length, file).toBeGreaterThan(0)
      for (const { name, mandatory } of columns) {
        if (mandatory) for (const row of rows) expect(row[name], `${file} ${name}`).not.toBe('')
      }
    }
  })
})

describe('the archive', () => {
  it('is nothing at all where no closing is in the range', async () => {
    const till = new Till()
    till.add(receipt([goods(1)], [cash(1)]))
    expect(await bytesOf(till.source())).toHaveLength(0)
    const closing = till.close()
    expect(await bytesOf(till.source({ range: { from: closing + 1n, to: 0n } }))).toHaveLength(0)
    expect((await bytesOf(till.source())).length).toBeGreaterThan(0)
  })

  it('is the same whatever the size of the pages, also when files overflow', async () => {
    const till = new Till()
    const long = { description: 'Artikel mit langem Namen '.repeat(10) }
    for (let at = 0; at < 900; at += 1) {
      till.add(
        receipt([goods(1, long), goods(2, long), goods(3, long)], [cash(6)], { cbUser: 'E' }),
      )
    }
    till.close()
    const digest = async (pageSize: number) => {
      const files = await filesOf(till.source({ pageSize }))
      const hash = createHash('sha256')
      for (const [name, text] of [...files].sort()) hash.update(name).update(text)
      expect(files.get('transactions.csv')?.split('\r\n')).toHaveLength(902)
      return hash.digest('hex')
    }
    const expected = await digest(1000)
    expect(till.spools.bytes).toBe(0)
    expect(await digest(7)).toBe(expected)
    expect(till.spools.open).toBe(0)
  })

  it('gives its temporary storage back when nobody reads on', async () => {
    const till = new Till()
    const ftReceiptCaseData = JSON.stringify({ ReceiptNote: 'n'.repeat(255) })
    for (let at = 0; at < 3000; at += 1) {
      // hardly compressible: what is read ahead is then bounded by the buffers on the way
      const description = createHash('sha512').update(String(at)).digest('base64').repeat(2)
      till.add(receipt([goods(1, { description })], [cash(1)], { ftReceiptCaseData }))
    }
    till.close()
    let size = 0
    for await (const piece of dsfinvk.run(till.source({ pageSize: 50 }))) {
      size += piece.length
      if (till.spools.bytes > 0) break
    }
    expect(size).toBeGreaterThan(0)
    expect(till.spools.bytes).toBeGreaterThan(0)
    expect(till.spools.open).toBe(0)
    expect(till.pages).toBeLessThan(60)
  })

  it('breaks off with the error of a text that cannot be read', async () => {
    const till = smallTill()
    const first = till.items[0]
    if (first !== undefined) first.response = '{"ftReceiptIdentification":"ft0#"}'
    await expect(bytesOf(till.source())).rejects.toThrow('ftReceiptMoment cannot be read')
    expect(till.spools.open).toBe(0)
  })
})
