// Templates: executing them for a PosOperator or the caller's own account, and the list of stored
// ones. Part of the route table.
import { z } from 'zod'
import { camelDocument } from '../../../core/rollout/publication/publish.js'
import { documentText, type Executed } from '../../../core/rollout/template/execute.js'
import { useUpForSigner } from '../../../core/sales/entitlements.js'
import type { ErrorCode } from '../../../errors.js'
import { hasRole } from '../../../model/roles.js'
import { PAGING, type PagedCall, paged, pageQuery } from '../../shared/account/paging.js'
import { anyJson, dateTime, id, int32 } from '../../shared/account/schemas.js'
import type { AnyCall } from '../operation.js'
import { operation } from '../operation.js'

const TAG = 'Templates'

const EXAMPLE =
  '{ "ftCashBoxId": "|[cashbox_id]|", "ftSignaturCreationDevices": [], "ftQueues": [] }'

const TEXT = `The body is a JSON string with the text of a template, or the template as JSON object.
Raw line breaks in the string, comments and trailing commas are accepted. Every variable
\`|[name]|\` gets its value from the query, else from the system. A Queue of another CashBox is
moved only with \`move=true\`. With an Idempotency-Key the call is done once within 24 hours.`

const placed = z.object({ outlet_number: int32(-(2 ** 31)) })
const perhapsPlaced = z.object({ outlet_number: int32(1).optional() })

const body = z.string()

interface Wanted {
  accountId: string
  outletNumber: number | undefined
  strict: boolean
}

function execute(call: AnyCall, wanted: Wanted): Promise<Executed> {
  const { deps, actor, account, request } = call
  const payer = { accountId: account.id, market: account.market }
  return deps.templates.execute(actor, {
    ...wanted,
    body: String(call.body ?? ''),
    query: parametersOf(request.query),
    mayCreateSigners: hasRole(account, 'PosDealerRksvSign'),
    also: async (tx, { newSigner }) => {
      if (newSigner) await useUpForSigner(tx, payer, deps.now())
    },
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** The last one of several. */
function parametersOf(query: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(Object(query) as Record<string, unknown>)
  return new Map(
    entries.flatMap(([name, value]): [string, string][] => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value
      return typeof last === 'string' ? [[name, last.replace(CONTROL, '\ufffd')]] : []
    }),
  )
}

const REFUSALS: readonly ErrorCode[] = [
  'CASH_BOX_UNKNOWN',
  'QUEUE_UNKNOWN',
  'SCU_UNKNOWN',
  'HELPER_UNKNOWN',
  'PACKAGE_OTHER',
  'SIGNING_ROLE_MISSING',
  'ENTITLEMENTS_INSUFFICIENT',
]

const executed = { cashBoxId: id(), accessToken: z.string() }

const record = z.object({
  id: id(),
  productNumber: z.string(),
  name: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  linkUrl: z.string(),
  mode: z.int(),
  deactivated: z.boolean(),
  price: z.number(),
  content: z.string(),
  ownerAccountId: id(),
  ownerName: z.string(),
  market: z.string(),
  createdAt: dateTime(),
  modifiedAt: dateTime(),
})

export const templateOperations = [
  operation({
    id: 'executeTemplate',
    publishes: true,
    title: 'Execute a template',
    text: `${TEXT} \`configuration\` is the published configuration.`,
    tag: TAG,
    method: 'POST',
    path: '/posoperators/:posOperatorId/templates',
    right: 'ReadWrite',
    query: placed,
    upload: 'text',
    uploadType: 'application/json',
    body,
    example: EXAMPLE,
    success: { status: 200, schema: z.object({ ...executed, configuration: anyJson() }) },
    errors: ['OUTLET_UNKNOWN', ...REFUSALS],
    idempotent: (result) => shownCamel(result as Executed),
    handle: async (call) => {
      const { operator, query } = call
      const done = await execute(call as unknown as AnyCall, {
        accountId: operator.id,
        outletNumber: query.outlet_number,
        strict: true,
      })
      return shownCamel(done)
    },
  }),
  operation({
    id: 'executeOwnTemplate',
    publishes: true,
    title: 'Execute a template for the own account',
    text: `${TEXT} \`configuration\` is a text that holds JSON. Without \`outlet_number\` it is the
number behind the largest that a cash box stands at.`,
    tag: TAG,
    method: 'POST',
    path: '/configuration',
    access: 'any',
    query: perhapsPlaced,
    upload: 'text',
    uploadType: 'application/json',
    body,
    example: EXAMPLE,
    success: { status: 200, schema: z.object({ ...executed, configuration: z.string() }) },
    errors: REFUSALS,
    idempotent: (result) => shownText(result as Executed),
    handle: async (call) => {
      const done = await own(call as unknown as AnyCall, call.query.outlet_number)
      return shownText(done)
    },
  }),
  operation({
    id: 'executeOwnTemplateV1',
    publishes: true,
    title: 'Execute a template for the own account, plain JSON',
    text: `${TEXT} \`configuration\` is an object with the names of the downloaded file.`,
    tag: TAG,
    method: 'POST',
    path: '/v1/configuration',
    access: 'any',
    query: perhapsPlaced,
    upload: 'text',
    uploadType: 'application/json',
    body,
    example: EXAMPLE,
    success: { status: 200, schema: z.object({ ...executed, configuration: anyJson() }) },
    errors: REFUSALS,
    idempotent: (result) => result,
    handle: (call) => own(call as unknown as AnyCall, call.query.outlet_number),
  }),
  operation({
    id: 'listTemplates',
    title: 'List templates',
    text: `Own ones, public ones, and free ones of connected creators; own market only. ${PAGING}`,
    tag: TAG,
    method: 'GET',
    path: '/templates',
    query: pageQuery(),
    success: { status: 200, schema: z.array(record) },
    handle: listed,
  }),
  operation({
    id: 'listTemplatesForOperator',
    title: 'List templates, below a PosOperator',
    text: 'The same list as `GET /api/templates`.',
    tag: TAG,
    method: 'GET',
    path: '/posoperators/:posOperatorId/templates',
    right: 'Read',
    query: pageQuery(),
    success: { status: 200, schema: z.array(record) },
    handle: listed,
  }),
]

function listed(call: PagedCall & Pick<AnyCall, 'deps' | 'account'>) {
  return paged(call, {
    key: ['text', 'uuid'],
    keyOf: ({ name, id: own }) => [name, own],
    rows: (after, most) => call.deps.templateRecords.list(call.account, { after, most }),
    shown: (one) => one,
  })
}

const shownCamel = (done: Executed) => ({
  ...done,
  configuration: camelDocument(done.configuration),
})

const shownText = (done: Executed) => ({
  ...done,
  configuration: documentText(done.configuration),
})

function own(call: AnyCall, outletNumber: number | undefined): Promise<Executed> {
  return execute(call, { accountId: call.account.id, outletNumber, strict: false })
}
