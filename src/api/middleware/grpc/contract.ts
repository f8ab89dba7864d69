// The contract of proto/IPOS.proto, read once: paths of the operations, and the messages as tables
// by field number.
import { fileURLToPath } from 'node:url'
import { loadSync } from '@grpc/proto-loader'

const FOLDER = fileURLToPath(new URL('../../../../proto', import.meta.url))
const PACKAGE = 'fiskaltrust.ifPOS.v1'

export type MemberKind = 'text' | 'integer' | 'decimal' | 'moment' | 'bytes' | 'message'

export interface Member {
  number: number
  name: string
  kind: MemberKind
  isList: boolean
  /** Of a message inside. */
  shape?: Shape
}

/** The members of a message by number. */
export type Shape = ReadonlyMap<number, Member>

export interface Contract {
  /** `/fiskaltrust.ifPOS.v1.POS` */
  service: string
  /** Whether an operation answers with a stream. */
  operations: ReadonlyMap<string, { isStream: boolean }>
  shape(message: string): Shape
}

/** What proto-loader tells of a message: the descriptor of Protocol Buffers. */
interface FieldDescriptor {
  name: string
  number: number
  type: string
  label: string
  typeName: string
}

const KINDS: Record<string, MemberKind> = {
  TYPE_STRING: 'text',
  TYPE_INT64: 'integer',
  TYPE_INT32: 'integer',
  TYPE_UINT32: 'bytes',
}
const MESSAGE_KINDS: Record<string, MemberKind> = {
  'bcl.Decimal': 'decimal',
  'bcl.DateTime': 'moment',
}

export function loadContract(): Contract {
  const definition = loadSync('IPOS.proto', {
    includeDirs: [FOLDER],
    keepCase: true,
    longs: String,
  })
  const fieldsOf = (message: string): FieldDescriptor[] => {
    const type: unknown = Reflect.get(Object(definition[`${PACKAGE}.${message}`]), 'type')
    const fields: unknown = Reflect.get(Object(type), 'field')
    if (!Array.isArray(fields)) throw new Error(`IPOS.proto has no message ${message}`)
    return fields as FieldDescriptor[]
  }
  const shape = (message: string): Shape =>
    new Map(fieldsOf(message).map((field) => [field.number, memberOf(field, shape)]))
  const service = definition[`${PACKAGE}.POS`] ?? {}
  return {
    service: `/${PACKAGE}.POS`,
    operations: new Map(
      Object.entries(service).map(([name, method]) => [
        name,
        { isStream: Reflect.get(Object(method), 'responseStream') === true },
      ]),
    ),
    shape,
  }
}

function memberOf(field: FieldDescriptor, shape: (message: string) => Shape): Member {
  const { number, name, type, label, typeName } = field
  const common = { number, name, isList: label === 'LABEL_REPEATED' }
  const kind = KINDS[type] ?? MESSAGE_KINDS[typeName]
  if (kind !== undefined) return { ...common, kind }
  return { ...common, kind: 'message', shape: shape(typeName) }
}
