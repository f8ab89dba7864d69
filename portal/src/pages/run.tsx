// One operation as a form: made from what the document of its group says of it.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { linkOf, send } from '../api/client.js'
import { readJson, typedJson } from '../api/json.js'
import { useRole } from '../api/session.js'
import type { OperationId } from '../api/types.js'
import { OPERATIONS } from '../generated/operations.js'
import { useText, useTitles } from '../text/index.js'
import { Field, Form } from '../ui/form.js'
import { Empty, ErrorNote, Loading } from '../ui/states.js'

interface Parameter {
  name: string
  in: string
  description?: string
  required?: boolean
}

interface Described {
  operationId?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown; examples?: Examples }> }
}

type Examples = Record<string, { value: unknown }>

const isKnown = (id: string): id is OperationId => id in OPERATIONS

export function Page() {
  const t = useText()
  const { operationId = '' } = useParams()
  if (!isKnown(operationId) || OPERATIONS[operationId].group === 'session') {
    return <Empty isPage title={t.common.nothingFound} />
  }
  return <Operation id={operationId} key={operationId} />
}

async function describe(id: OperationId): Promise<Described> {
  const answer = await fetch(`/docs/${OPERATIONS[id].group}/openapi.json`)
  const { paths } = readJson(await answer.text()) as {
    paths: Record<string, Record<string, Described>>
  }
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  return all.find((one) => one.operationId === id) ?? {}
}

function Operation({ id }: { id: OperationId }) {
  const { method, path } = OPERATIONS[id]
  const titleOf = useTitles()
  const described = useQuery({
    queryKey: ['document', id],
    queryFn: () => describe(id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <h1>{titleOf(id)}</h1>
      <p className="mono">
        {method} {path}
      </p>
      {described.isPending && <Loading />}
      {described.error !== null && <ErrorNote error={described.error} />}
      {described.data !== undefined && <Run id={id} described={described.data} />}
    </>
  )
}

function Run({ id, described }: { id: OperationId; described: Described }) {
  const t = useText()
  const [given] = useSearchParams()
  const { mayWrite } = useRole()
  const [answer, setAnswer] = useState<string>()
  const { parameters = [], requestBody, description } = described
  const isRead = OPERATIONS[id].method === 'GET'
  const json = requestBody?.content['application/json']
  const fields = parameters.filter((one) => one.in === 'path' || one.in === 'query')
  const isFile = isRead && /csv|journal|pdf|stream|configuration/i.test(id)
  const run = async (values: Record<string, string>) => {
    const of = (place: string) =>
      Object.fromEntries(
        fields.flatMap((one) => (one.in === place ? [[one.name, values[one.name] ?? '']] : [])),
      )
    const wish = { path: of('path'), query: of('query') }
    if (isFile) {
      open(linkOf(id, wish), '_blank', 'noopener')
      return
    }
    const text = values.body ?? ''
    const body = text.trim() === '' ? {} : { body: typedJson(text) }
    const told = await send(id, { ...wish, ...(json === undefined ? {} : body) })
    setAnswer(typeof told === 'string' ? told : JSON.stringify(told ?? null, null, 2))
  }
  if (!isRead && !mayWrite) {
    return <Empty title={t.common.notAllowed}>{t.why.role(t.company.roles.Member)}</Empty>
  }
  return (
    <>
      {description !== undefined && (
        <p className="lead" lang="en">
          {/* names of members stand between backticks, as in the document */}
          {Array.from(description.matchAll(/`([^`]*)`|[^`]+/g), ({ 0: text, 1: code, index }) =>
            code === undefined ? text : <code key={index}>{code}</code>,
          )}
        </p>
      )}
      {!isRead && <p className="note">{t.operations.changes}</p>}
      <Form submit={t.operations.run} send={run}>
        {(faults) => (
          <>
            {fields.map((one) => (
              <Field
                key={`${one.in} ${one.name}`}
                label={`${one.name}${one.required ? ' *' : ''}`}
                name={one.name}
                value={given.get(one.name) ?? ''}
                {...(one.description === undefined ? {} : { hint: one.description })}
                faults={faults}
              />
            ))}
            {json !== undefined && (
              <label className="field">
                <span>{t.operations.body}</span>
                <textarea name="body" spellCheck={false} defaultValue={exampleOf(json)} />
              </label>
            )}
          </>
        )}
      </Form>
      {answer !== undefined && (
        <section>
          <h2>{t.operations.answer}</h2>
          <pre role="status">{answer}</pre>
        </section>
      )}
    </>
  )
}

function exampleOf({ example, examples }: { example?: unknown; examples?: Examples }): string {
  const value = example ?? Object.values(examples ?? {})[0]?.value
  return value === undefined ? '{}' : JSON.stringify(value, null, 2)
}
