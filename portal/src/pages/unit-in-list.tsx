// A TSE as lists of the Dealer API show it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client.js'
import { useSession } from '../api/session.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { EditButton } from '../ui/edit.js'
import { Facts } from '../ui/facts.js'
import { Loaded } from '../ui/list.js'

/** Where the Dealer API tells of signing units: TSEs are a thing of this market. */
const MARKET = 'DE'

export const useUnits = (): boolean => useSession().account?.market === MARKET

export function InList({ path }: { path: { posOperatorId: string; scuId: string } }) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('scu', path.scuId)('updateScu')
  const found = useQuery({
    queryKey: ['getScu', path.scuId],
    queryFn: () => call('getScu', { path }),
  })
  return (
    <section>
      <h2>{t.parts.inLists}</h2>
      <Loaded query={found}>
        {(unit) => (
          <>
            <Facts of={unit} leave={['id', 'serialNumber', 'certificationId']} />
            <EditButton
              why={why}
              title={t.cashBox.rename}
              entries={[
                { name: 'description', label: t.cashBox.description, value: unit.description },
              ]}
              send={async ({ description = '' }) => {
                await call('updateScu', { path, body: { description } })
                await client.invalidateQueries({ queryKey: ['getScu'] })
              }}
            >
              {t.cashBox.rename}
            </EditButton>
          </>
        )}
      </Loaded>
    </section>
  )
}
