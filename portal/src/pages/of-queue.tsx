// A page about one register: looked up by the id of its address, with the way back.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { Loaded } from '../ui/list.js'
import { Empty } from '../ui/states.js'

export type Queue = Result<'listAllQueues'>['items'][number]

interface Props {
  title: string
  lead: string
  children(queue: Queue): ReactNode
}

export function OfQueue({ title, lead, children }: Props) {
  const t = useText()
  const { queueId = '' } = useParams()
  const found = useQuery({
    queryKey: ['listAllQueues', 'one', queueId],
    queryFn: () => call('listAllQueues', { query: { search: queueId, limit: 1 } }),
  })
  return (
    <>
      <p>
        <Link to={`/queues/${queueId}`}>← {t.register.title}</Link>
      </p>
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      <Loaded query={found}>
        {({ items: [queue] }) =>
          queue === undefined ? <Empty title={t.common.nothingFound} /> : children(queue)
        }
      </Loaded>
    </>
  )
}
