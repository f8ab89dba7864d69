// German cash registers in templates (packages and tables) and in the demo.
import { SOFTWARE_PACKAGE } from '../../device/tse/tse.js'
import { JsonNumber } from '../../lib/json.js'
import { memberOf, plainOf, textMember } from '../../lib/json-object.js'
import type { RolloutRules, UnitEntry } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { demoSale, identifiedById, isNamed, PLAIN_TEMPLATES, packagesOf } from '../kit/rollout.js'
import { DIEBOLD_PACKAGE } from './devices/diebold/driver.js'
import { EPSON_PACKAGE } from './devices/epson/driver.js'
import { FCC_PACKAGE } from './devices/fcc/driver.js'
import { FISKALY_PACKAGE } from './devices/fiskaly/driver.js'
import { REMOTE_PACKAGE } from './devices/remote.js'
import { SWISSBIT_CLOUD_PACKAGE } from './devices/swissbit-cloud/driver.js'

const PREFIX = 'fiskaltrust.Middleware.SCU.DE.'

const DEVICES = [
  'CryptoVision',
  'DeutscheFiskal',
  'DieboldNixdorf',
  'Epson',
  'FiskalyCertified',
  'Fiskaly',
  'Swissbit',
  'SwissbitAndroid',
  'SwissbitCloud',
  'SwissbitCloudAndroid',
  'SwissbitCloudV2',
  'ATrust',
  'InMemory',
]

/** What templates call the emulator; the driver's own name means the same. */
const EMULATOR_NAME = 'fiskalwerk.SCU.DE.Emulator'

const PACKAGES = [
  ...DEVICES.map((name) => PREFIX + name),
  EMULATOR_NAME,
  SOFTWARE_PACKAGE,
  REMOTE_PACKAGE,
  FISKALY_PACKAGE,
  EPSON_PACKAGE,
  DIEBOLD_PACKAGE,
  SWISSBIT_CLOUD_PACKAGE,
  FCC_PACKAGE,
]

const zero = new JsonNumber('0')

interface Certified {
  /** Beside that of the driver; a unit of this name without credentials is for practice. */
  names: readonly string[]
  /** Members of the settings that mean something to the driver. */
  members: readonly string[]
  /** Without these another name than the driver's own does not mean it. */
  needed: readonly string[]
  /** Where the address says that it is no device for practice. */
  address: RegExp
}

const DRIVERS: Readonly<Record<string, Certified>> = {
  [REMOTE_PACKAGE]: {
    ...{ names: [], members: ['cashboxid', 'accesstoken'], needed: [], address: /^/ },
  },
  [FISKALY_PACKAGE]: {
    names: [`${PREFIX}FiskalyCertified`, `${PREFIX}Fiskaly`],
    members: ['apikey', 'apisecret', 'tssid', 'adminpin'],
    needed: ['apikey', 'apisecret', 'tssid'],
    address: /^/,
  },
  [EPSON_PACKAGE]: {
    names: [`${PREFIX}Epson`],
    members: ['timeadminpin', 'adminpin', 'secretkey', 'deviceid', 'tlsfingerprint'],
    needed: ['timeadminpin'],
    address: /^(?:tcp|tls):/i,
  },
  [SWISSBIT_CLOUD_PACKAGE]: {
    names: [`${PREFIX}SwissbitCloudV2`],
    members: ['environment', 'serial', 'token'],
    needed: ['serial', 'token'],
    address: /^/,
  },
  [FCC_PACKAGE]: {
    names: [`${PREFIX}DeutscheFiskal`],
    members: ['erscode', 'registrationtoken', 'certificationid'],
    needed: ['erscode'],
    address: /^https?:/i,
  },
  [DIEBOLD_PACKAGE]: {
    names: [`${PREFIX}DieboldNixdorf`],
    members: ['timeadminpassword'],
    needed: ['timeadminpassword'],
    address: /^ws:/i,
  },
}

/** The driver that a unit is for; undefined: the emulator. */
function driverOf({ package: name, settings, urls }: UnitEntry): string | undefined {
  const found = Object.entries(DRIVERS).find(([driver, { names, needed, address }]) => {
    if (isNamed([driver], name)) return true
    if (!isNamed(names, name) || !address.test(urls[0] ?? '')) return false
    return needed.every((member) => textMember(settings, member) !== undefined)
  })
  return found?.[0]
}

const isEmulator = (name: string): boolean => isNamed([EMULATOR_NAME, SOFTWARE_PACKAGE], name)

export const templates: RolloutRules = {
  ...PLAIN_TEMPLATES,
  ...packagesOf(PACKAGES),
  identificationOf: identifiedById,
  driverOf: (unit) => driverOf(unit) ?? SOFTWARE_PACKAGE,
  driverSettings: (unit) => {
    const { package: name, settings } = unit
    // the PINs and addresses of other hardware are kept, not used
    if (isEmulator(name)) return plainOf(settings)
    const { members = [] } = DRIVERS[driverOf(unit) ?? ''] ?? {}
    const given = members.map((member) => [member, textMember(settings, member)] as const)
    return Object.fromEntries(given.filter(([, value]) => value !== undefined))
  },
  queueTable: {
    name: 'init_ftQueueDE',
    id: 'ftQueueDEId',
    fresh: {
      LastHash: null,
      SSCDFailCount: zero,
      SSCDFailMoment: null,
      SSCDFailQueueItemId: null,
      UsedFailedCount: zero,
      UsedFailedMomentMin: null,
      UsedFailedMomentMax: null,
      UsedFailedQueueItemId: null,
      DailyClosingNumber: zero,
    },
  },
  unitTable: {
    name: 'init_ftSignaturCreationUnitDE',
    id: 'ftSignaturCreationUnitDEId',
    fresh: {},
  },
  unitMember: 'ftSignaturCreationUnitDEId',
  // the address is a text that holds a JSON list
  unitRow: ({ urls, mode, settings }) => ({
    Url: JSON.stringify(urls),
    Mode: mode,
    ModeConfigurationJson: switchOf(settings),
  }),
  modeOf: (row) => {
    const mode = memberOf(row, 'Mode')
    return mode instanceof JsonNumber && /^\d{1,9}$/.test(mode.text) ? Number(mode.text) : 0
  },
  masterData: true,
  isReferenced: (type, name) => name.toLowerCase().split('.').at(-1) === type,
}

/** Partner of a planned switch; null: there is none. */
function switchOf(settings: Parameters<typeof memberOf>[0]): string | null {
  for (const member of ['TargetScuId', 'SourceScuId']) {
    const id = textMember(settings, member)
    if (id !== undefined) return JSON.stringify({ [member]: id })
  }
  return null
}

// ---------------------------------------------------------------------------------------- the demo

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
    ...demoSale(0x4445_0000_0000_0000n, {
      charges: [
        [1, 'Sekt 0,2l', 11.9, 19, 0x11],
        [1, 'Brot', 5.35, 7, 0x12],
      ],
      pays: [
        ['Bar', 10, 0x01],
        ['Karte', 7.25, 0x04],
      ],
    }),
    cbUser: 'Demo',
    ftPosSystemId: '8f2d5cba-6f3c-4c0e-9b8a-1f4f0c8c7a11',
    ftReceiptCase: 0x4445_0001_0000_0001n,
  },
  // the DSFinV-K holds whole days only: nothing before the first daily closing
  journalType: '0x4445000000000001',
  exportFile: 'tse.tar',
}
