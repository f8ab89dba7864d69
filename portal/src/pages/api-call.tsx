// One of the last calls: hints first, then how to repeat it, what came and what went.
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useSpeech, useText } from '../text/index.js'
import { CopyButton } from '../ui/buttons.js'
import { Loaded } from '../ui/list.js'
import { pretty } from '../ui/pretty.js'
import { Moment } from '../ui/time.js'
import { Status } from './api-log.js'

type Call = Result<'getCall'>

export function Page() {
  const t = useText()
  const { callId = '' } = useParams()
  const found = useQuery({
    queryKey: ['getCall', callId],
    queryFn: () => call('getCall', { path: { id: callId } }),
  })
  return (
    <>
      <p>
        <Link to="/api-log">← {t.apiLog.back}</Link>
      </p>
      <Loaded isPage query={found}>
        {(one) => <One one={one} />}
      </Loaded>
    </>
  )
}

function One({ one }: { one: Call }) {
  const t = useText()
  const { method, path, status, ms, at, hints, curl, proven, traceId, cashBoxId } = one
  return (
    <>
      <h1 className="address">
        {method} {path}
      </h1>
      <p>
        <Status status={status} /> · {Math.round(ms)} ms · <Moment at={at} /> ·{' '}
        <span className="mono">{one.api}</span> ·{' '}
        {cashBoxId === null ? t.apiLog.account : `CashBox ${cashBoxId}`}
      </p>
      {!proven && <p className="note">{t.apiLog.unproven}</p>}
      {hints.length > 0 && (
        <section>
          <h2>{t.apiLog.hints}</h2>
          <dl className="facts">
            {hints.map(({ code, text }) => (
              <Fragment key={code + text}>
                <dt className="mono">{code}</dt>
                <dd>{text}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      )}
      <section>
        <div className="head">
          <h2>{t.apiLog.curl}</h2>
          {curl !== null && <CopyButton text={curl} />}
        </div>
        {curl === null ? <p>{t.apiLog.noCurl}</p> : <pre>{curl}</pre>}
      </section>
      <Sent title={t.apiLog.body} text={one.body} bytes={one.bodyBytes} />
      <Sent title={t.apiLog.answer} text={one.answer} bytes={one.answerBytes} />
      <p className="sub">
        {t.apiLog.trace} <span className="piece">{traceId}</span>
      </p>
    </>
  )
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

function Sent({
  title,
  text,
  bytes,
}: {
  title: string
  text: string | null
  bytes: number | null
}) {
  const t = useText()
  const { language } = useSpeech()
  const number = (value: number) => new Intl.NumberFormat(language).format(value)
  if (bytes === 0) return null
  const isCut = text !== null && bytes !== null && bytesOf(text) < bytes
  return (
    <section>
      <div className="head">
        <h2>{title}</h2>
        {text !== null && <CopyButton text={text} />}
      </div>
      {isCut && <p className="sub">{t.apiLog.cut(number(bytesOf(text)), number(bytes))}</p>}
      {text === null ? (
        <p>{bytes === null ? t.apiLog.stream : t.apiLog.noText}</p>
      ) : (
        <pre className="answer">{pretty(text)}</pre>
      )}
    </section>
  )
}
