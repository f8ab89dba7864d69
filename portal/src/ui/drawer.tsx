// What this page has just called, as lines for one's own program.
import { useState, useSyncExternalStore } from 'react'
import { calls, type NotedCall } from '../api/client.js'
import { curlOf, httpOf, powerShellOf } from '../api/curl.js'
import { OPERATIONS } from '../generated/operations.js'
import { useText, useTitles } from '../text/index.js'
import { CopyButton } from './buttons.js'
import { Dialog } from './dialog.js'
import { pretty } from './pretty.js'

const FORMS = { curl: curlOf, PowerShell: powerShellOf, HTTP: httpOf }
type FormName = keyof typeof FORMS
const NAMES = Object.keys(FORMS) as FormName[]

export function Drawer({ onClose }: { onClose(): void }) {
  const t = useText()
  const list = useSyncExternalStore(calls.subscribe, calls.list)
  const [chosen, setChosen] = useState<number>()
  const [form, setForm] = useState<FormName>('curl')
  const shown = list.find(({ number }) => number === chosen) ?? list[0]
  return (
    <Dialog title={t.drawer.title} onClose={onClose} className="drawer">
      <p className="lead">{t.drawer.text}</p>
      {shown === undefined ? (
        <p>{t.drawer.nothing}</p>
      ) : (
        <>
          <div className="tabs" role="tablist">
            {NAMES.map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                aria-selected={form === name}
                onClick={() => setForm(name)}
              >
                {name}
              </button>
            ))}
          </div>
          <One call={shown} text={FORMS[form](shown)} />
          <h3>{t.drawer.log}</h3>
          <div className="table">
            <table>
              <tbody>
                {list.map((one) => (
                  <tr key={one.number}>
                    <td>
                      <button type="button" className="plain" onClick={() => setChosen(one.number)}>
                        {one.method}
                      </button>
                    </td>
                    <td className="mono">{one.address}</td>
                    <td className="number">{one.status ?? '…'}</td>
                    <td className="number">{one.ms === null ? '' : `${one.ms} ms`}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {t.common.close}
        </button>
      </div>
    </Dialog>
  )
}

function One({ call, text }: { call: NotedCall; text: string }) {
  const t = useText()
  const titleOf = useTitles()
  const { operationId: id } = call
  const group = id === undefined ? 'possystem' : OPERATIONS[id].group
  const title = id === undefined ? call.address : titleOf(id)
  return (
    <>
      <p>
        {title} · <a href={`/docs/${group}`}>{t.drawer.docs}</a>
      </p>
      <pre>{text}</pre>
      <div className="actions">
        <CopyButton text={text} />
      </div>
      <p className="sub">{t.drawer.variables}</p>
      <h3>
        {t.drawer.answer} {call.status ?? ''}
      </h3>
      <pre className="answer">{pretty(call.answer)}</pre>
    </>
  )
}
