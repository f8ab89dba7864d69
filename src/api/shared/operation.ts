// Pages for whoever runs the server: health, metrics, version.
import type { FastifyInstance } from 'fastify'
import { PROCESSING_VERSION, PROGRAM_NAME } from '../../lib/version.js'
import type { Draining } from './draining.js'

export interface OperationDeps {
  /** Resolves when the database answers; rejects otherwise. */
  ready(): Promise<void>
  /** True while the last write failed for a state of the database: no disk, read-only. */
  readOnly(): Promise<boolean>
  /** True for an error that says so: with no room left, new connections fail as well. */
  tellsNoWrites(error: unknown): boolean
  /** Prometheus text and its content type. */
  metrics(): Promise<{ contentType: string; text: string }>
  now(): Date
  environment: 'sandbox' | 'production'
  draining: Draining
}

interface DatabaseState {
  database: 'up' | 'takes no writes' | 'down'
  err?: unknown
}

async function stateOf(operation: OperationDeps): Promise<DatabaseState> {
  try {
    await operation.ready()
    return { database: (await operation.readOnly()) ? 'takes no writes' : 'up' }
  } catch (err) {
    return { database: operation.tellsNoWrites(err) ? 'takes no writes' : 'down', err }
  }
}

export async function operationPages(
  app: FastifyInstance,
  deps: { operation: OperationDeps },
): Promise<void> {
  const { operation } = deps
  app.get('/health/live', () => ({ status: 'live' }))
  for (const path of ['/health', '/health/ready']) {
    app.get(path, async (_request, reply) => {
      operation.draining.asked()
      if (operation.draining.isOn) {
        void reply.code(503).header('retry-after', '1')
        return { status: 'stopping' }
      }
      const { database, err } = await stateOf(operation)
      if (database === 'up') return { status: 'ready', database }
      app.log.warn({ database, err }, 'not ready')
      void reply.code(503).header('retry-after', '1')
      return { status: 'not ready', database }
    })
  }
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await operation.metrics()
    return reply.header('content-type', contentType).send(text)
  })
  app.get('/version', () => ({
    name: PROGRAM_NAME,
    version: PROCESSING_VERSION,
    environment: operation.environment,
    node: process.version,
  }))
}
