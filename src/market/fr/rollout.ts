// French cash registers in templates (packages and tables) and in the demo.
import { REMOTE_PACKAGE, SOFTWARE_PACKAGE } from '../../device/jws.js'
import { textMember } from '../../lib/json-object.js'
import type { RolloutRules } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { demoSale, namesOf, PLAIN_TEMPLATES, taxNumberFaults } from '../kit/rollout.js'

/** A SIRET as people write it: in groups. */
const ungrouped = (text: string): string => text.replace(/\s/g, '')

const isRemote = (name: string): boolean => name.toLowerCase() === REMOTE_PACKAGE.toLowerCase()

export const templates: RolloutRules = {
  ...{ ...PLAIN_TEMPLATES, ...namesOf('FR', { PrivateKey: null }) },
  packages: [SOFTWARE_PACKAGE, REMOTE_PACKAGE],
  usualPackage: SOFTWARE_PACKAGE,
  entrySettings: [
    ...['Siret', 'CompanyName', 'CountryCode', 'OutletNumber'],
    ...['SignatureExcerpt', 'SignatureForm'],
  ],
  driverOf: ({ package: name }) => (isRemote(name) ? REMOTE_PACKAGE : SOFTWARE_PACKAGE),
  driverSettings: ({ package: name, settings }, { row, company, location }) => {
    const given = (name: string) => textMember(settings, name) ?? textMember(row, name)
    const siret = ungrouped(given('Siret') ?? location)
    const shown = ['signatureexcerpt', 'signatureform'].flatMap((name) => {
      const value = given(name)
      return value === undefined ? [] : [[name, value] as const]
    })
    const outlet = { ...Object.fromEntries(shown), ...(siret === '' ? {} : { siret }) }
    if (!isRemote(name)) return { ...outlet, companyname: given('CompanyName') ?? company }
    const cashboxid = textMember(settings, 'cashboxid')
    return { ...outlet, cashboxid, accesstoken: textMember(settings, 'accesstoken') }
  },
  unitFaultsOf: taxNumberFaults({
    ...{ member: 'Siret', plain: ungrouped, isValid: (siret) => /^\d*$/.test(siret) },
    expected: '14 digits',
  }),
  unitParameters: { companyname: 'CompanyName', siret: 'Siret' },
  unitDefaults: { CompanyName: 'company_name', Siret: 'siret' },
}

export const demo: DemoFacts = {
  scuPackage: SOFTWARE_PACKAGE,
  startCase: 0x4652_0000_0000_0010n,
  sale: demoSale(0x4652_0000_0000_0000n, {
    charges: [
      [2, 'Café crème', 7.6, 10, 0x02],
      [1, 'Verre de vin', 5.5, 20, 0x03],
    ],
    pays: [['Espèces', 13.1, 0x01]],
  }),
  journalType: '0x4652000000000001',
  exportFile: 'tickets.csv',
}
