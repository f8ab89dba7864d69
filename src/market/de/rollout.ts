// German cash registers in templates (packages and tables) and in the demo.
import { SOFTWARE_PACKAGE } from '../../device/tse/tse.js'
import { JsonNumber } from '../../lib/json.js'
import { memberOf, plainOf, textMember } from '../../lib/json-object.js'
import type { RolloutRules } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { demoSale, PLAIN_TEMPLATES } from '../kit/rollout.js'
import { REMOTE_PACKAGE } from './devices/remote.js'

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
]

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const zero = new JsonNumber('0')

/** Members of the settings that mean something to the remote driver. */
const REMOTE_MEMBERS = ['cashboxid', 'accesstoken']

const isEmulator = (name: string): boolean =>
  same(name, EMULATOR_NAME) || same(name, SOFTWARE_PACKAGE)

export const templates: RolloutRules = {
  ...PLAIN_TEMPLATES,
  packages: PACKAGES,
  driverOf: ({ package: name }) => (same(name, REMOTE_PACKAGE) ? REMOTE_PACKAGE : SOFTWARE_PACKAGE),
  driverSettings: ({ package: name, settings }) => {
    // the PINs and addresses of real hardware are kept, not used
    if (isEmulator(name)) return plainOf(settings)
    if (!same(name, REMOTE_PACKAGE)) return {}
    const given = REMOTE_MEMBERS.map((member) => [member, textMember(settings, member)] as const)
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
