// One event of the stream, as programs and webhooks get it.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { int64In } from '../api/numbers.js'
import type { EventType } from '../api/types.js'
import { useText } from '../text/index.js'
import { CopyButton } from '../ui/buttons.js'
import { Facts } from '../ui/facts.js'
import { Loaded } from '../ui/list.js'

export function Page() {
  const t = useText()
  const { seq = '' } = useParams()
  const found = useQuery({
    queryKey: ['getEvent', seq],
    queryFn: () => call('getEvent', { path: { seq: int64In(seq) } }),
  })
  return (
    <>
      <p>
        <Link to="/events">← {t.events.title}</Link>
      </p>
      <Loaded isPage query={found}>
        {(event) => (
          <>
            <div className="head">
              <h1>{t.wire.events[event.type as EventType] ?? t.events.redacted}</h1>
              <CopyButton text={JSON.stringify(event)} />
            </div>
            <Facts of={event} leave={['specversion', 'datacontenttype']} />
          </>
        )}
      </Loaded>
    </>
  )
}
