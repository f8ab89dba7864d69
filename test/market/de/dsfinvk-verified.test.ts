import { describe, expect, it } from 'vitest'
import type { ExportSource, Finding } from '../../../src/market/contract.js'
import { dsfinvkFile } from '../../../src/verify/de/verifiers.js'
import { inPieces } from '../../support/verdicts.js'
import { bytesOf, cellsOf, filesOf } from './support/archive.js'
import { cash, charge, goods, pay, receipt, receiptCase } from './support/items.js'
import { SignedTill } from './support/signed-till.js'
import { DE, type Members, Till } from './support/till.js'

/** What the independent verifier of the platform finds in an export. */
async function findingsOf(source: ExportSource, tar?: Buffer): Promise<string[]> {
  const file = await bytesOf(source)
  const findings: Finding[] = []
  const sink = {
    add: (finding: Finding) => {
      if (finding.code !== 'CERTIFICATE_UNTRUSTED') findings.push(finding)
    },
    clear: () => {
      findings.splice(0)
    },
  }
  const log = tar === undefined ? {} : { tar: inPieces(tar) }
  await dsfinvkFile.verify(inPieces(file), log, sink)
  return findings.map(({ code, receipt: bon, text }) => `${code} ${bon} ${text}`)
}

const explicit = (code: number, reference: string, members: Members = {}): Members => ({
  ...members,
  ...{ ftReceiptCase: DE | BigInt(code), cbReceiptReference: reference },
})

const chf = { ftPayItemCaseData: '{"CurrencyCode":"CHF","ForeignCurrencyAmount":5}' }

/** A day of a restaurant: every kind of slip that a queue signs. */
const day: Members[] = [
  receipt([goods(11.9), charge(0x12, 5.35, { vatRate: 7 })], [cash(10), pay(4, 7.25)]),
  // opening balance, voucher sold and used, tip, deposit and its settlement, money to the bank
  receipt([], [pay(0x12, -250), cash(250)], { ftReceiptCase: receiptCase(0x11) }),
  receipt([], [pay(0x0d, -50), cash(50)]),
  receipt([goods(30)], [pay(0x0d, 30)]),
  receipt([goods(10)], [pay(0x10, -2), pay(5, 12)]),
  receipt([charge(0x81, 100, { vatRate: 19 })], [pay(6, 100)]),
  receipt([goods(300), charge(0x89, -100, { vatRate: 19 })], [pay(6, 200)]),
  receipt([], [pay(0x14, 100), cash(-100)], { ftReceiptCase: receiptCase(0x11) }),
  // foreign money and change
  receipt([goods(4)], [pay(2, 4.8, chf), pay(0x0b, -0.8)]),
  // cancelled, training, own use, delivery note, order, foreign sale
  receipt([goods(11.9, { quantity: -1 })], [cash(11.9, { quantity: -1 })], {
    ...{ ftReceiptCase: receiptCase(1, 0x4), cbPreviousReceiptReference: 'order-2' },
  }),
  receipt([goods(7)], [cash(7)], { ftReceiptCase: receiptCase(1, 0x2) }),
  receipt([goods(7)], [pay(0x0a, 7)], { ftReceiptCase: receiptCase(0x12) }),
  receipt([goods(7)], [], { ftReceiptCase: receiptCase(0x0f) }),
  receipt([goods(7, { description: 'Eis "groß"' })], [], { ftReceiptCase: receiptCase(0x10) }),
  receipt([charge(0xa2, 7)], [cash(7)], { ftReceiptCase: receiptCase(0x15) }),
  // an explicit transaction, and one that is given up
  explicit(8, 'T5'),
  explicit(9, 'T5'),
  explicit(1, 'T5', receipt([goods(1), goods(2), charge(0x1f, 3, { vatRate: 14.25 })], [cash(6)])),
  explicit(8, 'T6'),
  explicit(0x0b, 'T6'),
  // made while the server was away, and by hand
  receipt([goods(9)], [cash(9)], { ftReceiptCase: receiptCase(1, 0x1) }),
  receipt([goods(8)], [cash(8)], { ftReceiptCase: receiptCase(1, 0x8) }),
]

