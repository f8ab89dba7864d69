// Wallets of phones that take receipts of a merchant: set up with what their makers hand out.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { useSession } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { AskButton, WorkButton } from '../ui/buttons.js'
import { EditButton, type Entry, given } from '../ui/edit.js'
import { Facts } from '../ui/facts.js'
import { Loaded } from '../ui/list.js'

const MAKERS = ['apple', 'google'] as const
type Maker = (typeof MAKERS)[number]
type Wallet = Result<'listWallets'>['items'][number]
const NAMES: Record<Maker, string> = { apple: 'Apple Wallet', google: 'Google Wallet' }

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  const found = useQuery({
    queryKey: ['listWallets', operatorId],
    queryFn: () => call('listWallets', { path: { posOperatorId: operatorId } }),
  })
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}/look`}>← {t.look.title}</Link>
      </p>
      <h1>{t.parts.wallets}</h1>
      <p className="lead">{t.parts.walletsText}</p>
      <Loaded query={found}>
        {({ items }) => (
          <>
            {MAKERS.map((maker) => (
              <Card
                key={maker}
                operatorId={operatorId}
                maker={maker}
                wallet={items.find((one) => one.maker === maker)}
              />
            ))}
          </>
        )}
      </Loaded>
    </>
  )
}

interface Props {
  operatorId: string
  maker: Maker
  wallet: Wallet | undefined
}

function Card({ operatorId, maker, wallet }: Props) {
  const t = useText()
  const client = useQueryClient()
  const isSandbox = useSession().environment === 'sandbox'
  const why = useWhy('operator', operatorId)
  const path = { posOperatorId: operatorId, maker }
  const fresh = () => client.invalidateQueries({ queryKey: ['listWallets'] })
  const put = (body: Record<string, string | boolean>) =>
    call('putWallet', { path, body }).then(fresh)
  const lines = (name: string, label: string): Entry => ({ name, label, type: 'lines' })
  const entries: Record<Maker, readonly Entry[]> = {
    apple: [
      lines('certificate', t.parts.certificate),
      lines('intermediate', t.parts.intermediate),
      lines('privateKey', t.parts.key),
      { name: 'passphrase', label: t.parts.passphrase, type: 'password', autoComplete: 'off' },
    ],
    google: [{ name: 'issuerId', label: t.parts.issuer }, lines('serviceAccount', t.parts.service)],
  }
  return (
    <section>
      <div className="head">
        <h2>{NAMES[maker]}</h2>
        <EditButton
          why={why('putWallet')}
          title={NAMES[maker]}
          text={t.parts.sealed}
          entries={entries[maker]}
          send={(values) => put(given(values))}
        >
          {wallet === undefined ? t.common.add : t.common.change}
        </EditButton>
        {isSandbox && (
          <WorkButton why={why('putWallet')} work={() => put({ simulated: true })}>
            {t.parts.simulated}
          </WorkButton>
        )}
        {wallet !== undefined && (
          <AskButton
            kind="danger"
            why={why('deleteWallet')}
            title={`${t.common.remove}: ${NAMES[maker]}`}
            text={t.parts.removeText}
            work={() => call('deleteWallet', { path }).then(fresh)}
          >
            {t.common.remove}
          </AskButton>
        )}
      </div>
      {wallet === undefined ? <p>{t.parts.noWallet}</p> : <Facts of={wallet.told} />}
    </section>
  )
}
