// Invitations: those that are open, and what has become of the others.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import { useRole } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { AskButton, WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { SearchField, useFilters } from '../ui/filters.js'
import { Empty, ErrorNote, Loading } from '../ui/states.js'
import { Moment } from '../ui/time.js'

type Invitation = Result<'listInvitations'>[number]
const KINDS = ['listInvitations', 'invitationHistory'] as const

export function Page() {
  const t = useText()
  const filters = useFilters()
  const kind = filters.get('view') === 'history' ? 'invitationHistory' : 'listInvitations'
  const list = useQuery({ queryKey: [kind], queryFn: () => call(kind, {}) })
  const wanted = filters.get('search').toLowerCase()
  const rows = (list.data ?? []).filter(({ id, company, contact }) =>
    `${id} ${company.name} ${company.email} ${contact.email}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <div className="head">
        <h1>{t.invitations.title}</h1>
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
      </div>
      {list.isPending && <Loading />}
      {list.error !== null && <ErrorNote error={list.error} again={() => void list.refetch()} />}
      {list.data !== undefined && rows.length === 0 && (
        <Empty title={wanted === '' ? t.invitations.nothing : t.common.nothingFound}>
          <Link to="/onboard">{t.merchants.invite}</Link>
        </Empty>
      )}
      {rows.length > 0 && <List rows={rows} isHistory={kind === 'invitationHistory'} />}
    </>
  )
}

function List({ rows, isHistory }: { rows: readonly Invitation[]; isHistory: boolean }) {
  const t = useText()
  const columns: Column<Invitation>[] = [
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
    { title: t.invitations.right, cell: ({ accessRights }) => accessRights },
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
  return (
    <DataTable caption={t.invitations.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
  )
}

function Actions({ row, isHistory }: { row: Invitation; isHistory: boolean }) {
  const t = useText()
  const { mayWrite } = useRole()
  const client = useQueryClient()
  const path = { id: row.id }
  const why = mayWrite ? undefined : t.why.role(t.company.roles.Member)
  const then = async (work: Promise<unknown>) => {
    await work
    for (const one of KINDS) await client.invalidateQueries({ queryKey: [one] })
  }
  if (isHistory) {
    return (
      <span className="filters">
        <WorkButton
          why={why}
          work={() => then(call('resendInvitation', { path }))}
          done={t.common.done}
        >
          {t.invitations.resend}
        </WorkButton>
        <WorkButton
          why={why}
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
      <WorkButton why={why} kind="primary" work={() => then(execute(row.id))} done={t.onboard.sent}>
        {t.invitations.execute}
      </WorkButton>
      <AskButton
        why={why}
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
