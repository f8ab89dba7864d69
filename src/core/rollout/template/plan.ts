// From the parsed text of a template to what is to be created: gaps are filled, and everything that
// is wrong is told at once, by JSON path.
import { fail } from '../../../errors.js'
import { isUuid } from '../../../lib/id.js'
import { JsonNumber, JsonObject, type JsonValue, jsonIn, objectIn } from '../../../lib/json.js'
import { memberOf, textMember, withMembers } from '../../../lib/json-object.js'
import type { Market } from '../../../market/contract.js'
import { namesOf, type PackageKind, packageOf } from '../publication/packages.js'
import type { Variables } from './variables.js'

export interface PlanInput {
  markets: readonly Market[]
  variables: Variables
  /** Of the account. */
  market: string
  now: Date
  randomBytes(count: number): Buffer
}

export interface Component {
  /** `ftQueues[0]` */
  path: string
  index: number
  id: string
  package: string
  version: string
  urls: string[]
  settings: JsonObject
  description: string
  /** Nothing but id and package was given. */
  short: boolean
}

export class Faults {
  private readonly collected: Record<string, string[]> = {}

  add(path: string, text: string): void {
    this.collected[path] = [...(this.collected[path] ?? []), text]
  }

  get any(): boolean {
    return Object.keys(this.collected).length > 0
  }

  get all(): Readonly<Record<string, readonly string[]>> {
    return this.collected
  }
}

export function invalid(faults: Faults) {
  const refusal = fail('SHAPE_INVALID')
  refusal.faults = faults.all
  refusal.english = true
  return refusal
}

const LONGEST_DESCRIPTION = 250
/** Indexed parameters have one digit. */
const INDEXED = 10

const LISTS: Readonly<Record<PackageKind, string>> = {
  scu: 'ftSignaturCreationDevices',
  queue: 'ftQueues',
  helper: 'helpers',
}

export interface Components {
  scu: Component[]
  queue: Component[]
  helper: Component[]
}

/** The three lists of a template. */
export function componentsOf(input: PlanInput, root: JsonObject, faults: Faults): Components {
  const seen = new Set<string>()
  const of = (kind: PackageKind) => listOf(input, { kind, root, seen, faults })
  return { scu: of('scu'), queue: of('queue'), helper: of('helper') }
}

interface Reading {
  kind: PackageKind
  root: JsonObject
  seen: Set<string>
  faults: Faults
}

function listOf(input: PlanInput, reading: Reading): Component[] {
  const name = LISTS[reading.kind]
  const value = memberOf(reading.root, name)
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    reading.faults.add(name, 'A list is expected.')
    return []
  }
  return value.flatMap((entry, index) => {
    const path = `${name}[${index}]`
    if (entry instanceof JsonObject) return [componentOf(input, reading, { entry, index, path })]
    reading.faults.add(path, 'An object is expected.')
    return []
  })
}

interface Place {
  entry: JsonObject
  index: number
  path: string
}

/** That of the account; none: there is no such market here. */
function ownMarket({ markets, market }: PlanInput): Market[] {
  return markets.filter(({ facts }) => facts.code === market)
}

function componentOf(input: PlanInput, reading: Reading, place: Place): Component {
  const { variables } = input
  const { entry, index, path } = place
  const { kind } = reading
  const prefix = `${kind}${index}_`
  const gap = (name: string) =>
    index < INDEXED ? variables.parameter(`${prefix}${name}`) : undefined
  const short = ['Url', 'Version', 'Configuration', 'Description'].every(
    (name) => memberOf(entry, name) === undefined && gap(name.toLowerCase()) === undefined,
  )
  const id = idOf(variables, reading, place)
  const { name, newest } = namedPackage(input, reading, { ...place, gap })
  return {
    ...{ path, index, id, short, package: name },
    version: versionOf(textMember(entry, 'Version') ?? gap('version'), newest, {
      path: `${path}.Version`,
      faults: reading.faults,
    }),
    urls: urlsOf(input, reading, { ...place, gap, id }),
    settings: settingsOf(reading, { ...place, gap }),
    description: describedBy(reading, place, gap('description') ?? variables.description),
  }
}

type Gapped = Place & { gap(name: string): string | undefined }

function idOf(variables: Variables, { kind, seen, faults }: Reading, place: Place): string {
  const { entry, index, path } = place
  const given = textMember(entry, 'Id')
    ?.trim()
    .replace(/^\{(.*)\}$/, '$1')
  const text = given ?? (index < INDEXED ? variables.id(`${kind}${index}_id`) : undefined)
  const at = `${path}.Id`
  if (text === undefined || text === '') {
    faults.add(at, 'The id is missing.')
    return ''
  }
  const id = text.toLowerCase()
  if (!isUuid(id)) faults.add(at, 'A GUID is expected.')
  else if (seen.has(id)) faults.add(at, 'This id stands in the template twice.')
  seen.add(id)
  return id
}

