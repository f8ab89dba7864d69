// One Queue as a part of a configuration, and what it is registered by.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { WorkButton } from '../ui/buttons.js'
import { Facts } from '../ui/facts.js'
import { Loaded } from '../ui/list.js'
import { useUnits } from './unit-in-list.js'

interface QueuePath {
  posOperatorId: string
  queueId: string
}

export function Page() {
  const t = useText()
  const { operatorId = '', queueId = '' } = useParams()
  const path = { posOperatorId: operatorId, queueId }
  // dates of a Queue are told where TSEs are
  const hasDates = useUnits()
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}/parts`}>← {t.parts.title}</Link>
      </p>
      <div className="head">
        <h1>{t.queues.register}</h1>
        <Link className="button" to={`/queues/${queueId}`}>
          {t.queues.receipts}
        </Link>
      </div>
      {hasDates ? <Dated path={path} /> : <p className="mono">{queueId}</p>}
      <Registered path={path} />
    </>
  )
}

function Dated({ path }: { path: QueuePath }) {
  const found = useQuery({
    queryKey: ['getQueue', path.queueId],
    queryFn: () => call('getQueue', { path }),
  })
  return <Loaded query={found}>{(queue) => <Facts of={queue} />}</Loaded>
}

function Registered({ path }: { path: QueuePath }) {
  const t = useText()
  const why = useWhy('queue', path.queueId)('showQueueRegistration')
  const [told, setTold] = useState<Result<'showQueueRegistration'>>()
  const show = async () => setTold(await call('showQueueRegistration', { path }))
  return (
    <section>
      <div className="head">
        <h2>{t.parts.registered}</h2>
        <WorkButton work={show} why={why}>
          {t.common.show}
        </WorkButton>
      </div>
      <p className="lead">{t.parts.registeredText}</p>
      {told !== undefined && (
        <div role="status">
          <Facts of={told} leave={['queueId', 'cashBoxId']} />
        </div>
      )}
    </section>
  )
}
