// Portuguese cash registers in templates (packages and tables) and in the demo.
import { isNif } from '../../device/pt/tax-id.js'
import { SOFTWARE_PACKAGE } from '../../device/pt/unit.js'
import type { RolloutRules } from '../../model/rollout.js'
import { demoOf, packagesOf, taxNumberTemplates } from '../kit/rollout.js'
import sale from './demo.json' with { type: 'json' }

/** As people write it: in groups, with the letters of the VAT number. */
const plainNif = (text: string): string => text.replace(/\s/g, '').replace(/^PT/i, '')

export const templates: RolloutRules = {
  ...taxNumberTemplates({
    ...{ country: 'PT', member: 'Nif', own: 'nif', source: 'tax_id', fresh: { PrivateKey: null } },
    ...{ plain: plainNif, isValid: isNif, expected: '9 digits with a check digit' },
  }),
  ...packagesOf([SOFTWARE_PACKAGE], SOFTWARE_PACKAGE),
  driverOf: () => SOFTWARE_PACKAGE,
}

// its examples carry moments of their own, and are pasted more than once
export const demo = demoOf('PT', { scuPackage: SOFTWARE_PACKAGE, ...sale })
