// The French cash register of the demo.
import { SOFTWARE_PACKAGE } from '../../device/jws.js'
import type { DemoFacts } from '../contract.js'

export const demo: DemoFacts = {
  scuPackage: SOFTWARE_PACKAGE,
  startCase: 0x4652_0000_0000_0010n,
  sale: {
    cbTerminalID: '1',
    cbChargeItems: [
      {
        ...{ Quantity: 2, Description: 'Café crème', Amount: 7.6, VATRate: 10 },
        ftChargeItemCase: 0x4652_0000_0000_0002n,
      },
      {
        ...{ Quantity: 1, Description: 'Verre de vin', Amount: 5.5, VATRate: 20 },
        ftChargeItemCase: 0x4652_0000_0000_0003n,
      },
    ],
    cbPayItems: [
      {
        ...{ Quantity: 1, Description: 'Espèces', Amount: 13.1 },
        ftPayItemCase: 0x4652_0000_0000_0001n,
      },
    ],
    ftReceiptCase: 0x4652_0000_0000_0001n,
  },
  journalType: '0x4652000000000001',
  exportFile: 'tickets.csv',
}
