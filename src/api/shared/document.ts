// OpenAPI documents and their interactive pages: one per group under /docs. Called by app.ts.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { PROCESSING_VERSION } from '../../core/version.js'

export interface GroupPage {
  /** Path word under /docs. */
  name: string
  title: string
  text: string
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
        description: page.text,
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
        uiConfig: { docExpansion: 'list', tryItOutEnabled: true },
        staticCSP: true,
        transformStaticCSP: (policy) => policy.replace('upgrade-insecure-requests;', ''),
        transformSpecification: () => page.document() as Record<string, never>,
        transformSpecificationClone: false,
      })
    })
  }
}
