// The route table of the sandbox: fault scripts of signing units, with values that harm nobody.
import { z } from 'zod'
import {
  clearFault,
  type FaultDeps,
  type FaultView,
  setFault,
  showFault,
  type UnitName,
} from '../../core/faults.js'
import { PUBLIC_FORMATS } from '../../core/receipts/show.js'
import { type ErrorCode, fail } from '../../errors.js'
import { faultStep } from '../../simulator/faults.js'
import { asText, content, json, textOf, uuid } from '../shared/openapi/parts.js'
import { jsonRefusal } from '../shared/openapi/plain-refusal.js'
import type { ApiRoute, ApiTable } from '../shared/openapi/route.js'

const TAG = 'Sandbox'
export const tags = { [TAG]: 'Makes signing devices fail by script; sample receipts.' }

const step = faultStep.describe(
  'What happens to the next calls of the device: `do` names it, `calls` how many calls it lasts ' +
    '(left out: until it is cleared), `ms` the milliseconds of delay and wrong-clock.',
)
const script = z
  .object({
    steps: z
      .array(step)
      .min(1)
      .max(100)
      .describe('One after the other; each driver knows some of the kinds.'),
  })
  .meta({ id: 'sandbox.FaultScript' })
const shown = z
  .object({ scuId: uuid('The signing unit.'), steps: z.array(step).describe('Empty: no script.') })
  .meta({ id: 'sandbox.FaultView' })

type Act = (faults: FaultDeps, name: UnitName, body: unknown) => Promise<FaultView>

export interface SandboxRow {
  route: ApiRoute
  act: Act
}

const REFUSALS: readonly ErrorCode[] = [
  ...(['NOT_IN_PRODUCTION', 'CREDENTIALS_MISSING', 'CREDENTIALS_WRONG'] as const),
  ...(['CREDENTIALS_LIMITED', 'SCU_UNKNOWN', 'INTERNAL', 'DATABASE_AWAY'] as const),
]

function rowOf(more: Pick<ApiRoute, 'id' | 'title' | 'method' | 'body'>, act: Act): SandboxRow {
  const refusals = more.body === undefined ? REFUSALS : [...REFUSALS, 'REQUEST_INVALID' as const]
  const route: ApiRoute = {
    ...more,
    ...{ tag: TAG, path: '/sandbox/scus/:scuId/fault', refusals },
    security: [['cashboxid', 'accesstoken']],
    params: z.object({ scuId: uuid('A signing unit of a queue of the CashBox.') }),
    success: { 200: { text: 'The script now.', content: json(shown) } },
  }
  return { route, act }
}

export const sandboxRows: readonly SandboxRow[] = [
  rowOf(
    {
      ...{ id: 'setFault', title: 'Set the fault script of a signing unit', method: 'PUT' },
      // the delay is over with the next call, and no device refuses anything because of it
      body: json(script, { delay: { steps: [{ do: 'delay', calls: 1, ms: 100 }] } }),
    },
    (faults, name, body) => setFault(faults, { ...name, steps: stepsIn(body) }),
  ),
  rowOf({ id: 'showFault', title: 'Show the fault script', method: 'GET' }, showFault),
  rowOf({ id: 'clearFault', title: 'Clear the fault script', method: 'DELETE' }, clearFault),
]

const SAMPLES = '/sandbox/receipts'
const shownSample = Object.fromEntries(
  PUBLIC_FORMATS.map(({ mediaType }) => [mediaType, { schema: content() }]),
)

/** For everybody: nothing of a shop is in them. */
export const sampleRows = {
  list: {
    ...{ id: 'listSamples', title: 'Sample receipts and test cards', tag: TAG, method: 'GET' },
    path: SAMPLES,
    text: 'Receipts of every kind of each country, and what amounts do at a test terminal.',
    success: { 200: { text: 'A page.', content: asText('text/html') } },
    refusals: ['NOT_IN_PRODUCTION', 'INTERNAL'],
  },
  show: {
    ...{ id: 'showSample', title: 'A sample receipt', tag: TAG, method: 'GET' },
    path: `${SAMPLES}/:market/:kind`,
    params: z.object({
      market: textOf('Country.').meta({ examples: ['de'] }),
      kind: textOf('Of the list.').meta({ examples: ['cash'] }),
    }),
    query: z.object({
      format: z.enum(PUBLIC_FORMATS.map(({ name }) => name)).optional(),
      width: textOf('Of the paper: 58mm.').optional(),
      lang: textOf('Of the reader.').optional(),
    }),
    success: { 200: { text: 'The receipt.', content: shownSample } },
    refusals: [
      ...(['NOT_IN_PRODUCTION', 'RECEIPT_UNKNOWN', 'RENDERING_BUSY', 'INTERNAL'] as const),
      'PICTURE_TOO_LONG',
    ],
  },
  wallet: {
    ...{ id: 'saveSimulated', title: 'A simulated wallet', tag: TAG, method: 'GET' },
    path: '/sandbox/wallet',
    text: 'Where a simulated Google Wallet takes passes: what the phone would show.',
    query: z.object({ token: textOf('The pass, as JWT.') }),
    success: { 200: { text: 'A page.', content: asText('text/html') } },
    refusals: ['NOT_IN_PRODUCTION', 'DOCUMENT_UNKNOWN', 'INTERNAL', 'DATABASE_AWAY'],
  },
} satisfies Record<string, ApiRoute>

export const sandboxTable: ApiTable = {
  routes: [...sandboxRows.map(({ route }) => route), ...Object.values(sampleRows)],
  refusalOf: jsonRefusal,
}

/** `steps` of the body; what is in it is checked where the driver is known. */
function stepsIn(given: unknown): unknown {
  const parsed = z.strictObject({ steps: z.unknown() }).safeParse(given)
  if (parsed.success && parsed.data.steps !== undefined) return parsed.data.steps
  throw fail('REQUEST_INVALID', { field: 'steps', reason: 'The body is not {"steps":[…]}.' })
}
