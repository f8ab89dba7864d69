// The point-of-sale products of a merchant; their ids stand in receipts.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { CopyButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { EditButton, given } from '../ui/edit.js'
import { List } from '../ui/list.js'

type System = Result<'listPosSystems'>[number]

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  const path = { posOperatorId: operatorId }
  const client = useQueryClient()
  const why = useWhy('operator', operatorId)('addPosSystem')
  const list = useQuery({
    queryKey: ['listPosSystems', operatorId],
    queryFn: () => call('listPosSystems', { path }),
  })
  const add = async (values: Record<string, string>) => {
    const { brand = '', model = '', softwareVersion = '', ...more } = given(values)
    const { baseCurrency = 'EUR', type = '' } = more
    const body = { brand, model, softwareVersion, baseCurrency, type }
    await call('addPosSystem', { path, body })
    await client.invalidateQueries({ queryKey: ['listPosSystems', operatorId] })
  }
  const columns: Column<System>[] = [
    {
      title: t.posSystems.model,
      cell: ({ brand, model, type }) => (
        <>
          {brand} {model}
          <span className="sub">{type}</span>
        </>
      ),
    },
    { title: t.posSystems.version, cell: ({ softwareVersion }) => softwareVersion },
    { title: t.posSystems.currency, cell: ({ baseCurrency }) => baseCurrency },
    {
      title: 'ftPosSystemId',
      cell: ({ id }) => (
        <>
          <span className="mono piece">{id}</span> <CopyButton text={id} />
        </>
      ),
    },
  ]
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}`}>← {t.common.merchant}</Link>
      </p>
      <div className="head">
        <h1>{t.posSystems.title}</h1>
        <EditButton
          why={why}
          title={t.posSystems.add}
          submit={t.common.add}
          entries={[
            { name: 'brand', label: t.posSystems.brand },
            { name: 'model', label: t.posSystems.model },
            { name: 'softwareVersion', label: t.posSystems.version },
            { name: 'baseCurrency', label: t.posSystems.currency },
            { name: 'type', label: t.posSystems.type },
          ]}
          send={add}
        >
          {t.posSystems.add}
        </EditButton>
      </div>
      <p className="lead">{t.posSystems.lead}</p>
      <List
        query={list}
        caption={t.posSystems.title}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.posSystems.nothing}
        first={{ id: 'addPosSystem', body: { brand: 'Muster', model: 'K7', softwareVersion: '1' } }}
      />
    </>
  )
}
