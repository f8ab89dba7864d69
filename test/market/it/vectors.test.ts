// Fingerprints (CCDC) and tokens of an Epson RT server: values that a real device has accepted,
// as the public tests of a middleware publish them, and the next step of the chain.
import { expect, it } from 'vitest'
import { ccdcOf, readToken, serverXml } from '../../../src/device/it/fpserver.js'
import { tokenText } from '../../../src/simulator/it/core.js'

const TOKEN = '99SEA004010FISK0001838282026070207420004000070100'
const RECEIPT =
  '<printerFiscalReceipt><beginFiscalReceipt /><printRecItem vatID="1" ' +
  'quantity="1" description="Articolo" type="B" unitPrice="1.00" />' +
  '<printRecTotal payment="1.00" index="0" description="Contanti" paymentType="0" />' +
  '<fiscalInformation tillId="FISK0001" zRepNumber="0742" recNumber="4" ' +
  'dateTime="20260702T120000" recAmount="1.00" recVAT="0.18" ' +
  'cashAmount="1.00" ePayAmount="0.00" noPayAmount="0.00" changeAmount="0.00" ' +
  'paidAmount="1.00" rtSerialNumber="99SEA004010" ' +
  'srtUtcOffset="2" docType="0" dailyAmount="702.00" /><endFiscalReceipt /></printerFiscalReceipt>'
const FIRST = '4582917fdeb49210f1578e08a07241f92920287b41871954b9491bcfef7293a0'

it('the first fingerprint begins with the token, the next with it', () => {
  expect(ccdcOf(TOKEN, RECEIPT)).toBe(FIRST)
  const plain =
    '<printerFiscalReceipt><beginFiscalReceipt /><endFiscalReceipt /></printerFiscalReceipt>'
  expect(ccdcOf(FIRST, plain)).toBe(
    '482b466b8ce0fd82eb85d4d9d01b78776d4f8d367397b3cd8a12a8a10bce1ad1',
  )
})

it('a token says till, Z, next document and the sales of the day', () => {
  const token = readToken(TOKEN)
  expect(token).toEqual({
    ...{ serial: '99SEA004010', till: 'FISK0001', chance: '83828', day: '20260702' },
    ...{ z: 742, doc: 4, daily: 70_100n },
  })
  expect(token && tokenText(token)).toBe(TOKEN)
  expect(readToken(TOKEN.slice(1))).toBeUndefined()
})

it('3.40 paid with 5.00: what was handed over, the change, and what was paid', () => {
  const text = serverXml(
    {
      ...{ id: '1', type: 'sale', till: 'FISK0001', subtotal: 0n, taxId: '', lottery: '' },
      lines: [{ kind: 'item', text: 'Caffe', quantity: '2', cents: 340n, vat: '10' }],
      payments: [{ kind: 'cash', text: 'Contanti', cents: 500n, count: 1 }],
      reference: undefined,
    },
    {
      ...{ serial: '99SEA004010', z: 742, doc: 5, stamp: '20260702T120100', daily: 70_200n },
      isSummer: true,
    },
  )
  expect(text).toContain('unitPrice="1.70" type="B" ateco="0" />')
  expect(text).toContain('dailyAmount="705.40" tillId="FISK0001" zRepNumber="0742" recNumber="5"')
  expect(text).toContain('cashAmount="5.00"')
  expect(text).toContain('changeAmount="1.60" paidAmount="3.40"')
})
