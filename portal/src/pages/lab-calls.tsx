// Further calls of a register in the lab: payments, issued receipts, journals, and what a signing
// unit does for others (RKSV). One row for each.

import { useState } from 'react'
import { numberIn } from '../api/numbers.js'
import { callAsTill, type Till, type TillAnswer } from '../api/till.js'
import { useText } from '../text/index.js'
import { BodyField } from '../ui/body-field.js'
import { WorkButton } from '../ui/buttons.js'
import { Answered } from './lab-answer.js'

/** Request and answer of the receipt that was signed last. */
export interface Signed {
  request: string
  answer: string
}

interface Row {
  name: string
  method: 'GET' | 'POST'
  path: string
  /** Left out: it has none. */
  body?(signed: Signed | undefined): string
}

const UNIT = '/api/v0/iatsscd'
const text = (value: unknown): string => JSON.stringify(value, null, 2)

const ROWS: readonly Row[] = [
  {
    ...{ name: 'pay', method: 'POST', path: '/v2/pay' },
    body: () =>
      text({
        ...{ Action: 'payment', Protocol: 'use_auto', cbTerminalID: 'term1' },
        cbPayItem: { Description: 'Card', Amount: 15 },
      }),
  },
  {
    ...{ name: 'issue', method: 'POST', path: '/v2/issue' },
    // the pair as it is: its numbers are longer than those of JavaScript
    body: (signed) =>
      `{"ReceiptRequest":${signed?.request ?? '{}'},"ReceiptResponse":${signed?.answer ?? '{}'}}`,
  },
  {
    ...{ name: 'journal', method: 'POST', path: '/v2/journal' },
    body: () => text({ ftJournalType: 2, From: 0, To: -10 }),
  },
  {
    ...{ name: 'RKSV.Sign', method: 'POST', path: `${UNIT}/sign` },
    body: () => text({ dataBase64: 'AQIDBAU=' }),
  },
  { name: 'RKSV.Certificate', method: 'GET', path: `${UNIT}/certificate` },
  { name: 'RKSV.ZDA', method: 'GET', path: `${UNIT}/zda` },
]

export function OtherCalls({ till, signed }: { till: Till; signed: Signed | undefined }) {
  const t = useText()
  const [at, setAt] = useState(0)
  const [typed, setTyped] = useState<string>()
  const [answer, setAnswer] = useState<TillAnswer>()
  const row = ROWS[at]
  if (row === undefined) return null
  const body = typed ?? row.body?.(signed)
  const { method, path } = row
  const send = async () => {
    setAnswer(undefined)
    setAnswer(await callAsTill(till, { method, path, ...(body === undefined ? {} : { body }) }))
  }
  return (
    <section>
      <h2>{t.lab.others}</h2>
      <p className="lead">{t.lab.othersText}</p>
      <label className="field">
        <span>{t.lab.call}</span>
        <select
          value={at}
          onChange={(event) => {
            setAt(numberIn(event.target.value))
            setTyped(undefined)
            setAnswer(undefined)
          }}
        >
          {ROWS.map((one, index) => (
            <option key={one.name} value={index}>
              {one.name}: {one.method} {one.path}
            </option>
          ))}
        </select>
      </label>
      {body !== undefined && <BodyField label={t.lab.bodyOf} value={body} onChange={setTyped} />}
      <div className="actions">
        <WorkButton work={send}>{t.lab.send}</WorkButton>
      </div>
      {answer !== undefined && <Answered answer={answer} />}
    </section>
  )
}
