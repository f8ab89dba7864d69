// What the demo needs to show Germany: which device, how a queue starts, a sale to try.
// Called by the market's table.
import type { DemoFacts } from '../market.js'

export const demo: DemoFacts = {
  scuPackage: 'fiskalwerk.SCU.DE.Software',
  startCase: 0x4445_0001_0000_0003n,
  sale: {
    cbTerminalID: '1',
    cbChargeItems: [
      {
        Quantity: 1,
        Description: 'Sekt 0,2l',
        Amount: 11.9,
        VATRate: 19,
        ftChargeItemCase: 0x4445_0000_0000_0011n,
      },
      {
        Quantity: 1,
        Description: 'Brot',
        Amount: 5.35,
        VATRate: 7,
        ftChargeItemCase: 0x4445_0000_0000_0012n,
      },
    ],
    cbPayItems: [
      { Quantity: 1, Description: 'Bar', Amount: 10, ftPayItemCase: 0x4445_0000_0000_0001n },
      { Quantity: 1, Description: 'Karte', Amount: 7.25, ftPayItemCase: 0x4445_0000_0000_0004n },
    ],
    ftReceiptCase: 0x4445_0001_0000_0001n,
  },
  journalType: '0x4445000000000002',
  exportFile: 'dsfinvk.zip',
}
