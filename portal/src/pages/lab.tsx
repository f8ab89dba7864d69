// The lab of a sandbox: be a cash register, and let its signing units fail. Every call is the one of a
// register, with the credentials of its CashBox.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import { useSession } from '../api/session.js'
import { callAsTill, type Till, type TillAnswer } from '../api/till.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { BodyField } from '../ui/body-field.js'
import { WorkButton } from '../ui/buttons.js'
import { type Filters, SearchField, useFilters } from '../ui/filters.js'
import { List, Loaded } from '../ui/list.js'
import { Empty } from '../ui/states.js'
import { Answered } from './lab-answer.js'
import { OtherCalls, type Signed } from './lab-calls.js'
import { Faults } from './lab-faults.js'
import { isSample, sampleOf, USUAL } from './lab-samples.js'

type Box = Result<'listAllCashBoxes'>['items'][number]
const LIMIT = 20

export function Page() {
  const t = useText()
  const { environment } = useSession()
  const filters = useFilters()
  return (
    <>
      <h1>{t.lab.title}</h1>
      <p className="lead">{t.lab.lead}</p>
      {environment !== 'sandbox' ? (
        <Empty title={t.lab.production} />
      ) : filters.get('cashBoxId') === '' ? (
        <Choose filters={filters} />
      ) : (
        <Bench filters={filters} />
      )}
    </>
  )
}

function Choose({ filters }: { filters: Filters }) {
  const t = useText()
  const search = filters.get('search')
  const query = { limit: LIMIT, ...(search === '' ? {} : { search }) }
  const list = useQuery({
    queryKey: ['listAllCashBoxes', query],
    queryFn: () => call('listAllCashBoxes', { query }),
  })
  const to = ({ id, operatorId }: Box) => `/lab?cashBoxId=${id}&operatorId=${operatorId}`
  return (
    <>
      <h2>{t.lab.choose}</h2>
      <div className="filters">
        <SearchField filters={filters} label={t.common.search} />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.lab.cashBox}
        columns={[
          {
            title: t.lab.cashBox,
            cell: (box) => (
              <>
                <Link to={to(box)}>{box.description === '' ? box.id : box.description}</Link>
                <span className="sub mono">{box.id}</span>
              </>
            ),
          },
          { title: t.common.merchant, cell: ({ operatorName }) => operatorName },
          { title: t.common.market, cell: ({ market }) => market },
        ]}
        keyOf={({ id }) => id}
        openAt={to}
        nothing={t.cashBoxes.nothing}
      />
    </>
  )
}

function Bench({ filters }: { filters: Filters }) {
  const t = useText()
  const cashBoxId = filters.get('cashBoxId')
  const path = { posOperatorId: filters.get('operatorId'), cashBoxId }
  const box = useQuery({
    queryKey: ['getCashBox', cashBoxId],
    queryFn: () => call('getCashBox', { path }),
  })
  return (
    <Loaded query={box}>
      {({ cashBox, accessToken, queues, signatureCreationUnits }) => (
        <>
          <p className="lead">
            <Link to={`/operators/${path.posOperatorId}/cashboxes/${cashBoxId}`}>
              {cashBox.description === '' ? cashBoxId : cashBox.description}
            </Link>{' '}
            · <Link to="/lab">{t.common.change}</Link>
          </p>
          {accessToken === null ? (
            <Empty title={t.common.notAllowed}>{t.lab.noToken}</Empty>
          ) : (
            <div className="grid">
              <Test
                till={{ cashBoxId, accessToken }}
                queueId={queues[0]?.id ?? ''}
                receipt={filters.get('receipt')}
                begin={filters.get('sample')}
              />
              <Faults
                till={{ cashBoxId, accessToken }}
                units={signatureCreationUnits.map(({ id, description }) => ({ id, description }))}
              />
            </div>
          )}
        </>
      )}
    </Loaded>
  )
}

interface TestProps {
  till: Till
  queueId: string
  /** Queue and id of one to begin with. */
  receipt: string
  /** Which of the samples to begin with. */
  begin: string
}

function Test({ till, queueId, receipt, begin }: TestProps) {
  const t = useText()
  const [from, id] = receipt.split('/')
  const former = useQuery({
    queryKey: ['getReceipt', from, id],
    enabled: id !== undefined,
    queryFn: () => call('getReceipt', { path: { queueId: from ?? '', receiptId: id ?? '' } }),
  })
  const [typed, setTyped] = useState<string>()
  const [answer, setAnswer] = useState<TillAnswer>()
  const [signed, setSigned] = useState<Signed>()
  const [echo] = useState(() => JSON.stringify({ Message: 'hello' }))
  const [sample] = useState(() => sampleOf(isSample(begin) ? begin : 'sale'))
  const body = typed ?? former.data?.request ?? sample
  const send = async (path: string, text: string, headers: Record<string, string> = {}) => {
    setAnswer(undefined)
    const told = await callAsTill(till, { path, body: text, headers })
    setAnswer(told)
    const isSigned = path === '/v2/sign' && headers['x-dry-run'] === undefined && told.status < 400
    if (isSigned) setSigned({ request: text, answer: told.text })
    // a register that was started sells
    if (begin === 'start' && typed === undefined && isSigned) setTyped(sampleOf('sale'))
  }
  return (
    <section>
      <h2>{t.lab.test}</h2>
      <p className="filters">
        {t.lab.samples}
        {USUAL.map((one) => (
          <button key={one} type="button" onClick={() => setTyped(sampleOf(one))}>
            {t.lab[one]}
          </button>
        ))}
      </p>
      <BodyField label={t.lab.body} value={body} onChange={setTyped} />
      <div className="actions">
        <WorkButton kind="primary" work={() => send('/v2/sign', body)}>
          {t.lab.sign}
        </WorkButton>
        <WorkButton work={() => send('/v2/sign', body, { 'x-dry-run': 'true' })}>
          {t.lab.dry}
        </WorkButton>
        <WorkButton work={() => send('/v2/echo', echo)}>{t.lab.echo}</WorkButton>
      </div>
      {answer !== undefined && <Answered answer={answer} queueId={queueId} />}
      <OtherCalls till={till} signed={signed} />
    </section>
  )
}
