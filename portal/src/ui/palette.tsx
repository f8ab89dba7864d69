// Jumping: merchants, registers, pages and operations by a few letters.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/client.js'
import { OPERATIONS } from '../generated/operations.js'
import { type Text, useText } from '../text/index.js'
import { Dialog } from './dialog.js'
import { PAGES } from './pages.js'

interface Hit {
  to: string
  label: string
  sub: string
  group: string
}

const MOST = 6
const LEAST_LETTERS = 2

export function Palette({ onClose }: { onClose(): void }) {
  const t = useText()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const found = useQuery({
    queryKey: ['palette', text],
    enabled: text.length >= LEAST_LETTERS,
    queryFn: () => call('listAllQueues', { query: { search: text, limit: MOST } }),
  })
  const hits = [...registersOf(found.data?.items ?? [], t), ...fixedHits(text, t)]
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
                key={`${hit.group} ${hit.to}`}
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

interface Register {
  id: string
  operatorId: string
  operatorName: string
  cashBoxId: string | null
  cashBoxIdentification: string
}

function registersOf(rows: readonly Register[], t: Text): Hit[] {
  const merchants = new Map(rows.map((row) => [row.operatorId, row.operatorName]))
  return [
    ...[...merchants].map(([id, name]) => ({
      ...{ to: `/operators/${id}`, label: name, sub: t.common.merchant },
      group: 'merchants',
    })),
    ...rows.map((row) => ({
      to:
        row.cashBoxId === null
          ? `/queues?search=${row.id}`
          : `/operators/${row.operatorId}/cashboxes/${row.cashBoxId}`,
      label: row.cashBoxIdentification,
      sub: row.operatorName,
      group: 'registers',
    })),
  ]
}

function fixedHits(text: string, t: Text): Hit[] {
  const wanted = text.trim().toLowerCase()
  const fits = (label: string) => label.toLowerCase().includes(wanted)
  const pages = PAGES.map(({ to, name }) => ({
    ...{ to, label: t.nav[name], sub: t.palette.pages, group: 'pages' },
  }))
  const operations = Object.entries(OPERATIONS).flatMap(([id, { title, method, path, group }]) =>
    group === 'session'
      ? []
      : [{ to: `/run/${id}`, label: title, sub: `${method} ${path}`, group: 'operations' }],
  )
  return [
    ...pages.filter(({ label }) => fits(label)),
    ...(wanted === '' ? [] : operations.filter(({ label, sub }) => fits(label) || fits(sub))),
  ].slice(0, MOST * 2)
}
