// Registers as they stand, wherever a page shows them.
import { Link } from 'react-router'
import type { Result } from '../api/types.js'
import { useSpeech } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { Moment } from '../ui/time.js'

type Queue = Result<'listAllQueues'>['items'][number]

export const queueAt = ({ id }: Queue): string => `/queues/${id}`

export function useQueueColumns(): Column<Queue>[] {
  const { t, language } = useSpeech()
  return [
    {
      title: t.queues.register,
      cell: ({ id, cashBoxIdentification, description }) => (
        <>
          <Link to={`/queues/${id}`}>{cashBoxIdentification}</Link>
          <span className="sub">{description === '' ? id : description}</span>
        </>
      ),
    },
    {
      title: t.common.merchant,
      cell: ({ operatorId, operatorName, outletNumber, market }) => (
        <>
          <Link to={`/operators/${operatorId}`}>{operatorName}</Link>
          <span className="sub">
            {market}
            {outletNumber === null ? '' : ` · ${t.common.outlet} ${outletNumber}`}
          </span>
        </>
      ),
    },
    {
      title: t.common.state,
      cell: ({ state, outage }) => (
        <>
          <span className={`state ${outage !== null ? 'bad' : state === 'active' ? 'good' : ''}`}>
            {t.queues.states[state]}
          </span>
          {outage !== null && (
            <span className="sub state bad">
              {t.queues.outage}: <Moment at={outage.since} />
            </span>
          )}
        </>
      ),
    },
    { title: t.queues.last, cell: ({ lastReceipt }) => <Moment at={lastReceipt} /> },
    {
      title: t.queues.receipts,
      cell: ({ receipts }) => BigInt(receipts).toLocaleString(language),
      isNumber: true,
    },
  ]
}
