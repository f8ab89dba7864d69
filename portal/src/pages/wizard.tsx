// A merchant with outlets and tills in five steps; the last one does all of it, call by call.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'
import { newId } from '../../../client/src/new-id.js'
import { ApiError, call } from '../api/client.js'
import { useRole } from '../api/session.js'
import { useText } from '../text/index.js'
import { WorkButton } from '../ui/buttons.js'
import { Loaded } from '../ui/list.js'
import { Empty, ErrorNote } from '../ui/states.js'
import { MailPreview } from './mail-preview.js'
import { RIGHTS } from './onboard.js'
import { Company, Labelled, type PartProps } from './wizard-company.js'
import { type Kept, useKeptWizard, useWizard, type WizardState } from './wizard-draft.js'
import {
  type Draft,
  outletLines,
  planned,
  runStep,
  type Step,
  scriptOf,
  tillCount,
} from './wizard-run.js'

const LAST = 4

export function Page() {
  const t = useText()
  const { mayWrite } = useRole()
  if (!mayWrite) {
    return (
      <Empty isPage title={t.common.notAllowed}>
        {t.why.role(t.company.roles.Member)}
      </Empty>
    )
  }
  return <Begun />
}

function Begun() {
  const t = useText()
  const found = useKeptWizard()
  return (
    <>
      <p>
        <Link to="/onboard">← {t.onboard.title}</Link>
      </p>
      <h1>{t.wizard.title}</h1>
      <p className="lead">{t.wizard.lead}</p>
      <Loaded query={found}>{(kept) => <Wizard kept={kept} />}</Loaded>
    </>
  )
}

function Wizard({ kept }: { kept: Kept }) {
  const t = useText()
  const wizard = useWizard(kept)
  const { at, draft, change, steps, market, set } = wizard
  const heading = useRef<HTMLHeadingElement>(null)
  const templates = useQuery({
    queryKey: ['listTemplates'],
    queryFn: () => call('listTemplates', {}),
  })
  const chosen = templates.data?.find(({ id }) => id === draft.template)
  const go = (to: number) => {
    // what is done stays done, also for somebody who goes back and mends something
    const isBegun = steps.some(({ state }) => state === 'done')
    set({ at: to, ...(to === LAST && !isBegun ? { steps: planned(draft) } : {}) })
    // whoever reads by ear, or uses keys, goes on at the top of the step
    heading.current?.focus()
  }
  const known = (templates.data ?? []).map(({ id, name }) => [id, name] as const)
  const body = [
    <Company key="company" draft={draft} change={change} market={market} />,
    <Outlets key="outlets" draft={draft} change={change} />,
    <Tills key="tills" draft={draft} change={change} known={known} />,
    <Right key="right" draft={draft} change={change} />,
    <Run key="run" wizard={wizard} content={chosen?.content ?? ''} />,
  ]
  return (
    <>
      <ol className="steps">
        {t.wizard.steps.map((name, index) => (
          <li
            key={name}
            className={index === at ? 'step now' : 'step'}
            aria-current={index === at ? 'step' : undefined}
          >
            {name}
          </li>
        ))}
      </ol>
      <div className="split wide">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (at < LAST) go(at + 1)
          }}
        >
          <h2 ref={heading} tabIndex={-1}>
            {t.wizard.steps[at]}
          </h2>
          {body[at]}
          <div className="actions">
            {at > 0 && (
              <button type="button" onClick={() => go(at - 1)}>
                {t.wizard.back}
              </button>
            )}
            {at < LAST && (
              <button type="submit" className="primary">
                {t.wizard.next}
              </button>
            )}
            {at < LAST && (
              <WorkButton kind="plain" work={wizard.anew}>
                {t.wizard.leave}
              </WorkButton>
            )}
          </div>
        </form>
        <What draft={draft} />
      </div>
    </>
  )
}

function mailOf({ company, right }: Draft) {
  const { name = '', email = '', firstName = '', lastName = '' } = company
  return {
    ...{ company: name, email, contact: `${firstName} ${lastName}`.trim() },
    ...{ accessRights: right as 'Full', variant: 'connected' as const },
  }
}

function What({ draft }: { draft: Draft }) {
  const t = useText()
  const outlets = outletLines(draft).length
  const tills = draft.template === '' ? 0 : tillCount(draft) * (outlets + 1)
  return (
    <aside>
      <h2>{t.wizard.what}</h2>
      <ul>
        <li>{t.wizard.company(draft.company.name || '…')}</li>
        {outlets > 0 && <li>{t.wizard.more(String(outlets))}</li>}
        {tills > 0 && <li>{t.wizard.tills(String(tills))}</li>}
      </ul>
      <p className="sub">{t.wizard.auto}</p>
      <MailPreview wish={() => mailOf(draft)} />
    </aside>
  )
}