describe('an export of receipts that a queue and a TSE have signed', () => {
  it('has nothing that the independent verifier finds wrong', async () => {
    const signed = await SignedTill.started()
    for (const members of day) await signed.add(members)
    await signed.close()
    await signed.close()
    await signed.add(receipt([goods(1)], [cash(1)]))
    await signed.close()
    expect(await findingsOf(signed.till.source({ pageSize: 5 }))).toEqual([])
    const files = await filesOf(signed.till.source())
    expect(cellsOf(files, 'cashpointclosing', 'Z_NR NAME')).toEqual([
      ...['1|Muster GmbH', '2|Muster GmbH', '3|Muster GmbH'],
    ])
    expect(cellsOf(files, 'transactions', 'BON_TYP').sort()).toEqual([
      ...['AVBelegabbruch', 'AVBestellung', 'AVSachbezug', 'AVSonstige', 'AVTraining'],
      ...['AVTransfer', ...Array.from({ length: 14 }, () => 'Beleg')],
    ])
  })

  it('reads requests of version 2 as the queue has read them', async () => {
    const v2 = (word: number) => 0x4445_2000_0000_0000n | BigInt(word)
    const signed = await SignedTill.started()
    await signed.add({
      ftReceiptCase: v2(1),
      cbChargeItems: [
        { description: 'Wein', amount: 11.9, vatRate: 19, ftChargeItemCase: v2(0x13) },
        { description: 'Brot', amount: 5.35, vatRate: 7, ftChargeItemCase: v2(0x11) },
      ],
      cbPayItems: [
        { description: 'Bar', amount: 10, ftPayItemCase: v2(1) },
        { description: 'Karte', amount: 7.25, ftPayItemCase: v2(4) },
      ],
    })
    await signed.add({ ftReceiptCase: v2(0x2000) })
    await signed.add({ ftReceiptCase: v2(0x2011) })
    expect(await findingsOf(signed.till.source())).toEqual([])
    const files = await filesOf(signed.till.source())
    expect(cellsOf(files, 'transactions', 'BON_TYP UMS_BRUTTO')).toEqual(['Beleg|17,25'])
    expect(cellsOf(files, 'lines_vat', 'UST_SCHLUESSEL POS_BRUTTO')).toEqual([
      '1|11,90000',
      '2|5,35000',
    ])
    expect(cellsOf(files, 'payment', 'ZAHLART_TYP Z_ZAHLART_BETRAG')).toEqual([
      'Bar|10,00',
      'ECKarte|7,25',
    ])
    expect(cellsOf(files, 'transactions_tse', 'TSE_VORGANGSDATEN')).toEqual([
      'Beleg^11.90_5.35_0.00_0.00_0.00^10.00:Bar_7.25:Unbar',
    ])
  })

  it('has of an order that is longer than its columns what the log of the TSE has', async () => {
    const signed = await SignedTill.started()
    const order = { ftReceiptCase: receiptCase(0x10) }
    const description = `${'ä'.repeat(254)}🍨${'ö'.repeat(745)}`
    await signed.add(receipt([goods(7, { description })], [], order))
    await signed.add(receipt([goods(7, { description: ` "${description}" ` })], [], order))
    await signed.close()
    const findings = await findingsOf(signed.till.source(), await signed.tar())
    const codes = findings.map((one) => one.split(' ')[0])
    // starts and closings have no rows
    expect(codes.filter((code) => code !== 'TAR_OTHER')).toEqual(['TSE_CUT', 'TSE_CUT'])
  })

  it('would not pass with signatures of something else', async () => {
    const till = new Till()
    till.add(receipt([goods(1)], [cash(1)]))
    till.close()
    const findings = await findingsOf(till.source())
    expect(findings.map((one) => one.split(' ')[0])).toContain('TSE_SIGNATURE')
  })

  it('says of the time without TSE that there was none', async () => {
    const signed = await SignedTill.started()
    await signed.add(receipt([goods(1)], [cash(1)]))
    signed.stand.script({ do: 'unreachable' })
    await signed.add(receipt([goods(2)], [cash(2)]))
    await signed.close()
    expect(await findingsOf(signed.till.source())).toEqual([])
    const files = await filesOf(signed.till.source())
    expect(cellsOf(files, 'transactions_tse', 'TSE_ID TSE_TANR TSE_TA_FEHLER')).toEqual([
      '1|2|',
      '1||Kommunikation mit der technischen Sicherheitseinrichtung (TSE) fehlgeschlagen',
    ])
  })
})
