// Personal data of a merchant's customers: erasing it, which nothing brings back.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { numberIn } from '../api/numbers.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { AskButton } from '../ui/buttons.js'
import { Loaded } from '../ui/list.js'
import { useToast } from '../ui/toast.js'

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  const operator = useQuery({
    queryKey: ['getPosOperator', operatorId],
    queryFn: () => call('getPosOperator', { path: { posOperatorId: operatorId } }),
  })
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}`}>← {t.common.merchant}</Link>
      </p>
      <h1>{t.privacy.title}</h1>
      <p className="lead">{t.privacy.lead}</p>
      <Loaded query={operator}>{({ id, name }) => <Erase id={id} name={name} />}</Loaded>
    </>
  )
}

function Erase({ id, name }: { id: string; name: string }) {
  const t = useText()
  const toast = useToast()
  const why = useWhy('operator', id)('erasePersonalData')
  const [email, setEmail] = useState('')
  const [days, setDays] = useState('')
  const erase = async () => {
    const { erased } = await call('erasePersonalData', {
      path: { posOperatorId: id },
      body: email !== '' ? { email } : { olderThanDays: numberIn(days) },
    })
    toast({ text: t.privacy.erased(JSON.stringify(erased)) })
  }
  return (
    <div className="short">
      <label className="field">
        <span>{t.privacy.email}</span>
        <input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      </label>
      <label className="field">
        <span>{t.privacy.days}</span>
        <input inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
      </label>
      <p>{t.privacy.text}</p>
      <AskButton
        kind="danger"
        why={why ?? (email === '' && days === '' ? t.common.required : undefined)}
        title={t.privacy.erase}
        text={t.privacy.text}
        typed={name}
        work={erase}
      >
        {t.privacy.erase}
      </AskButton>
    </div>
  )
}