function Outlets({ draft, change }: PartProps) {
  const t = useText()
  return (
    <>
      <p>{t.wizard.outletText}</p>
      <Labelled label={t.wizard.outlets}>
        <textarea
          name="outlets"
          className="low"
          spellCheck={false}
          value={draft.outlets}
          onChange={(event) => change({ outlets: event.target.value })}
        />
      </Labelled>
    </>
  )
}

function Tills({
  draft,
  change,
  known,
}: PartProps & { known: readonly (readonly [string, string])[] }) {
  const t = useText()
  if (known.length === 0) {
    return (
      <Empty title={t.wizard.noTemplate}>
        <Link to="/rollout">{t.rollout.title}</Link>
      </Empty>
    )
  }
  return (
    <>
      <Labelled label={t.wizard.template}>
        <select
          name="template"
          value={draft.template}
          onChange={(event) => change({ template: event.target.value })}
        >
          <option value="">{t.common.none}</option>
          {known.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label={t.wizard.count}>
        <input
          name="count"
          type="number"
          min={1}
          max={20}
          value={draft.count}
          onChange={(event) => change({ count: event.target.value })}
        />
      </Labelled>
    </>
  )
}

function Right({ draft, change }: PartProps) {
  const t = useText()
  return (
    <Labelled label={t.wizard.right}>
      <select
        name="right"
        value={draft.right}
        onChange={(event) => change({ right: event.target.value })}
      >
        {RIGHTS.filter((one) => one !== 'None').map((one) => (
          <option key={one} value={one}>
            {t.onboard.rights[one]}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** Its first till, which is to be started first. */
const labOf = ({ operatorId, cashBoxId }: WizardState['made']): string =>
  `/lab?cashBoxId=${cashBoxId}&operatorId=${operatorId}&sample=start`

const COLOURS = { waits: '', runs: 'wait', done: 'good', failed: 'bad' } as const

/** Whoever was answered may mend what was refused; without an answer it may have been done. */
const keyAfter = ({ key }: Step, error: unknown): string =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500) ? key : newId()

function Run({ wizard, content }: { wizard: WizardState; content: string }) {
  const t = useText()
  const client = useQueryClient()
  const { draft, steps, made, set, putStep, anew, saved } = wizard
  const { faults } = t.outletImport
  const run = async () => {
    let known = made
    // the keys are kept before anything is done under them
    await saved()
    for (const [index, step] of steps.entries()) {
      // what is done is not done again
      if (step.state === 'done') continue
      putStep(index, { state: 'runs', error: undefined })
      try {
        const { pin, ...more } = await runStep(step, { draft, content, made: known, faults })
        known = { ...known, ...more }
        set({ made: known })
        putStep(index, { state: 'done', ...(pin === undefined ? {} : { pin }) })
        await saved().catch(() => undefined)
      } catch (error) {
        putStep(index, { state: 'failed', error, key: keyAfter(step, error) })
        await saved().catch(() => undefined)
        return
      }
    }
    await client.invalidateQueries({ queryKey: ['listOperators'] })
  }
  const hasFailed = steps.some(({ state }) => state === 'failed')
  const isDone = steps.every(({ state }) => state === 'done')
  const script = `data:text/x-shellscript,${encodeURIComponent(scriptOf(draft, content))}`
  const titleOf = ({ kind, outlet }: Step) =>
    kind === 'till' ? t.wizard.till(String(outlet + 1)) : t.wizard.steps[kind === 'company' ? 0 : 1]
  return (
    <>
      <div role="status">
        <ol>
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps stay where they are
            <li key={index}>
              {titleOf(step)}{' '}
              <span className={`state ${COLOURS[step.state]}`}>{t.wizard.states[step.state]}</span>{' '}
              {step.pin !== undefined && <strong>{t.wizard.pin(step.pin)}</strong>}
              {step.error !== undefined && <ErrorNote error={step.error} />}
            </li>
          ))}
        </ol>
      </div>
      <div className="actions">
        {isDone ? (
          <>
            {made.cashBoxId !== undefined && (
              <Link className="button primary" to={labOf(made)}>
                {t.register.lab}
              </Link>
            )}
            <Link className="button" to={`/operators/${made.operatorId}`}>
              {t.common.merchant}
            </Link>
            <WorkButton work={anew}>{t.wizard.leave}</WorkButton>
          </>
        ) : (
          <WorkButton kind="primary" work={run}>
            {hasFailed ? t.wizard.again : t.wizard.go}
          </WorkButton>
        )}
        <a className="button" href={script} download="merchant.sh">
          {t.wizard.script}
        </a>
      </div>
    </>
  )
}
