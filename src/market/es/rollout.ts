// Spanish cash registers in templates (packages and tables) and in the demo.
import { type EsKind, PACKAGES, SOFTWARE_PACKAGE } from '../../device/es/unit.js'
import { textMember } from '../../lib/json-object.js'
import { digitsOf } from '../../lib/moment.js'
import type { RolloutRules } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { demoSale, PLAIN_TEMPLATES } from '../kit/rollout.js'
import { isNif, plainNif } from './customer.js'

/** As the field names them: with a certificate they speak with the authority, else they emulate. */
const USUAL: Readonly<Record<string, EsKind>> = {
  'fiskaltrust.Middleware.SCU.ES.VeriFactu': 'VeriFactu',
  'fiskaltrust.Middleware.SCU.ES.TicketBAIAraba': 'Araba',
  'fiskaltrust.Middleware.SCU.ES.TicketBAIBizkaia': 'Bizkaia',
  'fiskaltrust.Middleware.SCU.ES.TicketBAIGipuzkoa': 'Gipuzkoa',
}

export const templates: RolloutRules = {
  ...PLAIN_TEMPLATES,
  packages: [SOFTWARE_PACKAGE, ...Object.keys(PACKAGES), ...Object.keys(USUAL)],
  usualPackage: SOFTWARE_PACKAGE,
  entrySettings: [
    'Nif',
    'NombreRazonEmisor',
    'Kind',
    'BaseUrl',
    'QRCodeBaseUrl',
    'TaxRegime',
    'PrivateKeyPem',
    'CertificatePem',
  ],
  driverOf: ({ package: name, settings }) => {
    if (Object.hasOwn(PACKAGES, name)) return name
    const kind = USUAL[name] ?? 'VeriFactu'
    const hasLine = (textMember(settings, 'CertificatePem') ?? '') !== ''
    const spoken = Object.entries(PACKAGES).find(([, one]) => one === kind)?.[0]
    return (hasLine ? spoken : undefined) ?? SOFTWARE_PACKAGE
  },
  driverSettings: ({ package: name, settings }, { row }) => {
    const of = (name: string) => textMember(settings, name) ?? textMember(row, name) ?? ''
    const given = {
      ...{ nif: plainNif(of('Nif')), name: of('NombreRazonEmisor') },
      kind: of('Kind') || (USUAL[name] ?? ''),
      ...{ baseUrl: of('BaseUrl'), qrCodeBaseUrl: of('QRCodeBaseUrl'), taxRegime: of('TaxRegime') },
      ...{ privateKeyPem: of('PrivateKeyPem'), certificatePem: of('CertificatePem') },
    }
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  },
  usualIdentification: (now) => `ft${digitsOf(now)}`,
  queueTable: { name: 'init_ftQueueES', id: 'ftQueueESId', fresh: {} },
  unitTable: {
    ...{ name: 'init_ftSignaturCreationUnitES', id: 'ftSignaturCreationUnitESId' },
    fresh: {},
  },
  unitMember: 'ftSignaturCreationUnitESId',
  unitRow: () => ({}),
  unitFaultsOf: (row) => {
    const nif = plainNif(textMember(row, 'Nif') ?? '')
    return nif === '' || isNif(nif)
      ? []
      : [{ member: 'Nif', expected: 'a tax number with its check character' }]
  },
  unitParameters: { nif: 'Nif' },
  unitDefaults: { Nif: 'tax_id' },
}

const BASE = 0x4553_2000_0000_0000n

export const demo: DemoFacts = {
  scuPackage: SOFTWARE_PACKAGE,
  startCase: BASE | 0x4001n,
  sale: demoSale(BASE, {
    charges: [
      [2, 'Café con leche', 3.63, 21, 0x13],
      [1, 'Pan', 1.04, 4, 0x14],
    ],
    pays: [['Efectivo', 4.67, 1]],
  }),
  journalType: '0x4553200000001001',
  exportFile: 'registros.json',
}
