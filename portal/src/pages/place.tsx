// All registers of a German place of business, as § 146a (4) AO asks for them: what is missing, what has
// changed since it was told last, and the file for the upload.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call, linkOf } from '../api/client.js'
import { numberIn } from '../api/numbers.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { Disabled } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { EditButton, given } from '../ui/edit.js'
import { useFilters } from '../ui/filters.js'
import { Loaded } from '../ui/list.js'
import { Empty } from '../ui/states.js'

type Place = Result<'getPlace'>
type System = Place['systems'][number]
const PLACE = 'getPlace'

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  const filters = useFilters()
  const path = { posOperatorId: operatorId }
  const outlet = numberIn(filters.get('outlet') || '1')
  const place = useQuery({
    queryKey: [PLACE, operatorId, outlet],
    queryFn: () => call(PLACE, { path, query: { outlet } }),
  })
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}`}>← {t.common.merchant}</Link>
      </p>
      <h1>{t.place.title}</h1>
      <p className="lead">{t.place.lead}</p>
      <div className="filters">
        <OutletChoice operatorId={operatorId} outlet={outlet} />
        <a className="button" href={linkOf('getPlacePdf', { path, query: { outlet } })} download>
          PDF
        </a>
        {place.data !== undefined && <XmlFile place={place.data} operatorId={operatorId} />}
        <Link to={`/reports?operatorId=${operatorId}`}>{t.reports.title}</Link>
      </div>
      <Loaded query={place}>{(found) => <Shown place={found} />}</Loaded>
    </>
  )
}

function OutletChoice({ operatorId, outlet }: { operatorId: string; outlet: number }) {
  const t = useText()
  const filters = useFilters()
  const list = useQuery({
    queryKey: ['listOutlets', operatorId, 'all'],
    queryFn: () =>
      call('listOutlets', { path: { posOperatorId: operatorId }, query: { limit: 200 } }),
  })
  return (
    <label>
      {t.common.outlet}
      <select value={outlet} onChange={(event) => filters.set('outlet', event.target.value)}>
        {(list.data ?? []).map(({ outletNumber, name }) => (
          <option key={outletNumber} value={outletNumber}>
            {outletNumber} {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function XmlFile({ place, operatorId }: { place: Place; operatorId: string }) {
  const t = useText()
  const { missing, systems, outletNumber } = place
  if (systems.length === 0) return <Disabled why={t.place.none}>{t.reports.xml}</Disabled>
  if (missing.length > 0) {
    return <Disabled why={t.place.lacking(String(missing.length))}>{t.reports.xml}</Disabled>
  }
  const wish = { path: { posOperatorId: operatorId }, query: { outlet: outletNumber } }
  return (
    <a className="button" href={linkOf('getPlaceFile', wish)} download>
      {t.reports.xml}
    </a>
  )
}

function Shown({ place }: { place: Place }) {
  const t = useText()
  const { missing, systems, changes, toldOn } = place
  return (
    <>
      <section>
        <h2>{t.registration.missing}</h2>
        {missing.length === 0 ? (
          <p className="state good">{t.registration.complete}</p>
        ) : (
          <ul>
            {missing.map(({ member, message }) => (
              <li key={member + message}>
                {message} <Where member={member} systems={systems} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <Systems systems={systems} />
      <section>
        <h2>{t.reports.changes}</h2>
        <p className="lead">{toldOn === null ? t.place.never : t.place.told(toldOn)}</p>
        {changes.length > 0 && (
          <ul>
            {changes.map(({ what, serialNumber, members }) => (
              <li key={what + serialNumber}>
                {t.place.changes[what]}: {serialNumber} {members.join(', ')}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

/** The page on which what a register lacks is entered; of its TSE: the button in its row. */
function Where({ member, systems }: { member: string; systems: readonly System[] }) {
  const t = useText()
  const [, at = ''] = /^systems\[(\d+)\]\.(?!tse)/.exec(member) ?? []
  const queueId = systems[numberIn(at)]?.queueId
  if (queueId === undefined) return null
  return <Link to={`/queues/${queueId}/registration`}>{t.register.look}</Link>
}

function Systems({ systems }: { systems: readonly System[] }) {
  const t = useText()
  const columns: Column<System>[] = [
    {
      title: t.queues.register,
      cell: ({ queueId, serialNumber, manufacturer, model }) => (
        <>
          <Link to={`/queues/${queueId}/registration`}>{serialNumber}</Link>
          <span className="sub">{[manufacturer, model].filter(Boolean).join(' · ')}</span>
        </>
      ),
    },
    {
      title: 'TSE',
      cell: ({ tse }) => (
        <>
          <span className="mono">{tse.serialNumber}</span>
          <span className="sub">{tse.certificationId}</span>
        </>
      ),
    },
    { title: t.registration.bought, cell: ({ acquiredOn }) => acquiredOn },
    { title: t.registration.used, cell: ({ inOperationOn }) => inOperationOn },
    { title: t.registration.ended, cell: ({ outOfOperationOn }) => outOfOperationOn },
    {
      title: t.problems.do,
      cell: ({ scuId }) => (scuId === null ? null : <Unit scuId={scuId} />),
    },
  ]
  return (
    <section>
      <h2>{t.reports.systems}</h2>
      {systems.length === 0 ? (
        <Empty title={t.place.none} />
      ) : (
        <DataTable
          caption={t.reports.systems}
          columns={columns}
          rows={systems}
          keyOf={({ queueId, scuId }) => `${queueId} ${scuId}`}
        />
      )}
    </section>
  )
}

/** What the server cannot know of a TSE. */
export function Unit({ scuId }: { scuId: string }) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('scu', scuId)
  const send = async ({ form = '', ...values }: Record<string, string>) => {
    const body = { ...given(values), ...(form === '' ? {} : { form: numberIn(form) }) }
    await call('putUnitRegistrationData', { path: { scuId }, body })
    for (const key of [PLACE, 'getRegistration']) {
      await client.invalidateQueries({ queryKey: [key] })
    }
  }
  return (
    <EditButton
      why={why('putUnitRegistrationData')}
      title={t.place.unit}
      text={t.place.unitText}
      entries={[
        { name: 'serialNumber', label: t.registration.serial },
        { name: 'certificationId', label: t.place.certificate, hint: '0490-2021' },
        {
          ...{ name: 'form', label: t.place.form },
          options: [['', ''], ...Object.entries(t.place.forms)],
        },
      ]}
      send={send}
    >
      {t.place.unit}
    </EditButton>
  )
}
