import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cellsOf, filesOf, rowsOf } from './support/archive.js'
import { cash, goods, receipt, receiptCase } from './support/items.js'
import { type Answer, DE, type Members, Till } from './support/till.js'

async function exported(receipts: (readonly [Members, Answer?])[]) {
  const till = new Till()
  for (const [members, answer] of receipts) till.add(members, answer)
  till.close()
  return filesOf(till.source())
}

const sale = (changes: Members = {}) => receipt([goods(11.9)], [cash(11.9)], changes)

const FAILED = 'Kommunikation mit der technischen Sicherheitseinrichtung (TSE) fehlgeschlagen'

describe('the head of a slip', () => {
  it('names the user by id, or by a hash of the name, or by nothing', async () => {
    const hash = createHash('sha256').update('Jörg', 'utf8').digest('hex').slice(0, 16)
    const files = await exported([
      [sale({ cbUser: 'Jörg', ftReceiptCaseData: '{"UserId":"U7"}' })],
      [sale({ cbUser: 'Jörg' })],
      [sale()],
    ])
    expect(cellsOf(files, 'transactions', 'BEDIENER_ID BEDIENER_NAME')).toEqual([
      'U7|Jörg',
      `${hash}|Jörg`,
      '-|',
    ])
  })

  it('takes name and note from the case data, also where version 2 wraps them', async () => {
    const inner = '{"ReceiptName":"Inventur","ReceiptNote":"nachgezählt"}'
    const files = await exported([
      [sale({ ftReceiptCaseData: inner })],
      [sale({ ftReceiptCaseData: { DE: inner } })],
      [sale({ ftReceiptCaseData: 'no JSON at all' })],
    ])
    expect(cellsOf(files, 'transactions', 'BON_NAME BON_NOTIZ')).toEqual([
      'Inventur|nachgezählt',
      'Inventur|nachgezählt',
      '|',
    ])
  })

  it('names the customer, with the country in three letters', async () => {
    const customer = {
      ...{ CustomerName: 'Käufer AG', CustomerId: 'K1', CustomerType: 'Firma' },
      ...{ CustomerStreet: 'Am Weg 2', CustomerZip: '1010', CustomerCity: 'Wien' },
      ...{ CustomerCountry: 'AT', CustomerVATId: 'ATU1' },
    }
    const columns =
      'KUNDE_NAME KUNDE_ID KUNDE_TYP KUNDE_STRASSE KUNDE_PLZ KUNDE_ORT KUNDE_LAND KUNDE_USTID'
    const files = await exported([
      [sale({ cbCustomer: JSON.stringify(customer) })],
      [sale({ cbCustomer: customer })],
      [sale({ cbCustomer: 'Frau Muster' })],
      [sale({ cbCustomer: { CustomerId: 'K2', CustomerCountry: '1' } })],
      [sale({ cbCustomer: ' ' })],
    ])
    const whole = 'Käufer AG|K1|Firma|Am Weg 2|1010|Wien|AUT|ATU1'
    expect(cellsOf(files, 'transactions', columns)).toEqual([
      ...[whole, whole, 'Frau Muster|-|-|||||', '-|K2|-|||||', '|||||||'],
    ])
  })

  it('marks a cancelled receipt, which stays a Beleg and counts', async () => {
    const files = await exported([
      [sale({ cbReceiptReference: 'A' })],
      [
        receipt([goods(-11.9, { quantity: -1 })], [cash(-11.9)], {
          ...{ ftReceiptCase: receiptCase(1, 0x4), cbReceiptReference: 'B' },
          cbPreviousReceiptReference: 'A',
        }),
      ],
    ])
    expect(cellsOf(files, 'transactions', 'BON_TYP BON_STORNO UMS_BRUTTO')).toEqual([
      'Beleg|0|11,90',
      'Beleg|1|-11,90',
    ])
    expect(cellsOf(files, 'businesscases', 'GV_TYP Z_UMS_BRUTTO')).toEqual(['Umsatz|0,00000'])
    expect(cellsOf(files, 'references', 'BON_ID REF_TYP REF_BON_ID')).toEqual([
      'ft1#IT2|Transaktion|ft0#IT1',
    ])
  })

  it('starts with the action and ends with the log time, else with the queue', async () => {
    const times = (actionStart: string | null) => ({
      receiptMoment: '2026-01-01T09:00:05.345Z',
      tse: { actionStart, startTime: '2026-01-01T09:00:01Z', logTime: '2026-01-01T09:00:05Z' },
    })
    const files = await exported([
      [sale(), times('2026-01-01T08:59:00Z')],
      [sale(), times(null)],
      [sale(), { ...times(null), receiptMoment: '2026-01-01T09:00:04.345Z' }],
      [sale(), times('2026-01-01T09:00:05.120Z')],
      [sale(), times('2026-01-01T10:00:00Z')],
      [sale(), { ...times(null), fault: { caption: FAILED, type: 0x1000n } }],
    ])
    expect(cellsOf(files, 'transactions', 'BON_START BON_ENDE')).toEqual([
      '2026-01-01T08:59:00.000Z|2026-01-01T09:00:05.000Z',
      // never a start behind the end
      '2026-01-01T09:00:05.000Z|2026-01-01T09:00:05.000Z',
      '2026-01-01T09:00:04.345Z|2026-01-01T09:00:05.000Z',
      '2026-01-01T09:00:05.000Z|2026-01-01T09:00:05.000Z',
      '2026-01-01T09:00:05.000Z|2026-01-01T09:00:05.000Z',
      '2026-01-01T09:00:05.345Z|2026-01-01T09:00:05.345Z',
    ])
  })

  it('has the allocation groups of a split table, each once', async () => {
    const files = await exported([
      [sale({ cbReceiptReference: 'order-7', cbArea: 'Tisch 3' })],
      [sale({ cbReceiptReference: 'order-8', cbPreviousReceiptReference: 'order-7' })],
      [sale({ cbReceiptReference: 'x', cbPreviousReceiptReference: 'x', cbArea: 'x' })],
      [sale({ cbReceiptReference: 'y', cbPreviousReceiptReference: ['order-7', 'order-8'] })],
    ])
    expect(cellsOf(files, 'allocation_groups', 'BON_ID ABRECHNUNGSKREIS')).toEqual([
      'ft0#IT1|order-7',
      'ft0#IT1|Tisch 3',
      'ft1#IT2|order-8',
      'ft1#IT2|order-7',
      'ft2#IT3|x',
      'ft3#IT4|y',
      'ft3#IT4|order-8',
      'ft3#IT4|order-7',
    ])
  })

  it('is missing for refused items and for a queue that is not in operation', async () => {
    const files = await exported([
      [sale(), { refused: true }],
      [sale(), { state: DE | 1n, signatures: [] }],
      [sale()],
    ])
    expect(cellsOf(files, 'transactions', 'BON_ID BON_NR')).toEqual(['ft1#IT3|2'])
  })
})

