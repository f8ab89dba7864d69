// What the demo needs to show Germany: which device, how a queue starts, a sale to try.
import type { DemoFacts } from '../contract.js'

export const demo: DemoFacts = {
  scuPackage: 'fiskalwerk.SCU.DE.Software',
  startCase: 0x4445_0001_0000_0003n,
  configuration: {
    init_masterData: {
      Account: {
        AccountName: 'Café Demo GmbH',
        Street: 'Musterweg 1',
        Zip: '10115',
        City: 'Berlin',
        Country: 'DE',
        TaxId: '11/222/33333',
        VatId: 'DE123456789',
      },
      Outlet: {
        OutletName: 'Filiale Mitte',
        Street: 'Musterweg 1',
        Zip: '10115',
        City: 'Berlin',
        Country: 'DE',
        VatId: 'DE123456789',
      },
      PosSystems: [
        {
          PosSystemId: '8f2d5cba-6f3c-4c0e-9b8a-1f4f0c8c7a11',
          Brand: 'ExamplePOS',
          Model: 'Register 1',
          SoftwareVersion: '1.0.0',
          BaseCurrency: 'EUR',
        },
      ],
    },
  },
  sale: {
    cbTerminalID: '1',
    cbUser: 'Demo',
    ftPosSystemId: '8f2d5cba-6f3c-4c0e-9b8a-1f4f0c8c7a11',
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
  // the DSFinV-K holds whole days only: nothing before the first daily closing
  journalType: '0x4445000000000001',
  exportFile: 'tse.tar',
}
