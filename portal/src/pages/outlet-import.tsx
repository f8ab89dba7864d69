// Outlets of a merchant from a file: looked at first, with everything that is wrong by its line; then
// all of it is stored, or nothing.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { call, linkOf } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { FileField } from '../ui/file-field.js'
import { ErrorNote } from '../ui/states.js'
import { useToast } from '../ui/toast.js'

type Told = Result<'importOutlets'>
type Problem = Told['problems'][number]
interface Looked {
  name: string
  text: string
  told: Told
}

const MOST_SHOWN = 200

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  const [looked, setLooked] = useState<Looked>()
  const [error, setError] = useState<unknown>()
  const look = async (file: File) => {
    setError(undefined)
    setLooked(undefined)
    try {
      const text = await file.text()
      setLooked({ name: file.name, text, told: await send(operatorId, text, true) })
    } catch (failed) {
      setError(failed)
    }
  }
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}`}>← {t.common.merchant}</Link>
      </p>
      <h1>{t.outletImport.title}</h1>
      <p className="lead">{t.outletImport.lead}</p>
      <p className="filters">
        <a className="button" href={linkOf('getOutletTemplate', {})} download>
          {t.outletImport.template}
        </a>
      </p>
      <FileField label={t.outletImport.file} accept=".csv,text/csv" onFile={look} />
      {error !== undefined && <ErrorNote error={error} />}
      {looked !== undefined && <Seen looked={looked} operatorId={operatorId} />}
    </>
  )
}

const send = (posOperatorId: string, body: string, dryRun: boolean) =>
  call('importOutlets', { path: { posOperatorId }, query: { dryRun }, body })

function Seen({ looked, operatorId }: { looked: Looked; operatorId: string }) {
  const t = useText()
  const toast = useToast()
  const navigate = useNavigate()
  const client = useQueryClient()
  const why = useWhy('operator', operatorId)('importOutlets')
  const { name, text, told } = looked
  const { created, updated, problems } = told
  const store = async () => {
    const done = await send(operatorId, text, false)
    await client.invalidateQueries({ queryKey: ['listOutlets', operatorId] })
    toast({ text: t.outletImport.stored(String(done.created + done.updated)) })
    await navigate(`/operators/${operatorId}`)
  }
  const columns: Column<Problem>[] = [
    { title: t.outletImport.line, cell: ({ line }) => line, isNumber: true },
    { title: t.outletImport.column, cell: ({ column }) => column },
    {
      title: t.problems.what,
      cell: ({ fault, value }) => (
        <>
          {t.outletImport.faults[fault]}
          <span className="sub">{value}</span>
        </>
      ),
    },
  ]
  return (
    <section>
      <h2>{name}</h2>
      <p role="status">
        <span className={`state ${problems.length === 0 ? 'good' : 'bad'}`}>
          {t.outletImport.would(String(created), String(updated))}
        </span>
      </p>
      <WorkButton
        kind="primary"
        why={why ?? (problems.length > 0 ? t.outletImport.fix : undefined)}
        work={store}
      >
        {t.outletImport.store}
      </WorkButton>
      {problems.length > 0 && (
        <DataTable
          caption={t.problems.title}
          columns={columns}
          rows={problems.slice(0, MOST_SHOWN)}
          keyOf={({ line, column, fault }) => `${line} ${column} ${fault}`}
        />
      )}
    </section>
  )
}
