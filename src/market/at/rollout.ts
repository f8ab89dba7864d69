// Austrian cash registers in templates (packages, tables, key of the turnover counter), in the
// demo, and at FinanzOnline.
import { SOFTWARE_PACKAGE } from '../../device/rksv.js'
import { JsonNumber, type JsonObject, type JsonValue } from '../../lib/json.js'
import { memberOf, textMember, withMembers } from '../../lib/json-object.js'
import type { TurnoverKey } from '../../model/queue-facts.js'
import { type RolloutRules, SIGNING_ONLY_PACKAGE, type UnitEntry } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { demoSale, identifiedById, isNamed, packagesOf } from '../kit/rollout.js'
import { ATRUST_PACKAGE } from './devices/atrust.js'
import { CARD_PACKAGE } from './devices/card.js'
import { PRIMESIGN_PACKAGE } from './devices/primesign.js'
import { queueConfiguration } from './queue.js'
import { REMOTE_PACKAGE } from './remote.js'
import { keyCheckValue, newKey, openKey, sealableSecrets } from './turnover.js'

const ONLINE = [
  'fiskaltrust.signing.atrustonline',
  'fiskaltrust.signing.primesignhsm',
  'fiskaltrust.Middleware.SCU.AT.PrimeSignHSM',
]

const PACKAGES = [
  'fiskaltrust.Middleware.SCU.AT.ATrustSmartcard',
  'fiskaltrust.Middleware.SCU.AT.InMemory',
  'fiskaltrust.signing.atapdu',
  ...ONLINE,
  SIGNING_ONLY_PACKAGE,
  SOFTWARE_PACKAGE,
  REMOTE_PACKAGE,
  ATRUST_PACKAGE,
  PRIMESIGN_PACKAGE,
  CARD_PACKAGE,
]

/** What a certified unit is configured with: the members of its driver. */
const CERTIFIED: Readonly<Record<string, { names: string[]; members: string[]; lists: string[] }>> =
  {
    [ATRUST_PACKAGE]: {
      names: [ATRUST_PACKAGE, 'fiskaltrust.signing.atrustonline'],
      members: ['environment', 'user', 'password', 'keylabel', 'fingerprint'],
      lists: [],
    },
    [PRIMESIGN_PACKAGE]: {
      names: [
        PRIMESIGN_PACKAGE,
        'fiskaltrust.Middleware.SCU.AT.PrimeSignHSM',
        'fiskaltrust.signing.primesignhsm',
      ],
      members: ['sharedsecret'],
      lists: ['certificatechain'],
    },
    [CARD_PACKAGE]: {
      names: [
        CARD_PACKAGE,
        'fiskaltrust.Middleware.SCU.AT.ATrustSmartcard',
        'fiskaltrust.signing.atapdu',
      ],
      members: ['token'],
      lists: ['certificatechain'],
    },
  }

/** Its own name, or a known one with credentials: without them a unit is for practice. */
function certifiedOf({ package: name, settings }: UnitEntry): string | undefined {
  const found = Object.entries(CERTIFIED).find(([, { names }]) => isNamed(names, name))
  if (found === undefined) return undefined
  const [driver, { members }] = found
  const hasOne = members.some((member) => textMember(settings, member) !== undefined)
  return hasOne || isNamed([driver], name) ? driver : undefined
}

