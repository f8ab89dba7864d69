// What is in a CashBox: Queues, signing units and helpers, and changing them; its published
// configuration.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { call, publicAddressOf } from '../api/client.js'
import { useRole } from '../api/session.js'
import { callAsTill } from '../api/till.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy, useWhyOf } from '../ui/actions.js'
import { AskButton, WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { EditButton, type Entry, given } from '../ui/edit.js'
import { Empty } from '../ui/states.js'

export type Details = Result<'getCashBox'>

interface BoxPath {
  posOperatorId: string
  cashBoxId: string
}

interface Props {
  path: BoxPath
  details: Details
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

function useFresh(cashBoxId: string) {
  const client = useQueryClient()
  return async (work: Promise<unknown>) => {
    await work
    for (const key of ['getCashBox', 'listActions']) {
      await client.invalidateQueries({ queryKey: [key] })
    }
    await client.invalidateQueries({ queryKey: ['getCashBox', cashBoxId] })
  }
}

function Part({ title, children, more }: { title: string; children: ReactNode; more?: ReactNode }) {
  return (
    <section>
      <div className="head">
        <h2>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  )
}

export function Parts({ path, details }: Props) {
  const t = useText()
  const packageOf = { title: t.units.package, cell: (row: Queue | Scu | Helper) => row.packageName }
  const doing = <T,>(cell: (row: T) => ReactNode) => ({ title: t.problems.do, cell })
  const queueColumns: Column<Queue>[] = [
    {
      title: 'Queue',
      cell: ({ id, description }) => (
        <>
          <Link to={`/queues/${id}`}>{description === '' ? id : description}</Link>
          <span className="sub mono">{id}</span>
        </>
      ),
    },
    packageOf,
    { title: t.common.market, cell: ({ countryCode }) => countryCode },
    { title: 'Timeout', cell: ({ timeout }) => `${timeout} ms`, isNumber: true },
    doing<Queue>((queue) => <ChangeQueue path={path} queue={queue} />),
  ]
  const scuColumns: Column<Scu>[] = [
    partOf('SCU'),
    packageOf,
    { title: t.common.market, cell: ({ market }) => market },
    doing<Scu>((scu) => <ChangeScu path={path} scu={scu} />),
  ]
  return (
    <>
      <Part title={t.cashBox.queues}>
        <DataTable
          caption={t.cashBox.queues}
          columns={queueColumns}
          rows={details.queues}
          keyOf={({ id }) => id}
        />
      </Part>
      <Part title={t.cashBox.scus} more={<AddScu path={path} details={details} />}>
        {details.signatureCreationUnits.length === 0 ? (
          <Empty title={t.scus.nothing} />
        ) : (
          <DataTable
            caption={t.cashBox.scus}
            columns={scuColumns}
            rows={details.signatureCreationUnits}
            keyOf={({ id }) => id}
          />
        )}
      </Part>
      {details.helpers.length > 0 && (
        <Part title={t.cashBox.helpers}>
          <DataTable
            caption={t.cashBox.helpers}
            columns={[
              partOf<Helper>('Helper'),
              packageOf,
              doing<Helper>((helper) => <ChangeHelper path={path} helper={helper} />),
            ]}
            rows={details.helpers}
            keyOf={({ id }) => id}
          />
        </Part>
      )}
    </>
  )
}

function ChangeQueue({ path, queue }: { path: BoxPath; queue: Queue }) {
  const t = useText()
  const fresh = useFresh(path.cashBoxId)
  const why = useWhy('queue', queue.id)
  const { posOperatorId } = path
  const entries: Entry[] = [
    { name: 'description', label: t.cashBox.description, value: queue.description },
    ...(queue.countryCode === 'DE'
      ? [
          { name: 'purchaseDate', label: t.registration.bought, type: 'date' },
          { name: 'commissioningDate', label: t.registration.used, type: 'date' },
        ]
      : []),
  ]
  const send = (values: Record<string, string>) =>
    fresh(call('updateQueue', { path: { posOperatorId, queueId: queue.id }, body: given(values) }))
  return (
    <EditButton why={why('updateQueue')} title={queue.description} entries={entries} send={send}>
      {t.common.change}
    </EditButton>
  )
}

function ChangeScu({ path, scu }: { path: BoxPath; scu: Scu }) {
  const t = useText()
  const fresh = useFresh(path.cashBoxId)
  const why = useWhy('scu', scu.id)
  const place = { ...path, scuId: scu.id }
  const stays = useWhyOf('removeScu', { ...place })
  const entries = [{ name: 'description', label: t.cashBox.description, value: scu.description }]
  const send = ({ description = '' }: Record<string, string>) => {
    const { posOperatorId } = path
    return fresh(
      call('updateScu', { path: { posOperatorId, scuId: scu.id }, body: { description } }),
    )
  }
  return (
    <span className="filters">
      <EditButton why={why('updateScu')} title={scu.description} entries={entries} send={send}>
        {t.common.change}
      </EditButton>
      <AskButton
        kind="danger"
        why={stays}
        title={t.change.removeScu}
        text={t.change.removeScuText}
        work={() => fresh(call('removeScu', { path: place, query: { rebuild: true } }))}
      >
        {t.common.remove}
      </AskButton>
    </span>
  )
}

function ChangeHelper({ path, helper }: { path: BoxPath; helper: Helper }) {
  const t = useText()
  const fresh = useFresh(path.cashBoxId)
  const why = useWhy('helper', helper.id)
  const { posOperatorId } = path
  const entries = [{ name: 'description', label: t.cashBox.description, value: helper.description }]
  const send = ({ description = '' }: Record<string, string>) =>
    fresh(
      call('updateHelper', { path: { posOperatorId, helperId: helper.id }, body: { description } }),
    )
  return (
    <EditButton why={why('updateHelper')} title={helper.description} entries={entries} send={send}>
      {t.common.change}
    </EditButton>
  )
}

function AddScu({ path, details }: Props) {
  const t = useText()
  const fresh = useFresh(path.cashBoxId)
  const { posOperatorId: operatorId } = path
  const units = useQuery({
    queryKey: ['listAllScus', operatorId],
    queryFn: () => call('listAllScus', { query: { operatorId, limit: 200 } }),
  })
  const inside = new Set(details.signatureCreationUnits.map(({ id }) => id))
  const others = (units.data?.items ?? []).filter(({ id }) => !inside.has(id))
  const why = useWhyOf('addScu', { ...path, scuId: others[0]?.id })
  const refused = why ?? (others.length === 0 ? t.change.noScu : undefined)
  return (
    <EditButton
      why={refused}
      submit={t.common.add}
      entries={[
        {
          ...{ name: 'scuId', label: t.scus.title },
          options: others.map(({ id, description }) => [id, description || id] as const),
        },
      ]}
      send={({ scuId = '' }) =>
        fresh(call('addScu', { path: { ...path, scuId }, query: { rebuild: true } }))
      }
    >
      {t.change.addScu}
    </EditButton>
  )
}

/** As a middleware fetches it. */
export function Configuration({ cashBoxId, token }: { cashBoxId: string; token: string | null }) {
  const t = useText()
  const [text, setText] = useState<string>()
  const load = async (path: string) => {
    const till = { cashBoxId, accessToken: token ?? '' }
    setText((await callAsTill(till, { method: 'GET', path })).text)
  }
  const { mayWrite } = useRole()
  const needed = mayWrite
    ? t.operations.missing(t.onboard.rights.ReadWrite)
    : t.why.role(t.company.roles.Member)
  const why = token === null ? `${t.cashBox.token}: ${needed}` : undefined
  return (
    <section>
      <div className="head">
        <h2>{t.change.configuration}</h2>
        <WorkButton
          why={why}
          work={() => load(publicAddressOf('downloadConfiguration', { path: { cashBoxId } }))}
        >
          {t.common.show}
        </WorkButton>
        <WorkButton
          why={why}
          work={() => load(publicAddressOf('downloadConfigurationByHeader', {}))}
        >
          {t.parts.older}
        </WorkButton>
      </div>
      {text !== undefined && <pre role="status">{text}</pre>}
    </section>
  )
}
