// What is wrong now, for whom, by when, and the one thing to do about it.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, linkOf } from '../api/client.js'
import { numberIn } from '../api/numbers.js'
import { useRole } from '../api/session.js'
import type { Input, Result } from '../api/types.js'
import { useSpeech, useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { WorkButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { Choice, Clear, Tick, useFilters } from '../ui/filters.js'
import { Field, Form, Select } from '../ui/form.js'
import { List } from '../ui/list.js'
import { Day, Moment, relative } from '../ui/time.js'
import { useToast } from '../ui/toast.js'
import { placeOf } from './problem-place.js'

type Problem = Result<'listProblems'>['items'][number]
type Query = NonNullable<Input<'listProblems'>['query']>
const LIMIT = 50

export function Page() {
  const t = useText()
  const filters = useFilters()
  const [snoozing, setSnoozing] = useState<readonly Problem[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const kind = filters.get('kind')
  const severity = filters.get('severity')
  const operatorId = filters.get('operatorId')
  const query = {
    limit: LIMIT,
    ...filters.given('after', 'sort'),
    ...(operatorId === '' ? {} : { operatorId }),
    ...(kind === '' ? {} : { kind: kind as NonNullable<Query['kind']> }),
    ...(severity === '' ? {} : { severity: numberIn(severity) }),
    ...(filters.get('snoozed') === 'true' ? { snoozed: true } : {}),
  }
  const list = useQuery({
    queryKey: ['listProblems', query],
    queryFn: () => call('listProblems', { query }),
    placeholderData: (before) => before,
  })
  // a row that has gone meanwhile is chosen no more
  const picked = (list.data?.items ?? []).filter(({ id }) => chosen.has(id))
  const counts = useQuery({ queryKey: ['countProblems'], queryFn: () => call('countProblems', {}) })
  const ofLevel = (level: number) =>
    (counts.data ?? []).reduce((sum, one) => sum + (one.severity === level ? one.count : 0), 0)
  const kinds = [...new Set((counts.data ?? []).map((one) => one.kind))]
  return (
    <>
      <div className="head">
        <h1>{t.problems.title}</h1>
        <a className="button" href={linkOf('problemTable', {})} download>
          {t.common.download}
        </a>
      </div>
      <div className="filters">
        <Choice
          filters={filters}
          name="severity"
          label={t.problems.severityName}
          options={[3, 2, 1].map((level) => [
            String(level),
            `${t.problems.severity(level)} (${ofLevel(level)})`,
          ])}
        />
        <Choice
          filters={filters}
          name="kind"
          label={t.problems.kind}
          options={kinds.map((one) => [one, t.wire.kinds[one]])}
        />
        <Tick filters={filters} name="snoozed" label={t.problems.snoozed} />
        <Clear filters={filters} />
        <SnoozeAll rows={picked} onSnooze={setSnoozing} />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.problems.title}
        usual="-severity"
        selection={{ chosen, set: setChosen }}
        columns={useColumns((one) => setSnoozing([one]))}
        keyOf={({ id }) => id}
        nothing={t.problems.nothing}
        begin={<AllWell />}
      />
      {snoozing.length > 0 && (
        <Snooze
          problems={snoozing}
          onClose={() => setSnoozing([])}
          onDone={() => setChosen(new Set())}
        />
      )}
    </>
  )
}

/** Silence is believed when it says when it was looked. */
function AllWell() {
  const { t, language } = useSpeech()
  const detectors = useQuery({
    queryKey: ['listDetectors'],
    queryFn: () => call('listDetectors', {}),
  })
  return (
    <>
      {t.problems.looked}
      <ul className="checks">
        {(detectors.data ?? []).map(({ kind, text, ranAt }) => (
          <li key={kind}>
            {text} <b>{ranAt === null ? t.ago.never : relative(new Date(ranAt), language)}</b>
          </li>
        ))}
      </ul>
    </>
  )
}

const MARKS = ['', '#', '##', '###']

function useColumns(onSnooze: (one: Problem) => void): Column<Problem>[] {
  const t = useText()
  return [
    {
      title: t.problems.severityName,
      sort: 'severity',
      cell: ({ severity }) => (
        <span className={`severity state ${severity === 3 ? 'bad' : severity === 2 ? 'wait' : ''}`}>
          {MARKS[severity]} {t.problems.severity(severity)}
        </span>
      ),
    },
    {
      title: t.problems.what,
      cell: ({ text, action, snoozedUntil }) => (
        <>
          {text}
          <span className="sub">{action}</span>
          {snoozedUntil !== null && (
            <span className="sub">
              {t.problems.snooze}: <Day at={snoozedUntil} />
            </span>
          )}
        </>
      ),
    },
    {
      title: t.problems.where,
      cell: ({ operatorId, operatorName }) => (
        <Link to={`/operators/${operatorId}`}>{operatorName}</Link>
      ),
    },
    {
      title: t.common.since,
      sort: 'since',
      cell: ({ since }) => <Moment at={since} />,
    },
    {
      title: t.problems.due,
      sort: 'due',
      cell: ({ due }) => <Day at={due} />,
    },
    {
      title: t.problems.do,
      cell: (row) => (
        <span className="filters">
          <Link className="button primary" to={placeOf(row)}>
            {t.common.show}
          </Link>
          <PutOff row={row} onSnooze={onSnooze} />
        </span>
      ),
    },
  ]
}

function PutOff({ row, onSnooze }: { row: Problem; onSnooze(one: Problem): void }) {
  const t = useText()
  const why = useWhy('problem', row.id)('snoozeProblem')
  return (
    <WorkButton opens="dialog" why={why} shortcut="s" work={async () => onSnooze(row)}>
      {t.problems.snooze}
    </WorkButton>
  )
}

interface AllProps {
  rows: readonly Problem[]
  onSnooze(rows: readonly Problem[]): void
}

/** Those that are chosen (`x`). */
function SnoozeAll({ rows, onSnooze }: AllProps) {
  const t = useText()
  const { mayWrite } = useRole()
  if (rows.length === 0) return null
  const why = mayWrite ? undefined : t.why.role(t.company.roles.Member)
  return (
    <WorkButton opens="dialog" why={why} work={async () => onSnooze(rows)}>
      {t.problems.snoozeAll(String(rows.length))}
    </WorkButton>
  )
}

const DAY_MS = 86_400_000

interface SnoozeProps {
  problems: readonly Problem[]
  onClose(): void
  onDone(): void
}

function Snooze({ problems, onClose, onDone }: SnoozeProps) {
  const t = useText()
  const client = useQueryClient()
  const toast = useToast()
  const put = async (until: string | null, reason: string | null) => {
    for (const { id } of problems) {
      await call('snoozeProblem', { path: { id }, body: { until, reason } })
    }
    await client.invalidateQueries({ queryKey: ['listProblems'] })
    await client.invalidateQueries({ queryKey: ['countProblems'] })
  }
  const send = async ({ days = '1', reason = '' }: Record<string, string>) => {
    await put(new Date(Date.now() + numberIn(days) * DAY_MS).toISOString(), reason)
    onDone()
    onClose()
    toast({ text: t.common.done, undo: () => put(null, null) })
  }
  return (
    <Dialog title={t.problems.snooze} onClose={onClose}>
      {problems.map(({ id, text, operatorName }) => (
        <p key={id}>
          {text} <span className="sub">{operatorName}</span>
        </p>
      ))}
      <Form
        submit={t.problems.snooze}
        send={send}
        more={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        {(faults) => (
          <>
            <Select
              label={t.problems.until}
              name="days"
              options={[
                ['1', t.problems.day],
                ['7', t.problems.week],
                ['30', t.problems.month],
              ]}
            />
            <Field label={t.problems.reason} name="reason" faults={faults} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
