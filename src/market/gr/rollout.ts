// Greek cash registers in templates (packages and tables) and in the demo.
import { isVat } from '../../device/gr/mydata.js'
import { MYDATA_PACKAGE, SOFTWARE_PACKAGE } from '../../device/gr/unit.js'
import { textMember } from '../../lib/json-object.js'
import type { RolloutRules } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { demoSale, givenIn, namesOf, PLAIN_TEMPLATES, taxNumberFaults } from '../kit/rollout.js'

/** As the field names it: with a key it speaks with the authority, else it emulates. */
const USUAL = 'fiskaltrust.Middleware.SCU.GR.MyData'

/** As people write it: in groups, with the letters of the VAT number. */
const plainVat = (text: string): string => text.replace(/[\s.-]/g, '').replace(/^(EL|GR)/i, '')

export const templates: RolloutRules = {
  ...{ ...PLAIN_TEMPLATES, ...namesOf('GR') },
  packages: [SOFTWARE_PACKAGE, MYDATA_PACKAGE, USUAL],
  usualPackage: SOFTWARE_PACKAGE,
  entrySettings: ['VatId', 'Username', 'SubscriptionKey', 'BaseAddress', 'ReceiptBaseAddress'],
  driverOf: ({ package: name, settings }) => {
    const isSpoken = name === USUAL && (textMember(settings, 'SubscriptionKey') ?? '') !== ''
    return name === MYDATA_PACKAGE || isSpoken ? MYDATA_PACKAGE : SOFTWARE_PACKAGE
  },
  driverSettings: ({ settings }, { row }) => {
    const { vat = '', ...line } = givenIn(
      settings,
      row,
    )({
      ...{ vat: 'VatId', username: 'Username', subscriptionKey: 'SubscriptionKey' },
      ...{ baseAddress: 'BaseAddress', receiptBaseAddress: 'ReceiptBaseAddress' },
    })
    return vat === '' ? line : { vat: plainVat(vat), ...line }
  },
  unitFaultsOf: taxNumberFaults({
    ...{ member: 'VatId', plain: plainVat, isValid: isVat },
    expected: '9 digits with a check digit',
  }),
  unitParameters: { vat: 'VatId' },
  unitDefaults: { VatId: 'vat_id' },
}

const BASE = 0x4752_2000_0000_0000n

export const demo: DemoFacts = {
  scuPackage: SOFTWARE_PACKAGE,
  startCase: BASE | 0x4001n,
  sale: demoSale(BASE, {
    charges: [
      [2, 'Ελληνικός καφές', 4.96, 24, 0x13],
      [1, 'Ψωμί', 1.13, 13, 0x11],
    ],
    pays: [['Μετρητά', 6.09, 1]],
  }),
  journalType: '0x4752200000000001',
  exportFile: 'mydata.xml',
}
