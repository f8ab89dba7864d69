// One CashBox: its parts, its token, a PIN for pairing, its configuration.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { useRole } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { CopyButton, Disabled, WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { Field, Form } from '../ui/form.js'
import { useLive } from '../ui/live.js'
import { ErrorNote, Loading } from '../ui/states.js'
import { Moment } from '../ui/time.js'

type Details = Result<'getCashBox'>

export function Page() {
  const t = useText()
  const { operatorId = '', cashBoxId = '' } = useParams()
  const path = { posOperatorId: operatorId, cashBoxId }
  const box = useQuery({
    queryKey: ['getCashBox', cashBoxId],
    queryFn: () => call('getCashBox', { path }),
  })
  if (box.isPending) return <Loading />
  if (box.error !== null) return <ErrorNote error={box.error} again={() => void box.refetch()} />
  const { cashBox } = box.data
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}`}>← {t.common.merchant}</Link>
      </p>
      <div className="head">
        <h1>{cashBox.description === '' ? t.cashBox.title : cashBox.description}</h1>
        <Rename path={path} description={cashBox.description} />
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
      <Parts details={box.data} />
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
  const { mayWrite } = useRole()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  if (!mayWrite)
    return <Disabled why={t.why.role(t.company.roles.Member)}>{t.cashBox.rename}</Disabled>
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t.cashBox.rename}
      </button>
      {isOpen && (
        <Dialog title={t.cashBox.rename} onClose={() => setOpen(false)}>
          <Form
            submit={t.common.save}
            send={async (values) => {
              await call('updateCashBox', { path, body: { description: values.description ?? '' } })
              await client.invalidateQueries({ queryKey: ['getCashBox', path.cashBoxId] })
              setOpen(false)
            }}
          >
            {(faults) => (
              <Field
                label={t.cashBox.description}
                name="description"
                value={description}
                faults={faults}
                autoFocus
              />
            )}
          </Form>
        </Dialog>
      )}
    </>
  )
}

function Pairing({ path }: { path: BoxPath }) {
  const t = useText()
  const { mayWrite } = useRole()
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
      <WorkButton work={make} why={mayWrite ? undefined : t.why.role(t.company.roles.Member)}>
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

type Queue = Details['queues'][number]
type Scu = Details['signatureCreationUnits'][number]
type Helper = Details['helpers'][number]

function partOf<T extends { id: string; description: string }>(title: string): Column<T> {
  return {
    title,
    cell: ({ id, description }) => (
      <>
        {description === '' ? id : description}
        <span className="sub mono">{id}</span>
      </>
    ),
  }
}

function Parts({ details }: { details: Details }) {
  const t = useText()
  const packageOf = { title: 'Package', cell: (row: Queue | Scu | Helper) => row.packageName }
  const queueColumns: Column<Queue>[] = [
    partOf('Queue'),
    packageOf,
    { title: t.common.market, cell: ({ countryCode }) => countryCode },
    { title: 'Timeout', cell: ({ timeout }) => `${timeout} ms`, isNumber: true },
  ]
  const scuColumns: Column<Scu>[] = [
    partOf('SCU'),
    packageOf,
    { title: t.common.market, cell: ({ market }) => market },
  ]
  return (
    <>
      <h2>{t.cashBox.queues}</h2>
      <DataTable
        caption={t.cashBox.queues}
        columns={queueColumns}
        rows={details.queues}
        keyOf={({ id }) => id}
      />
      <h2>{t.cashBox.scus}</h2>
      <DataTable
        caption={t.cashBox.scus}
        columns={scuColumns}
        rows={details.signatureCreationUnits}
        keyOf={({ id }) => id}
      />
      {details.helpers.length > 0 && (
        <>
          <h2>{t.cashBox.helpers}</h2>
          <DataTable
            caption={t.cashBox.helpers}
            columns={[partOf<Helper>('Helper'), packageOf]}
            rows={details.helpers}
            keyOf={({ id }) => id}
          />
        </>
      )}
    </>
  )
}
