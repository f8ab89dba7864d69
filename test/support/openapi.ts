// The rules of OpenAPI 3.0 that a document of ours could break, as a list of faults. Source:
// OpenAPI Specification 3.0.3.

type Node = Record<string, unknown>

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object'])
/** What a Schema Object may have in 3.0; `const`, `examples` and lists of types came later. */
const KEYWORDS = new Set(
  (
    'title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength ' +
    'pattern maxItems minItems uniqueItems maxProperties minProperties required enum type allOf ' +
    'oneOf anyOf not items properties additionalProperties description format default nullable ' +
    'discriminator readOnly writeOnly xml externalDocs example deprecated $ref'
  ).split(' '),
)

const nodeOf = (value: unknown): Node => Object(value) as Node
const entriesOf = (value: unknown) => Object.entries(nodeOf(value))
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Every fault with its place; [] for a sound document. */
export function documentFaults(document: unknown): string[] {
  const root = nodeOf(document)
  const info = nodeOf(root.info)
  const faults: string[] = []
  if (!/^3\.0\.\d+$/.test(String(root.openapi))) faults.push('openapi: no version 3.0')
  for (const name of ['title', 'version']) {
    if (typeof info[name] !== 'string' || info[name] === '') faults.push(`info.${name}: missing`)
  }
  const ids = new Set<unknown>()
  for (const [path, item] of entriesOf(root.paths)) {
    if (!path.startsWith('/')) faults.push(`${path}: no leading slash`)
    for (const [method, operation] of entriesOf(item)) {
      const place = `${method} ${path}`
      if (!METHODS.has(method)) faults.push(`${place}: no method`)
      const { operationId } = nodeOf(operation)
      if (operationId !== undefined && ids.has(operationId)) faults.push(`${place}: id taken`)
      ids.add(operationId)
      faults.push(...operationFaults(nodeOf(operation), { place, path, root }))
    }
  }
  if (entriesOf(root.paths).length === 0) faults.push('paths: none')
  return faults
}

interface Place {
  place: string
  path: string
  root: Node
}

function operationFaults(operation: Node, { place, path, root }: Place): string[] {
  const parameters = listOf(operation.parameters).map(nodeOf)
  const schemes = nodeOf(nodeOf(root.components).securitySchemes)
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map((found) => found[1])
  const inPath = parameters.filter((one) => one.in === 'path').map((one) => one.name)
  const faults: string[] = []
  if (String(named.sort()) !== String(inPath.sort())) faults.push(`${place}: path parameters`)
  for (const one of parameters) {
    if (!['path', 'query', 'header', 'cookie'].includes(String(one.in))) faults.push(`${place}: in`)
    if (one.in === 'path' && one.required !== true) faults.push(`${place}: ${one.name} optional`)
    faults.push(...schemaFaults(one.schema, `${place} ${one.name}`))
  }
  for (const requirement of listOf(operation.security)) {
    for (const [name] of entriesOf(requirement)) {
      if (schemes[name] === undefined) faults.push(`${place}: no security scheme ${name}`)
    }
  }
  if (operation.requestBody !== undefined) {
    faults.push(...contentFaults(nodeOf(operation.requestBody).content, `${place} body`))
  }
  return [...faults, ...responseFaults(operation.responses, place)]
}

function responseFaults(responses: unknown, place: string): string[] {
  const found = entriesOf(responses)
  if (found.length === 0) return [`${place}: no responses`]
  return found.flatMap(([status, value]) => {
    const response = nodeOf(value)
    const at = `${place} ${status}`
    const { description } = response
    const named =
      typeof description === 'string' && description !== '' && !/^Default/.test(description)
    return [
      ...(/^([1-5]\d\d|[1-5]XX|default)$/.test(status) ? [] : [`${at}: no status`]),
      ...(named ? [] : [`${at}: no description`]),
      ...(response.content === undefined ? [] : contentFaults(response.content, at)),
    ]
  })
}

function contentFaults(content: unknown, place: string): string[] {
  const found = entriesOf(content)
  if (found.length === 0) return [`${place}: no content`]
  return found.flatMap(([type, value]) => [
    ...(/^[\w.+-]+\/[\w.+*-]+$/.test(type) ? [] : [`${place}: ${type} is no media type`]),
    ...schemaFaults(nodeOf(value).schema, `${place} ${type}`),
  ])
}

function schemaFaults(value: unknown, place: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${place}: no schema`]
  const schema = nodeOf(value)
  const faults = Object.keys(schema)
    .filter((keyword) => !KEYWORDS.has(keyword) && !keyword.startsWith('x-'))
    .map((keyword) => `${place}: ${keyword} is no keyword of 3.0`)
  const { type, items, properties, required } = schema
  if (type !== undefined && !TYPES.has(String(type))) faults.push(`${place}: type ${type}`)
  if (type === 'array' && items === undefined) faults.push(`${place}: array without items`)
  if (items !== undefined) faults.push(...schemaFaults(items, `${place}[]`))
  for (const [name, property] of entriesOf(properties)) {
    faults.push(...schemaFaults(property, `${place}.${name}`))
  }
  for (const name of listOf(required)) {
    if (nodeOf(properties)[String(name)] === undefined) faults.push(`${place}: requires ${name}`)
  }
  if (Array.isArray(required) && required.length === 0) faults.push(`${place}: required is empty`)
  for (const group of ['allOf', 'oneOf', 'anyOf']) {
    listOf(schema[group]).forEach((part, at) => {
      faults.push(...schemaFaults(part, `${place}.${group}[${at}]`))
    })
  }
  return faults
}
