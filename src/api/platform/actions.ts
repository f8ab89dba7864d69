// What can be done with a thing: the operations whose address names it, each asked whether its
// caller may do it now.
import type { FiscalError } from '../../errors.js'
import { fail } from '../../errors.js'
import type { Operation } from '../shared/account/operation.js'
import { type ActionTable, rehearse, type Wish } from '../shared/account/rehearsal.js'
import { statusOf } from '../shared/trace.js'
import type { AnyCall } from './operation.js'

/** Words of addresses before an id, and what the id is of. */
const KINDS: Readonly<Record<string, string>> = {
  posoperators: 'operator',
  connections: 'connection',
  'pos-operators-invitation': 'invitation',
  cashboxes: 'cashbox',
  queues: 'queue',
  scus: 'scu',
  helpers: 'helper',
  problems: 'problem',
  submissions: 'submission',
  webhooks: 'webhook',
  inspections: 'inspection',
  jobs: 'job',
  'api-keys': 'api-key',
}
export const SUBJECT_KINDS = Object.values(KINDS)

export interface Judged {
  operation: Operation
  /** Path of its group, with the ids. */
  path: string
  refusal: FiscalError | undefined
  checked: 'rights' | 'all'
}

interface Named {
  kind: string
  /** Name of the parameter. */
  name: string
}

function subjectOf({ path }: Operation): Named | undefined {
  const words = path.split('/')
  const at = words.findLastIndex((word) => word.startsWith(':'))
  const kind = KINDS[words[at - 1] ?? '']
  return at < 0 || kind === undefined ? undefined : { kind, name: (words[at] ?? '').slice(1) }
}

/** Whoever calls from the portal is asked for his role there. */
function tablesOf({ deps: { actions, admitted } }: AnyCall): ActionTable[] {
  return actions().map(({ deps, operations }) => ({ deps: { ...deps, admitted }, operations }))
}

const OPERATOR = 'posOperatorId'

/** Throws SUBJECT_UNKNOWN. */
export async function actionsOf(
  call: AnyCall,
  { kind, id }: { kind: string; id: string },
): Promise<Judged[]> {
  const { deps, account } = call
  const [found] = await deps.fleet.search({ accountId: account.id, text: id, limit: 1 })
  const operatorId = kind === 'operator' ? id : found?.kind === kind ? found.accountId : undefined
  const judged: Judged[] = []
  for (const table of tablesOf(call)) {
    for (const operation of table.operations) {
      const named = operation.method === 'GET' ? undefined : subjectOf(operation)
      if (named?.kind !== kind) continue
      const known: Record<string, string> = { [named.name]: id }
      if (operatorId !== undefined) known[OPERATOR] = operatorId
      const names = Object.keys(operation.params.shape)
      if (!names.every((name) => name in known)) continue
      const path = Object.fromEntries(names.map((name) => [name, known[name] ?? '']))
      const wish = { path, query: {}, body: undefined }
      judged.push(await judge(call, table, { operation, wish }))
    }
  }
  const known = judged.filter(({ checked }) => checked === 'all')
  const asked = known.length === 0 ? judged : known
  if (asked.every(({ refusal }) => refusal?.kind === 'missing')) {
    throw fail('SUBJECT_UNKNOWN', { subject: `${kind}/${id}` })
  }
  return judged
}

/** One call as it would be made. Throws ACTION_UNKNOWN. */
export async function actionOf(call: AnyCall, operationId: string, wish: Wish): Promise<Judged> {
  const { request, reply } = call
  for (const table of tablesOf(call)) {
    const operation = table.operations.find(
      ({ id, method }) => id === operationId && method !== 'GET',
    )
    if (operation === undefined) continue
    const { refusal, checked } = await rehearse(table.deps, operation, { request, reply, wish })
    return { operation, path: addressOf(operation, wish.path), refusal, checked }
  }
  throw fail('ACTION_UNKNOWN', { operation: operationId })
}

/** With the body of the documents; what is wrong with that says nothing of the caller. */
async function judge(
  { request, reply }: AnyCall,
  { deps }: ActionTable,
  { operation, wish }: { operation: Operation; wish: Wish },
): Promise<Judged> {
  const example = operation.example ?? Object.values(operation.examples ?? {})[0]
  const body = operation.body === undefined ? undefined : (example ?? {})
  const asked = { request, reply, wish: { ...wish, body } }
  const { refusal, checked } = await rehearse(deps, operation, asked)
  const isOfBody = refusal !== undefined && body !== undefined && concernsBody(refusal, wish)
  const path = addressOf(operation, wish.path)
  return { operation, path, refusal: isOfBody ? undefined : refusal, checked }
}

/** The example is wrong here, or names something that nobody has. */
function concernsBody({ kind, details }: FiscalError, { path }: Wish): boolean {
  if (kind !== 'missing') return statusOf[kind] === 400
  const ids = new Set(Object.values(path).map((id) => id.toLowerCase()))
  const named = Object.values(details).map((value) => String(value).toLowerCase())
  return named.length > 0 && !named.some((value) => ids.has(value))
}

const addressOf = ({ path }: Operation, given: Wish['path']): string =>
  path.replace(/:(\w+)/g, (whole, name: string) => {
    return given[name] === undefined ? whole : encodeURIComponent(given[name])
  })
