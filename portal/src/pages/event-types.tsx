// What can be told: every type of event, with an example.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import type { EventType } from '../api/types.js'
import { type Sentence, useEventTexts, useText } from '../text/index.js'
import { List } from '../ui/list.js'

/** Its name, and what it says; in English by the document of the interface. */
function What({ type, says }: { type: EventType; says: Sentence }) {
  const t = useText()
  return (
    <>
      {t.wire.events[type]}
      <span className="sub" lang={says.lang}>
        {says.text}
      </span>
    </>
  )
}

export function Page() {
  const t = useText()
  const says = useEventTexts()
  const list = useQuery({
    queryKey: ['listEventTypes'],
    queryFn: () => call('listEventTypes', {}),
    select: (items) => ({ items }),
  })
  return (
    <>
      <p>
        <Link to="/events">← {t.events.title}</Link>
      </p>
      <h1>{t.webhook.kinds}</h1>
      <List
        query={list}
        caption={t.webhook.kinds}
        columns={[
          { title: t.events.type, cell: ({ type }) => <code className="whole">{type}</code> },
          {
            title: t.problems.what,
            cell: ({ type, text }) => <What type={type} says={says(type, text)} />,
          },
          {
            title: t.events.data,
            cell: ({ example }) => (
              <span className="mono sub example">{JSON.stringify(Object(example).data)}</span>
            ),
          },
        ]}
        keyOf={({ type }) => type}
        nothing={t.events.nothing}
      />
    </>
  )
}