function namedPackage(input: PlanInput, { kind, faults }: Reading, { entry, path, gap }: Gapped) {
  const own = ownMarket(input)
  const usual = kind === 'scu' ? own[0]?.rollout.templates?.packageOf('') : undefined
  const name = (textMember(entry, 'Package') ?? gap('package') ?? usual ?? '').trim()
  const found = name === '' ? undefined : packageOf(input.markets, kind, name)
  if (found !== undefined) return found
  const fault = name === '' ? 'The package is missing.' : 'This package is not known.'
  const names = namesOf(own, kind)
  const expected = names.length === 0 ? '' : ` Expected: ${names.join(', ')}.`
  faults.add(`${path}.Package`, fault + expected)
  return { name, newest: '', known: false }
}

const VERSION = /^\d{1,9}(\.\d{1,9}){0,3}(-[0-9A-Za-z.-]{1,40})?$/

function versionOf(
  given: string | undefined,
  newest: string,
  { path, faults }: { path: string; faults: Faults },
): string {
  const text = (given ?? '').trim()
  if (text === '' || text.toLowerCase() === 'latest') return newest
  if (!VERSION.test(text)) faults.add(path, 'Expected latest, or numbers divided by dots.')
  return text
}

function urlsOf(
  { variables }: PlanInput,
  { kind, faults }: Reading,
  { entry, index, path, gap, id }: Gapped & { id: string },
): string[] {
  const own = memberOf(entry, 'Url')
  const given = own ?? parameterUrls(gap('url'))
  if (given === undefined) {
    const usual = index < INDEXED ? variables.get(`${kind}${index}_url`) : undefined
    if (kind === 'queue' && usual !== undefined) return [usual]
    return [`net.pipe://localhost/${id}`]
  }
  if (Array.isArray(given) && given.every((one) => typeof one === 'string')) return given
  faults.add(`${path}.Url`, 'A list of texts is expected.')
  return []
}

/** A JSON list, or one address as it is. */
function parameterUrls(text: string | undefined): JsonValue | undefined {
  if (text === undefined || !text.trim().startsWith('[')) return text === undefined ? text : [text]
  return jsonIn(text) ?? text
}

function settingsOf({ kind, faults }: Reading, { entry, path, gap }: Gapped): JsonObject {
  const own = memberOf(entry, 'Configuration')
  const text = gap('configuration')
  const given = own ?? (text === undefined ? new JsonObject() : objectIn(text))
  if (given instanceof JsonObject) {
    return kind === 'scu' ? withOwn(given, entry) : given
  }
  faults.add(`${path}.Configuration`, 'An object is expected.')
  return new JsonObject()
}

/** Members of the entry of a package; what else one of a unit has is a setting. */
const OF_PACKAGES: ReadonlySet<string> = new Set([
  ...['id', 'package', 'version', 'url', 'configuration', 'description'],
])

function withOwn(settings: JsonObject, entry: JsonObject): JsonObject {
  const own = entry.names.filter((name) => !OF_PACKAGES.has(name.toLowerCase()))
  return own.reduce((all, name) => {
    const value = memberOf(entry, name)
    const isNew = value !== undefined && memberOf(all, name) === undefined
    return isNew ? withMembers(all, { [name]: value }) : all
  }, settings)
}

function describedBy({ faults }: Reading, { entry, path }: Place, usual: string): string {
  const text = textMember(entry, 'Description') ?? usual
  if (text.length > LONGEST_DESCRIPTION) {
    faults.add(`${path}.Description`, `At most ${LONGEST_DESCRIPTION} characters are expected.`)
  }
  return text
}

export interface BoxPlan {
  id: string
  description: string
  ipAddress: string
  productType: number
}

const PRODUCT_TYPES: Readonly<Record<string, number>> = {
  '': 0,
  '0': 0,
  local: 0,
  '1': 1,
  cloud: 1,
  '2': 2,
  rksvsign: 2,
}

/** The cash box itself. */
export function boxOf(variables: Variables, root: JsonObject, faults: Faults): BoxPlan {
  const given = textMember(root, 'ftCashBoxId')
    ?.trim()
    .replace(/^\{(.*)\}$/, '$1')
  const id = (given ?? variables.id('cashbox_id')).toLowerCase()
  if (!isUuid(id)) faults.add('ftCashBoxId', 'A GUID is expected.')
  const description = variables.get('cashbox_description') ?? variables.description
  if (description.length > LONGEST_DESCRIPTION) {
    faults.add('cashbox_description', `At most ${LONGEST_DESCRIPTION} characters are expected.`)
  }
  const type = variables.parameter('cashbox_producttype')?.trim().toLowerCase() ?? ''
  const productType = Object.hasOwn(PRODUCT_TYPES, type) ? PRODUCT_TYPES[type] : undefined
  if (productType === undefined) {
    faults.add('cashbox_producttype', 'Expected local, cloud or rksvsign.')
  }
  const ipAddress = variables.parameter('cashbox_ipaddress') ?? ''
  return { id, description, ipAddress, productType: productType ?? 0 }
}

/** A whole number of at most nine digits, as number or text. */
export function wholeOf(value: JsonValue | undefined): number | undefined {
  const text = value instanceof JsonNumber ? value.text : value
  return typeof text === 'string' && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined
}
