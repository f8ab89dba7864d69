// How documents show the refusals of group B and of the sandbox: one object.
import { z } from 'zod'
import { statusOf } from '../trace.js'
import { uuid } from './parts.js'
import type { RefusalForms } from './route.js'
import { sampleOf, TRACE_ID } from './samples.js'

const refusal = z
  .object({
    message: z.string().describe('One sentence for people.'),
    field: z.string().optional().describe('The member at fault, e.g. cbChargeItems[1].Amount.'),
    code: z.string().describe('Stable code, see docs/errors.md.'),
    traceId: uuid('Finds the call in the log.'),
  })
  .meta({ id: 'shared.Refusal' })

export const jsonRefusal: RefusalForms = (code) => {
  const { kind, message, field } = sampleOf(code)
  return {
    status: statusOf[kind],
    type: 'application/json',
    schema: refusal,
    example: { message, ...(field === undefined ? {} : { field }), code, traceId: TRACE_ID },
  }
}
