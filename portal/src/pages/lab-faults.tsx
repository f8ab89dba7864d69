// Fault scripts of the signing units of a CashBox: what their next calls will meet.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readJson } from '../api/json.js'
import { numberIn } from '../api/numbers.js'
import { callAsTill, type Till } from '../api/till.js'
import { useText } from '../text/index.js'
import { WorkButton } from '../ui/buttons.js'
import { Field, Form, Select } from '../ui/form.js'
import { Loaded } from '../ui/list.js'

interface Step {
  do: string
  calls?: number
  ms?: number
}

interface Unit {
  id: string
  description: string
}

const scriptPath = (id: string) => `/sandbox/scus/${id}/fault`

/** What the register is told: the steps, or why not. */
async function steps(till: Till, id: string, sent: Parameters<typeof callAsTill>[1]) {
  const { status, text } = await callAsTill(till, { ...sent, path: scriptPath(id) })
  const told = readJson(text) as { steps?: Step[]; error?: string; Message?: string }
  if (status >= 400 || told.steps === undefined) {
    throw new Error(told.Message ?? told.error ?? text)
  }
  return told.steps
}

export function Faults({ till, units }: { till: Till; units: readonly Unit[] }) {
  const t = useText()
  const [chosen, setChosen] = useState(units[0]?.id)
  if (chosen === undefined) return null
  return (
    <section>
      <h2>{t.lab.faults}</h2>
      <p className="lead">{t.lab.faultText}</p>
      {units.length > 1 && (
        <label className="field">
          <span>{t.lab.unit}</span>
          <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {units.map(({ id, description }) => (
              <option key={id} value={id}>
                {description === '' ? id : description}
              </option>
            ))}
          </select>
        </label>
      )}
      <Script key={chosen} till={till} id={chosen} />
    </section>
  )
}

function Script({ till, id }: { till: Till; id: string }) {
  const t = useText()
  const client = useQueryClient()
  const key = ['fault', id]
  const script = useQuery({
    queryKey: key,
    queryFn: () => steps(till, id, { method: 'GET', path: '' }),
  })
  const kinds = Object.entries(t.lab.kinds)
  const nameOf = (kind: string) => kinds.find(([name]) => name === kind)?.[1] ?? kind
  const set = async (values: Record<string, string>) => {
    const { kind = '', calls = '', ms = '' } = values
    const step: Step = {
      do: kind,
      ...(calls === '' ? {} : { calls: numberIn(calls) }),
      ...(ms === '' ? {} : { ms: numberIn(ms) }),
    }
    const body = JSON.stringify({ steps: [...(script.data ?? []), step] })
    client.setQueryData(key, await steps(till, id, { method: 'PUT', path: '', body }))
  }
  const clear = async () =>
    client.setQueryData(key, await steps(till, id, { method: 'DELETE', path: '' }))
  return (
    <>
      <Loaded query={script}>
        {(known) =>
          known.length === 0 ? (
            <p className="state good">{t.lab.none}</p>
          ) : (
            <>
              <ol>
                {known.map((step, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name but their place
                  <li key={at}>
                    {nameOf(step.do)}
                    <span className="sub mono">{JSON.stringify(step)}</span>
                  </li>
                ))}
              </ol>
              <WorkButton work={clear}>{t.lab.clear}</WorkButton>
            </>
          )
        }
      </Loaded>
      <Form submit={t.lab.set} send={set}>
        {(faults) => (
          <>
            <Select label={t.lab.do} name="kind" options={kinds} />
            <Field label={t.lab.calls} name="calls" inputMode="numeric" faults={faults} />
            <Field label={t.lab.ms} name="ms" inputMode="numeric" faults={faults} />
          </>
        )}
      </Form>
    </>
  )
}
