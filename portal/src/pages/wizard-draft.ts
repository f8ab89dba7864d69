// What the wizard knows, kept by the server: the draft, the step one is at, and what was done so
// far. It is there again after a reload, a logout, or on another computer.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../api/client.js'
import { readJson } from '../api/json.js'
import { useSession } from '../api/session.js'
import type { Draft, Made, Step } from './wizard-run.js'

export interface Kept {
  draft: Draft
  at: number
  steps: readonly Step[]
  made: Partial<Made>
}

/** Whoever types is not waited for with every letter. */
const PAUSE_MS = 400

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
const textOf = ({ steps, ...kept }: Kept): string =>
  JSON.stringify({
    ...kept,
    steps: steps.map(({ kind, outlet, state, key }) => ({ kind, outlet, state, key })),
  })

/** Of one person; another account has drafts of its own. */
const usePath = () => ({ name: `merchant-${useSession().person.id}` })

/** What was kept; its `data` is undefined until the server has told it. */
export function useKeptWizard() {
  const path = usePath()
  const market = useSession().account?.market ?? ''
  return useQuery({
    queryKey: ['readDraft', path.name],
    queryFn: async () => {
      const { document } = await call('readDraft', { path })
      return document === null ? beginning(market) : goneOn(readJson(document) as Kept)
    },
    // read once: from then on the page knows more than the server
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Sends what changed in the order in which it changed; the last one holds. */
function useKeeping(beforehand: Kept) {
  const path = usePath()
  const client = useQueryClient()
  const known = useRef(textOf(beforehand))
  const sent = useRef<Promise<unknown>>(Promise.resolve())
  const inTurn = (send: () => Promise<unknown>): Promise<unknown> => {
    sent.current = sent.current.catch(() => undefined).then(send)
    return sent.current
  }
  /** Who comes back to the page finds it as it was left. */
  const note = (next: Kept): string => {
    client.setQueryData(['readDraft', path.name], goneOn(next))
    known.current = textOf(next)
    return known.current
  }
  return {
    keep: (next: Kept): Promise<unknown> => {
      if (textOf(next) === known.current) return sent.current
      const document = note(next)
      return inTurn(() => call('keepDraft', { path, body: { document } }))
    },
    forget: (next: Kept): Promise<unknown> => {
      note(next)
      return inTurn(() => call('deleteDraft', { path }))
    },
  }
}

export function useWizard(beforehand: Kept) {
  const market = useSession().account?.market ?? ''
  const [kept, setKept] = useState(beforehand)
  const last = useRef(kept)
  const { keep, forget } = useKeeping(beforehand)
  const change = (next: (before: Kept) => Kept) => {
    last.current = next(last.current)
    setKept(last.current)
  }
  const save = useRef(keep)
  save.current = keep
  useEffect(() => {
    // what could not be kept goes with the next change
    const later = setTimeout(() => {
      if (last.current === kept) void save.current(kept).catch(() => undefined)
    }, PAUSE_MS)
    return () => clearTimeout(later)
  }, [kept])
  // and with whoever leaves the page
  useEffect(() => () => void save.current(last.current).catch(() => undefined), [])
  const set = (part: Partial<Kept>) => change((before) => ({ ...before, ...part }))
  return {
    ...kept,
    market,
    set,
    change: (part: Partial<Draft>) =>
      change((before) => ({ ...before, draft: { ...before.draft, ...part } })),
    putStep: (index: number, part: Partial<Step>) =>
      change((before) => ({
        ...before,
        steps: before.steps.map((step, at) => (at === index ? { ...step, ...part } : step)),
      })),
    /** Resolves when the server has it. Throws ApiError. */
    saved: () => keep(last.current),
    anew: async () => {
      const next = beginning(market)
      const before = last.current
      // what waits to be kept would be sent behind the end of it
      last.current = next
      await forget(next).catch((error: unknown) => {
        last.current = before
        throw error
      })
      change(() => next)
    },
  }
}

export type WizardState = ReturnType<typeof useWizard>
