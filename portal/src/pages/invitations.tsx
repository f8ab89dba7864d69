// Invitations: those that are open, and what has become of the others.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { call, callPage } from '../api/client.js'
import { useRole } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { AskButton, ByHand, Disabled, WorkButton } from '../ui/buttons.js'
import { copied } from '../ui/clipboard.js'
import type { Column } from '../ui/data-table.js'
import { SearchField, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'
import { useToast } from '../ui/toast.js'
import { Change } from './invitation-change.js'
import { Settings } from './invitation-settings.js'

export type Invitation = Result<'listInvitations'>[number]
const KINDS = ['listInvitations', 'invitationHistory'] as const

const LIMIT = 50

export function Page() {
  const t = useText()
  const filters = useFilters()
  const isHistory = filters.get('view') === 'history'
  const kind = isHistory ? 'invitationHistory' : 'listInvitations'
  const after = filters.get('after')
  const query = { limit: LIMIT, ...(after === '' ? {} : { after }) }
  const wanted = filters.get('search').toLowerCase()
  const list = useQuery({
    queryKey: [kind, query],
    queryFn: () => callPage(kind, { query }),
    select: ({ items, next }) => ({
      items: items.filter(({ id, company, contact }) =>
        `${id} ${company.name} ${company.email} ${contact.email}`.toLowerCase().includes(wanted),
      ),
      next,
    }),
  })
  return (
    <>
      <div className="head">
        <h1>{t.invitations.title}</h1>
        <Settings />
        <Link className="button" to="/import/invitations">
          {t.invite.import}
        </Link>
        <Link className="button primary" to="/onboard">
          {t.merchants.invite}
        </Link>
      </div>
      <div className="tabs" role="tablist">
        {KINDS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={one === kind}
            onClick={() => filters.set('view', one === 'invitationHistory' ? 'history' : '')}
          >
            {one === 'invitationHistory' ? t.invitations.history : t.invitations.pending}
          </button>
        ))}
      </div>
      <div className="filters">
        <SearchField filters={filters} label={t.common.search} />
        {!isHistory && <ExecuteAll rows={list.data?.items ?? []} />}
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.invitations.title}
        columns={useColumns(isHistory)}
        keyOf={({ id }) => id}
        nothing={t.invitations.nothing}
        begin={<Link to="/onboard">{t.merchants.invite}</Link>}
      />
    </>
  )
}

function useColumns(isHistory: boolean): Column<Invitation>[] {
  const t = useText()
  return [
    {
      title: t.invitations.company,
      cell: ({ company, contact }) => (
        <>
          {company.name}
          <span className="sub">
            {contact.firstName} {contact.lastName} · {contact.email}
          </span>
        </>
      ),
    },
    { title: t.invitations.right, cell: ({ accessRights }) => t.onboard.rights[accessRights] },
    {
      title: t.common.state,
      cell: ({ done, success, lastRun, lastResult }) => (
        <>
          {lastRun !== null && !success && (
            <span className="state bad">{t.invitations.failed}</span>
          )}
          {done !== null && <span className="state good">{t.common.done}</span>}
          {lastRun !== null && (
            <span className="sub">
              <Moment at={lastRun} />
            </span>
          )}
          {lastResult !== null && <span className="sub">{lastResult}</span>}
        </>
      ),
    },
    { title: t.problems.do, cell: (row) => <Actions row={row} isHistory={isHistory} /> },
  ]
}

/** One after another, with how far it is; a second press stops behind the one that is on its way. */
function ExecuteAll({ rows }: { rows: readonly Invitation[] }) {
  const t = useText()
  const { mayWrite } = useRole()
  const client = useQueryClient()
  const toast = useToast()
  const [done, setDone] = useState<number>()
  const isOn = useRef(false)
  if (rows.length < 2) return null
  if (!mayWrite) return <Disabled why={t.why.role(t.company.roles.Member)}>{t.invite.all}</Disabled>
  const go = async () => {
    isOn.current = true
    let failed = 0
    for (const [index, { id }] of rows.entries()) {
      if (!isOn.current) break
      setDone(index)
      failed += await execute(id).then(
        () => 0,
        () => 1,
      )
    }
    isOn.current = false
    setDone(undefined)
    for (const one of KINDS) await client.invalidateQueries({ queryKey: [one] })
    toast({ text: t.invite.executed(String(failed)), isFault: failed > 0 })
  }
  if (done !== undefined) {
    return (
      <>
        <progress max={rows.length} value={done} aria-label={`${done} / ${rows.length}`} />
        <button
          type="button"
          onClick={() => {
            isOn.current = false
          }}
        >
          {t.events.pause}
        </button>
      </>
    )
  }
  return (
    <button type="button" onClick={() => void go()}>
      {t.invite.all}
    </button>
  )
}

function Actions({ row, isHistory }: { row: Invitation; isHistory: boolean }) {
  const t = useText()
  const client = useQueryClient()
  const toast = useToast()
  const [byHand, setByHand] = useState<string>()
  const path = { id: row.id }
  const why = useWhy('invitation', row.id)
  const then = async (work: Promise<unknown>) => {
    await work
    for (const one of KINDS) await client.invalidateQueries({ queryKey: [one] })
  }
  /** Nothing is sent: the link is for whoever brings it by another way. */
  const copyLink = async () => {
    const { text } = await call('resendInvitation', { path, query: { copyToClipboard: true } })
    const isDone = await copied(text ?? '')
    setByHand(isDone ? undefined : (text ?? ''))
    if (isDone) toast({ text: t.common.copied })
  }
  if (isHistory) {
    return (
      <span className="filters">
        <WorkButton
          why={why('resendInvitation')}
          work={() => then(call('resendInvitation', { path }))}
          done={t.common.done}
        >
          {t.invitations.resend}
        </WorkButton>
        <WorkButton why={why('resendInvitation')} work={copyLink}>
          {t.invitations.link}
        </WorkButton>
        {byHand !== undefined && <ByHand text={byHand} />}
        <WorkButton
          why={why('resetInvitation')}
          work={() => then(call('resetInvitation', { path }))}
          done={t.common.done}
        >
          {t.invitations.reset}
        </WorkButton>
      </span>
    )
  }
  return (
    <span className="filters">
      <WorkButton
        why={why('executeInvitation')}
        kind="primary"
        work={() => then(execute(row.id))}
        done={t.onboard.sent}
      >
        {t.invitations.execute}
      </WorkButton>
      <AskButton
        why={why('autoExecuteInvitation')}
        title={`${t.invite.auto}: ${row.company.name}`}
        text={t.common.final}
        work={() => then(call('autoExecuteInvitation', { path }))}
      >
        {t.invite.auto}
      </AskButton>
      <Change row={row} why={why('updateInvitation')} />
      <AskButton
        why={why('deleteInvitation')}
        kind="danger"
        title={t.invitations.remove}
        text={t.invitations.removeText}
        typed={row.company.name}
        work={() => then(call('deleteInvitation', { path }))}
      >
        {t.invitations.remove}
      </AskButton>
    </span>
  )
}

/** An invitation that was not sent says so with status 200. */
async function execute(id: string): Promise<void> {
  const { success, error } = await call('executeInvitation', { path: { id }, body: {} })
  if (!success) throw new Error(error ?? '')
}
