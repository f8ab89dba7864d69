// What one looks for first at a merchant: how much there is, what is wrong, what is due next, and
// whether its finished months are kept.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import { useSpeech, useText } from '../text/index.js'
import { Loaded } from '../ui/list.js'
import { Day, Moment } from '../ui/time.js'
import { ReceiptDays } from './receipt-days.js'

/** Of what is due: the next ones. */
const SHOWN = 3

export function Overview({ operatorId }: { operatorId: string }) {
  return (
    <div className="grid">
      <Amounts operatorId={operatorId} />
      <ReceiptDays operatorId={operatorId} />
      <Due operatorId={operatorId} />
      <Kept operatorId={operatorId} />
    </div>
  )
}

function Amounts({ operatorId }: { operatorId: string }) {
  const { t, language } = useSpeech()
  const query = { search: operatorId, limit: 1 }
  const found = useQuery({
    queryKey: ['listOperators', query],
    queryFn: () => call('listOperators', { query }),
  })
  const text = (count: number) => count.toLocaleString(language)
  return (
    <Loaded query={found}>
      {({ items: [merchant] }) =>
        merchant === undefined ? null : (
          <dl className="facts">
            <dt>{t.problems.title}</dt>
            <dd>
              <Link
                to={`/?operatorId=${operatorId}`}
                className={`state ${merchant.problems === 0 ? 'good' : merchant.severity === 3 ? 'bad' : 'wait'}`}
              >
                {text(merchant.problems)}
              </Link>
            </dd>
            <dt>{t.merchants.outlets}</dt>
            <dd>{text(merchant.outlets)}</dd>
            <dt>{t.merchants.cashBoxes}</dt>
            <dd>{text(merchant.cashBoxes)}</dd>
            <dt>{t.merchants.registers}</dt>
            <dd>{text(merchant.queues)}</dd>
            <dt>{t.queues.last}</dt>
            <dd>
              <Moment at={merchant.lastReceipt} />
            </dd>
            <dt>{t.merchants.right}</dt>
            <dd>{t.merchant.rights[merchant.right] ?? merchant.right}</dd>
          </dl>
        )
      }
    </Loaded>
  )
}

function Part({ title, to, children }: { title: string; to: string; children: ReactNode }) {
  return (
    <section>
      <h2>
        <Link to={to}>{title}</Link>
      </h2>
      {children}
    </section>
  )
}

function Due({ operatorId }: { operatorId: string }) {
  const t = useText()
  const query = { operatorId, open: true, sort: 'due', limit: SHOWN } as const
  const found = useQuery({
    queryKey: ['listSubmissions', query],
    queryFn: () => call('listSubmissions', { query }),
  })
  return (
    <Part title={t.reports.title} to={`/reports?operatorId=${operatorId}`}>
      <Loaded query={found}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="lead">{t.reports.nothing}</p>
          ) : (
            <ul>
              {items.map(({ id, title, due }) => (
                <li key={id}>
                  {title} <Day at={due} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Part>
  )
}

function Kept({ operatorId }: { operatorId: string }) {
  const t = useText()
  const query = { operatorId, limit: 1 }
  const found = useQuery({
    queryKey: ['listBackups', query],
    queryFn: () => call('listBackups', { query }),
  })
  return (
    <Part title={t.exports.backups} to={`/exports?operatorId=${operatorId}`}>
      <Loaded query={found}>
        {({ items: [newest] }) =>
          newest === undefined ? (
            <p className="lead">{t.common.none}</p>
          ) : (
            <p>
              <Link to={`/backups/${newest.id}`}>{newest.period}</Link>{' '}
              <span className="sub">
                <Moment at={newest.storedAt} />
              </span>
            </p>
          )
        }
      </Loaded>
    </Part>
  )
}
