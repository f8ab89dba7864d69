// Every call that the OpenAPI documents of a server tell of and that may have a body, as the bytes
// of a connection.
import { randomUUID } from 'node:crypto'
import { bytesOf } from './right-calls.js'

export interface DocumentedCall {
  name: string
  bytes: Buffer
}

export interface DocumentsOptions {
  url: string
  groups: readonly string[]
  /** Values of parameters by their name; others are ids that nobody has. */
  parameters: Readonly<Record<string, string>>
  /** Credentials of each group. */
  headersOf(group: string): Record<string, string>
}

interface Described {
  requestBody?: { content?: Record<string, { examples?: Record<string, { value: unknown }> }> }
}

const BODILESS = new Set(['get', 'head', 'options'])
/** Where a document has no example. */
const SOMETHING = { name: 'something', list: [1, 2, 3], text: 'x'.repeat(64) }

export async function documentedCalls(options: DocumentsOptions): Promise<DocumentedCall[]> {
  const calls = options.groups.map((group) => callsOf(options, group))
  return (await Promise.all(calls)).flat()
}

async function callsOf(options: DocumentsOptions, group: string): Promise<DocumentedCall[]> {
  const reply = await fetch(`${options.url}/docs/${group}/openapi.json`)
  const { paths } = (await reply.json()) as { paths: Record<string, Record<string, Described>> }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method, { requestBody }]) => requestBody !== undefined || !BODILESS.has(method))
      .map(([method, described]) => callOf(options, { group, path, method, described })),
  )
}

interface Place {
  group: string
  path: string
  method: string
  described: Described
}

function callOf(options: DocumentsOptions, { group, path, method, described }: Place) {
  const { content = {} } = described.requestBody ?? {}
  const [type = 'application/json', media] = Object.entries(content)[0] ?? []
  const example = Object.values(media?.examples ?? {})[0]?.value ?? SOMETHING
  const url = path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => {
    return options.parameters[name] ?? randomUUID()
  })
  const isForm = type.startsWith('multipart/')
  const body = isForm ? FORM : typeof example === 'string' ? example : JSON.stringify(example)
  const headers = {
    ...options.headersOf(group),
    'content-type': isForm ? `${type}; boundary=x` : type,
  }
  const name = `${group}: ${method} ${path}`
  return { name, bytes: bytesOf({ line: `${method.toUpperCase()} ${url}`, headers, body }) }
}

const FORM =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n' +
  'something\r\n--x--\r\n'
