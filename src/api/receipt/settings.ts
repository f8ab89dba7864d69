// How receipts of a queue are to look: POST /configuration/{queueId}/receiptsettings. Registered by
// index.ts.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type SettingsDeps, writeSettings } from '../../core/receipts/branding/settings.js'
import { fail } from '../../errors.js'
import { boxOfHeaders, type CallerDeps } from '../shared/caller.js'

export interface SettingsRouteDeps extends CallerDeps {
  settings: SettingsDeps
}

/** A logo of 200,000 bytes in base64, and the texts. */
const BODY_LIMIT = 400 * 1024

const QUEUE =
  ':queueId(^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$)'

export function receiptSettings(app: FastifyInstance, deps: SettingsRouteDeps): void {
  for (const version of ['/v1', '', '/v0']) {
    app.post(`${version}/configuration/${QUEUE}/receiptsettings`, {
      bodyLimit: BODY_LIMIT,
      schema: version === '/v1' ? page : { hide: true },
      handler: (request) => change(deps, request),
    })
  }
}

const page = {
  summary: 'Set how receipts of a queue look',
  description:
    'Merges the properties that are sent and answers with all that are set: `name1Text`, ' +
    '`address1Text`, `address1PostalCode`, `address1City`, `Country`, `vat`, `logourl`, ' +
    '`logowidth`, `logoheight`, `footertext`, `website`, `primaryColor`, `backgroundColor`, ' +
    '`showFeedback`, `feedbackRedirectAppId`, `shareButtonAppIds`, `printBewirtungsBeleg`, ' +
    '`enableConsumerApp`, `layout_html`. `null` takes a property away.',
  tags: ['Receipt'],
  security: [{ cashboxid: [], accesstoken: [] }],
  params: { type: 'object', properties: { queueId: { type: 'string', format: 'uuid' } } },
  body: { type: 'object', additionalProperties: true },
  response: {
    200: { description: 'All settings of the queue.', type: 'object', additionalProperties: true },
    400: { description: 'A property has a value that it cannot have; nothing was changed.' },
    401: { description: 'The credentials are missing or wrong.' },
    404: { description: 'The cash box has no such queue.' },
  },
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
