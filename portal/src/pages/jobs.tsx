// Long work of all merchants, the newest first: how far it is, what came of it, calling it off.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call, linkOf } from '../api/client.js'
import { share } from '../api/numbers.js'
import type { Result } from '../api/types.js'
import { useSpeech, useText } from '../text/index.js'
import { WorkButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { Choice, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'

type Job = Result<'listJobs'>['items'][number]
const LIMIT = 50
const STATES = ['queued', 'running', 'interrupted', 'succeeded', 'failed', 'canceled'] as const
export const INSPECTION = 'inspection'

export function Page() {
  const t = useText()
  const filters = useFilters()
  const client = useQueryClient()
  const state = STATES.find((one) => one === filters.get('state'))
  const query = {
    limit: LIMIT,
    ...filters.given('after', 'sort'),
    ...(state === undefined ? {} : { state }),
  }
  const list = useQuery({
    queryKey: ['listJobs', query],
    queryFn: () => call('listJobs', { query }),
    refetchInterval: ({ state: { data } }) => nextLook(data?.items),
  })
  const cancel = async ({ id }: Job) => {
    await call('cancelJob', { path: { id } })
    await client.invalidateQueries({ queryKey: ['listJobs'] })
  }
  const kindOf = ({ kind }: Job) => (kind === INSPECTION ? t.jobs.inspection : kind)
  const columns: Column<Job>[] = [
    { title: t.jobs.kind, cell: (job) => <Link to={`/jobs/${job.id}`}>{kindOf(job)}</Link> },
    {
      title: t.common.merchant,
      cell: ({ operatorId, operatorName }) => (
        <Link to={`/operators/${operatorId}`}>{operatorName}</Link>
      ),
    },
    { title: t.jobs.asked, sort: 'createdAt', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { title: t.jobs.state, cell: (job) => <JobState job={job} /> },
    {
      title: t.jobs.act,
      cell: (job) => {
        if (isOpen(job)) return <WorkButton work={() => cancel(job)}>{t.jobs.cancel}</WorkButton>
        if (job.kind !== INSPECTION || job.state !== 'succeeded') return null
        const file = linkOf('getInspectionContent', { path: { id: job.id } })
        return <a href={file}>{t.jobs.download}</a>
      },
    },
  ]
  return (
    <>
      <h1>{t.jobs.title}</h1>
      <p className="lead">{t.jobs.lead}</p>
      <div className="filters">
        <Choice
          filters={filters}
          name="state"
          label={t.jobs.state}
          options={STATES.map((one) => [one, t.jobs.states[one]])}
        />
        <Link to="/exports">{t.jobs.ask}</Link>
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.jobs.title}
        columns={columns}
        usual="-createdAt"
        keyOf={({ id }) => id}
        openAt={({ id }) => `/jobs/${id}`}
        nothing={t.jobs.nothing}
      />
    </>
  )
}

export const isOpen = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'queued' || state === 'running' || state === 'interrupted'

const LOOK_MS = 4_000

/** Whoever dies at it tells nobody: what is shown as running is looked at until it has ended. */
export const nextLook = (jobs: readonly Pick<Job, 'state'>[] = []): number | false =>
  jobs.some(({ state }) => state === 'running' || state === 'interrupted') && LOOK_MS

const LOOKS: Partial<Record<Job['state'], string>> = {
  succeeded: 'good',
  failed: 'bad',
  interrupted: 'wait',
}

type Shown = 'state' | 'done' | 'total' | 'phase' | 'error' | 'interruptedAt' | 'resumedAt'

export function JobState({ job }: { job: Pick<Job, Shown> }) {
  const t = useText()
  const { state, done, total, phase, error } = job
  const said = (
    <>
      <span className={`state ${LOOKS[state] ?? ''}`}>{t.jobs.states[state]}</span>
      <Interruption {...job} />
    </>
  )
  if (state === 'failed') {
    return (
      <>
        {said} <span className="sub">{textOf(error)}</span>
      </>
    )
  }
  if (!isOpen(job)) return said
  const phases: Partial<Record<string, string>> = t.wire.phases
  const phaseOf = (name: string) => phases[name] ?? name
  return (
    <>
      {said} {phase !== null && <span className="sub">{phaseOf(phase)}</span>}
      {total !== null && (
        <progress
          max={1}
          value={share(done, total)}
          aria-label={`${t.jobs.states[state]}: ${done} / ${total}`}
        />
      )}
    </>
  )
}

/** The last time that whoever did it was lost, and when another one went on. */
function Interruption({
  state,
  interruptedAt,
  resumedAt,
}: Pick<Job, 'state' | 'interruptedAt' | 'resumedAt'>) {
  const { t, language } = useSpeech()
  if (interruptedAt === null) return null
  const time = (at: string) =>
    new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' })
  const isLost = state === 'interrupted' || resumedAt === null
  const text = isLost
    ? t.jobs.lost(time(interruptedAt))
    : t.jobs.resumed(time(interruptedAt), time(resumedAt))
  return <span className="sub">{text}</span>
}

const textOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'text' in error ? String(error.text) : ''
