// One rollout plan: found in the list, or by the number that somebody was given.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.js'
import { useText } from '../text/index.js'
import { Facts } from '../ui/facts.js'
import type { Filters } from '../ui/filters.js'
import { Field, Form } from '../ui/form.js'
import { Loaded } from '../ui/list.js'
import { Allowed } from './allowed.js'
import { Produce } from './rollout-forms.js'

/** Number and id of what is shown stand in the address. */
export function PlanSearch({ filters }: { filters: Filters }) {
  const t = useText()
  const [number, id] = [filters.get('plan'), filters.get('planId')]
  const [isUsed, setUsed] = useState(false)
  const found = useQuery({
    queryKey: ['rolloutPlan', number, id],
    enabled: number !== '' || id !== '',
    queryFn: () =>
      number === ''
        ? call('getRolloutPlan', { path: { id } })
        : call('getRolloutPlanByNumber', { path: { number }, query: { skipAllowList: true } }),
  })
  return (
    <>
      <Form
        submit={t.rollout.find}
        send={async ({ plan = '' }) => {
          filters.set('planId', '')
          filters.set('plan', plan.trim())
        }}
      >
        {() => <Field label={t.parts.planNumber} name="plan" value={number} />}
      </Form>
      {(number !== '' || id !== '') && (
        <Loaded query={found}>
          {(plan) => (
            <div role="status">
              <div className="head">
                <h3>{plan.title}</h3>
                <Allowed label={t.rollout.produce} onOpen={() => setUsed(true)} />
              </div>
              <Facts of={plan} leave={['title', 'imageUrl']} />
              {isUsed && <Produce plan={plan} onClose={() => setUsed(false)} />}
            </div>
          )}
        </Loaded>
      )}
    </>
  )
}
