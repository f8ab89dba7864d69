// Spanish cash registers in templates (packages and tables) and in the demo.
import { type EsKind, PACKAGES, SOFTWARE_PACKAGE } from '../../device/es/unit.js'
import { textMember } from '../../lib/json-object.js'
import type { RolloutRules } from '../../model/rollout.js'
import { demoOf, givenIn, packagesOf, taxNumberTemplates } from '../kit/rollout.js'
import { isNif, plainNif } from './customer.js'
import sale from './demo.json' with { type: 'json' }

/** As the field names them: with a certificate they speak with the authority, else they emulate. */
const USUAL: Readonly<Record<string, EsKind>> = {
  'fiskaltrust.Middleware.SCU.ES.VeriFactu': 'VeriFactu',
  'fiskaltrust.Middleware.SCU.ES.TicketBAIAraba': 'Araba',
  'fiskaltrust.Middleware.SCU.ES.TicketBAIBizkaia': 'Bizkaia',
  'fiskaltrust.Middleware.SCU.ES.TicketBAIGipuzkoa': 'Gipuzkoa',
}

export const templates: RolloutRules = {
  ...taxNumberTemplates({
    ...{ country: 'ES', member: 'Nif', own: 'nif', source: 'tax_id' },
    ...{ plain: plainNif, isValid: isNif, expected: 'a tax number with its check character' },
  }),
  ...packagesOf(
    [SOFTWARE_PACKAGE, ...Object.keys(PACKAGES), ...Object.keys(USUAL)],
    SOFTWARE_PACKAGE,
  ),
  driverOf: ({ package: name, settings }) => {
    if (Object.hasOwn(PACKAGES, name)) return name
    const kind = USUAL[name] ?? 'VeriFactu'
    const hasLine = (textMember(settings, 'CertificatePem') ?? '') !== ''
    const spoken = Object.entries(PACKAGES).find(([, one]) => one === kind)?.[0]
    return (hasLine ? spoken : undefined) ?? SOFTWARE_PACKAGE
  },
  driverSettings: ({ package: name, settings }, { row }) => {
    const {
      nif = '',
      kind = USUAL[name],
      ...line
    } = givenIn(
      settings,
      row,
    )({
      ...{ nif: 'Nif', name: 'NombreRazonEmisor', kind: 'Kind', baseUrl: 'BaseUrl' },
      ...{ qrCodeBaseUrl: 'QRCodeBaseUrl', taxRegime: 'TaxRegime' },
      ...{ privateKeyPem: 'PrivateKeyPem', certificatePem: 'CertificatePem' },
    })
    const own = nif === '' ? {} : { nif: plainNif(nif) }
    return kind === undefined ? { ...own, ...line } : { ...own, kind, ...line }
  },
}

export const demo = demoOf('ES', { scuPackage: SOFTWARE_PACKAGE, ...sale })
