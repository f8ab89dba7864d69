// French cash registers in templates (packages and tables) and in the demo.
import { REMOTE_PACKAGE, SOFTWARE_PACKAGE } from '../../device/jws.js'
import type { RolloutRules } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { demoSale, givenIn, isNamed, packagesOf, taxNumberTemplates } from '../kit/rollout.js'

/** A SIRET as people write it: in groups. */
const ungrouped = (text: string): string => text.replace(/\s/g, '')

const isRemote = (name: string): boolean => isNamed([REMOTE_PACKAGE], name)

export const templates: RolloutRules = {
  ...taxNumberTemplates({
    ...{ country: 'FR', member: 'Siret', own: 'siret', source: 'siret' },
    ...{ plain: ungrouped, isValid: (siret) => /^\d*$/.test(siret), expected: '14 digits' },
    fresh: { PrivateKey: null },
  }),
  ...packagesOf([SOFTWARE_PACKAGE, REMOTE_PACKAGE], SOFTWARE_PACKAGE),
  driverOf: ({ package: name }) => (isRemote(name) ? REMOTE_PACKAGE : SOFTWARE_PACKAGE),
  driverSettings: ({ package: name, settings }, { row, company, location }) => {
    const given = givenIn(settings, row)
    const own = given({ signatureexcerpt: 'SignatureExcerpt', signatureform: 'SignatureForm' })
    const { number = location, companyname = company } = given({
      ...{ number: 'Siret', companyname: 'CompanyName' },
    })
    const siret = ungrouped(number)
    const outlet = siret === '' ? own : { ...own, siret }
    if (!isRemote(name)) return { ...outlet, companyname }
    const login = { cashboxid: 'cashboxid', accesstoken: 'accesstoken' }
    return { ...outlet, ...givenIn(settings, undefined)(login) }
  },
  unitParameters: { companyname: 'CompanyName', company_name: 'CompanyName', siret: 'Siret' },
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
