// One CashBox: its parts, its token, a PIN for pairing, its configuration.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { CopyButton, WorkButton } from '../ui/buttons.js'
import { EditButton } from '../ui/edit.js'
import { useLive } from '../ui/live.js'
import { ErrorNote, Loading } from '../ui/states.js'
import { Moment } from '../ui/time.js'
import { Configuration, Parts } from './cash-box-parts.js'

export function Page() {
  const t = useText()
  const { operatorId = '', cashBoxId = '' } = useParams()
  const path = { posOperatorId: operatorId, cashBoxId }
  const box = useQuery({
    queryKey: ['getCashBox', cashBoxId],
    queryFn: () => call('getCashBox', { path }),
  })
  if (box.isPending) return <Loading />
  if (box.error !== null)
    return <ErrorNote isPage error={box.error} again={() => void box.refetch()} />
  const { cashBox, queues } = box.data
  // what has not begun begins with a start receipt
  const isNew = queues.some(({ commissioningDate }) => commissioningDate === null)
  const lab = `/lab?cashBoxId=${cashBoxId}&operatorId=${operatorId}${isNew ? '&sample=start' : ''}`
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}`}>← {t.common.merchant}</Link>
      </p>
      <div className="head">
        <h1>{cashBox.description === '' ? t.cashBox.title : cashBox.description}</h1>
        <Rename path={path} description={cashBox.description} />
        <Link className="button" to={lab}>
          {t.register.lab}
        </Link>
      </div>
      <dl className="facts">
        <dt>{t.common.id}</dt>
        <dd className="mono">{cashBoxId}</dd>
        <dt>{t.common.outlet}</dt>
        <dd>{cashBox.outletNumber}</dd>
        <dt>{t.cashBox.token}</dt>
        <dd>
          <Token token={box.data.accessToken} />
        </dd>
      </dl>
      <div className="grid">
        <Pairing path={path} />
        <Happening queueIds={box.data.queues.map(({ id }) => id)} />
      </div>
      <Parts path={path} details={box.data} />
      <Configuration cashBoxId={cashBoxId} token={box.data.accessToken} />
    </>
  )
}

function Token({ token }: { token: string | null }) {
  const t = useText()
  const [isShown, setShown] = useState(false)
  if (token === null) return <>{t.cashBox.tokenHidden}</>
  if (!isShown) {
    return (
      <button type="button" onClick={() => setShown(true)}>
        {t.common.show}
      </button>
    )
  }
  return (
    <>
      <code>{token}</code> <CopyButton text={token} />
    </>
  )
}

interface BoxPath {
  posOperatorId: string
  cashBoxId: string
}

function Rename({ path, description }: { path: BoxPath; description: string }) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('cashbox', path.cashBoxId)
  return (
    <EditButton
      why={why('updateCashBox')}
      entries={[{ name: 'description', label: t.cashBox.description, value: description }]}
      send={async ({ description: text = '' }) => {
        await call('updateCashBox', { path, body: { description: text } })
        await client.invalidateQueries({ queryKey: ['getCashBox', path.cashBoxId] })
      }}
    >
      {t.cashBox.rename}
    </EditButton>
  )
}

function Pairing({ path }: { path: BoxPath }) {
  const t = useText()
  const why = useWhy('cashbox', path.cashBoxId)
  const [pin, setPin] = useState<string>()
  const make = async () => setPin(String(await call('createPairingPin', { path })))
  return (
    <section>
      <h2>{t.cashBox.pin}</h2>
      <p className="lead">{t.cashBox.pinText}</p>
      {pin !== undefined && (
        <p className="pin" role="status">
          {pin}
        </p>
      )}
      <WorkButton work={make} why={why('createPairingPin')} kind="primary">
        {t.cashBox.makePin}
      </WorkButton>
    </section>
  )
}

const MOST = 8

/** What the stream has told of its Queues since the page was opened. */
function Happening({ queueIds }: { queueIds: readonly string[] }) {
  const t = useText()
  const { events } = useLive()
  const own = events
    .filter(({ subject = '' }) => queueIds.some((id) => subject.includes(id)))
    .slice(0, MOST)
  return (
    <section>
      <h2>{t.events.live}</h2>
      {own.length === 0 && <p className="lead">{t.events.nothing}</p>}
      {own.map(({ seq, type, time }) => (
        <p key={seq}>
          {type}{' '}
          <span className="sub">
            <Moment at={time} />
          </span>
        </p>
      ))}
    </section>
  )
}
