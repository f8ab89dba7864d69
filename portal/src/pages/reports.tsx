// What authorities are to be told, by when: for registers, units and places of all merchants.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { Choice, useFilters } from '../ui/filters.js'
import { Field, Form } from '../ui/form.js'
import { List } from '../ui/list.js'
import { Day } from '../ui/time.js'
import { useToast } from '../ui/toast.js'

export type Report = Result<'listSubmissions'>['items'][number]
const LIMIT = 50
const STATES = ['planned', 'ready', 'manual', 'ignored', 'superseded'] as const

export function Page() {
  const t = useText()
  const filters = useFilters()
  const state = STATES.find((one) => one === filters.get('state'))
  const query = {
    limit: LIMIT,
    ...filters.given('after', 'sort', 'operatorId'),
    ...(state === undefined ? { open: true } : { state }),
  }
  const list = useQuery({
    queryKey: ['listSubmissions', query],
    queryFn: () => call('listSubmissions', { query }),
  })
  return (
    <>
      <h1>{t.reports.title}</h1>
      <p className="lead">{t.reports.lead}</p>
      <div className="filters">
        <Choice
          filters={filters}
          name="state"
          label={t.common.state}
          none={t.reports.open}
          options={STATES.map((one) => [one, t.reports.states[one]])}
        />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.reports.title}
        columns={useReportColumns()}
        usual="due"
        keyOf={({ id }) => id}
        nothing={t.reports.nothing}
      />
    </>
  )
}

/** Of one register, on its page. */
export function ReportTable({ rows }: { rows: readonly Report[] }) {
  const t = useText()
  const columns = useReportColumns()
  return (
    <DataTable caption={t.reports.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
  )
}

const LOOKS = { planned: 'wait', ready: 'wait', manual: 'good', ignored: '', superseded: '' }

function useReportColumns(): Column<Report>[] {
  const t = useText()
  return [
    {
      title: t.reports.what,
      cell: ({ title, action, note }) => (
        <>
          {title}
          <span className="sub">{action}</span>
          {note !== null && <span className="sub">{note}</span>}
        </>
      ),
    },
    {
      title: t.problems.where,
      cell: ({ operatorId, operatorName, queueId, cashBoxIdentification }) => (
        <>
          <Link to={`/operators/${operatorId}`}>{operatorName}</Link>
          {queueId !== null && (
            <span className="sub">
              <Link to={`/queues/${queueId}/registration`}>{cashBoxIdentification}</Link>
            </span>
          )}
        </>
      ),
    },
    {
      title: t.common.state,
      cell: ({ state, doneOn, reference }) => (
        <>
          <span className={`state ${LOOKS[state]}`}>{t.reports.states[state]}</span>
          <span className="sub">{[doneOn, reference].filter(Boolean).join(' · ')}</span>
        </>
      ),
    },
    { title: t.reports.due, sort: 'due', cell: ({ due }) => <Day at={due} /> },
    { title: t.problems.do, cell: (row) => <Do row={row} /> },
  ]
}

type Asking = 'mark' | 'ignore' | undefined

function Do({ row }: { row: Report }) {
  const t = useText()
  const client = useQueryClient()
  const toast = useToast()
  const why = useWhy('submission', row.id)
  const [asking, setAsking] = useState<Asking>()
  const path = { id: row.id }
  const fresh = async () => {
    for (const key of ['listSubmissions', 'getRegistration', 'listActions']) {
      await client.invalidateQueries({ queryKey: [key] })
    }
  }
  const reopen = async () => {
    await call('reopenSubmission', { path })
    await fresh()
  }
  const send = async ({
    doneOn = '',
    reference = '',
    note = '',
    reason = '',
  }: Record<string, string>) => {
    if (asking === 'ignore') await call('ignoreSubmission', { path, body: { reason } })
    else await call('markSubmission', { path, body: { doneOn, reference, note } })
    await fresh()
    setAsking(undefined)
    toast({ text: t.common.done, undo: reopen })
  }
  if (row.state === 'superseded') return null
  if (row.state === 'manual' || row.state === 'ignored') {
    return (
      <WorkButton why={why('reopenSubmission')} work={reopen}>
        {t.reports.reopen}
      </WorkButton>
    )
  }
  return (
    <span className="filters">
      <WorkButton opens="dialog" why={why('markSubmission')} work={async () => setAsking('mark')}>
        {t.reports.mark}
      </WorkButton>
      <WorkButton
        opens="dialog"
        why={why('ignoreSubmission')}
        work={async () => setAsking('ignore')}
      >
        {t.reports.ignore}
      </WorkButton>
      {asking !== undefined && (
        <Dialog title={row.title} onClose={() => setAsking(undefined)}>
          <Form
            submit={asking === 'mark' ? t.reports.mark : t.reports.ignore}
            send={send}
            more={
              <button type="button" onClick={() => setAsking(undefined)}>
                {t.common.cancel}
              </button>
            }
          >
            {(faults) =>
              asking === 'ignore' ? (
                <Field label={t.reports.why} name="reason" faults={faults} autoFocus />
              ) : (
                <>
                  <Field label={t.reports.doneOn} name="doneOn" type="date" faults={faults} />
                  <Field label={t.reports.protocol} name="reference" faults={faults} />
                  <Field label={t.reports.note} name="note" faults={faults} />
                </>
              )
            }
          </Form>
        </Dialog>
      )}
    </span>
  )
}
