// OpenAPI documents and their interactive pages: one per group under /docs.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { PROCESSING_VERSION } from '../../core/version.js'
import { ICON, UI_STYLE } from './look.js'

export interface GroupPage {
  /** Path word under /docs. */
  name: string
  title: string
  /** One sentence. */
  text: string
  /** What else the page says above the calls; Markdown. */
  details?: string
  /** Headers that carry the credentials. */
  headers: string[]
  document(): unknown
}

/** Collects the routes of a group's scope; returns its OpenAPI document once the app is ready. */
export async function documented(
  scope: FastifyInstance,
  page: Omit<GroupPage, 'document'>,
): Promise<() => unknown> {
  await scope.register(swagger, {
    openapi: {
      openapi: '3.0.3',
      info: {
        title: `fiskalwerk: ${page.title}`,
        description: descriptionOf(page),
        version: PROCESSING_VERSION,
      },
      components: {
        securitySchemes: Object.fromEntries(
          page.headers.map((name) => [name, { type: 'apiKey' as const, in: 'header', name }]),
        ),
      },
    },
  })
  // schemas describe; reading and checking is done by the operations themselves
  scope.setValidatorCompiler(() => () => true)
  scope.setSerializerCompiler(() => (data) => JSON.stringify(data))
  return () => scope.swagger()
}

function descriptionOf({ name, text, details = '' }: Omit<GroupPage, 'document'>): string {
  const links = `[All interfaces](/docs) · [openapi.json](/docs/${name}/openapi.json)`
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

export async function serveDocuments(app: FastifyInstance, pages: GroupPage[]): Promise<void> {
  for (const page of pages) {
    app.get(`/docs/${page.name}/openapi.json`, { schema: { hide: true } }, (_request, reply) =>
      reply.send(page.document()),
    )
    // biome-ignore lint/nursery/noMisusedPromises: Fastify awaits a plugin that returns a promise
    await app.register(async (scope) => {
      await scope.register(swagger, {
        mode: 'static',
        specification: {
          document: { openapi: '3.0.3', info: { title: '', version: '' }, paths: {} },
        },
      })
      await scope.register(swaggerUi, {
        routePrefix: `/docs/${page.name}`,
        uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: true },
        theme: {
          title: `fiskalwerk: ${page.title}`,
          css: [{ filename: 'theme.css', content: UI_STYLE }],
          favicon: [
            {
              filename: 'favicon.svg',
              rel: 'icon',
              type: 'image/svg+xml',
              sizes: 'any',
              content: ICON,
            },
          ],
        },
        staticCSP: UI_POLICY,
        transformSpecification: () => page.document() as Record<string, never>,
        transformSpecificationClone: false,
      })
    })
  }
}
