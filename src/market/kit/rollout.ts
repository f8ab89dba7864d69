// What countries have in common for those who set up registers: plain templates, and the demo.
import { isUuid, shortId } from '../../lib/id.js'
import type { JsonObject } from '../../lib/json.js'
import { textMember } from '../../lib/json-object.js'
import { digitsOf } from '../../lib/moment.js'
import type { RolloutRules } from '../../model/rollout.js'
import type { DemoFacts } from '../contract.js'
import { wordsOf } from './words.js'

/** Of a country whose queues have neither keys nor parameters of their own. */
export const PLAIN_TEMPLATES = {
  completed: (row) => row,
  faultsOf: () => [],
  secretsOf: () => '',
  keptMembers: [],
  parameters: [],
  masterData: false,
  modeOf: () => 0,
  unitParameters: {},
  queueParameters: {},
  isReferenced: () => false,
  unkeyedReferences: false,
} as const satisfies Partial<RolloutRules>

/** Tables and members as the field names them, by the letters of the country. */
export const namesOf = (country: string, fresh: RolloutRules['unitTable']['fresh'] = {}) => {
  const unit = `ftSignaturCreationUnit${country}`
  return {
    identificationOf: ({ now }) => `ft${digitsOf(now)}`,
    queueTable: { name: `init_ftQueue${country}`, id: `ftQueue${country}Id`, fresh: {} },
    unitTable: { name: `init_${unit}`, id: `${unit}Id`, fresh },
    unitMember: `${unit}Id`,
    unitRow: () => ({}),
  } as const satisfies Partial<RolloutRules>
}

interface TaxNumber {
  /** Of rows and settings of units. */
  member: string
  /** Of what people write: in groups, with the letters of the country. */
  plain(text: string): string
  isValid(plain: string): boolean
  /** What a valid one is. */
  expected: string
}

interface TaxNumberTemplates extends TaxNumber {
  country: string
  /** The setting of the driver, and what of the master data is taken where nobody says it. */
  own: string
  source: string
  /** More settings of the driver, as templates name them. */
  settings?: Readonly<Record<string, string>>
  /** Secrets that a new unit makes by itself. */
  fresh?: RolloutRules['unitTable']['fresh']
}

/** Of a country whose units are set up with the tax number of who sells. */
export const taxNumberTemplates = (of: TaxNumberTemplates) => ({
  ...{ ...PLAIN_TEMPLATES, ...namesOf(of.country, of.fresh) },
  unitFaultsOf: taxNumberFaults(of),
  driverSettings: (({ settings }, { row }) => {
    const names = { [of.own]: of.member, ...of.settings }
    const { [of.own]: number = '', ...line } = givenIn(settings, row)(names)
    return number === '' ? line : { [of.own]: of.plain(number), ...line }
  }) satisfies RolloutRules['driverSettings'],
  unitParameters: { [of.own]: of.member, [of.source]: of.member },
})

/** The tax number of a unit that is set up, where one is given. */
export const taxNumberFaults =
  ({ member, plain, isValid, expected }: TaxNumber): NonNullable<RolloutRules['unitFaultsOf']> =>
  (row) => {
    const number = plain(textMember(row, member) ?? '')
    return number === '' || isValid(number) ? [] : [{ member, expected }]
  }

/** What settings of a unit, else its row in the template, say under these names; '' is left out. */
export const givenIn =
  (settings: JsonObject | undefined, row: JsonObject | undefined) =>
  (names: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(names)
        .map(([own, name]) => [own, textMember(settings, name) ?? textMember(row, name) ?? ''])
        .filter(([, value]) => value !== ''),
    )

/** Names of packages, in any case. */
export const isNamed = (names: readonly string[], name: string): boolean =>
  namedIn(names, name) !== undefined

const namedIn = (names: readonly string[], name: string): string | undefined =>
  names.find((one) => one.toLowerCase() === name.toLowerCase())

/** Packages of a country; `usual`: of entries that name none. Left out: each names its own. */
export const packagesOf = (packages: readonly string[], usual?: string) =>
  ({
    packages,
    packageOf: (name) => (name === '' ? usual : namedIn(packages, name)),
  }) as const satisfies Partial<RolloutRules>

/** Of its id: the same queue is named the same whenever a template is executed. */
export const identifiedById: RolloutRules['identificationOf'] = ({ id }) =>
  isUuid(id) ? shortId(id) : ''

type Charged = readonly [quantity: number, text: string, amount: number, rate: number, code: number]
type Paid = readonly [text: string, amount: number, code: number]

/** A sale in wire members; `base`: the country's word without a code. */
export function demoSale(
  base: bigint,
  { charges, pays }: { charges: readonly Charged[]; pays: readonly Paid[] },
): Record<string, unknown> {
  const word = (code: number): bigint => base | BigInt(code)
  return {
    cbTerminalID: '1',
    cbChargeItems: charges.map(([Quantity, Description, Amount, VATRate, code]) => ({
      ...{ Quantity, Description, Amount, VATRate },
      ftChargeItemCase: word(code),
    })),
    cbPayItems: pays.map(([Description, Amount, code]) => ({
      ...{ Quantity: 1, Description, Amount },
      ftPayItemCase: word(code),
    })),
    ftReceiptCase: word(1),
  }
}

interface Demo extends Omit<DemoFacts, 'sale' | 'startCase'> {
  /** Further members of the sale. */
  members?: Record<string, unknown>
  /** As a file has them. */
  charges: readonly (readonly (string | number)[])[]
  pays: readonly (readonly (string | number)[])[]
}

const START = 0x4001

/** The demo of a country whose words are of version 2 only. */
export function demoOf(country: string, { members, charges, pays, ...facts }: Demo): DemoFacts {
  const { base, word } = wordsOf(country)
  return {
    ...{ ...facts, startCase: word(START) },
    sale: {
      ...members,
      ...demoSale(base, { charges: charges as readonly Charged[], pays: pays as readonly Paid[] }),
    },
  }
}
