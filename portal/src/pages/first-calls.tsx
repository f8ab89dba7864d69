// The first calls of a program, made by the page: which server answers, and whom one looks after.
import { useState } from 'react'
import { call, callPage } from '../api/client.js'
import { useText } from '../text/index.js'
import { WorkButton } from '../ui/buttons.js'

const SOME = 10

/** What the drawer then shows as lines for a shell. */
export function FirstCalls() {
  const t = useText()
  const [told, setTold] = useState<string>()
  const version = async () => {
    const { version: number, environment } = await call('version', {})
    setTold(`fiskalwerk ${number}, ${environment}`)
  }
  const merchants = async () => {
    const { items, next } = await callPage('listPosOperators', { query: { limit: SOME } })
    const names = items.map(({ id, name }) => `${id} ${name}`)
    setTold([...names, ...(next === null ? [] : ['…'])].join('\n') || t.common.none)
  }
  return (
    <>
      <p className="filters">
        {t.parts.first}
        <WorkButton work={version}>GET /api/version</WorkButton>
        <WorkButton work={merchants}>GET /api/posoperators</WorkButton>
      </p>
      {told !== undefined && <pre role="status">{told}</pre>}
    </>
  )
}
