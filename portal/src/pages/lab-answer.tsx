// What a till was answered.
import { Link } from 'react-router'
import type { TillAnswer } from '../api/till.js'
import { useText } from '../text/index.js'

interface Props {
  answer: TillAnswer
  /** Where a receipt in the answer is to be opened. */
  queueId?: string
}

export function Answered({ answer: { status, text }, queueId }: Props) {
  const t = useText()
  const [, item] = /"ftQueueItemID":"([0-9a-f-]{36})"/i.exec(text) ?? []
  return (
    <div role="status">
      <h3>
        {t.lab.answer} <span className={`state ${status < 400 ? 'good' : 'bad'}`}>{status}</span>
      </h3>
      {item !== undefined && queueId !== undefined && (
        <p>
          <Link className="button" to={`/receipts/${queueId}/${item}`}>
            {t.lab.open}
          </Link>
        </p>
      )}
      <pre>{text}</pre>
    </div>
  )
}
