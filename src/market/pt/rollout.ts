// Portuguese cash registers in templates (packages and tables) and in the demo.
import { SOFTWARE_PACKAGE } from '../../device/pt/unit.js'
import { textMember } from '../../lib/json-object.js'
import { digitsOf } from '../../lib/moment.js'
import type { RolloutRules } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { isNif } from './customer.js'

/** As people write it: in groups, with the letters of the VAT number. */
const plainNif = (text: string): string => text.replace(/\s/g, '').replace(/^PT/i, '')

export const templates: RolloutRules = {
  packages: [SOFTWARE_PACKAGE],
  usualPackage: SOFTWARE_PACKAGE,
  entrySettings: ['Nif'],
  driverOf: () => SOFTWARE_PACKAGE,
  driverSettings: ({ settings }, { row }) => {
    const nif = plainNif(textMember(settings, 'Nif') ?? textMember(row, 'Nif') ?? '')
    return nif === '' ? {} : { nif }
  },
  usualIdentification: (now) => `ft${digitsOf(now)}`,
  queueTable: { name: 'init_ftQueuePT', id: 'ftQueuePTId', fresh: {} },
  unitTable: {
    ...{ name: 'init_ftSignaturCreationUnitPT', id: 'ftSignaturCreationUnitPTId' },
    fresh: { PrivateKey: null },
  },
  unitMember: 'ftSignaturCreationUnitPTId',
  unitRow: () => ({}),
  completed: (row) => row,
  faultsOf: () => [],
  unitFaultsOf: (row) => {
    const nif = plainNif(textMember(row, 'Nif') ?? '')
    return nif === '' || isNif(nif)
      ? []
      : [{ member: 'Nif', expected: '9 digits with a check digit' }]
  },
  secretsOf: () => '',
  keptMembers: [],
  parameters: [],
  modeOf: () => 0,
  masterData: false,
  unitParameters: { nif: 'Nif' },
  unitDefaults: { Nif: 'tax_id' },
  queueParameters: {},
  isReferenced: () => false,
  unkeyedReferences: false,
}

const word = (low: bigint): bigint => 0x5054_2000_0000_0000n | low

export const demo: DemoFacts = {
  scuPackage: SOFTWARE_PACKAGE,
  startCase: word(0x4001n),
  // examples carry moments of their own, and are pasted more than once
  configuration: { 'moment-tolerance-minutes': 0, 'user-required': false },
  sale: {
    cbTerminalID: '1',
    cbUser: 'Maria',
    cbChargeItems: [
      {
        ...{ Quantity: 2, Description: 'Café', Amount: 2.46, VATRate: 23 },
        ftChargeItemCase: word(0x0013n),
      },
      {
        ...{ Quantity: 1, Description: 'Pastel de nata', Amount: 1.13, VATRate: 13 },
        ftChargeItemCase: word(0x0012n),
      },
    ],
    cbPayItems: [
      {
        ...{ Quantity: 1, Description: 'Numerário', Amount: 3.59 },
        ftPayItemCase: word(0x0001n),
      },
    ],
    ftReceiptCase: word(0x0001n),
  },
  journalType: '0x5054200000001001',
  exportFile: 'saft-pt.xml',
}
