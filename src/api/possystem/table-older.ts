// The rows of group D that older launchers and devices use, at addresses of their own.
import { z } from 'zod'
import type { ErrorCode } from '../../errors.js'
import { json, textOf, uuid } from '../shared/openapi/parts.js'
import type { ApiRoute } from '../shared/openapi/route.js'
import * as wire from './schemas.js'
import { issuedPair } from './table-issued.js'
import { BODY, EVERY, PAIRED, routeOf, TAG } from './table-parts.js'

const CREDENTIALS: readonly ErrorCode[] = [
  ...(['CREDENTIALS_MISSING', 'CREDENTIALS_WRONG', 'CREDENTIALS_LIMITED'] as const),
  ...BODY,
  ...EVERY,
]

/** They are at the root alone: `/v0` is the version. */
const launcher = {
  ...({ method: 'POST', tag: TAG } as const),
  security: [['cashboxid', 'accesstoken']],
}

const started = z
  .object({ type: textOf('print.'), identifier: uuid('Of what was started.') })
  .meta({ id: 'possystem.Started' })

export const launcherRoutes: Readonly<Record<'print' | 'response', ApiRoute>> = {
  print: {
    ...{ ...launcher, id: 'postV0Print', path: '/v0/print', title: 'Issue, for older launchers' },
    text: 'Issues request and answer of *sign*; *response* says what came of it.',
    body: json(
      z
        .object({ request: wire.receiptRequest, response: wire.receiptResponse })
        .meta({ id: 'possystem.PrintRequest' }),
      {
        elsewhere: { request: issuedPair.ReceiptRequest, response: issuedPair.ReceiptResponse },
      },
    ),
    success: { 200: { text: 'It was done.', content: json(started) } },
    refusals: [...CREDENTIALS, 'RECEIPT_UNKNOWN'],
  },
  response: {
    ...{ ...launcher, id: 'postV0Response', path: '/v0/response' },
    title: 'What came of it, for older launchers',
    body: json(started, {
      print: { type: 'print', identifier: '7d1a0002-0000-4000-8000-000000000003' },
    }),
    success: {
      200: {
        text: 'The receipt is issued.',
        content: json(
          z
            .object({ message: textOf('In words.'), receiptUrl: textOf('Address of the receipt.') })
            .meta({ id: 'possystem.PrintResponse' }),
        ),
      },
      204: { text: 'It is still at work.' },
    },
    refusals: [...CREDENTIALS, 'OPERATION_UNKNOWN'],
  },
}

export const olderRoutes: readonly ApiRoute[] = [
  routeOf({
    ...{ method: 'POST', path: '/api/instore/pair', title: 'Pair a device, for older devices' },
    ...PAIRED,
    text: '*pair* with the names of the Dealer API in its answer.',
    success: {
      200: {
        text: 'The credentials.',
        content: json(
          z
            .object({ cashBoxId: uuid('The CashBox.'), accessToken: textOf('Its access token.') })
            .meta({ id: 'possystem.PairInStoreResponse' }),
        ),
      },
    },
  }),
  ...Object.values(launcherRoutes),
]
