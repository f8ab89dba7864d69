// Changing the signing unit of a register, in the five steps that it takes; those that the server has
// seen are ticked off by what it tells.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { Disabled } from '../ui/buttons.js'
import { Field, Form, Select } from '../ui/form.js'
import { Loaded } from '../ui/list.js'
import { Empty } from '../ui/states.js'
import { OfQueue, type Queue } from './of-queue.js'
import { Steps } from './switch-steps.js'

type Told = Result<'switchScu'>

export function Page() {
  const t = useText()
  return (
    <OfQueue title={t.switch.title} lead={t.switch.lead}>
      {(queue) => <Assistant queue={queue} />}
    </OfQueue>
  )
}

function Assistant({ queue }: { queue: Queue }) {
  const [told, setTold] = useState<Told>()
  return (
    <div className="grid">
      <section>
        <Choose queue={queue} onTold={setTold} />
        {told !== undefined && (
          <p className="note" role="status">
            {told.message}
          </p>
        )}
      </section>
      <Steps queue={queue} />
    </div>
  )
}

function Choose({ queue, onTold }: { queue: Queue; onTold(told: Told): void }) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('queue', queue.id)('switchScu')
  const { operatorId, market, id } = queue
  const query = { operatorId, market, limit: 200 }
  const units = useQuery({
    queryKey: ['listAllScus', query],
    queryFn: () => call('listAllScus', { query }),
  })
  const send = async ({ target = '', add }: Record<string, string>) => {
    onTold(
      await call('switchScu', {
        path: { posOperatorId: operatorId, queueId: id },
        body: {
          ...{ targetScuId: target, addToCashBox: add !== undefined },
          ...{ rebuild: true, triggerCloudRestart: false },
        },
      }),
    )
    for (const key of ['getCashBox', 'listAllScus', 'listAllCashBoxes', 'listActions']) {
      await client.invalidateQueries({ queryKey: [key] })
    }
  }
  return (
    <Loaded query={units}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title={t.switch.none} />
        ) : why !== undefined ? (
          <Disabled why={why}>{t.switch.go}</Disabled>
        ) : (
          <Form submit={t.switch.go} send={send}>
            {() => (
              <>
                <Select
                  label={t.switch.target}
                  name="target"
                  options={items.map((unit) => [unit.id, unit.description || unit.id])}
                />
                <Field label={t.switch.add} name="add" type="checkbox" value="true" />
              </>
            )}
          </Form>
        )
      }
    </Loaded>
  )
}
