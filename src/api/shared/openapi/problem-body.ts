// How the documents of groups D and E show a ProblemBody.
import { z } from 'zod'
import {
  PROBLEM_MEDIA,
  problemBody,
  problemCodeOf,
  problemOf,
  problems,
  type Statuses,
} from '../problem.js'
import { SAMPLE_OPERATION } from './parts.js'
import type { RefusalForms } from './route.js'
import { sampleOf } from './samples.js'

const codes = Object.keys(problems) as (keyof typeof problems)[]

const problem = z
  .object({
    type: z.string().describe('about:blank'),
    status: z.string().describe('The HTTP status, as text.'),
    title: z.string().describe('Short, the same for every problem of this code.'),
    detail: z.string().describe('What is wrong with this call.'),
    instance: z.string().describe('Path, and the operation id behind # where one is known.'),
    code: z.enum(codes).describe('A word for programs.'),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('With validation_failed: member to texts.'),
  })
  .meta({ id: 'shared.ProblemBody' })

/** `statuses`: where a group has another status than the table. */
export function problemForms(statuses: Statuses = {}): RefusalForms {
  return (code, { path, method }) => {
    const refusal = sampleOf(code)
    const operates = method !== 'GET' && path.startsWith('/v2')
    const instance = path.replace(/:(\w+)(\([^)]*\))?/g, SAMPLE_OPERATION)
    const text = problemBody(
      refusal,
      operates ? `${instance}#${SAMPLE_OPERATION}` : instance,
      statuses,
    )
    const { status } = problemOf(problemCodeOf(refusal), statuses)
    return { status, type: PROBLEM_MEDIA, schema: problem, example: JSON.parse(text) as unknown }
  }
}
