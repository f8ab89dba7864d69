// One merchant: who it is, its outlets, CashBoxes and registers.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { useRole } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { Disabled } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { Field, Form } from '../ui/form.js'
import { List } from '../ui/list.js'
import { ErrorNote, Loading } from '../ui/states.js'
import { queueAt, useQueueColumns } from './queue-table.js'

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  const path = { posOperatorId: operatorId }
  const operator = useQuery({
    queryKey: ['getPosOperator', operatorId],
    queryFn: () => call('getPosOperator', { path }),
  })
  if (operator.isPending) return <Loading />
  if (operator.error !== null) {
    return <ErrorNote error={operator.error} again={() => void operator.refetch()} />
  }
  const { name, line1, postalCode, city, country, eMailAddress, identifiers } = operator.data
  const known = Object.entries(identifiers).filter(([, value]) => value !== null && value !== '')
  return (
    <>
      <p>
        <Link to="/operators">← {t.merchants.back}</Link>
      </p>
      <h1>{name}</h1>
      <p className="lead">
        {line1}, {postalCode} {city}, {country} · {eMailAddress}
        {known.map(([key, value]) => ` · ${key} ${String(value)}`)}
      </p>
      <p className="filters">
        <Link className="button" to={`/operators/${operatorId}/look`}>
          {t.look.title}
        </Link>
        <Link className="button" to={`/reports?operatorId=${operatorId}`}>
          {t.reports.title}
        </Link>
        <Link className="button" to={`/exports?operatorId=${operatorId}`}>
          {t.exports.title}
        </Link>
        <Link className="button" to={`/operators/${operatorId}/privacy`}>
          {t.privacy.title}
        </Link>
      </p>
      <Registers operatorId={operatorId} />
      <Outlets operatorId={operatorId} country={country} />
      <CashBoxes operatorId={operatorId} />
    </>
  )
}

function Registers({ operatorId }: { operatorId: string }) {
  const t = useText()
  const query = { operatorId, limit: 50 }
  const list = useQuery({
    queryKey: ['listAllQueues', query],
    queryFn: () => call('listAllQueues', { query }),
  })
  return (
    <section>
      <div className="head">
        <h2>{t.merchants.registers}</h2>
        <Link className="button" to={`/queues?operatorId=${operatorId}`}>
          {t.common.all}
        </Link>
      </div>
      <List
        query={list}
        caption={t.queues.title}
        columns={useQueueColumns()}
        keyOf={({ id }) => id}
        openAt={queueAt}
        nothing={t.queues.nothing}
      />
    </section>
  )
}

type OutletRow = Result<'listOutlets'>[number]

function Outlets({ operatorId, country }: { operatorId: string; country: string }) {
  const t = useText()
  const { mayWrite } = useRole()
  const [isAdding, setAdding] = useState(false)
  const path = { posOperatorId: operatorId }
  const list = useQuery({
    queryKey: ['listOutlets', operatorId],
    queryFn: () => call('listOutlets', { path }),
  })
  const columns: Column<OutletRow>[] = [
    { title: t.merchants.number, cell: ({ outletNumber }) => outletNumber, isNumber: true },
    { title: t.common.name, cell: ({ name }) => name },
    {
      title: t.merchants.place,
      cell: ({ address, postalCode, city }) => `${address}, ${postalCode} ${city}`,
    },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.merchants.outlets}</h2>
        {mayWrite ? (
          <button type="button" onClick={() => setAdding(true)}>
            {t.merchants.addOutlet}
          </button>
        ) : (
          <Disabled why={t.why.role(t.company.roles.Member)}>{t.merchants.addOutlet}</Disabled>
        )}
      </div>
      {list.isPending && <Loading />}
      {list.error !== null && <ErrorNote error={list.error} again={() => void list.refetch()} />}
      {list.data !== undefined && (
        <DataTable
          caption={t.merchants.outlets}
          columns={columns}
          rows={list.data}
          keyOf={({ id }) => id}
        />
      )}
      {isAdding && (
        <AddOutlet operatorId={operatorId} country={country} onClose={() => setAdding(false)} />
      )}
    </section>
  )
}

interface AddProps {
  operatorId: string
  country: string
  onClose(): void
}

function AddOutlet({ operatorId, country, onClose }: AddProps) {
  const t = useText()
  const client = useQueryClient()
  const send = async (values: Record<string, string>) => {
    const { number = '', name = '', address = '', postalCode = '', city = '' } = values
    await call('createOutlet', {
      path: { posOperatorId: operatorId },
      body: {
        ...{ name, address, postalCode, city, country: values.country ?? country },
        ...(number === '' ? {} : { outletNumber: Number(number) }),
      },
    })
    await client.invalidateQueries({ queryKey: ['listOutlets', operatorId] })
    onClose()
  }
  return (
    <Dialog title={t.merchants.addOutlet} onClose={onClose}>
      <Form
        submit={t.common.add}
        send={send}
        more={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        {(faults) => (
          <>
            <Field label={t.common.name} name="name" faults={faults} autoFocus />
            <Field label={t.merchants.address} name="address" faults={faults} />
            <Field label={t.merchants.postcode} name="postalCode" faults={faults} />
            <Field label={t.merchants.city} name="city" faults={faults} />
            <Field label={t.merchants.country} name="country" value={country} faults={faults} />
            <Field label={t.merchants.number} name="number" inputMode="numeric" faults={faults} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

type Box = Result<'listCashBoxes'>[number]

function CashBoxes({ operatorId }: { operatorId: string }) {
  const t = useText()
  const list = useQuery({
    queryKey: ['listCashBoxes', operatorId],
    queryFn: () => call('listCashBoxes', { path: { posOperatorId: operatorId } }),
  })
  const columns: Column<Box>[] = [
    {
      title: t.cashBox.title,
      cell: ({ cashBoxId, description }) => (
        <>
          <Link to={`/operators/${operatorId}/cashboxes/${cashBoxId}`}>
            {description === '' ? cashBoxId : description}
          </Link>
          <span className="sub mono">{cashBoxId}</span>
        </>
      ),
    },
    { title: t.common.outlet, cell: ({ outletNumber }) => outletNumber, isNumber: true },
  ]
  return (
    <section>
      <h2>{t.merchants.cashBoxes}</h2>
      {list.isPending && <Loading />}
      {list.error !== null && <ErrorNote error={list.error} again={() => void list.refetch()} />}
      {list.data !== undefined && (
        <DataTable
          caption={t.merchants.cashBoxes}
          columns={columns}
          rows={list.data}
          keyOf={({ cashBoxId }) => cashBoxId}
          openAt={({ cashBoxId }) => `/operators/${operatorId}/cashboxes/${cashBoxId}`}
        />
      )}
    </section>
  )
}
