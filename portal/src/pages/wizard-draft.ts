// What the wizard knows, kept over a reload: the draft, the step one is at, and what was done so far.
import { useEffect, useState } from 'react'
import { useSession } from '../api/session.js'
import type { Draft, Made, Step } from './wizard-run.js'

interface Kept {
  draft: Draft
  at: number
  steps: readonly Step[]
  made: Partial<Made>
}

const beginning = (country: string): Kept => ({
  draft: { company: { country }, outlets: '', template: '', count: '1', right: 'Full' },
  ...{ at: 0, steps: [], made: {} },
})

/** What ran when the page went may be done: under its key it is not done twice. */
const goneOn = ({ steps, ...kept }: Kept): Kept => ({
  ...kept,
  steps: steps.map((step) => (step.state === 'runs' ? { ...step, state: 'failed' } : step)),
})

/** Neither a PIN, which is soon over, nor a fault, which is of its moment. */
const keptOf = ({ steps, ...kept }: Kept): Kept => ({
  ...kept,
  steps: steps.map(({ kind, outlet, state, key }) => ({ kind, outlet, state, key })),
})

/** Of one account: another one in the same browser sees nothing of it. */
export function useWizard() {
  const { account } = useSession()
  const [name, market] = [`wizard:${account?.accountId ?? ''}`, account?.market ?? '']
  const [kept, setKept] = useState(() => {
    const text = sessionStorage.getItem(name)
    return text === null ? beginning(market) : goneOn(JSON.parse(text) as Kept)
  })
  useEffect(() => sessionStorage.setItem(name, JSON.stringify(keptOf(kept))), [name, kept])
  const set = (part: Partial<Kept>) => setKept((before) => ({ ...before, ...part }))
  return {
    ...kept,
    market,
    set,
    change: (part: Partial<Draft>) => set({ draft: { ...kept.draft, ...part } }),
    putStep: (index: number, part: Partial<Step>) =>
      setKept((before) => ({
        ...before,
        steps: before.steps.map((step, at) => (at === index ? { ...step, ...part } : step)),
      })),
    anew: () => setKept(beginning(market)),
  }
}

export type WizardState = ReturnType<typeof useWizard>
