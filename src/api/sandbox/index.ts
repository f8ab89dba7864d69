// The sandbox: fault scripts of signing devices, for tests and integrators. Mounted by app.ts.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  clearFault,
  type FaultDeps,
  type FaultView,
  setFault,
  showFault,
  type UnitName,
} from '../../core/faults.js'
import { fail } from '../../errors.js'
import { faultStep } from '../../simulator/faults.js'
import { boxOfHeaders, type CallerDeps } from '../shared/caller.js'

export interface SandboxDeps extends CallerDeps {
  faults: FaultDeps
}

const ADDRESS = '/sandbox/scus/:scuId/fault'

const body = z.strictObject({ steps: z.array(faultStep) })
const answer = z.object({ scuId: z.uuid(), steps: z.array(faultStep) })

type Act = (faults: FaultDeps, name: UnitName, request: FastifyRequest) => Promise<FaultView>

const operations: { method: 'PUT' | 'GET' | 'DELETE'; summary: string; act: Act }[] = [
  {
    method: 'PUT',
    summary: 'Set the fault script of a signing unit',
    act: (faults, name, request) => setFault(faults, { ...name, steps: stepsIn(request.body) }),
  },
  {
    method: 'GET',
    summary: 'Show the fault script',
    act: showFault,
  },
  {
    method: 'DELETE',
    summary: 'Clear the fault script',
    act: clearFault,
  },
]

export function sandbox(app: FastifyInstance, deps: SandboxDeps): void {
  // clients name a type with every call, also where there is no body
  app.removeContentTypeParser('application/json')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body.toString(), done)
  })
  for (const { method, summary, act } of operations) {
    app.route({
      method,
      url: ADDRESS,
      schema: page(summary, method === 'PUT'),
      handler: async (request) => {
        // before the headers are looked at: here is nothing to be found in production
        if (!deps.faults.sandbox) throw fail('NOT_IN_PRODUCTION')
        const box = await boxOfHeaders(deps, request)
        const { scuId } = request.params as { scuId: string }
        return act(deps.faults, { scuId, box }, request)
      },
    })
  }
}

/** `steps` of the body; what is in it is checked where the driver is known. */
function stepsIn(given: unknown): unknown {
  const parsed = z.strictObject({ steps: z.unknown() }).safeParse(given)
  if (parsed.success && parsed.data.steps !== undefined) return parsed.data.steps
  throw fail('REQUEST_INVALID', { field: 'steps', reason: 'The body is not {"steps":[…]}.' })
}

function page(summary: string, hasBody: boolean): Record<string, unknown> {
  return {
    summary,
    tags: ['Sandbox'],
    security: [{ cashboxid: [], accesstoken: [] }],
    params: { type: 'object', properties: { scuId: { type: 'string', format: 'uuid' } } },
    ...(hasBody ? { body: schemaOf(body) } : {}),
    response: { 200: { description: 'The script now.', ...schemaOf(answer) } },
  }
}

function schemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' })
}
