// Documents as tables beside the code have them: members in their order, each with what it says.

/** `issuer.nif`: what stands there; `=Global`: this text; an object: a member with such members. */
export interface Form {
  readonly [member: string]: string | Form
}

type Reader<V> = (values: object) => V | undefined

/**
 * What is undefined is left out, and so is a group that would have constants alone where its table
 * has more.
 */
export function formOf<V = unknown>(form: Form): (values: object) => Record<string, V> {
  const readers = Object.entries(form).map(([member, said]) => [member, readerOf<V>(said)] as const)
  return (values) => {
    const members: Record<string, V> = {}
    for (const [member, read] of readers) {
      const value = read(values)
      if (value !== undefined) members[member] = value
    }
    return members
  }
}

/** Several of one table, by their names. */
export const formsOf = <K extends string, V = unknown>(table: Readonly<Record<K, Form>>) =>
  Object.fromEntries(
    Object.entries<Form>(table).map(([name, form]) => [name, formOf<V>(form)]),
  ) as Record<K, (values: object) => Record<string, V>>

const isConstant = (said: string | Form): boolean => typeof said === 'string' && said[0] === '='

function readerOf<V>(said: string | Form): Reader<V> {
  if (typeof said !== 'string') {
    const [read, named] = [
      formOf<V>(said),
      Object.keys(said).filter((of) => !isConstant(said[of] ?? '')),
    ]
    return (values) => {
      const group = read(values)
      return named.length === 0 || named.some((of) => of in group) ? (group as V) : undefined
    }
  }
  if (isConstant(said)) return () => said.slice(1) as V
  const path = said.split('.')
  return (values) =>
    path.reduce<unknown>(
      (of, name) => (of as Record<string, unknown> | null | undefined)?.[name],
      values,
    ) as V
}
