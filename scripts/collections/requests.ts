// The calls of every interface as requests that a person sends by hand, made from the route tables:
// what Postman and Bruno have in common.
import { dealerTable } from '../../src/api/dealer/document.js'
import { dealerOperations } from '../../src/api/dealer/operations.js'
import { middlewareTable } from '../../src/api/middleware/table.js'
import { platformTable } from '../../src/api/platform/document.js'
import { possystemTable } from '../../src/api/possystem/table.js'
import { receiptTable } from '../../src/api/receipt/table.js'
import { sandboxTable } from '../../src/api/sandbox/table.js'
import { documentOf } from '../../src/api/shared/openapi/document.js'
import type { ApiRoute, ApiTable } from '../../src/api/shared/openapi/route.js'
import { signingDeviceTable } from '../../src/api/signing-device/table.js'
import { writeJson } from '../../src/lib/json-write.js'

export interface Named {
  name: string
  value: string
}

export interface Request {
  /** The interface, and the heading of the call within it. */
  group: string
  folder: string
  title: string
  text: string
  method: string
  /** `/v2/sign`; `{{name}}` where something is to be filled in. */
  path: string
  query: (Named & { optional: boolean })[]
  headers: Named[]
  body: { type: string; text: string } | undefined
  /** Statuses of success. */
  answers: number[]
}

const GROUPS: Readonly<Record<string, () => ApiTable>> = {
  PosSystem: () => possystemTable,
  Middleware: () => middlewareTable(false),
  Receipts: () => receiptTable,
  Dealer: () => dealerTable(dealerOperations),
  Platform: () => platformTable,
  'Signing device': () => signingDeviceTable,
  Sandbox: () => sandboxTable,
}

/** Headers that every call of their kind has, with the variable that holds the value. */
const VARIABLES: Readonly<Record<string, string>> = {
  ...{ cashboxid: 'cashBoxId', 'x-cashbox-id': 'cashBoxId' },
  ...{ accesstoken: 'accessToken', 'x-cashbox-accesstoken': 'accessToken' },
  ...{ accountid: 'accountId', 'x-app-id': 'appId', 'x-app-secret': 'appSecret' },
}
/** Both programs make one with every call. */
const NEW_ID = '{{$guid}}'
const MADE: Readonly<Record<string, string>> = {
  'x-operation-id': NEW_ID,
  'x-possystem-id': 'collection',
}

/** What a person fills in once, with what it is. */
export const ENVIRONMENT: readonly Named[] = [
  { name: 'url', value: 'http://127.0.0.1:8080' },
  ...['cashBoxId', 'accessToken', 'queueId', 'scuId', 'accountId', 'accountToken'].map((name) => ({
    ...{ name, value: '' },
  })),
]

export function requests(): Request[] {
  return Object.entries(GROUPS).flatMap(([group, table]) => {
    const routes = table().routes
    const parameters = parametersOf(group, table())
    return routes.map((route) => requestOf(group, route, parameters))
  })
}

interface Parameter {
  in: string
  name: string
  required?: boolean
  example?: unknown
  examples?: Record<string, { value: unknown }>
  schema?: { default?: unknown; examples?: unknown[] }
}

type Parameters = ReadonlyMap<string, readonly Parameter[]>

/** Of each call: the document knows what the schema of a query looks like to people. */
function parametersOf(title: string, table: ApiTable): Parameters {
  const head = { title, description: '', version: '1', credentials: {}, tags: {}, server: '/' }
  const { paths } = documentOf(head, table, '3.1') as unknown as {
    paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>
  }
  const calls = Object.values(paths).flatMap((item) => Object.values(item))
  return new Map(calls.map(({ operationId, parameters = [] }) => [operationId, parameters]))
}

/** A CashBox fetches its configuration with headers that the operation reads by itself. */
const OWN = /^\/api\/configuration\b/
const BOX = ['cashboxid', 'accesstoken']

function requestOf(group: string, route: ApiRoute, all: Parameters): Request {
  const parameters = all.get(route.id) ?? []
  const names = route.security?.[0] ?? (OWN.test(route.path) ? BOX : [])
  // a launcher calls some operations of dealers as a CashBox
  const isAccount = names.some((name) => name.toLowerCase() === 'accountid')
  return {
    ...{ group, folder: route.tag, title: route.title, text: route.text ?? '' },
    ...{ method: route.method, path: route.path.replace(/:(\w+)(\([^)]*\))?/g, '{{$1}}') },
    query: parameters
      .filter((one) => one.in === 'query')
      .map((one) => ({ ...named(one), optional: one.required !== true })),
    headers: [
      ...names.map((name) => ({
        name,
        value: `{{${variableOf(name, isAccount)}}}`,
      })),
      ...parameters
        .filter((one) => one.in === 'header' && one.required === true)
        .map((one) => ({ name: one.name, value: MADE[one.name] ?? named(one).value })),
    ],
    body: bodyOf(route),
    answers: Object.keys(route.success).map(Number),
  }
}

function variableOf(header: string, isAccount: boolean): string {
  const lower = header.toLowerCase()
  return isAccount && lower === 'accesstoken' ? 'accountToken' : (VARIABLES[lower] ?? lower)
}

function named({ name, example, schema }: Parameter): Named {
  const value = example ?? schema?.examples?.[0] ?? schema?.default ?? ''
  return { name, value: typeof value === 'object' ? JSON.stringify(value) : String(value) }
}

/** The first example; a body that has none is left to the reader. */
function bodyOf({ body }: ApiRoute): Request['body'] {
  const [type, media] = Object.entries(body ?? {})[0] ?? []
  if (type === undefined) return undefined
  const example = Object.values(media?.examples ?? {})[0]
  if (example === undefined) return { type, text: '' }
  return { type, text: typeof example === 'string' ? example : writeJson(example) }
}
