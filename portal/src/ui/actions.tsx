// Whether something can be done with a thing now, and why not: asked of the server, which judges by
// the call itself.
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.js'
import { useRole } from '../api/session.js'
import type { Input, OperationId } from '../api/types.js'
import { useText } from '../text/index.js'

type Kind = Input<'listActions'>['query'] extends infer Q | undefined
  ? Q extends { kind: infer K }
    ? K
    : never
  : never
/** Whoever presses is asked who he is. */
const ASKED = 'ConfirmationRequired'
export type Why = (id: OperationId) => string | undefined

/** Undefined where it may be done; the role is known at once, the rest when the server has said. */
export function useWhy(kind: Kind, id: string | null | undefined): Why {
  const t = useText()
  const { mayWrite } = useRole()
  const { data } = useQuery({
    queryKey: ['listActions', kind, id],
    enabled: mayWrite && id != null,
    queryFn: () => call('listActions', { query: { kind, id: id ?? '' } }),
  })
  return (operation) => {
    if (!mayWrite) return t.why.role(t.company.roles.Member)
    const found = data?.items.find(({ operationId }) => operationId === operation)
    if (found === undefined || found.allowed || found.code === ASKED) return undefined
    return found.text ?? t.why.nothing
  }
}

/** Of one call with all that its path names; undefined as well while that is not known. */
export function useWhyOf(
  operationId: OperationId,
  path: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const t = useText()
  const { mayWrite } = useRole()
  const named = Object.entries(path).flatMap(([name, id]) => (id === undefined ? [] : [[name, id]]))
  const { data } = useQuery({
    queryKey: ['listActions', operationId, path],
    enabled: mayWrite && named.length === Object.keys(path).length,
    queryFn: () =>
      call('tryAction', { body: { operationId, path: Object.fromEntries(named), query: {} } }),
  })
  if (!mayWrite) return t.why.role(t.company.roles.Member)
  if (data === undefined || data.allowed || data.code === ASKED) return undefined
  return data.text ?? t.why.nothing
}