function certifiedSettings(driver: string, { settings }: UnitEntry): Record<string, unknown> {
  const { members = [], lists = [] } = CERTIFIED[driver] ?? {}
  const texts = members.map((member) => [member, textMember(settings, member)] as const)
  const arrays = lists.map((member) => [member, memberOf(settings, member)] as const)
  const given = [...texts, ...arrays].filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

/** Whoever gives an address and credentials wants the device behind them. */
function isRemote({ package: name, urls, settings }: UnitEntry): boolean {
  if (isNamed([REMOTE_PACKAGE], name)) return true
  const credentials = ['cashboxid', 'accesstoken'].map((member) => textMember(settings, member))
  return /^https?:/i.test(urls[0] ?? '') && credentials.every((one) => one !== undefined)
}

/** 0 normal, 1 backup, 255 not used (0x63 and above). */
const MODES: Readonly<Record<string, number>> = { normal: 0, backup: 1, deactive: 255 }

function modeOf(row: JsonObject | undefined): number {
  const text = textMember(row, 'Mode')?.trim().toLowerCase() ?? ''
  const named = Object.hasOwn(MODES, text) ? MODES[text] : undefined
  if (named !== undefined) return named
  return /^\d{1,6}$/.test(text) ? Number(text) : 0
}

const zero = new JsonNumber('0')

/** Counters are 0, moments and hashes null: the middleware has its own. */
const QUEUE_FRESH: Record<string, JsonValue> = {
  LastSettlementMonth: zero,
  LastSettlementMoment: null,
  LastSettlementQueueItemId: null,
  SSCDFailCount: zero,
  SSCDFailMoment: null,
  SSCDFailQueueItemId: null,
  SSCDFailMessageSent: null,
  UsedFailedCount: zero,
  UsedFailedMomentMin: null,
  UsedFailedMomentMax: null,
  UsedFailedQueueItemId: null,
  UsedMobileCount: zero,
  UsedMobileMoment: null,
  UsedMobileQueueItemId: null,
  MessageCount: zero,
  MessageMoment: null,
  LastSignatureHash: null,
  LastSignatureZDA: null,
  LastSignatureCertificateSerialNumber: null,
  ftCashNumerator: zero,
  ftCashTotalizer: zero,
}

const KEY = 'EncryptionKeyBase64'

function addressText(urls: readonly string[]): string {
  return urls.length === 1 ? (urls[0] ?? '') : JSON.stringify(urls)
}

export const templates: RolloutRules = {
  ...packagesOf(PACKAGES),
  identificationOf: identifiedById,
  driverOf: (unit) => certifiedOf(unit) ?? (isRemote(unit) ? REMOTE_PACKAGE : SOFTWARE_PACKAGE),
  driverSettings: (unit) => {
    const certified = certifiedOf(unit)
    if (certified !== undefined) return certifiedSettings(certified, unit)
    if (isRemote(unit)) {
      return {
        cashboxid: textMember(unit.settings, 'cashboxid'),
        accesstoken: textMember(unit.settings, 'accesstoken'),
      }
    }
    const zda = textMember(unit.settings, 'zda')
    return isNamed([SOFTWARE_PACKAGE], unit.package) && zda !== undefined ? { zda } : {}
  },
  queueTable: { name: 'init_ftQueueAT', id: 'ftQueueATId', fresh: QUEUE_FRESH },
  unitTable: {
    name: 'init_ftSignaturCreationUnitAT',
    id: 'ftSignaturCreationUnitATId',
    fresh: {},
  },
  unitRow: ({ urls, mode }) => ({ Url: addressText(urls), Mode: mode }),
  completed: (row, tools) => {
    const key = textMember(row, KEY) ?? ''
    const known = key === '' ? newKey(tools.randomBytes).toString('base64') : key
    return withMembers(row, { [KEY]: known, SignAll: textMember(row, 'SignAll') === 'true' })
  },
  faultsOf: (row) => {
    const key = textMember(row, KEY)
    const text = key === undefined ? '' : JSON.stringify({ encryptionKeyBase64: key })
    const isKey = key === undefined || key === '' || openKey(text).kind === 'key'
    return isKey ? [] : [{ member: KEY, expected: '32 bytes in Base64' }]
  },
  unitFaultsOf: (row) => {
    const mode = textMember(row, 'Mode')?.trim().toLowerCase() ?? ''
    const isMode = mode === '' || Object.hasOwn(MODES, mode) || /^\d{1,6}$/.test(mode)
    return isMode
      ? []
      : [{ member: 'Mode', expected: `${Object.keys(MODES).join(', ')} or a number` }]
  },
  secretsOf: (row) => {
    const key = Buffer.from(textMember(row, KEY) ?? '', 'base64')
    return key.length === 0 ? '' : sealableSecrets(key)
  },
  keptMembers: [KEY],
  parameters: ['SignAll', 'ClosedSystemKind', 'ClosedSystemValue', 'ClosedSystemNote'],
  modeOf,
  masterData: false,
  unitParameters: {
    certificatebase64: 'CertificateBase64',
    mode: 'Mode',
    sn: 'SN',
    zda: 'ZDA',
  },
  queueParameters: { encryptionkeybase64: KEY },
  isReferenced: (type, name) => type === 'onlinescu' && isNamed(ONLINE, name),
  unkeyedReferences: true,
}

// ---------------------------------------------------------------------------------------- the demo

export const demo: DemoFacts = {
  scuPackage: SOFTWARE_PACKAGE,
  startCase: 0x4154_0000_0000_0003n,
  sale: demoSale(0x4154_0000_0000_0000n, {
    charges: [
      [2, 'Melange', 9.8, 20, 0x03],
      [1, 'Apfelstrudel', 5.2, 10, 0x01],
    ],
    pays: [['Cash', 15, 0x01]],
  }),
  journalType: '0x4154000000000001',
  exportFile: 'dep7.json',
}

// ----------------------------------------------------------------------- what a merchant registers

/** The key is made by the start receipt: null before. */
export function turnoverKey(configuration: unknown, secrets: string): TurnoverKey {
  const { ClosedSystemKind, ClosedSystemValue } = queueConfiguration.parse(configuration)
  const key = openKey(secrets)
  return {
    encryptionKeyBase64: key.kind === 'key' ? key.base64 : null,
    encryptionKeyCheckValue: key.kind === 'key' ? keyCheckValue(key.base64) : null,
    closedSystemKind: ClosedSystemKind ?? null,
    closedSystemValue: ClosedSystemValue ?? null,
  }
}
