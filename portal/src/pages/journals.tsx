// The journals of one register, as its middleware gives them: to be fetched, whatever has become of it.
import { useState } from 'react'
import { linkOf } from '../api/client.js'
import { useText } from '../text/index.js'
import { useFilters } from '../ui/filters.js'
import { OfQueue } from './of-queue.js'

/** Type of the journal, its name, and what it may be fetched as. */
type Row = readonly [type: string, name: string, formats: readonly string[]]
const TABLES = ['json', 'csv', 'xml']
const LEGAL: Readonly<Record<string, readonly Row[]>> = {
  AT: [
    ['0x4154000000000001', 'DEP7', []],
    ['0x4154000000000131', 'DEP131', ['json', 'csv']],
    ['0x4154', 'ftJournalAT', TABLES],
  ],
  DE: [
    ['0x4445000000000001', 'TAR', []],
    ['0x4445000000000002', 'DSFinV-K', []],
    ['0x4445', 'ftJournalDE', TABLES],
  ],
  FR: [['0x4652', 'ftJournalFR', TABLES]],
  IT: [['0x4954200000001001', 'RT', []]],
  PT: [['0x5054200000001001', 'SAF-T (PT)', []]],
}

const EPOCH_TICKS = 621_355_968_000_000_000n
const TICKS_PER_MS = 10_000n
const DAY_MS = 86_400_000

const ticksOf = (ms: number): string => String(BigInt(ms) * TICKS_PER_MS + EPOCH_TICKS)

export function Page() {
  const t = useText()
  return (
    <OfQueue title={t.journals.title} lead={t.journals.lead}>
      {(queue) => <Journals {...queue} queueId={queue.id} />}
    </OfQueue>
  )
}

interface Props {
  operatorId: string
  queueId: string
  market: string
}

function Journals({ operatorId, queueId, market }: Props) {
  const t = useText()
  const filters = useFilters()
  const [from, to] = [filters.get('from'), filters.get('to')]
  const range = {
    ...(from === '' ? {} : { from: ticksOf(Date.parse(from) - 1) }),
    ...(to === '' ? {} : { to: ticksOf(Date.parse(to) + DAY_MS - 1) }),
  }
  const rows: readonly Row[] = [
    ...(LEGAL[market] ?? []),
    ['1', t.journals.actions, TABLES],
    ['2', t.journals.receipts, TABLES],
    ['3', t.journals.items, TABLES],
  ]
  const path = { posOperatorId: operatorId, queueId }
  const link = (type: string, format: string | undefined) =>
    linkOf('exportQueueJournal', { path, query: { type, ...range, format } })
  return (
    <>
      <div className="filters">
        {(['from', 'to'] as const).map((name) => (
          <label key={name}>
            {t.journals[name]}
            <input
              type="date"
              value={filters.get(name)}
              onChange={(event) => filters.set(name, event.target.value)}
            />
          </label>
        ))}
        <Now onDay={(day) => filters.set('from', day)} />
      </div>
      <ul className="checks">
        {rows.map(([type, name, formats]) => (
          <li key={type}>
            <strong className={name.startsWith('ftJournal') ? 'mono' : undefined}>{name}</strong>{' '}
            <span className="mono sub">{type}</span>
            <span className="filters">
              {(formats.length === 0 ? [undefined] : formats).map((format) => (
                <a
                  key={format ?? ''}
                  className="button"
                  href={link(type, format)}
                  download={`${name}.${format ?? 'json'}`}
                >
                  {format?.toUpperCase() ?? t.jobs.download}
                </a>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Now({ onDay }: { onDay(day: string): void }) {
  const t = useText()
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  return (
    <button type="button" onClick={() => onDay(today)}>
      {t.journals.today}
    </button>
  )
}
