// Greek cash registers in templates (packages and tables) and in the demo.
import { isVat, plainVat } from '../../device/gr/mydata.js'
import { MYDATA_PACKAGE, SOFTWARE_PACKAGE } from '../../device/gr/unit.js'
import { textMember } from '../../lib/json-object.js'
import type { RolloutRules } from '../../model/rollout.js'
import { demoOf, packagesOf, taxNumberTemplates } from '../kit/rollout.js'
import sale from './demo.json' with { type: 'json' }
import lists from './lists.json' with { type: 'json' }

/** As the field names it: with a key it speaks with the authority, else it emulates. */
const USUAL = 'fiskaltrust.Middleware.SCU.GR.MyData'

export const templates: RolloutRules = {
  ...taxNumberTemplates({
    ...{ country: 'GR', member: 'VatId', own: 'vat', source: 'vat_id' },
    ...{ plain: plainVat, isValid: isVat, expected: '9 digits with a check digit' },
    settings: lists.settings,
  }),
  ...packagesOf([SOFTWARE_PACKAGE, MYDATA_PACKAGE, USUAL], SOFTWARE_PACKAGE),
  driverOf: ({ package: name, settings }) => {
    const isSpoken = name === USUAL && (textMember(settings, 'SubscriptionKey') ?? '') !== ''
    return name === MYDATA_PACKAGE || isSpoken ? MYDATA_PACKAGE : SOFTWARE_PACKAGE
  },
}

export const demo = demoOf('GR', { scuPackage: SOFTWARE_PACKAGE, ...sale })
