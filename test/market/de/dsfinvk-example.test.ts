import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { filesOf, unzipped } from './support/archive.js'
import { IMPLICIT, type Members, Till } from './support/till.js'
import vectors from './vectors/tse-p256.json' with { type: 'json' }

const PROCESS_DATA = 'Beleg^11.90_5.35_0.00_0.00_0.00^10.00:Bar_7.25:Unbar'

function article(number: string, changes: Members): Members {
  return {
    quantity: 1,
    ftChargeItemCase: 0x4445_0000_0000_0011n,
    productNumber: number,
    ...changes,
  }
}

/** The published worked example: start receipt, one sale, daily closing. */
function exampleTill(): Till {
  const till = new Till()
  till.add({ ftReceiptCase: IMPLICIT | 3n })
  const sale = {
    ftReceiptCase: IMPLICIT | 1n,
    cbReceiptReference: 'order-1',
    cbReceiptMoment: '2026-01-01T09:01:00Z',
    cbUser: 'Erika "E." Muster',
    ftReceiptCaseData: '{"UserId":"U1"}',
    cbChargeItems: [
      article('4711', {
        ...{ description: 'Sekt 0,2l', amount: 11.9, vatRate: 19, unit: 'Stück' },
        ...{ productGroup: 'Getränke', ftChargeItemCaseData: '{"ProductGroupId":"1"}' },
      }),
      article('4712', {
        ...{ description: 'Brot', amount: 5.35, vatRate: 7, unit: 'Stück' },
        ...{ productGroup: 'Backwaren', ftChargeItemCaseData: '{"ProductGroupId":"2"}' },
        ftChargeItemCase: 0x4445_0000_0000_0012n,
      }),
    ],
    cbPayItems: [
      { quantity: 1, description: 'Cash', amount: 10, ftPayItemCase: 0x4445_0000_0000_0001n },
      {
        quantity: 1,
        description: 'Debit card',
        amount: 7.25,
        ftPayItemCase: 0x4445_0000_0000_0004n,
      },
    ],
  }
  till.add(sale, {
    tse: {
      processData: PROCESS_DATA,
      transactionNumber: '2',
      counter: '7',
      startTime: '2026-01-01T09:01:00.000Z',
      logTime: '2026-01-01T09:01:12.000Z',
      signature: vectors.finishSignatureBase64,
      actionStart: '2026-01-01T09:01:00.000Z',
    },
  })
  till.close({ moment: '2026-01-01T10:00:00Z' })
  return till
}

const BON = '"ft1#IT2"'
const TIMES = '"2026-01-01T09:01:00.000Z";"2026-01-01T09:01:12.000Z"'
const OWN_ADDRESS = '"Musterweg 1";"10115";"Berlin";"DEU"'

/** The rows of every file without the three columns of the closing. */
const EXPECTED: Record<string, string[]> = {
  cashpointclosing: [
    `"";"2.3";${BON};${BON};"Muster GmbH";${OWN_ADDRESS};"11/222/33333";"DE123456789";` +
      '17,25;10,00',
  ],
  location: [`"Filiale Mitte";${OWN_ADDRESS};"DE123456789"`],
  cashregister: ['"ExamplePOS";"Register 1";"KASSE-0001";"ExamplePOS";"1.0.0";"EUR";"0"'],
  slaves: ['"T1";"";"";"T1";"";""'],
  pa: [],
  tse: [
    `1;"${vectors.serialHex}";"ecdsa-plain-SHA256";"unixTime";"UTF-8";` +
      `"${vectors.publicKeyBase64}";"${vectors.certificateBase64}";""`,
  ],
  vat: ['1;19,00;"Allgemeiner Steuersatz"', '2;7,00;"Ermäßigter Steuersatz"'],
  businesscases: [
    '"Umsatz";"";0;1;11,90000;10,00000;1,90000',
    '"Umsatz";"";0;2;5,35000;5,00000;0,35000',
  ],
  payment: ['"Bar";"Cash";10,00', '"ECKarte";"Debit card";7,25'],
  cash_per_currency: ['"EUR";10,00'],
  transactions: [
    `${BON};2;"Beleg";"";"T1";"0";${TIMES};"U1";"Erika ""E."" Muster";17,25;` +
      '"";"";"";"";"";"";"";"";""',
  ],
  datapayment: [`${BON};"Bar";"Cash";"EUR";;10,00`, `${BON};"ECKarte";"Debit card";"EUR";;7,25`],
  lines: [
    `${BON};"1";"";"Sekt 0,2l";"T1";"Umsatz";"";"1";"0";0;"4711";"";"1";"Getränke";` +
      '1,000;1,000;"Stück";11,90000',
    `${BON};"2";"";"Brot";"T1";"Umsatz";"";"1";"0";0;"4712";"";"2";"Backwaren";` +
      '1,000;1,000;"Stück";5,35000',
  ],
  itemamounts: [],
  subitems: [],
  transactions_tse: [
    `${BON};1;2;${TIMES};"Kassenbeleg-V1";7;"${vectors.finishSignatureBase64}";"";` +
      `"${PROCESS_DATA}"`,
  ],
  transactions_vat: [`${BON};1;11,90000;10,00000;1,90000`, `${BON};2;5,35000;5,00000;0,35000`],
  lines_vat: [`${BON};"1";1;11,90000;10,00000;1,90000`, `${BON};"2";2;5,35000;5,00000;0,35000`],
  allocation_groups: [`${BON};"order-1"`],
  references: [],
}

const PREFIX = '"KASSE-0001";"2026-01-01T10:00:00.000Z";1;'

describe('the worked example of DSFinV-K', () => {
  it('has exactly the published rows in every file, byte for byte', async () => {
    const files = await filesOf(exampleTill().source())
    for (const [table, rows] of Object.entries(EXPECTED)) {
      const text = files.get(`${table}.csv`) ?? ''
      const behindHeader = text.slice(text.indexOf('\r\n') + 2)
      expect(behindHeader, table).toBe(rows.map((row) => `${PREFIX}${row}\r\n`).join(''))
    }
  })

  it('equals the sample archive in every table and in its index', async () => {
    const sample = unzipped(fileURLToPath(new URL('samples/dsfinvk.zip', import.meta.url)))
    const files = await filesOf(exampleTill().source())
    expect(sample.size).toBe(21)
    for (const [name, text] of sample) expect(files.get(name)?.trimEnd(), name).toBe(text.trimEnd())
  })

  it('consists of the twenty files, the index and its grammar, and of nothing else', async () => {
    const files = await filesOf(exampleTill().source())
    const names = Object.keys(EXPECTED).map((table) => `${table}.csv`)
    expect([...files.keys()].sort()).toEqual([...names, 'gdpdu-01-09-2004.dtd', 'index.xml'].sort())
  })
})
