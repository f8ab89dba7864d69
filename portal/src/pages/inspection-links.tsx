// Addresses of a bundle for auditors: made, seen, ended.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { AskButton, CopyButton, WorkButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { List } from '../ui/list.js'
import { Day } from '../ui/time.js'

type Link = Result<'listInspectionLinks'>['items'][number]
const HOURS = 48
const KEY = 'listInspectionLinks'

export function Links({ id, why }: { id: string; why: string | undefined }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <WorkButton opens="dialog" why={why} work={async () => setOpen(true)}>
        {t.exports.link}
      </WorkButton>
      {isOpen && <Shown id={id} onClose={() => setOpen(false)} />}
    </>
  )
}

function Shown({ id, onClose }: { id: string; onClose(): void }) {
  const t = useText()
  const client = useQueryClient()
  const [made, setMade] = useState<string>()
  const path = { id }
  const list = useQuery({ queryKey: [KEY, id], queryFn: () => call(KEY, { path }) })
  const fresh = () => client.invalidateQueries({ queryKey: [KEY, id] })
  const make = async () => {
    const { url } = await call('linkInspection', { path, body: { hours: HOURS } })
    setMade(new URL(url, location.origin).href)
    await fresh()
  }
  const end = (linkId: string) => call('endInspectionLink', { path: { id, linkId } }).then(fresh)
  const columns: Column<Link>[] = [
    { title: t.webhook.made, cell: ({ createdAt }) => <Day at={createdAt} /> },
    {
      title: t.webhook.until,
      cell: ({ until, revokedAt }) =>
        revokedAt === null ? (
          <Day at={until} />
        ) : (
          <span className="state bad">
            {t.webhook.ended} <Day at={revokedAt} />
          </span>
        ),
    },
    { title: t.webhook.fetched, cell: ({ fetches }) => fetches, isNumber: true },
    {
      title: t.problems.do,
      cell: ({ id: linkId, revokedAt }) =>
        revokedAt === null ? (
          <AskButton
            kind="danger"
            title={t.webhook.end}
            text={t.common.final}
            work={() => end(linkId)}
          >
            {t.webhook.end}
          </AskButton>
        ) : null,
    },
  ]
  return (
    <Dialog title={t.exports.link} onClose={onClose}>
      <p>{t.exports.linkText}</p>
      {made !== undefined && (
        <>
          <p className="piece">
            <a href={made}>{made}</a>
          </p>
          <CopyButton text={made} />
        </>
      )}
      <List
        query={list}
        caption={t.exports.link}
        columns={columns}
        keyOf={(link) => link.id}
        nothing={t.webhook.noLink}
      />
      <div className="actions">
        <WorkButton kind="primary" work={make}>
          {t.webhook.make}
        </WorkButton>
        <button type="button" onClick={onClose}>
          {t.common.close}
        </button>
      </div>
    </Dialog>
  )
}
