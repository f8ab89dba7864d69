// One receipt: as it was printed, what its numbers mean, what checks say now, its exact texts, and
// the ones beside it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { call, linkOf } from '../api/client.js'
import { amountText } from '../api/numbers.js'
import type { Result } from '../api/types.js'
import { useSpeech, useText } from '../text/index.js'
import { CopyButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { Loaded } from '../ui/list.js'
import { Day } from '../ui/time.js'
import { Outcome } from './register.js'

type Seen = Result<'getReceipt'>

export function Page() {
  const { queueId = '', receiptId = '' } = useParams()
  const path = { queueId, receiptId }
  const receipt = useQuery({
    queryKey: ['getReceipt', queueId, receiptId],
    queryFn: () => call('getReceipt', { path }),
  })
  return (
    <Loaded isPage query={receipt}>
      {(seen) => <Receipt seen={seen} key={seen.id} />}
    </Loaded>
  )
}

function Receipt({ seen }: { seen: Seen }) {
  const { t, language } = useSpeech()
  const { queueId, operatorId, operatorName, cashBoxIdentification, market } = seen
  return (
    <>
      <p>
        <Link to={`/queues/${queueId}`}>← {t.receipt.back}</Link>
      </p>
      <div className="head">
        <h1>{seen.identification || seen.reference || seen.id}</h1>
        <Beside seen={seen} />
      </div>
      <p className="lead">
        {cashBoxIdentification} · <Link to={`/operators/${operatorId}`}>{operatorName}</Link> ·{' '}
        {market} · <Day at={seen.moment} />
        {seen.total === null ? '' : ` · ${amountText(seen.total, language)}`} ·{' '}
        <Outcome state={seen.state} />
      </p>
      <div className="split">
        <Paper seen={seen} />
        <div>
          <Checks checks={seen.checks} />
          <Words words={seen.words} />
        </div>
      </div>
      <Exact title={t.receipt.request} text={seen.request} />
      {seen.response !== null && <Exact title={t.receipt.answer} text={seen.response} />}
    </>
  )
}

function Beside({ seen: { queueId, previous, next, cashBoxId, operatorId, id } }: { seen: Seen }) {
  const t = useText()
  const lab = `/lab?cashBoxId=${cashBoxId}&operatorId=${operatorId}&receipt=${queueId}/${id}`
  return (
    <>
      {cashBoxId !== null && (
        <Link className="button" to={lab}>
          {t.receipt.again}
        </Link>
      )}
      {previous !== null && (
        <Link className="button" to={`/receipts/${queueId}/${previous.id}`}>
          ← {t.receipt.previous}
        </Link>
      )}
      {next !== null && (
        <Link className="button" to={`/receipts/${queueId}/${next.id}`}>
          {t.receipt.next} →
        </Link>
      )}
    </>
  )
}

function Paper({ seen }: { seen: Seen }) {
  const { t, language } = useSpeech()
  const [isMissing, setMissing] = useState(false)
  const path = { queueId: seen.queueId, receiptId: seen.id }
  const file = (format: 'png' | 'pdf' | 'txt') =>
    linkOf('printReceipt', { path, query: { format, language } })
  return (
    <section className="paper">
      <h2>{t.receipt.paper}</h2>
      {seen.response === null || isMissing ? (
        <p className="lead">{t.receipt.noPaper}</p>
      ) : (
        <>
          <img src={file('png')} alt={t.receipt.alt} onError={() => setMissing(true)} />
          <p className="filters">
            <a className="button" href={file('pdf')} download>
              PDF
            </a>
            <a className="button" href={file('txt')} download>
              {t.receipt.text}
            </a>
          </p>
        </>
      )}
    </section>
  )
}

function Checks({ checks }: { checks: Seen['checks'] }) {
  const t = useText()
  const said = (ok: boolean | null) =>
    ok === null ? t.receipt.unknown : ok ? t.receipt.good : t.receipt.bad
  return (
    <section>
      <h2>{t.receipt.checks}</h2>
      <ul className="checks">
        {checks.map(({ check, ok, text }) => (
          <li key={check}>
            <span className={`state ${ok === null ? '' : ok ? 'good' : 'bad'}`}>
              <span aria-hidden="true">{ok === null ? '–' : ok ? '✓' : '✗'} </span>
              {said(ok)}
            </span>
            {t.receipt.names[check]}
            <span className="sub mono">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Word = Seen['words'][number]

function Words({ words }: { words: readonly Word[] }) {
  const t = useText()
  const columns: Column<Word>[] = [
    {
      title: t.receipt.means,
      cell: ({ means, of }) => (
        <>
          {means.join(' · ')}
          <span className="sub">{of}</span>
        </>
      ),
    },
    {
      title: t.receipt.word,
      cell: ({ hex, value, path }) => (
        <span className="mono" title={path}>
          {hex}
          <span className="sub">{value}</span>
        </span>
      ),
    },
  ]
  return (
    <section>
      <h2>{t.receipt.words}</h2>
      <DataTable
        caption={t.receipt.words}
        columns={columns}
        rows={words}
        keyOf={({ path }) => path}
      />
    </section>
  )
}

/** Letter by letter as it is stored: what is copied has the hash that was checked. */
function Exact({ title, text }: { title: string; text: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <CopyButton text={text} />
      <pre>{text}</pre>
    </details>
  )
}
