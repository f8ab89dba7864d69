// The outlets and the master data of a merchant, and changing them.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call, callPage } from '../api/client.js'
import { numberIn } from '../api/numbers.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import type { Column } from '../ui/data-table.js'
import { EditButton, type Entry, given, orNull } from '../ui/edit.js'
import { type Filters, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { useToast } from '../ui/toast.js'

type Operator = Result<'getPosOperator'>
type Outlet = Result<'listOutlets'>[number]
const LIMIT = 50

/** What a list below a merchant is asked for. */
export function pageAt(operatorId: string, filters: Filters) {
  const after = filters.get('after')
  const query = { limit: LIMIT, ...(after === '' ? {} : { after }) }
  return { path: { posOperatorId: operatorId }, query }
}

interface MasterProps {
  operatorId: string
  operator: Operator
}

export function MasterData({ operatorId, operator }: MasterProps) {
  const t = useText()
  const toast = useToast()
  const client = useQueryClient()
  const why = useWhy('operator', operatorId)
  const send = async ({ taxNumber = '', ...address }: Record<string, string>) => {
    const text = await call('updateMasterData', {
      path: { posOperatorId: operatorId },
      body: { ...(taxNumber === '' ? {} : { taxNumber }), address: given(address) },
    })
    await client.invalidateQueries({ queryKey: ['getPosOperator', operatorId] })
    toast({ text })
  }
  return (
    <EditButton
      why={why('updateMasterData')}
      title={t.change.master}
      text={t.change.masterText}
      entries={[
        { name: 'taxNumber', label: t.onboard.tax },
        { name: 'street', label: t.change.street },
        { name: 'houseNumber', label: t.change.house },
        { name: 'postalCode', label: t.merchants.postcode, value: operator.postalCode },
        { name: 'city', label: t.merchants.city, value: operator.city },
      ]}
      send={send}
    >
      {t.change.master}
    </EditButton>
  )
}

export function Outlets({ operatorId, country }: { operatorId: string; country: string }) {
  const t = useText()
  const filters = useFilters('outlet')
  const client = useQueryClient()
  const why = useWhy('operator', operatorId)
  const list = useQuery({
    queryKey: ['listOutlets', operatorId, filters.get('after')],
    queryFn: () => callPage('listOutlets', pageAt(operatorId, filters)),
  })
  const add = async ({ number = '', name = '', ...place }: Record<string, string>) => {
    const { address = '', postalCode = '', city = '' } = place
    await call('createOutlet', {
      path: { posOperatorId: operatorId },
      body: {
        ...{ name, address, postalCode, city, country: place.country ?? country },
        ...(number === '' ? {} : { outletNumber: numberIn(number) }),
      },
    })
    await client.invalidateQueries({ queryKey: ['listOutlets', operatorId] })
  }
  const columns: Column<Outlet>[] = [
    { title: t.merchants.number, cell: ({ outletNumber }) => outletNumber, isNumber: true },
    { title: t.common.name, cell: ({ name }) => name },
    {
      title: t.merchants.place,
      cell: ({ address, postalCode, city }) => `${address}, ${postalCode} ${city}`,
    },
    {
      title: t.problems.do,
      cell: (outlet) => (
        <span className="filters">
          <Change operatorId={operatorId} outlet={outlet} why={why('createOutlet')} />
          {outlet.country === 'DE' && (
            <Link to={`/operators/${operatorId}/place?outlet=${outlet.outletNumber}`}>
              {t.place.title}
            </Link>
          )}
        </span>
      ),
    },
  ]
  const entries: Entry[] = [
    { name: 'name', label: t.common.name },
    { name: 'address', label: t.merchants.address },
    { name: 'postalCode', label: t.merchants.postcode },
    { name: 'city', label: t.merchants.city },
    { name: 'country', label: t.merchants.country, value: country },
    { name: 'number', label: t.merchants.number, hint: t.change.numberHint },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.merchants.outlets}</h2>
        <span className="filters">
          <EditButton why={why('createOutlet')} entries={entries} submit={t.common.add} send={add}>
            {t.merchants.addOutlet}
          </EditButton>
          <Link className="button" to={`/operators/${operatorId}/outlets/import`}>
            {t.outletImport.title}
          </Link>
        </span>
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.merchants.outlets}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.change.noOutlet}
      />
    </section>
  )
}

interface ChangeProps {
  operatorId: string
  outlet: Outlet
  why: string | undefined
}

const MORE = ['contactName', 'telephone', 'fax', 'county', 'stateOrProvince', 'locationId'] as const

function Change({ operatorId, outlet, why }: ChangeProps) {
  const t = useText()
  const client = useQueryClient()
  const path = { posOperatorId: operatorId, outletNumber: outlet.outletNumber }
  // the list may be older than what somebody else has just changed
  const load = async () => {
    const now = await call('getOutlet', { path })
    const { name, address, postalCode, city, country } = now
    const more = Object.fromEntries(MORE.map((one) => [one, now[one]]))
    return { name, address, postalCode, city, country, ...more }
  }
  const send = async ({ name = '', address = '', ...values }: Record<string, string>) => {
    const { postalCode = '', city = '', country = '', ...more } = values
    const body = { name, address, postalCode, city, country, ...orNull(more) }
    await call('updateOutlet', { path, body })
    await client.invalidateQueries({ queryKey: ['listOutlets', operatorId] })
  }
  return (
    <EditButton
      why={why}
      title={`${t.common.outlet} ${outlet.outletNumber}`}
      entries={[
        { name: 'name', label: t.common.name, value: outlet.name },
        { name: 'address', label: t.merchants.address, value: outlet.address },
        { name: 'postalCode', label: t.merchants.postcode, value: outlet.postalCode },
        { name: 'city', label: t.merchants.city, value: outlet.city },
        { name: 'country', label: t.merchants.country, value: outlet.country },
        ...MORE.map((name) => ({ name, label: t.change.outlet[name], value: outlet[name] })),
      ]}
      load={load}
      send={send}
    >
      {t.common.change}
    </EditButton>
  )
}
