// The portal's own table as a document, from which its client is made.
import { accountTable } from '../shared/account/document.js'
import type { ApiTable } from '../shared/openapi/route.js'
import { sessionTable } from './operations.js'

const meanings = {
  errors: 'Member to texts.',
  code: 'A word for programs.',
  traceId: 'Finds the call in the log.',
  type: 'Address that explains the status.',
  title: 'The status in words.',
  status: 'The status.',
  detail: 'What is wrong, as a sentence.',
  instance: 'The path of the call.',
  accountId: 'Id of the account.',
  email: 'User name.',
  token: 'Behind # of the address of the link.',
}

export const portalTable: ApiTable = accountTable(sessionTable, {
  ...{ name: 'portal', base: '/portal/session', meanings },
})
