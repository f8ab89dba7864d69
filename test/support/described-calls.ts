// The calls of an OpenAPI document, as a client would read them.

export interface DescribedDocument {
  paths: Record<string, Record<string, DescribedOperation>>
}

/** Whole, or the name of one. */
export interface Named {
  $ref?: string
  properties?: Record<string, unknown>
  example?: unknown
  enum?: unknown[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  example?: unknown
  schema?: Named
}

type Content = Record<string, { schema?: Named; examples?: Record<string, { value: unknown }> }>

export interface DescribedOperation {
  operationId: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

export interface DescribedCall {
  operationId: string
  method: string
  /** Names of the headers with credentials. */
  security: string[][]
  /** Of the body; none where there is no body. */
  examples: { name: string; type: string; value: unknown }[]
  /** By status. */
  successes: Record<string, { types: string[]; place: string[] }>
  /** Address and headers, with the examples of the document before the values that are given. */
  fill(values: Record<string, string>): { path: string; headers: Record<string, string> }
}

export async function fetchDocument(url: string, group: string): Promise<DescribedDocument> {
  const answer = await fetch(`${url}/docs/${group}/openapi.json`)
  return (await answer.json()) as DescribedDocument
}

export function documentCalls({ paths }: DescribedDocument): DescribedCall[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => callOf(operation, { path, method })),
  )
}

function callOf(
  { operationId, security = [], parameters = [], requestBody, responses }: DescribedOperation,
  { path, method }: { path: string; method: string },
): DescribedCall {
  const successes = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { content = {} }]) => {
      const place = ['paths', path, method, 'responses', status]
      return [status, { types: Object.keys(content), place }] as const
    })
  return {
    operationId,
    method: method.toUpperCase(),
    security: security.map((one) => Object.keys(one)),
    examples: Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
      Object.entries(examples).map(([name, { value }]) => ({ name, type, value })),
    ),
    successes: Object.fromEntries(successes),
    fill: (values) => filled(path, parameters, values),
  }
}

function filled(path: string, parameters: Parameter[], values: Record<string, string>) {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let address = path
  for (const { name, in: place, required, example } of parameters) {
    // an operation is a new one every time
    const value = name === 'x-operation-id' ? values[name] : (example ?? values[name])
    if (value === undefined) {
      if (required) throw new Error(`${path}: there is no ${name}`)
      continue
    }
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(String(value)))
    else if (place === 'query') query.set(name, String(value))
    else headers[name] = String(value)
  }
  const question = query.toString()
  return { path: question === '' ? address : `${address}?${question}`, headers }
}
