// The five steps of changing a unit as the server has seen them, and the receipt that comes next.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import { useText } from '../text/index.js'
import { CopyButton } from '../ui/buttons.js'
import { Moment } from '../ui/time.js'
import { sampleOf } from './lab-samples.js'
import type { Queue } from './of-queue.js'

/** Bits of the mode of a unit: it is left, it is gone to. */
const SOURCE = 0x1_0000
const TARGET = 0x2_0000
/** The action journal. */
const ACTIONS = '1'
const EPOCH_TICKS = 621_355_968_000_000_000n
const TICKS_PER_MS = 10_000n
/** A register tells of its receipts in no event that everybody gets. */
const LOOK_MS = 5_000
const SAMPLES = [undefined, undefined, 'daily', 'initiate', 'finish'] as const

interface Action {
  Type?: string
  Moment?: string
}

/** When each step was seen; null: not yet. */
type Seen = readonly (string | null)[]

const ticksOf = (moment: string): string =>
  String(BigInt(Date.parse(moment)) * TICKS_PER_MS + EPOCH_TICKS)

function useSeen({ id, operatorId, cashBoxId, market }: Queue): Seen {
  const box = useQuery({
    queryKey: ['listAllCashBoxes', 'switch', cashBoxId],
    enabled: cashBoxId !== null,
    refetchInterval: LOOK_MS,
    queryFn: () => call('listAllCashBoxes', { query: { cashBoxId: cashBoxId ?? '', limit: 1 } }),
  })
  const units = useQuery({
    queryKey: ['listAllScus', 'switch', operatorId],
    queryFn: () => call('listAllScus', { query: { operatorId, market, limit: 200 } }),
  })
  const published = box.data?.items[0]?.publishedAt ?? null
  const actions = useQuery({
    queryKey: ['exportQueueJournal', id, published],
    enabled: published !== null,
    refetchInterval: LOOK_MS,
    queryFn: async () => {
      const query = { type: ACTIONS, from: ticksOf(published ?? '') }
      const path = { posOperatorId: operatorId, queueId: id }
      return (await call('exportQueueJournal', { path, query })) as Action[]
    },
  })
  const isPrepared = (units.data?.items ?? []).some(({ mode, cashBoxIds }) => {
    const isOfBox = cashBoxId !== null && cashBoxIds.includes(cashBoxId)
    return isOfBox && (mode & (SOURCE | TARGET)) !== 0
  })
  const rows = actions.data ?? []
  const finished = momentOf(rows, 'FinishSCUSwitch')
  const initiated = momentOf(rows, 'InitiateSCUSwitch') ?? finished
  const closed = momentOf(rows, 'DailyClosing', CLOSING) ?? initiated
  const fetched = box.data?.items[0]?.fetched === true ? published : closed
  return [isPrepared || finished !== null ? published : null, fetched, closed, initiated, finished]
}

/** Daily closings are told by the case word of their receipt. */
const CLOSING = /^4445(0000|2000)0[08]00(0007|2011)/

function momentOf(rows: readonly Action[], word: string, pattern?: RegExp): string | null {
  const found = rows.findLast(
    ({ Type = '' }) => Type.includes(word) || pattern?.test(Type) === true,
  )
  return found?.Moment ?? null
}

export function Steps({ queue }: { queue: Queue }) {
  const t = useText()
  const seen = useSeen(queue)
  const at = seen[0] === null ? -1 : seen.indexOf(null)
  const { cashBoxId, operatorId } = queue
  const sample = SAMPLES[at]
  return (
    <section aria-live="polite">
      <h2>{t.switch.progress}</h2>
      <ol>
        {t.switch.steps.map((step, index) => (
          <li key={step} aria-current={index === at ? 'step' : undefined}>
            {step}{' '}
            {seen[index] != null && (
              <span className="state good">
                ✓ {t.switch.seen} <Moment at={seen[index]} />
              </span>
            )}
            {index === at && <span className="state wait">{t.switch.waiting}</span>}
          </li>
        ))}
      </ol>
      {sample !== undefined && (
        <>
          <h3>{t.switch.send}</h3>
          <pre>{sampleOf(sample)}</pre>
          <p className="filters">
            <CopyButton text={sampleOf(sample)} />
            {cashBoxId !== null && (
              <Link
                className="button"
                to={`/lab?cashBoxId=${cashBoxId}&operatorId=${operatorId}&sample=${sample}`}
              >
                {t.register.lab}
              </Link>
            )}
          </p>
        </>
      )}
      {cashBoxId !== null && sample === undefined && (
        <p>
          <Link to={`/lab?cashBoxId=${cashBoxId}&operatorId=${operatorId}`}>{t.switch.lab}</Link>
        </p>
      )}
    </section>
  )
}
