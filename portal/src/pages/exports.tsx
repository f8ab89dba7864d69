// What auditors get: inspection bundles with their progress, and the backups of finished months.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, linkOf } from '../api/client.js'
import { type Int64, thousandsOf } from '../api/numbers.js'
import { useRole } from '../api/session.js'
import type { Input, Result } from '../api/types.js'
import { LANGUAGE_NAMES, LANGUAGES, useSpeech, useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { Disabled } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { type Filters, Tick, useFilters } from '../ui/filters.js'
import { Field, Form, Select } from '../ui/form.js'
import { List, Loaded } from '../ui/list.js'
import { Day } from '../ui/time.js'
import { Links } from './inspection-links.js'
import { JobState, nextLook } from './jobs.js'
import { useMerchants } from './merchants.js'

const LIMIT = 20
const FIRST = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z', language: 'en' }

export function Page() {
  const t = useText()
  const filters = useFilters()
  return (
    <>
      <h1>{t.exports.title}</h1>
      <p className="lead">{t.exports.lead}</p>
      <Bundles operatorId={filters.get('operatorId')} />
      <Backups filters={filters} />
    </>
  )
}

type Bundle = Result<'listInspections'>['items'][number]

function Bundles({ operatorId }: { operatorId: string }) {
  const { t, language } = useSpeech()
  const { mayWrite } = useRole()
  const [isAsking, setAsking] = useState(false)
  const query = { limit: LIMIT, ...(operatorId === '' ? {} : { operatorId }) }
  const list = useQuery({
    queryKey: ['listInspections', query],
    queryFn: () => call('listInspections', { query }),
    refetchInterval: ({ state: { data } }) => nextLook(data?.items.map(({ job }) => job)),
  })
  const columns: Column<Bundle>[] = [
    { title: t.exports.period, cell: (row) => <Period wish={row.wish} /> },
    {
      title: t.common.merchant,
      cell: ({ operatorId: id, job }) => <Link to={`/operators/${id}`}>{job.operatorName}</Link>,
    },
    { title: t.common.state, cell: ({ job }) => <JobState job={job} /> },
    {
      title: t.exports.findings,
      cell: ({ findings }) =>
        findings === null ? null : (
          <span className={`state ${findings === 0 ? 'good' : 'bad'}`}>
            {findings === 0 ? t.exports.sound : t.exports.found(findings)}
          </span>
        ),
    },
    {
      title: t.exports.size,
      cell: ({ bytes }) => (bytes === null ? '' : sizeText(bytes, language)),
      isNumber: true,
    },
    { title: t.problems.do, cell: (row) => <Do row={row} /> },
  ]
  const ask = mayWrite ? (
    <button
      type="button"
      className="primary"
      aria-haspopup="dialog"
      onClick={() => setAsking(true)}
    >
      {t.exports.ask}
    </button>
  ) : (
    <Disabled why={t.why.role(t.company.roles.Member)}>{t.exports.ask}</Disabled>
  )
  return (
    <section>
      <div className="head">
        <h2>{t.exports.bundles}</h2>
        {ask}
      </div>
      <List
        query={list}
        caption={t.exports.bundles}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.exports.nothing}
        first={{ id: 'askInspection', body: FIRST }}
      />
      {isAsking && <Ask operatorId={operatorId} onClose={() => setAsking(false)} />}
    </section>
  )
}

export function sizeText(bytes: Int64 | number, language: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const { value, power } = thousandsOf(bytes, units.length)
  const unit = units[power] ?? 'byte'
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, format).format(value)
}

function Period({ wish }: { wish: unknown }) {
  const { language } = useSpeech()
  const { from, to } = Object(wish) as { from?: string; to?: string }
  if (from === undefined || to === undefined) return null
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  return <>{format.formatRange(new Date(from), new Date(Date.parse(to) - 1))}</>
}

function Do({ row }: { row: Bundle }) {
  const t = useText()
  const why = useWhy('inspection', row.id)
  if (row.job.state !== 'succeeded') return null
  const path = { id: row.id }
  return (
    <span className="filters">
      <a className="button" href={linkOf('getInspectionContent', { path })} download>
        {t.jobs.download}
      </a>
      <Links id={row.id} why={why('linkInspection')} />
      {row.expiresAt !== null && (
        <span className="sub">
          {t.exports.ends}: <Day at={row.expiresAt} />
        </span>
      )}
    </span>
  )
}

