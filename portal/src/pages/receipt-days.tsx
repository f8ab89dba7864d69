// Receipts of a merchant per day, drawn small: whether today is a day like others.
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.js'
import { type Int64, share } from '../api/numbers.js'
import type { Result } from '../api/types.js'
import { useSpeech } from '../text/index.js'
import { Loaded } from '../ui/list.js'

type Day = Result<'listReceiptDays'>[number]
const DAYS = 30
const WEEK = 7
/** Of a day and its gap, and of the highest one. */
const WIDTH = 10
const HEIGHT = 60

export function ReceiptDays({ operatorId }: { operatorId: string }) {
  const { t } = useSpeech()
  const found = useQuery({
    queryKey: ['listReceiptDays', operatorId],
    queryFn: () =>
      call('listReceiptDays', { path: { posOperatorId: operatorId }, query: { days: DAYS } }),
  })
  return (
    <section>
      <h2>{t.days.title}</h2>
      <Loaded query={found}>{(days) => <Bars days={days} />}</Loaded>
    </section>
  )
}

/** Of the same day in the weeks before. */
function usualOf(days: readonly Day[]): bigint {
  const last = days.length - 1
  const same = days.filter((_, at) => at < last && (last - at) % WEEK === 0)
  const count = BigInt(same.length)
  if (count === 0n) return 0n
  const sum = same.reduce((all, { receipts }) => all + BigInt(receipts), 0n)
  return (sum + count / 2n) / count
}

function Bars({ days }: { days: readonly Day[] }) {
  const { t, language } = useSpeech()
  const text = (count: Int64) => BigInt(count).toLocaleString(language)
  const dayOf = ({ day }: Day) => new Date(`${day}T12:00`).toLocaleDateString(language)
  const most = days.reduce(
    (all, { receipts }) => (all < BigInt(receipts) ? BigInt(receipts) : all),
    1n,
  )
  const said = days.map((one) => `${dayOf(one)} ${text(one.receipts)}`)
  return (
    <>
      <svg
        className="bars"
        viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.days.all(said.join('; '))}
      >
        {days.map((one, at) => {
          const height = Math.max(1, share(one.receipts, most) * HEIGHT)
          return (
            <rect
              key={one.day}
              x={at * WIDTH}
              y={HEIGHT - height}
              width={WIDTH - 2}
              height={height}
            >
              <title>{said[at]}</title>
            </rect>
          )
        })}
      </svg>
      <p className="sub">{t.days.today(text(days.at(-1)?.receipts ?? 0n), text(usualOf(days)))}</p>
    </>
  )
}
