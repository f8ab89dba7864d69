// OpenAPI documents and their interactive pages: one per group under /docs.
import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { PROCESSING_VERSION } from '../../lib/version.js'
import { ICON, UI_STYLE } from './look.js'
import { documentOf } from './openapi/document.js'
import type { ApiTable } from './openapi/route.js'
import type { Json, OpenApiVersion } from './openapi/schemas.js'

export interface GroupPage {
  /** Path word under /docs. */
  name: string
  title: string
  /** One sentence. */
  text: string
  /** What else the page says above the calls; Markdown. */
  details?: string
  /** Headers that carry the credentials: name to meaning. */
  credentials: Readonly<Record<string, string>>
  /** Headings of the page: name to meaning. */
  tags: Readonly<Record<string, string>>
  table: ApiTable
  /** Where the group is mounted. */
  server: string
}

type Specification = NonNullable<StaticDocumentSpec['document']>

const USUAL: OpenApiVersion = '3.1'

function documentOfGroup(page: GroupPage, version: OpenApiVersion): Json {
  const { title, credentials, tags, server, table } = page
  const head = { title: `fiskalwerk: ${title}`, description: descriptionOf(page) }
  const known = { ...head, version: PROCESSING_VERSION, credentials, tags, server }
  return documentOf(known, table, version)
}

function descriptionOf({ name, text, details = '' }: GroupPage): string {
  const own = `/docs/${name}/openapi.json`
  const links =
    `[All interfaces](/docs) · [openapi.json](${own}) · ` +
    `[for tools of OpenAPI 3.0](${own}?openapi=3.0)`
  return [text, details, links].filter((part) => part !== '').join('\n\n')
}

/** Everything comes from this server; the one inline style is in the bundle of the page. */
const UI_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
].join('; ')

interface Sent {
  headers?: Record<string, string>
}

/**
 * Runs in the browser, as the text of this function, so it names nothing of this file: the id of
 * the examples (SAMPLE_OPERATION) becomes a new one with every try.
 */
const withFreshOperation = ({ headers = {}, ...rest }: Sent): Sent => {
  if (headers['x-operation-id']?.startsWith('7d1a0001-') === true) {
    headers['x-operation-id'] = 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
      ((crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) & 15).toString(16),
    )
  }
  return { ...rest, headers }
}

/** `?openapi=3.0` for tools that do not read 3.1 yet. */
function askedVersion(request: FastifyRequest): OpenApiVersion {
  const { openapi = USUAL } = request.query as { openapi?: string }
  if (openapi === '3.0' || openapi === '3.1') return openapi
  throw fail('FIELD_INVALID', { field: 'openapi', expected: '3.0 or 3.1' })
}

export async function serveDocuments(app: FastifyInstance, pages: GroupPage[]): Promise<void> {
  for (const page of pages) {
    const made: Partial<Record<OpenApiVersion, Json>> = {}
    const document = (version: OpenApiVersion): Json => {
      made[version] ??= documentOfGroup(page, version)
      return made[version]
    }
    app.get(`/docs/${page.name}/openapi.json`, (request, reply) =>
      reply.send(document(askedVersion(request))),
    )
    // biome-ignore lint/nursery/noMisusedPromises: Fastify awaits a plugin that returns a promise
    await app.register(async (scope) => {
      await scope.register(swagger, {
        mode: 'static',
        // made for its first reader: the documents take longer than all else that a start does
        specification: {
          document: { toJSON: () => document(USUAL) } as unknown as Specification,
        },
      })
      await scope.register(swaggerUi, uiOf(page))
    })
  }
}

function uiOf(page: GroupPage): Parameters<typeof swaggerUi>[1] {
  return {
    routePrefix: `/docs/${page.name}`,
    uiConfig: {
      ...{ layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: true },
      requestInterceptor: withFreshOperation,
    },
    theme: {
      title: `fiskalwerk: ${page.title}`,
      css: [{ filename: 'theme.css', content: UI_STYLE }],
      favicon: [
        {
          ...{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any' },
          content: ICON,
        },
      ],
    },
    staticCSP: UI_POLICY,
    transformSpecificationClone: false,
  }
}
