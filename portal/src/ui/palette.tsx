// Jumping: whatever has a name, an id or a number, and pages and operations, by a few letters.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { OPERATIONS } from '../generated/operations.js'
import { type Text, useText, useTitles } from '../text/index.js'
import { Dialog } from './dialog.js'
import { PAGES } from './pages.js'

interface Hit {
  key: string
  to: string
  label: string
  sub: string
}

type Found = Result<'search'>[number]

const MOST = 8
const LEAST_LETTERS = 3
const MOST_FIXED = 12

export function Palette({ onClose }: { onClose(): void }) {
  const t = useText()
  const titleOf = useTitles()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const found = useQuery({
    queryKey: ['palette', wanted],
    enabled: wanted.length >= LEAST_LETTERS,
    queryFn: () => call('search', { query: { q: wanted, limit: MOST } }),
    // the former hits stay while the next letters are looked for
    placeholderData: keepPreviousData,
  })
  const rows = wanted.length < LEAST_LETTERS ? [] : (found.data ?? [])
  const hits = [...rows.map((one) => hitOf(one, t)), ...fixedHits(text, t, titleOf)]
  const go = (to: string) => {
    onClose()
    void navigate(to)
  }
  return (
    <Dialog title={t.nav.search} onClose={onClose} className="palette">
      <CSPProvider disableStyleElements>
        <Autocomplete.Root
          items={hits}
          value={text}
          onValueChange={setText}
          itemToStringValue={(hit: Hit) => hit.label}
          mode="none"
          inline
          open
          autoHighlight
        >
          <Autocomplete.Input placeholder={t.palette.placeholder} aria-label={t.nav.search} />
          <Autocomplete.Empty>{text === '' ? null : t.palette.nothing}</Autocomplete.Empty>
          <Autocomplete.List className="hits">
            {(hit: Hit) => (
              <Autocomplete.Item
                key={hit.key}
                value={hit}
                onClick={() => go(hit.to)}
                className="hit"
              >
                {hit.label} <span className="sub">{hit.sub}</span>
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Root>
      </CSPProvider>
    </Dialog>
  )
}

/** Where what was found is looked at. */
function placeOf({ kind, id, operatorId, queueId }: Found): string {
  const merchant = `/operators/${operatorId}`
  if (kind === 'cashbox') return `${merchant}/cashboxes/${id}`
  if (kind === 'queue') return `/queues/${id}`
  if (kind === 'receipt') return `/receipts/${queueId}/${id}`
  if (kind === 'scu') return `/scus?search=${id}`
  return merchant
}

function hitOf(found: Found, t: Text): Hit {
  const { kind, id, title, operatorName } = found
  const about = [t.palette.kinds[kind], ...(kind === 'operator' ? [] : [operatorName])]
  return {
    ...{ key: `${kind} ${id}`, to: placeOf(found), label: title === '' ? id : title },
    sub: about.join(' · '),
  }
}

function fixedHits(text: string, t: Text, titleOf: (id: string) => string): Hit[] {
  const wanted = text.trim().toLowerCase()
  const fits = (label: string) => label.toLowerCase().includes(wanted)
  const pages = PAGES.map(({ to, name }) => ({
    ...{ key: `page ${to}`, to, label: t.nav[name], sub: t.palette.pages },
  }))
  const operations = Object.entries(OPERATIONS).flatMap(([id, { method, path, group }]) =>
    group === 'session'
      ? []
      : [{ key: `run ${id}`, to: `/run/${id}`, label: titleOf(id), sub: `${method} ${path}` }],
  )
  return [
    ...pages.filter(({ label }) => fits(label)),
    ...(wanted === '' ? [] : operations.filter(({ label, sub }) => fits(label) || fits(sub))),
  ].slice(0, MOST_FIXED)
}
