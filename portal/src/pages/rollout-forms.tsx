// Using a template and a rollout plan: for a merchant, tried first.

import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../api/client.js'
import { numberIn } from '../api/numbers.js'
import { useSession } from '../api/session.js'
import { useText } from '../text/index.js'
import { BodyField } from '../ui/body-field.js'
import { WorkButton } from '../ui/buttons.js'
import { Dialog } from '../ui/dialog.js'
import { Field, Form, Select } from '../ui/form.js'
import { Loaded } from '../ui/list.js'
import { useToast } from '../ui/toast.js'
import { useMerchants } from './merchants.js'
import type { Plan, Template } from './rollout.js'

/** CashBoxes at once. */
const MOST = 50

/** Chosen instead of a merchant: the company itself, by its two addresses. */
const OWN: ReadonlySet<string> = new Set(['executeOwnTemplate', 'executeOwnTemplateV1'])

function execute(chosen: string, { outlet, body }: { outlet: number; body: string }) {
  const query = { outlet_number: outlet }
  if (chosen === 'executeOwnTemplate') return call('executeOwnTemplate', { query, body })
  if (chosen === 'executeOwnTemplateV1') return call('executeOwnTemplateV1', { query, body })
  return call('executeTemplate', { path: { posOperatorId: chosen }, query, body })
}

export function Execute({ template, onClose }: { template: Template; onClose(): void }) {
  const t = useText()
  const navigate = useNavigate()
  const toast = useToast()
  const merchants = useMerchants()
  const { account } = useSession()
  const [body, setBody] = useState(template.content)
  const [params] = useSearchParams()
  const operatorId = params.get('operatorId') ?? ''
  const [to, setTo] = useState({ operator: operatorId, outlet: '1', count: '1' })
  const chosen = to.operator || (merchants.data?.items[0]?.id ?? '')
  const attempt = async () => {
    const query = { outlet_number: to.outlet }
    const wish = OWN.has(chosen)
      ? { operationId: chosen, path: {}, query, body }
      : { operationId: 'executeTemplate', path: { posOperatorId: chosen }, query, body }
    const { allowed, text } = await call('tryAction', { body: wish })
    toast({ text: allowed ? t.rollout.fits : (text ?? ''), isFault: !allowed })
  }
  const send = async () => {
    const count = Math.min(MOST, Math.max(1, numberIn(to.count) || 1))
    let last = ''
    for (let index = 0; index < count; index += 1) {
      last = (await execute(chosen, { outlet: numberIn(to.outlet), body })).cashBoxId
    }
    toast({ text: count === 1 ? t.rollout.made : t.change.made(String(count)) })
    const owner = OWN.has(chosen) ? (account?.accountId ?? '') : chosen
    await navigate(`/operators/${owner}/cashboxes/${last}`)
  }
  return (
    <Dialog title={template.name} onClose={onClose}>
      <Loaded query={merchants}>
        {({ items }) => (
          <Form
            submit={t.rollout.execute}
            send={send}
            more={
              <>
                <WorkButton work={attempt}>{t.rollout.try}</WorkButton>
                <button type="button" onClick={onClose}>
                  {t.common.cancel}
                </button>
              </>
            }
          >
            {() => (
              <>
                <label className="field">
                  <span>{t.rollout.market}</span>
                  <select
                    value={chosen}
                    onChange={(event) => setTo({ ...to, operator: event.target.value })}
                  >
                    {items.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                    <option value="executeOwnTemplate">{t.parts.ownAccount}</option>
                    <option value="executeOwnTemplateV1">{t.parts.ownPlain}</option>
                  </select>
                </label>
                <label className="field">
                  <span>{t.rollout.outlet}</span>
                  <input
                    inputMode="numeric"
                    value={to.outlet}
                    onChange={(event) => setTo({ ...to, outlet: event.target.value })}
                  />
                </label>
                <label className="field">
                  <span>{t.change.count}</span>
                  <input
                    type="number"
                    min={1}
                    max={MOST}
                    value={to.count}
                    onChange={(event) => setTo({ ...to, count: event.target.value })}
                  />
                </label>
                <BodyField label={t.rollout.body} value={body} onChange={setBody} />
              </>
            )}
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

export function Produce({ plan, onClose }: { plan: Plan; onClose(): void }) {
  const t = useText()
  const navigate = useNavigate()
  const toast = useToast()
  const merchants = useMerchants()
  const isOutlet = plan.rolloutType === 'Outlet'
  const send = async ({ operator = '', numbers = '' }: Record<string, string>) => {
    const path = { posOperatorId: operator }
    const targets = numbers.split(/[\s,]+/).filter((one) => one !== '')
    const rolloutPlanNumber = plan.number
    const { orderNumber } = isOutlet
      ? await call('produceOutlets', {
          path,
          body: { rolloutPlanNumber, outletNumbers: targets.map(numberIn) },
        })
      : await call('produceQueues', { path, body: { rolloutPlanNumber, queueIds: targets } })
    onClose()
    toast({ text: t.rollout.ordered })
    await navigate(`/rollout?order=${encodeURIComponent(orderNumber)}`)
  }
  return (
    <Dialog title={plan.title} onClose={onClose}>
      <Loaded query={merchants}>
        {({ items }) => (
          <Form
            submit={t.rollout.produce}
            send={send}
            more={
              <button type="button" onClick={onClose}>
                {t.common.cancel}
              </button>
            }
          >
            {(faults) => (
              <>
                <Select
                  label={t.rollout.market}
                  name="operator"
                  options={items.map(({ id, name }) => [id, name])}
                />
                <Field
                  label={isOutlet ? t.rollout.numbers : t.change.queueIds}
                  name="numbers"
                  faults={faults}
                />
              </>
            )}
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}
