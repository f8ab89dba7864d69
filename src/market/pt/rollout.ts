// Portuguese cash registers in templates (packages and tables) and in the demo.
import { SOFTWARE_PACKAGE } from '../../device/pt/unit.js'
import type { RolloutRules } from '../../model/rollout.js'
import { demoOf, givenIn, packagesOf, taxNumberTemplates } from '../kit/rollout.js'
import { isNif } from './customer.js'

/** As people write it: in groups, with the letters of the VAT number. */
const plainNif = (text: string): string => text.replace(/\s/g, '').replace(/^PT/i, '')

export const templates: RolloutRules = {
  ...taxNumberTemplates({
    ...{ country: 'PT', member: 'Nif', own: 'nif', source: 'tax_id', fresh: { PrivateKey: null } },
    ...{ plain: plainNif, isValid: isNif, expected: '9 digits with a check digit' },
  }),
  ...packagesOf([SOFTWARE_PACKAGE], SOFTWARE_PACKAGE),
  driverOf: () => SOFTWARE_PACKAGE,
  driverSettings: ({ settings }, { row }) => {
    const { nif } = givenIn(settings, row)({ nif: 'Nif' })
    return nif === undefined ? {} : { nif: plainNif(nif) }
  },
}

export const demo = demoOf('PT', {
  scuPackage: SOFTWARE_PACKAGE,
  // examples carry moments of their own, and are pasted more than once
  configuration: { 'moment-tolerance-minutes': 0, 'user-required': false },
  members: { cbUser: 'Maria' },
  charges: [
    [2, 'Café', 2.46, 23, 0x13],
    [1, 'Pastel de nata', 1.13, 13, 0x12],
  ],
  pays: [['Numerário', 3.59, 1]],
  ...{ journalType: '0x5054200000001001', exportFile: 'saft-pt.xml' },
})
