// How receipts of a queue are to look: POST /configuration/{queueId}/receiptsettings.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type SettingsDeps, writeSettings } from '../../core/receipts/branding/settings.js'
import { fail } from '../../errors.js'
import { boxOfHeaders, type CallerDeps } from '../shared/caller.js'

export interface SettingsRouteDeps extends CallerDeps {
  settings: SettingsDeps
}

/** A logo of 200,000 bytes in base64, and the texts. */
const BODY_LIMIT = 400 * 1024

export function receiptSettings(
  app: FastifyInstance,
  deps: SettingsRouteDeps,
  urls: readonly string[],
): void {
  for (const url of urls) {
    app.post(url, {
      bodyLimit: BODY_LIMIT,
      handler: (request) => change(deps, request),
    })
  }
}

async function change(
  deps: SettingsRouteDeps,
  request: FastifyRequest,
): Promise<Record<string, unknown>> {
  const { accountId, queues } = await boxOfHeaders(deps, request)
  const { queueId } = request.params as { queueId: string }
  const id = queueId.toLowerCase()
  if (!queues.some((queue) => queue.id === id)) throw fail('QUEUE_UNKNOWN', { queue: queueId })
  const key = { accountId, id }
  return writeSettings(deps.settings, { key, body: request.body, how: 'merge' })
}
