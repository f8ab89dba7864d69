// Making many registers: templates, rollout plans, what is left of entitlements, and how far an order
// is.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useSpeech, useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { type Filters, useFilters } from '../ui/filters.js'
import { Field, Form } from '../ui/form.js'
import { List, Loaded } from '../ui/list.js'
import { Allowed } from './allowed.js'
import { Execute, Produce } from './rollout-forms.js'
import { PlanSearch } from './rollout-plan.js'

export type Template = Result<'listTemplates'>[number]
export type Plan = Result<'listRolloutPlans'>[number]
type Entitlement = Result<'listEntitlements'>[number]

export function Page() {
  const t = useText()
  const filters = useFilters()
  return (
    <>
      <h1>{t.rollout.title}</h1>
      <Templates operatorId={filters.get('operatorId')} />
      <Plans filters={filters} />
      <Entitlements />
      <Orders filters={filters} />
    </>
  )
}

/** The server gives them whole. */
const asPage = <T,>(items: readonly T[]) => ({ items })

/** For a merchant: asked below it, as a template is used below it. */
function Templates({ operatorId }: { operatorId: string }) {
  const t = useText()
  const [used, setUsed] = useState<Template>()
  const list = useQuery({
    queryKey: ['listTemplates', operatorId],
    queryFn: () =>
      operatorId === ''
        ? call('listTemplates', {})
        : call('listTemplatesForOperator', { path: { posOperatorId: operatorId } }),
    select: asPage,
  })
  const columns: Column<Template>[] = [
    {
      title: t.common.name,
      cell: ({ name, description }) => (
        <>
          {name}
          <span className="sub">{description}</span>
        </>
      ),
    },
    { title: t.common.market, cell: ({ market }) => market },
    { title: t.rollout.owner, cell: ({ ownerName }) => ownerName },
    {
      title: t.problems.do,
      cell: (row) => <Allowed label={t.rollout.use} onOpen={() => setUsed(row)} />,
    },
  ]
  return (
    <section>
      <h2>{t.rollout.templates}</h2>
      <List
        query={list}
        caption={t.rollout.templates}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.rollout.noTemplates}
      />
      {used !== undefined && <Execute template={used} onClose={() => setUsed(undefined)} />}
    </section>
  )
}

function Plans({ filters }: { filters: Filters }) {
  const t = useText()
  const [used, setUsed] = useState<Plan>()
  const list = useQuery({
    queryKey: ['listRolloutPlans'],
    queryFn: () => call('listRolloutPlans', {}),
    select: asPage,
  })
  const columns: Column<Plan>[] = [
    {
      title: t.common.name,
      cell: ({ id, title, description, number }) => (
        <>
          <Link to={`/rollout?planId=${id}`}>{title}</Link>{' '}
          <span className="mono sub">{number}</span>
          <span className="sub">{description}</span>
        </>
      ),
    },
    { title: t.problems.kind, cell: ({ rolloutType }) => t.wire.plans[rolloutType] },
    {
      title: t.problems.do,
      cell: (row) => (
        <Allowed
          label={row.rolloutType === 'Outlet' ? t.rollout.produce : t.change.forQueues}
          onOpen={() => setUsed(row)}
        />
      ),
    },
  ]
  return (
    <section>
      <h2>{t.rollout.plans}</h2>
      <List
        query={list}
        caption={t.rollout.plans}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.rollout.noPlans}
      />
      <PlanSearch filters={filters} />
      {used !== undefined && <Produce plan={used} onClose={() => setUsed(undefined)} />}
    </section>
  )
}

function Entitlements() {
  const { t, language } = useSpeech()
  const list = useQuery({
    queryKey: ['listEntitlements'],
    queryFn: () => call('listEntitlements', {}),
    select: asPage,
  })
  const text = (count: number) => count.toLocaleString(language)
  const columns: Column<Entitlement>[] = [
    { title: t.common.name, cell: ({ name }) => name },
    {
      title: t.rollout.left,
      cell: ({ remainingTerms, totalTerms }) => (
        <span className={remainingTerms === 0 ? 'state bad' : undefined}>
          {t.rollout.of(text(remainingTerms), text(totalTerms))}
        </span>
      ),
      isNumber: true,
    },
  ]
  return (
    <section>
      <h2>{t.rollout.entitlements}</h2>
      <List
        query={list}
        caption={t.rollout.entitlements}
        columns={columns}
        keyOf={({ name }) => name}
        nothing={t.rollout.noEntitlements}
      />
    </section>
  )
}

type Order = Result<'getOrder'>

function Orders({ filters }: { filters: Filters }) {
  const t = useText()
  const number = filters.get('order')
  const order = useQuery({
    queryKey: ['getOrder', number],
    enabled: number !== '',
    queryFn: () => call('getOrder', { path: { ordernumber: number } }),
  })
  return (
    <section>
      <h2>{t.rollout.order}</h2>
      <Form
        submit={t.rollout.find}
        send={async ({ order: wanted = '' }) => filters.set('order', wanted.trim())}
      >
        {() => <Field label={t.rollout.orderNumber} name="order" value={number} />}
      </Form>
      {number !== '' && <Loaded query={order}>{(found) => <Shown order={found} />}</Loaded>}
    </section>
  )
}

function Shown({ order }: { order: Order }) {
  const t = useText()
  return (
    <ul>
      {order.subscriptions.map((one) => (
        <li key={one.salesOrderDetailId}>
          {t.common.outlet} {one.outletnumber}:{' '}
          {one.relatedCashboxID === null ? (
            <span className="state wait">{t.rollout.waits}</span>
          ) : (
            <Link to={`/operators/${one.operatorId}/cashboxes/${one.relatedCashboxID}`}>
              {one.relatedCashboxID}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