describe('the TSE transaction of a slip', () => {
  it('is empty but for the reason where the TSE did not sign', async () => {
    const late = 'Ausfallsnacherfassung vom 2026-01-01T08:00:00Z'
    const hand = 'Handschriftbelegerfassung vom 2026-01-01T08:00:00Z'
    const files = await exported([
      [sale(), { fault: { caption: FAILED, type: 0x1000n } }],
      [sale(), { fault: { caption: late, type: DE | 2n }, state: DE | 8n }],
      [sale(), { fault: { caption: hand, type: DE | 2n } }],
      [sale(), { signatures: [], state: DE | 0x100n, identification: 'ft3#' }],
    ])
    const rows = rowsOf(files, 'transactions_tse')
    expect(rows.map((row) => row.TSE_TA_FEHLER)).toEqual([FAILED, late, hand, 'Ohne TSE'])
    for (const row of rows) {
      expect(row).toMatchObject({ TSE_ID: '1', TSE_TANR: '', TSE_TA_SIGZ: '', TSE_TA_SIG: '' })
      expect(row).toMatchObject({ TSE_TA_START: '', TSE_TA_ENDE: '', TSE_VORGANGSDATEN: '' })
    }
    expect(cellsOf(files, 'cashpointclosing', 'Z_SE_ZAHLUNGEN')).toEqual(['47,60'])
  })

  it('tells the training from a failure', async () => {
    const notice = {
      ...{ ftSignatureFormat: 1n, ftSignatureType: 0x1000n },
      ...{ caption: 'Trainingsbuchung', data: '' },
    }
    const failed = { ...notice, caption: FAILED }
    const files = await exported([
      [sale({ ftReceiptCase: receiptCase(1, 2) }), { signatures: [notice, failed] }],
    ])
    expect(cellsOf(files, 'transactions_tse', 'TSE_TA_FEHLER')).toEqual([FAILED])
  })

  it('shows process data only as they were signed', async () => {
    const order = '2;"Eis ""Himbeere""";3.99\r1;"Kaffee";2.99'
    const long = `Beleg^${'1.00:Unbar_'.repeat(100)}`
    const files = await exported([
      [sale(), { tse: { processData: 'Beleg^11.90_0.00_0.00_0.00_0.00^11.90:Bar' } }],
      [sale(), { tse: { processData: order, processType: 'Bestellung-V1' } }],
      [sale(), { tse: { processData: long } }],
      [sale(), { tse: { processData: '1;"Tee";2.00', processType: 'Bestellung-V1' } }],
    ])
    expect(cellsOf(files, 'transactions_tse', 'TSE_TA_VORGANGSART TSE_VORGANGSDATEN')).toEqual([
      'Kassenbeleg-V1|Beleg^11.90_0.00_0.00_0.00_0.00^11.90:Bar',
      `Bestellung-V1|${order}`,
      'Kassenbeleg-V1|',
      'Bestellung-V1|1;"Tee";2.00',
    ])
  })
})

