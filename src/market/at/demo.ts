// What the demo needs to show Austria: which device, how a queue starts, a sale to try.

import { SOFTWARE_PACKAGE } from '../../device/rksv.js'
import type { DemoFacts } from '../contract.js'

export const demo: DemoFacts = {
  scuPackage: SOFTWARE_PACKAGE,
  startCase: 0x4154_0000_0000_0003n,
  sale: {
    cbTerminalID: '1',
    cbChargeItems: [
      {
        Quantity: 2,
        Description: 'Melange',
        Amount: 9.8,
        VATRate: 20,
        ftChargeItemCase: 0x4154_0000_0000_0003n,
      },
      {
        Quantity: 1,
        Description: 'Apfelstrudel',
        Amount: 5.2,
        VATRate: 10,
        ftChargeItemCase: 0x4154_0000_0000_0001n,
      },
    ],
    cbPayItems: [
      { Quantity: 1, Description: 'Cash', Amount: 15, ftPayItemCase: 0x4154_0000_0000_0001n },
    ],
    ftReceiptCase: 0x4154_0000_0000_0001n,
  },
  journalType: '0x4154000000000001',
  exportFile: 'dep7.json',
}