const dayText = (date: Date): string => {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** First day, and the first day behind it. */
function periodsOf(now: Date) {
  const [year, month] = [now.getFullYear(), now.getMonth()]
  const quarter = month - (month % 3)
  const from = (y: number, m: number, last: Date) =>
    [dayText(new Date(y, m)), dayText(last)] as const
  return {
    month: from(year, month - 1, new Date(year, month)),
    quarter: from(year, quarter - 3, new Date(year, quarter)),
    year: from(year, 0, new Date(year + 1, 0)),
    former: from(year - 1, 0, new Date(year, 0)),
  }
}

type Include = NonNullable<Input<'askInspection'>['body']['include']>[number]
const USUAL: readonly Include[] = ['legal', 'journals', 'configurations', 'masterData']

function Ask({ operatorId, onClose }: { operatorId: string; onClose(): void }) {
  const { t, language } = useSpeech()
  const client = useQueryClient()
  const [[from, to], setPeriod] = useState(periodsOf(new Date()).year)
  const periods = periodsOf(new Date())
  const operators = useMerchants()
  const send = async (values: Record<string, string>) => {
    const { keys, language: wished, operator = '' } = values
    await call('askInspection', {
      body: {
        ...(operator === '' ? {} : { posOperatorId: operator }),
        ...{ from: new Date(`${from}T00:00`).toISOString() },
        ...{ to: new Date(`${to}T00:00`).toISOString() },
        include: keys === undefined ? [...USUAL] : [...USUAL, 'keys'],
        language: LANGUAGES.find((one) => one === wished) ?? 'en',
      },
    })
    await client.invalidateQueries({ queryKey: ['listInspections'] })
    onClose()
  }
  return (
    <Dialog title={t.exports.ask} onClose={onClose}>
      <Loaded query={operators}>
        {({ items }) => (
          <Form
            submit={t.exports.ask}
            send={send}
            more={
              <button type="button" onClick={onClose}>
                {t.common.cancel}
              </button>
            }
          >
            {() => (
              <>
                <Select
                  label={t.common.merchant}
                  name="operator"
                  value={operatorId}
                  options={items.map(({ id, name }) => [id, name])}
                />
                <p className="filters">
                  {(Object.keys(periods) as (keyof typeof periods)[]).map((one) => (
                    <button key={one} type="button" onClick={() => setPeriod(periods[one])}>
                      {t.exports.periods[one]}
                    </button>
                  ))}
                </p>
                <div className="grid">
                  <DayField
                    label={t.exports.from}
                    day={from}
                    onDay={(day) => setPeriod([day, to])}
                  />
                  <DayField label={t.exports.to} day={to} onDay={(day) => setPeriod([from, day])} />
                </div>
                <Select
                  label={t.exports.language}
                  name="language"
                  value={language}
                  options={LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]])}
                />
                <Field
                  label={t.exports.keys}
                  name="keys"
                  type="checkbox"
                  value="true"
                  hint={t.exports.keysText}
                />
              </>
            )}
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

function DayField({ label, day, onDay }: { label: string; day: string; onDay(day: string): void }) {
  return (
    <label className="field">
      <span>{label}</span>
      <input type="date" value={day} onChange={(event) => onDay(event.target.value)} />
    </label>
  )
}

type Backup = Result<'listBackups'>['items'][number]

function Backups({ filters }: { filters: Filters }) {
  const { t, language } = useSpeech()
  const after = filters.get('after')
  const operatorId = filters.get('operatorId')
  const query = {
    limit: LIMIT,
    ...(after === '' ? {} : { after }),
    ...(operatorId === '' ? {} : { operatorId }),
    ...(filters.get('findings') === 'true' ? { findings: true } : {}),
  }
  const list = useQuery({
    queryKey: ['listBackups', query],
    queryFn: () => call('listBackups', { query }),
  })
  const columns: Column<Backup>[] = [
    {
      title: t.exports.period2,
      cell: ({ period, id, object }) => (
        <>
          <Link to={`/backups/${id}`}>{period}</Link>
          {object !== null && (
            <span className="sub">
              <a href={linkOf('getBackupContent', { path: { id } })} download>
                {t.jobs.download}
              </a>
            </span>
          )}
        </>
      ),
    },
    {
      title: t.queues.register,
      cell: ({ queueId, identification, operatorName }) => (
        <>
          <Link to={`/queues/${queueId}`}>{identification}</Link>
          <span className="sub">{operatorName}</span>
        </>
      ),
    },
    {
      title: t.exports.receipts,
      cell: ({ receipts }) =>
        receipts === 0 ? t.exports.empty : receipts.toLocaleString(language),
      isNumber: true,
    },
    {
      title: t.exports.findings,
      cell: ({ findings, object }) =>
        object === null ? null : (
          <span className={`state ${findings === 0 ? 'good' : 'bad'}`}>
            {findings === 0 ? t.exports.sound : t.exports.found(findings)}
          </span>
        ),
    },
    {
      title: t.exports.proof,
      cell: ({ sha256, bytes }) =>
        sha256 === null ? null : (
          <>
            <span className="mono sub">{sha256}</span>
            {sizeText(bytes, language)}
          </>
        ),
    },
    { title: t.exports.kept, cell: ({ storedAt }) => <Day at={storedAt} /> },
  ]
  return (
    <section>
      <h2>{t.exports.backups}</h2>
      <div className="filters">
        <Tick filters={filters} name="findings" label={t.exports.onlyFindings} />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.exports.backups}
        columns={columns}
        keyOf={({ id }) => id}
        openAt={({ id }) => `/backups/${id}`}
        nothing={t.exports.noBackups}
      />
    </section>
  )
}
