// What a register is registered by: identification, key, units, the reports that are due, and what is
// missing for them.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { call, linkOf } from '../api/client.js'
import { numberIn } from '../api/numbers.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { CopyButton, WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { Field, Form } from '../ui/form.js'
import { Loaded } from '../ui/list.js'
import { Day } from '../ui/time.js'
import { Unit as UnitEntry } from './place.js'
import { ReportTable } from './reports.js'

type Registration = Result<'getRegistration'>

export function Page() {
  const t = useText()
  const { queueId = '' } = useParams()
  const path = { queueId }
  const registration = useQuery({
    queryKey: ['getRegistration', queueId],
    queryFn: () => call('getRegistration', { path }),
  })
  return (
    <>
      <p>
        <Link to={`/queues/${queueId}`}>← {t.register.title}</Link>
      </p>
      <div className="head">
        <h1>{t.registration.title}</h1>
        <a
          className="button"
          href={linkOf('getRegistrationPage', { path })}
          target="_blank"
          rel="noreferrer"
        >
          {t.registration.sheet}
        </a>
        <a className="button" href={linkOf('getRegistrationPdf', { path })} download>
          PDF
        </a>
        <Enter queueId={queueId} />
      </div>
      <p className="lead">{t.registration.lead}</p>
      <Loaded query={registration}>{(found) => <Facts found={found} />}</Loaded>
    </>
  )
}

function Facts({ found }: { found: Registration }) {
  const t = useText()
  const { missing, reports, units, startReceipt, queueId } = found
  return (
    <>
      <section>
        <h2>{t.registration.missing}</h2>
        {missing.length === 0 ? (
          <p className="state good">{t.registration.complete}</p>
        ) : (
          <ul>
            {missing.map(({ member, message }) => (
              <li key={member + message}>{message}</li>
            ))}
          </ul>
        )}
      </section>
      <dl className="facts">
        <dt>{t.registration.identification}</dt>
        <dd>
          <code>{found.cashBoxIdentification}</code>{' '}
          <CopyButton text={found.cashBoxIdentification} />
        </dd>
        {(found.encryptionKeyBase64 !== null || found.encryptionKeyHidden) && (
          <>
            <dt>{t.registration.key}</dt>
            <dd>
              {found.encryptionKeyBase64 === null ? (
                t.registration.keyHidden
              ) : (
                <>
                  <code>{found.encryptionKeyBase64}</code>{' '}
                  <CopyButton text={found.encryptionKeyBase64} />
                </>
              )}
            </dd>
            <dt>{t.registration.check}</dt>
            <dd className="mono">{found.encryptionKeyCheckValue}</dd>
          </>
        )}
        {startReceipt !== null && (
          <>
            <dt>{t.registration.started}</dt>
            <dd>
              <Link to={`/receipts/${queueId}/${startReceipt.queueItemId}`}>
                <Day at={startReceipt.moment} />
              </Link>
            </dd>
          </>
        )}
        <Dated title={t.registration.bought} at={found.purchaseDate} />
        <Dated title={t.registration.used} at={found.commissioningDate} />
        <Dated title={t.registration.ended} at={found.decommissioningDate} />
      </dl>
      <Units units={units} market={found.market} />
      {reports.length > 0 && (
        <section>
          <h2>{t.reports.title}</h2>
          <ReportTable rows={reports} />
        </section>
      )}
    </>
  )
}

function Dated({ title, at }: { title: string; at: string | null }) {
  if (at === null) return null
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <Day at={at} />
      </dd>
    </>
  )
}

type Unit = Registration['units'][number]

function Units({ units, market }: { units: readonly Unit[]; market: string }) {
  const t = useText()
  const columns: Column<Unit>[] = [
    {
      title: t.registration.serial,
      cell: ({ serialHexadecimal, serialDecimal, scuId }) => (
        <>
          <span className="mono">{serialHexadecimal ?? scuId}</span>
          <span className="sub mono">{serialDecimal}</span>
        </>
      ),
    },
    {
      title: t.registration.kind,
      cell: ({ zda, certificationId }) => zda ?? certificationId ?? '',
    },
    ...(market === 'DE'
      ? [{ title: t.problems.do, cell: ({ scuId }: Unit) => <UnitEntry scuId={scuId} /> }]
      : []),
  ]
  if (units.length === 0) return null
  return (
    <section>
      <h2>{t.registration.units}</h2>
      <DataTable
        caption={t.registration.units}
        columns={columns}
        rows={units}
        keyOf={({ scuId }) => scuId}
      />
    </section>
  )
}

const TEXTS = ['software', 'softwareVersion', 'manufacturer', 'model', 'reason'] as const
const DAYS = ['acquiredOn', 'inOperationOn', 'outOfOperationOn'] as const

function Enter({ queueId }: { queueId: string }) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('queue', queueId)
  const [isOpen, setOpen] = useState(false)
  const names = {
    ...{ acquiredOn: t.registration.bought, inOperationOn: t.registration.used },
    outOfOperationOn: t.registration.ended,
  }
  const send = async ({ kind = '', ...values }: Record<string, string>) => {
    const given = Object.entries(values).filter(([, value]) => value !== '')
    const body = { ...Object.fromEntries(given), ...(kind === '' ? {} : { kind: numberIn(kind) }) }
    await call('putRegistrationData', { path: { queueId }, body })
    await client.invalidateQueries({ queryKey: ['getRegistration', queueId] })
    setOpen(false)
  }
  return (
    <>
      <WorkButton opens="dialog" why={why('putRegistrationData')} work={async () => setOpen(true)}>
        {t.registration.enter}
      </WorkButton>
      {isOpen && (
        <Dialog title={t.registration.enter} onClose={() => setOpen(false)}>
          <Form submit={t.common.save} send={send}>
            {(faults) => (
              <>
                <Field
                  label={t.registration.kind}
                  name="kind"
                  inputMode="numeric"
                  faults={faults}
                />
                {DAYS.map((name) => (
                  <Field key={name} label={names[name]} name={name} type="date" faults={faults} />
                ))}
                {TEXTS.map((name) => (
                  <Field key={name} label={t.registration[name]} name={name} faults={faults} />
                ))}
              </>
            )}
          </Form>
        </Dialog>
      )}
    </>
  )
}
