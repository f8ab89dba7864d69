// The OpenAPI document of a group, made from its route table.
import type { z } from 'zod'
import { type ErrorCode, errorTable } from '../../../errors.js'
import type { ApiRoute, ApiTable, Content, RefusalForm, RefusalForms, Success } from './route.js'
import { Components, type Json, type OpenApiVersion } from './schemas.js'

export interface DocumentHead {
  title: string
  /** Markdown. */
  description: string
  version: string
  /** Where the group is; a path of this server, or a whole address. */
  server: string
  /** What a header with credentials is, by its name. */
  credentials: Readonly<Record<string, string>>
  /** What a heading stands for. */
  tags: Readonly<Record<string, string>>
}

const NUMBERS: Record<OpenApiVersion, string> = { '3.1': '3.1.1', '3.0': '3.0.4' }

export function documentOf(head: DocumentHead, table: ApiTable, version: OpenApiVersion): Json {
  const components = new Components(version, table.meanings)
  const paths: Record<string, Json> = {}
  for (const route of table.routes) {
    const path = shownPath(route.path)
    const described = callOf(route, { components, refusalOf: table.refusalOf })
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described }
  }
  const tags = new Set(table.routes.map(({ tag }) => tag))
  return {
    openapi: NUMBERS[version],
    info: {
      title: head.title,
      description: head.description,
      version: head.version,
      license: {
        name: 'Apache-2.0',
        ...(version === '3.1'
          ? { identifier: 'Apache-2.0' }
          : { url: 'https://www.apache.org/licenses/LICENSE-2.0' }),
      },
    },
    servers: [{ url: head.server, description: 'This server.' }],
    tags: [...tags].map((name) => ({ name, description: head.tags[name] ?? `${name}.` })),
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(head.credentials).map(([name, description]) => [
          name,
          { type: 'apiKey', in: 'header', name, description },
        ]),
      ),
      schemas: components.all(),
    },
  }
}

/** `/x/:id(^[0-9]+$)` as `/x/{id}`. */
export const shownPath = (path: string): string => path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}')

interface Tools {
  components: Components
  refusalOf: RefusalForms
}

function callOf(route: ApiRoute, tools: Tools): Json {
  const { id, title, text, tag, security, body, bodyOptional = false } = route
  const { components } = tools
  const parameters = [
    ...parametersOf(route.params, 'path', components),
    ...parametersOf(route.query, 'query', components),
    ...parametersOf(route.headers, 'header', components),
  ]
  return {
    operationId: id,
    summary: title,
    ...(text === undefined ? {} : { description: text }),
    tags: [tag],
    security: (security ?? []).map((names) => Object.fromEntries(names.map((name) => [name, []]))),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: { required: !bodyOptional, content: contentOf(body, 'input', components) },
        }),
    responses: { ...successOf(route, components), ...refusalsOf(route, tools) },
  }
}

function parametersOf(shape: z.ZodObject | undefined, place: string, components: Components) {
  if (shape === undefined) return []
  return Object.entries(shape.shape).map(([name, one]) => {
    const { description, examples, example, ...schema } = components.schemaOf(
      one as z.ZodType,
      'input',
    )
    const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined)
    return {
      name,
      in: place,
      required: place === 'path' || !(one as z.ZodType).safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema,
      ...(shown === undefined ? {} : { example: shown }),
    }
  })
}

function contentOf(content: Content, io: 'input' | 'output', components: Components): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, examples }]) => [
      type,
      {
        schema: components.schemaOf(schema, io),
        ...(examples === undefined
          ? {}
          : {
              examples: Object.fromEntries(
                Object.entries(examples).map(([name, value]) => [name, { value }]),
              ),
            }),
      },
    ]),
  )
}

function successOf({ success }: ApiRoute, components: Components): Json {
  return Object.fromEntries(
    Object.entries(success).map(([status, one]) => [status, answerOf(one, components)]),
  )
}

function answerOf({ text, content, headers }: Success, components: Components): Json {
  const named = Object.entries(headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return {
    description: text,
    ...(named.length === 0 ? {} : { headers: Object.fromEntries(named) }),
    ...(content === undefined ? {} : { content: contentOf(content, 'output', components) }),
  }
}

/** By status: what each code means, and how it looks. */
function refusalsOf(route: ApiRoute, { components, refusalOf }: Tools): Json {
  const known = route.refusals.map((code) => ({ code, form: refusalOf(code, route) }))
  const statuses = [...new Set(known.map(({ form }) => form.status))].toSorted()
  return Object.fromEntries(
    statuses.map((status) => {
      const own = known.filter(({ form }) => form.status === status)
      const description = own
        .map(({ code }) => `\`${code}\`: ${errorTable[code].text}`)
        .join('\n\n')
      return [status, { description, ...retryOf(status), content: refusalContent(own, components) }]
    }),
  )
}

const RETRY: Readonly<Record<number, string>> = { 429: 'Seconds to wait.', 503: 'Seconds to wait.' }

function retryOf(status: number): Json {
  const description = RETRY[status]
  if (description === undefined) return {}
  return { headers: { 'Retry-After': { description, schema: { type: 'integer' } } } }
}

type Known = { code: ErrorCode; form: RefusalForm }

/** The words of these refusals alone: a call has no others. */
function withWords(schema: Json, own: readonly Known[]): Json {
  const words = own.flatMap(({ form }) => form.word ?? [])
  const [first] = words
  if (first === undefined || words.length < own.length) return schema
  const values = [...new Set(words.map(({ value }) => value))]
  const narrowed = { type: 'object', properties: { [first.member]: { enum: values } } }
  return { allOf: [schema, narrowed] }
}

function refusalContent(own: readonly Known[], components: Components): Json {
  const types = [...new Set(own.map(({ form }) => form.type))]
  return Object.fromEntries(
    types.map((type) => {
      const ofType = own.filter(({ form }) => form.type === type)
      const schemas = components.toldOf([...new Set(ofType.map(({ form }) => form.schema))])
      const told = schemas.map((schema) => {
        const same = ofType.filter(({ form }) => form.schema === schema)
        return withWords(components.schemaOf(schema, 'output'), same)
      })
      const made = [...new Map(told.map((one) => [JSON.stringify(one), one])).values()]
      const examples = ofType.map(({ code, form }) => [code, { value: form.example }])
      return [
        type,
        {
          schema: made.length === 1 ? made[0] : { anyOf: made },
          examples: Object.fromEntries(examples),
        },
      ]
    }),
  )
}
