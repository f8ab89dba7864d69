// Invitations from a file: looked at first, with everything that is wrong by its line; then all of it is
// stored, or nothing.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiError, call, linkOf, upload } from '../api/client.js'
import { useRole } from '../api/session.js'
import { useText } from '../text/index.js'
import { WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { FileField } from '../ui/file-field.js'
import { Empty, ErrorNote } from '../ui/states.js'
import { useToast } from '../ui/toast.js'
import { split } from './import-lines.js'

interface Problem {
  line: number
  csvHeader: string | null
  error: string
  errorArgs: string[]
}

interface Looked {
  file: File
  created: number
  skipped: readonly string[]
  problems: readonly Problem[]
  /** Without problems: it is no file of invitations. */
  error: ApiError | undefined
}

interface Told {
  created: number
  skipped: string[]
}

const MOST_SHOWN = 200
const LOOK_MS = 300

export function Page() {
  const t = useText()
  const { mayWrite } = useRole()
  const [looked, setLooked] = useState<Looked>()
  const [isBusy, setBusy] = useState(false)
  if (!mayWrite) {
    return (
      <Empty isPage title={t.common.notAllowed}>
        {t.why.role(t.company.roles.Member)}
      </Empty>
    )
  }
  const look = async (file: File) => {
    setBusy(true)
    setLooked(await lookAt(file))
    setBusy(false)
  }
  const template = (format: string) => linkOf('importTemplate', { query: { format } })
  return (
    <>
      <p>
        <Link to="/invitations">← {t.invitations.title}</Link>
      </p>
      <h1>{t.invite.import}</h1>
      <p className="lead">{t.invite.importText}</p>
      <p className="filters">
        <a className="button" href={template('portal')} download>
          {t.invite.template}
        </a>
        <a className="button" href={template('plain')} download>
          {t.invite.plain}
        </a>
      </p>
      <FileField label={t.invite.file} accept=".csv,text/csv" onFile={look} />
      {isBusy && <Progress />}
      {looked !== undefined && !isBusy && <Seen looked={looked} look={look} />}
    </>
  )
}

async function lookAt(file: File): Promise<Looked> {
  const clean = { file, problems: [], error: undefined }
  try {
    const query = { dryRun: true }
    return { ...clean, ...((await upload('importInvitations', file, { query })) as Told) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { validationErrors } = error.told as { validationErrors?: Problem[] }
    const problems = validationErrors ?? []
    return { ...clean, created: 0, skipped: [], problems, error }
  }
}

function Progress() {
  const t = useText()
  const { data } = useQuery({
    queryKey: ['importProgress'],
    queryFn: () => call('importProgress', {}),
    refetchInterval: LOOK_MS,
  })
  return (
    <p role="status">
      <progress aria-label={t.invite.looking} /> {t.invite.rows(String(data?.rows ?? 0))}{' '}
      {data !== undefined && data.created > 0 && t.invite.ready(String(data.created))}
    </p>
  )
}

function save(file: File): void {
  const address = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: address, download: file.name })
  link.click()
  URL.revokeObjectURL(address)
}

function Seen({ looked, look }: { looked: Looked; look(file: File): Promise<unknown> }) {
  const t = useText()
  const navigate = useNavigate()
  const toast = useToast()
  const client = useQueryClient()
  const { file, created, skipped, problems, error } = looked
  const store = async () => {
    const told = (await upload('importInvitations', file)) as Told
    await client.invalidateQueries({ queryKey: ['listInvitations'] })
    toast({ text: t.invite.imported(String(told.created)) })
    await navigate('/invitations')
  }
  const columns: Column<Problem>[] = [
    { title: t.invite.line, cell: ({ line }) => line, isNumber: true },
    { title: t.invite.column, cell: ({ csvHeader }) => csvHeader },
    {
      title: t.problems.what,
      cell: ({ error: code, errorArgs }) => (
        <>
          {t.invite.faults[code] ?? code}
          <span className="sub">{errorArgs.join(', ')}</span>
        </>
      ),
    },
  ]
  // what is wrong with the head is wrong with the whole file
  const hasHead = problems.every(({ line }) => line > 1)
  const wrong = new Set(hasHead ? problems.map(({ line }) => line) : [])
  const why = error === undefined ? undefined : t.invite.whole
  return (
    <section>
      <h2>{file.name}</h2>
      {problems.length > 0 && (
        <p className="fault" role="alert">
          {t.invite.whole}
        </p>
      )}
      {error !== undefined && problems.length === 0 && <ErrorNote error={error} />}
      {error === undefined && (
        <p role="status">
          <span className="state good">{t.invite.ready(String(created))}</span>{' '}
          {skipped.length > 0 && t.invite.known(String(skipped.length))}
        </p>
      )}
      <div className="actions">
        <WorkButton kind="primary" why={why} work={store}>
          {t.invite.store}
        </WorkButton>
        {wrong.size > 0 && (
          <>
            <WorkButton work={async () => look((await split(file, wrong)).rest)}>
              {t.invite.leaveOut(String(wrong.size))}
            </WorkButton>
            <WorkButton work={async () => save((await split(file, wrong)).wrong)}>
              {t.invite.wrong}
            </WorkButton>
          </>
        )}
      </div>
      {problems.length > 0 && (
        <DataTable
          caption={t.problems.title}
          columns={columns}
          rows={problems.slice(0, MOST_SHOWN)}
          keyOf={({ line, csvHeader, error: code }) => `${line} ${csvHeader} ${code}`}
        />
      )}
    </section>
  )
}
