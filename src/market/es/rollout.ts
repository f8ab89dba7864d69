// The cash register of the demo of Spain.
import type { DemoFacts } from '../contract.js'

/** The unit that lies in this server; src/market/index.ts gives it to the country. */
export const SOFTWARE_PACKAGE = 'fiskalwerk.SCU.ES.Software'

export const demo: DemoFacts = {
  scuPackage: SOFTWARE_PACKAGE,
  startCase: 0x4553_2000_0000_4001n,
  sale: {
    cbTerminalID: '1',
    cbChargeItems: [
      {
        ...{ Quantity: 2, Description: 'Coffee', Amount: 7.6, VATRate: 20 },
        ftChargeItemCase: 0x4553_2000_0000_0003n,
      },
    ],
    cbPayItems: [
      {
        ...{ Quantity: 1, Description: 'Cash', Amount: 7.6 },
        ftPayItemCase: 0x4553_2000_0000_0001n,
      },
    ],
    ftReceiptCase: 0x4553_2000_0000_0001n,
  },
  journalType: '0x4553200000001001',
  exportFile: 'es-journal.txt',
}