describe('references', () => {
  const explicit = (code: number, reference: string, extra: Members = {}) =>
    sale({ ftReceiptCase: DE | BigInt(code), cbReceiptReference: reference, ...extra })

  it('step over the parts of an explicit transaction to the slip before it', async () => {
    const files = await exported([
      [explicit(1, 'T5')],
      [explicit(8, 'T5')],
      [explicit(9, 'T5')],
      [explicit(9, 'T5')],
      [explicit(1, 'T5')],
      [explicit(8, 'T6')],
      [explicit(1, 'T6')],
    ])
    expect(cellsOf(files, 'references', 'BON_ID REF_BON_ID')).toEqual(['ft4#IT5|ft0#IT1'])
  })

  it('name a receipt once, however it is referred to', async () => {
    const files = await exported([
      [sale({ cbReceiptReference: 'A' })],
      [sale({ cbReceiptReference: 'A', cbPreviousReceiptReference: 'A' })],
    ])
    expect(cellsOf(files, 'references', 'BON_ID POS_ZEILE REF_TYP REF_BON_ID')).toEqual([
      'ft1#IT2||Transaktion|ft0#IT1',
    ])
  })

  it('point into the closing that holds the receipt', async () => {
    const till = new Till()
    till.add(sale({ cbReceiptReference: 'A' }))
    const first = till.close()
    till.add(sale({ cbReceiptReference: 'B' }))
    till.close()
    till.add(sale({ cbReceiptReference: 'C' }))
    till.add(sale({ cbReceiptReference: 'D', cbPreviousReceiptReference: 'A' }))
    till.add(sale({ cbReceiptReference: 'E', cbPreviousReceiptReference: 'B' }))
    till.add(sale({ cbReceiptReference: 'F', cbPreviousReceiptReference: 'C' }))
    till.close()
    const files = await filesOf(till.source({ range: { from: first + 1n, to: 0n } }))
    const columns = 'BON_ID REF_DATUM REF_Z_KASSE_ID REF_Z_NR REF_BON_ID'
    expect(cellsOf(files, 'references', columns)).toEqual([
      'ft5#IT6|2026-01-01T09:01:00.000Z|KASSE-0001|1|ft0#IT1',
      'ft6#IT7|2026-01-01T09:03:00.000Z|KASSE-0001|2|ft2#IT3',
      'ft7#IT8|2026-01-01T09:08:00.000Z|KASSE-0001|3|ft4#IT5',
    ])
  })

  it('to documents elsewhere come from the case data', async () => {
    const given = {
      ...{ RefName: 'Lieferung 4', RefMoment: '2026-01-01T07:00:00Z', RefClosingNr: 12 },
      ...{ RefCashBoxIdentification: 'KASSE-0002', RefReceiptId: 'ftAB#IT12' },
    }
    const data = (RefType: string) => ({
      ftReceiptCaseData: JSON.stringify({ RefType, ...given }),
    })
    const files = await exported([
      [sale(data('Transaktion'))],
      [sale(data('ExternerLieferschein'))],
    ])
    const columns = 'REF_TYP REF_NAME REF_DATUM REF_Z_KASSE_ID REF_Z_NR REF_BON_ID'
    expect(cellsOf(files, 'references', columns)).toEqual([
      'Transaktion|Lieferung 4|2026-01-01T07:00:00.000Z|KASSE-0002|12|ftAB#IT12',
      'ExternerLieferschein|Lieferung 4||||ftAB#IT12',
    ])
  })

  it('are left out where the queue says so', async () => {
    const till = new Till()
    till.add(sale({ cbReceiptReference: 'A' }))
    till.add(sale({ cbReceiptReference: 'A' }))
    till.close()
    const configuration = { DisableDsfinvkExportReferences: true }
    const files = await filesOf(till.source({ configuration }))
    expect(rowsOf(files, 'references')).toEqual([])
    expect(till.questions).toBe(0)
  })
})
