// Values of the variables of a template: those of the query in front, then those that the system
// knows.
import { isUuid, shortId } from '../../../lib/id.js'
import { digitsOf } from '../../../lib/moment.js'
import { locations } from '../../../model/identifiers.js'

export interface VariableInput {
  /** Parameters of the call; the last one of several. */
  query: ReadonlyMap<string, string>
  now: Date
  outletNumber: number
  /** The outlet's own id. */
  location: string
  company: string
  /** Queues that the account has. */
  queues: number
  newId(): string
  /** `reference_scu_…`; undefined: there is no such unit. */
  reference(name: string): string | undefined
}

const COMPONENT = /^(queue|scu|helper)(\d)_(id|description|url|id_base64withoutspecialchars)$/

/** What countries call the number of an outlet. */
const LOCATION_NAMES: ReadonlySet<string | null> = new Set(
  Object.values(locations).map(({ variable }) => variable),
)

export class Variables {
  private readonly input: VariableInput
  private readonly folded: ReadonlyMap<string, string>
  private readonly ids = new Map<string, string>()

  constructor(input: VariableInput) {
    this.input = input
    this.folded = new Map([...input.query].map(([name, value]) => [name.toLowerCase(), value]))
  }

  /** Of the query: exactly this name, else in another case. */
  parameter(name: string): string | undefined {
    return this.input.query.get(name) ?? this.folded.get(name.toLowerCase())
  }

  /** Undefined: nobody has given a value. */
  get(name: string): string | undefined {
    return this.parameter(name) ?? this.system(name.toLowerCase())
  }

  /** The id of the query, else a random one, the same whenever it is asked for. */
  id(name: string): string {
    const given = this.parameter(name)
      ?.trim()
      .replace(/^\{(.*)\}$/, '$1')
    if (given !== undefined) return isUuid(given) ? given.toLowerCase() : given
    const known = this.ids.get(name) ?? this.input.newId()
    this.ids.set(name, known)
    return known
  }

  get description(): string {
    return this.parameter('description') ?? `ft${digitsOf(this.input.now)}`
  }

  private system(name: string): string | undefined {
    const component = COMPONENT.exec(name)
    if (component !== null) return this.component(component)
    if (name.startsWith('reference_scu_')) return this.input.reference(name)
    switch (name) {
      case 'cashbox_id':
        return this.id(name)
      case 'description':
      case 'cashbox_description':
        return this.description
      case 'cashbox_ipaddress':
      case 'cashbox_producttype':
        return ''
      case 'count':
        return String(this.input.queues + 1)
      case 'outlet_number':
        return String(this.input.outletNumber)
      case 'company_name':
        return this.input.company
      default:
        return LOCATION_NAMES.has(name) ? this.input.location : undefined
    }
  }

  private component([, kind = '', digit = '', part = '']: RegExpExecArray): string {
    const id = `${kind}${digit}_id`
    if (part === 'id') return this.id(id)
    if (part === 'description') return this.description
    if (part === 'url') return this.url(kind, digit)
    const value = this.id(id)
    return isUuid(value) ? shortId(value) : value
  }

  private url(kind: string, digit: string): string {
    if (kind !== 'queue') return `net.pipe://localhost/${this.id(`${kind}${digit}_id`)}`
    return `http://localhost:1200/fiskaltrust${digit === '0' ? '' : digit}`
  }
}
