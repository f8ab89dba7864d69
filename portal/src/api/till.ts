// Calls as a cash register makes them, with the credentials of its CashBox: noted for the drawer like
// all others, the token as a variable.

import { newId } from '../../../client/src/new-id.js'
import { noteCall } from './client.js'

export interface Till {
  cashBoxId: string
  accessToken: string
}

export interface TillAnswer {
  status: number
  text: string
}

interface Sent {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: string
  headers?: Record<string, string>
}

export async function callAsTill(
  { cashBoxId, accessToken }: Till,
  { method = 'POST', path, body, headers = {} }: Sent,
): Promise<TillAnswer> {
  const isPos = path.startsWith('/v2')
  const [box, token] = isPos
    ? ['x-cashbox-id', 'x-cashbox-accesstoken']
    : ['cashboxid', 'accesstoken']
  const operation = !isPos ? {} : { 'x-operation-id': newId(), 'x-possystem-id': 'portal-lab' }
  const done = noteCall({
    ...{ method, address: path, body },
    headers: { [box]: '$CASHBOX_ID', [token]: '$CASHBOX_TOKEN', ...operation, ...headers },
  })
  const answer = await fetch(path, {
    method,
    headers: {
      ...{ [box]: cashBoxId, [token]: accessToken },
      ...{ ...operation, ...headers },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  done({ status: answer.status, answer: text })
  return { status: answer.status, text }
}
