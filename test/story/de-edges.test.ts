import { writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'vitest'
import { verifyFile } from '../../src/core/verify/file.js'
import { germany } from '../../src/market/de/index.js'
import { DE } from '../support/de/story-items.js'
import { GermanShop, IMPLICIT, answerOf } from '../support/de/story-shop.js'
import { Chance } from '../support/load.js'

it('edges', async () => {
  const shop = await GermanShop.open(new Chance())
  const folder = process.env.MIXED_FOLDER ?? '/tmp/dsf-check/edges'
  await mkdir(folder, { recursive: true })
  let n = 0
  const now = (ms = 0) => new Date(Date.now() + ms).toISOString()
  const sign = async (name: string, body: any, word: bigint = IMPLICIT | 1n) => {
    n += 1
    const { cbChargeItems = [], cbPayItems = [] } = body
    const r = await shop.postRequest(0, {
      cbTerminalID: 'T1', cbReceiptReference: `r-${n}`, cbReceiptMoment: now(), cbUser: 'Kim',
      ...body,
      cbChargeItems: cbChargeItems.map((c: any, at: number) => ({ Position: at + 1, Quantity: 1, Description: name, Amount: 1.19, VATRate: 19, ...c, ftChargeItemCase: DE | BigInt(c.c ?? 0x11) })),
      cbPayItems: cbPayItems.map((c: any, at: number) => ({ Position: at + 1, Quantity: 1, Description: 'Bar', Amount: 1.19, ...c, ftPayItemCase: DE | BigInt(c.c ?? 1) })),
      ftReceiptCase: DE | word,
    })
    const id = r.status === 200 ? answerOf(r.text).identification + ' ' + answerOf(r.text).state.toString(16) + ' ' + answerOf(r.text).signatures.find((s) => (s.type & 0xffn) === 0x16n)?.data : r.text.slice(0, 300)
    console.log(`${name}: ${r.status} ${id}`)
    return r
  }
  await sign('start', {}, IMPLICIT | 3n)
  const one = { cbChargeItems: [{}], cbPayItems: [{}] }
  await sign('plain', one)
  const nasty = 'a";b\r\nc\t\u0085\u2028\u2029\u00a0 😀;"" '
  await sign('nasty texts', {
    cbTerminalID: ` T;"1"\r\n${'x'.repeat(60)} `, cbUser: `${nasty}${'😀'.repeat(300)}`, cbArea: nasty,
    cbCustomer: JSON.stringify({ CustomerName: nasty.repeat(20), CustomerId: '😀'.repeat(60), CustomerType: 'x'.repeat(300), CustomerCountry: 'Österreich', CustomerVATId: 'ATU123456789012345' }),
    ftReceiptCaseData: JSON.stringify({ ReceiptName: nasty + 'n'.repeat(100), ReceiptNote: nasty + '😀'.repeat(300), UserId: nasty }),
    cbReceiptReference: `${nasty}${'r'.repeat(60)}`,
    cbChargeItems: [{ Description: nasty + '😀'.repeat(300), ProductNumber: nasty, ProductBarcode: nasty, ProductGroup: nasty + 'x'.repeat(300), Unit: nasty, ftChargeItemCaseData: JSON.stringify({ TerminalId: nasty + 'q'.repeat(70), ItemCaseName: nasty + 'g'.repeat(60), VoucherNr: nasty, AgencyId: 'none' }) }],
    cbPayItems: [{ Description: nasty + 'y'.repeat(300) }],
  })
  await sign('300 chars', { cbChargeItems: [{ Description: 'z'.repeat(300) }, { Description: '😀'.repeat(300), Amount: 0 }], cbPayItems: [{}] })
  await sign('empty texts', { cbTerminalID: '', cbUser: '', cbReceiptReference: '', cbChargeItems: [{ Description: '' }, { Description: ' \r\n', Amount: 0 }], cbPayItems: [{ Description: '' }] })
  await sign('no texts', { cbTerminalID: undefined, cbUser: undefined, cbReceiptReference: undefined, cbChargeItems: [{ Description: undefined }], cbPayItems: [{ Description: undefined }] })
  await sign('decimals', { cbChargeItems: [{ Amount: 1.123456789 }, { Amount: 0.0049999, c: 0x12, VATRate: 7 }, { Amount: 2.004999, c: 0x12, VATRate: 7 }], cbPayItems: [{ Amount: 1.565 }, { Amount: 1.568456 }] })
  await sign('decimals exact', { cbChargeItems: [{ Amount: 1.005 }, { Amount: 1.005 }], cbPayItems: [{ Amount: 1.005 }, { Amount: 1.005 }] })
  await sign('decimals rates', { cbChargeItems: [{ Amount: 1.005 }, { Amount: 1.005, c: 0x12, VATRate: 7 }], cbPayItems: [{ Amount: 2.01 }] })
  await sign('quantity 0', { cbChargeItems: [{ Quantity: 0 }], cbPayItems: [{ Quantity: 0 }] })
  await sign('quantity 0 amount 0', { cbChargeItems: [{ Quantity: 0, Amount: 0 }], cbPayItems: [] })
  await sign('quantity small', { cbChargeItems: [{ Quantity: 0.0004, Amount: 20 }, { Quantity: 0.3333, Amount: 1000 }, { Quantity: 12345.6789, Amount: 100 }], cbPayItems: [{ Amount: 1120 }] })
  await sign('quantity price', { cbChargeItems: [{ Quantity: 0.3333, UnitPrice: 3000.3, Amount: 1000 }], cbPayItems: [{ Amount: 1000 }] })
  await sign('factor', { cbChargeItems: [{ Quantity: 2, UnitQuantity: 1.5, Amount: 6.67, UnitPrice: 5 }, { Quantity: 2, UnitQuantity: 0, Amount: 5 }, { Quantity: 2, UnitQuantity: -1, Amount: 5 }, { Quantity: 2, UnitQuantity: 0.0001, Amount: 5 }, { Quantity: 3, UnitQuantity: 0.3333, Amount: 5 }], cbPayItems: [{ Amount: 26.67 }] })
  await sign('negative price', { cbChargeItems: [{ Quantity: 2, UnitPrice: -5, Amount: -10 }, { Quantity: -2, UnitPrice: 5, Amount: -10 }, { Quantity: -2, UnitPrice: 5, Amount: 10 }, { Quantity: -2, UnitPrice: -5, Amount: -10 }], cbPayItems: [{ Amount: -40 }] })
  await sign('rate does not fit', { cbChargeItems: [{ VATRate: 7, Amount: 10.7 }, { c: 0x12, VATRate: 19, Amount: 11.9 }, { c: 0x15, VATRate: 19, Amount: 11.9 }, { c: 0x14, VATRate: 19, Amount: 11.9 }, { c: 0x13, VATRate: 19, Amount: 11.9 }, { c: 0x13, VATRate: 10.7, Amount: 11.07 }], cbPayItems: [{ Amount: 69.37 }] })
  await sign('individual', { cbChargeItems: [{ c: 0x17, VATRate: 14.255, Amount: 10 }, { c: 0x17, VATRate: 0.004, Amount: 10 }, { c: 0x17, VATRate: -5, Amount: 10 }, { c: 0x17, VATRate: 16, Amount: 11.6 }], cbPayItems: [{ Amount: 41.6 }] })
  await sign('case 0', { cbChargeItems: [{ c: 0, VATRate: 19 }, { c: 0, VATRate: 0 }, { c: 0, VATRate: 7, Amount: 1.07 }], cbPayItems: [{ Amount: 3.45 }] })
  await sign('vat amount', { cbChargeItems: [{ VATAmount: 0.19 }, { VATAmount: 0.2, Amount: 1.19 }, { Quantity: -1, VATAmount: 0.19, Amount: 1.19 }, { VATAmount: -0.19, Amount: -1.19 }, { VATAmount: 1.9, Amount: 11.9 }], cbPayItems: [{ Amount: 11.9 }] })
  const ref = 'reference-' + 'x'.repeat(50)
  await sign('long ref', { ...one, cbReceiptReference: ref })
  await sign('long ref again', { ...one, cbReceiptReference: ref })
  await sign('long ref previous', { ...one, cbReceiptReference: `${ref.slice(0, 55)}-new`, cbPreviousReceiptReference: ref, cbArea: ref.slice(0, 52) })
  await sign('ms now', { ...one, cbReceiptMoment: now(0) })
  await sign('ms item', { cbReceiptMoment: now(10), cbChargeItems: [{ Moment: now(5) }], cbPayItems: [{ Moment: now(3) }] })
  await sign('future', { ...one, cbReceiptMoment: now(3600_000) })
  await sign('past', { ...one, cbReceiptMoment: '2020-02-29T23:59:59.9999999+02:00' })
  await sign('user json', { ...one, cbUser: '{"UserId":"7","UserName":"Kim"}' })
  await sign('user object', { ...one, cbUser: { UserId: '7' } })
  await sign('customer text', { ...one, cbCustomer: 'Herr Müller' })
  await sign('customer part', { ...one, cbCustomer: '{"CustomerName":"Herr Müller"}' })
  await sign('customer id', { ...one, cbCustomer: '{"CustomerId":"17","CustomerCountry":"1"}' })
  await sign('refs', { ...one, ftReceiptCaseData: JSON.stringify({ RefType: 'ExterneRechnung', RefReceiptId: 'R-1', RefName: 'x' }) })
  await sign('refs lieferschein', { ...one, ftReceiptCaseData: JSON.stringify({ RefType: 'ExternerLieferschein', RefReceiptId: 'R-1', RefMoment: now(), RefClosingNr: 3 }) })
  await sign('refs other', { ...one, ftReceiptCaseData: JSON.stringify({ RefType: 'ExterneSonstige', RefReceiptId: 'R-1' }) })
  await sign('refs own', { ...one, ftReceiptCaseData: JSON.stringify({ RefType: 'Transaktion', RefReceiptId: 'ft1#IT2', RefCashBoxIdentification: 'KASSE-X', RefClosingNr: 3, RefMoment: now() }) })
  await sign('refs wrong', { ...one, ftReceiptCaseData: JSON.stringify({ RefType: 'Foo', RefReceiptId: 'R-1' }) })
  await sign('refs no id', { ...one, ftReceiptCaseData: JSON.stringify({ RefType: 'ExterneRechnung' }) })
  await sign('refs own no id', { ...one, ftReceiptCaseData: JSON.stringify({ RefType: 'Transaktion', RefMoment: 'gestern' }) })
  await sign('sub items', { cbChargeItems: [{ ftChargeItemCaseData: JSON.stringify({ SubItems: [{ Description: 'Cola', Quantity: 1, Amount: 3, ftSubChargeItemCase: '4919338167972134930' }, { ProductNumber: '8', Description: 'Burger', Quantity: 1, Amount: 3, ftSubChargeItemCase: 4919338167972134933n.toString() }] }) }], cbPayItems: [{}] })
  await sign('same pay names', { cbChargeItems: [{ Amount: 4 }], cbPayItems: ['Cash', 'Cash ', 'Cash\n', 'Cash'].map((Description) => ({ Description, Amount: 1 })) })
  await sign('same gv names', { cbChargeItems: ['A', 'A ', 'A\n'].map((v) => ({ ftChargeItemCaseData: JSON.stringify({ ItemCaseName: v }) })), cbPayItems: [{ Amount: 3.57 }] })
  await sign('terminals', { ...one, cbTerminalID: 'T1\t' })
  await sign('terminals2', { ...one, cbTerminalID: 'a'.repeat(50) + 'b' })
  await sign('terminals3', { ...one, cbTerminalID: 'a'.repeat(50) + 'c' })
  await sign('currency', { cbChargeItems: [{ Amount: 10 }], cbPayItems: [{ c: 2, Amount: 10, ftPayItemCaseData: '{"CurrencyCode":"chf","ForeignCurrencyAmount":11.005}' }] })
  await sign('currency2', { cbChargeItems: [{ Amount: 10 }], cbPayItems: [{ c: 5, Amount: 10, ftPayItemCaseData: '{"CurrencyCode":"Franken","ForeignCurrencyAmount":11}' }] })
  await sign('currency eur', { cbChargeItems: [{ Amount: 10 }], cbPayItems: [{ c: 2, Amount: 10, ftPayItemCaseData: '{"CurrencyCode":"EUR","ForeignCurrencyAmount":10}' }] })
  await sign('change foreign', { cbChargeItems: [{ Amount: 10 }], cbPayItems: [{ c: 2, Amount: 20, ftPayItemCaseData: '{"CurrencyCode":"CHF","ForeignCurrencyAmount":21.4}' }, { c: 0xc, Amount: -10, ftPayItemCaseData: '{"CurrencyCode":"CHF","ForeignCurrencyAmount":10.7}' }] })
  await sign('sonstige', { ...one, ftReceiptCaseData: '{"ReceiptName":"  ","UserId":" "}' }, IMPLICIT | 0x15n)
  for (let c = 0; c <= 0x18; c += 1) {
    const data = c === 2 || c === 12 ? { ftPayItemCaseData: '{"CurrencyCode":"CHF","ForeignCurrencyAmount":1.2}' } : {}
    await sign(`pay ${c.toString(16)}`, { cbChargeItems: c > 0xc ? [] : [{}], cbPayItems: [{ c, ...data }, ...(c > 0xc || c === 10 ? [{ Amount: c === 10 ? 1.19 : -1.19 }] : [])] })
  }
  for (let c = 0; c <= 0xa3; c += 1) {
    const d = c > 0 && c < 0x90 ? (c & 7) : 5
    const rate = [0, 19, 7, 10.7, 5.5, 0, 0, 0][d] ?? 0
    await sign(`charge ${c.toString(16)}`, { cbChargeItems: [{ c, VATRate: rate }], cbPayItems: [{}] })
  }
  await sign('cancel', { cbChargeItems: [{ c: 0x11 }, { c: 0x20_0011, Quantity: -1, Amount: -1.19 }, { c: 0x20_0011, Quantity: -1, Amount: 1.19 }, { c: 0x1_0012, VATRate: 7 }], cbPayItems: [{ Amount: 2.38 }] })
  await sign('own use void', { cbChargeItems: [{ Amount: -1.19 }], cbPayItems: [{ c: 0xa, Amount: -1.19 }] }, IMPLICIT | 0x4_0012n)
  await sign('order nasty', { cbChargeItems: [{ Description: nasty, Quantity: 1.23456 }, { Description: 'x'.repeat(300) }, { Quantity: 2, Amount: -3 }, { Amount: 0, Quantity: 0 }] }, IMPLICIT | 0x10n)
  await sign('order one', { cbChargeItems: [{ Description: ' blank ' }] }, IMPLICIT | 0x10n)
  await sign('order none', {}, IMPLICIT | 0x10n)
  await sign('void without ref', { cbChargeItems: [{ Amount: -1.19 }], cbPayItems: [{ Amount: -1.19 }] }, IMPLICIT | 0x4_0001n)
  await sign('unknown void ref', { cbPreviousReceiptReference: 'nowhere', cbChargeItems: [{ Amount: -1.19 }], cbPayItems: [{ Amount: -1.19 }] }, IMPLICIT | 0x4_0001n)
  await sign('belegstorno', { cbChargeItems: [{ Amount: -1.19 }], cbPayItems: [{ Amount: -1.19 }] }, IMPLICIT | 0x16n)
  await sign('empty beleg', {})
  await sign('training', one, IMPLICIT | 0x2_0001n)
  await sign('closing', { cbReceiptMoment: now() }, IMPLICIT | 7n)
  await sign('many lines', { cbChargeItems: Array.from({ length: 120 }, (_, i) => ({ Amount: 0.01 * (i + 1), Quantity: i + 1 })), cbPayItems: [{ Amount: 72.6 }] })
  await sign('migration', { cbReceiptMoment: now() }, IMPLICIT | 0x19n)
  for (const t of [2, 3]) {
    const bytes = await shop.journal(0, `type=0x444500000000000${t}`)
    const path = join(folder, t === 2 ? 'e.zip' : 'e.tar')
    await writeFile(path, bytes)
    for (const f of (await verifyFile(path, { verifiers: germany.verifiers })).findings) console.log('VERIFY ' + JSON.stringify(f))
  }
  await shop.close()
}, 120_000)
