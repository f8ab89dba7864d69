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

export function Page() {
  const t = useText()
  const { operatorId = '', queueId = '' } = useParams()
  const path = { posOperatorId: operatorId, queueId }
  const found = useQuery({
    queryKey: ['getQueue', queueId],
    queryFn: () => call('getQueue', { path }),
  })
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}/parts`}>← {t.parts.title}</Link>
      </p>
      <Loaded query={found}>
        {(queue) => (
          <>
            <div className="head">
              <h1>{queue.description || t.queues.register}</h1>
              <Link className="button" to={`/queues/${queueId}`}>
                {t.queues.register}
              </Link>
              {queue.cashBoxId !== null && (
                <Link
                  className="button"
                  to={`/operators/${operatorId}/cashboxes/${queue.cashBoxId}`}
                >
                  {t.cashBox.title}
                </Link>
              )}
            </div>
            <Facts of={queue} leave={['description']} />
            <Registered path={path} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Registered({ path }: { path: { posOperatorId: string; queueId: string } }) {
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
