// How receipts of a whole PosOperator look, where the settings of a queue leave it open. Part of
// the route table; the rules of the members stand in core/receipts/branding.
import { z } from 'zod'
import {
  operatorKey,
  readSettings,
  writeAudited,
} from '../../../core/receipts/branding/settings.js'
import { operation } from '../operation.js'

const TAG = 'Receipts'
const PATH = '/posoperators/:posOperatorId/receiptsettings'
/** A logo of 200,000 bytes in base64, and the texts. */
const BODY_LIMIT = 400 * 1024

const text = () => z.string().nullish()
const flag = () => z.union([z.boolean(), z.string()]).nullish()
const pixels = () => z.union([z.int(), z.string()]).nullish()

const receiptSettings = z.object({
  name1Text: text(),
  address1Text: text(),
  address1PostalCode: text(),
  address1City: text(),
  Country: text(),
  vat: text(),
  logourl: text(),
  logowidth: pixels(),
  logoheight: pixels(),
  footertext: text(),
  website: text(),
  showFeedback: flag(),
  feedbackRedirectAppId: text(),
  shareButtonAppIds: z.union([z.array(z.string()), z.string()]).nullish(),
  printBewirtungsBeleg: flag(),
  enableConsumerApp: flag(),
  layout_html: text(),
  primaryColor: text(),
  backgroundColor: text(),
})

export const receiptSettingsOperations = [
  operation({
    id: 'getReceiptSettings',
    title: 'Get receipt settings',
    text: 'What is set for all Queues of the PosOperator; members that nobody has set are missing.',
    tag: TAG,
    method: 'GET',
    path: PATH,
    right: 'Read',
    success: { status: 200, schema: receiptSettings },
    handle: ({ deps, operator }) => readSettings(deps.settings, operatorKey(operator.id)),
  }),
  operation({
    id: 'putReceiptSettings',
    title: 'Replace receipt settings',
    text:
      'Members that are not sent are taken away. Settings of a Queue come first, member by ' +
      'member; the two colours always come from one place.',
    tag: TAG,
    method: 'PUT',
    path: PATH,
    right: 'ReadWrite',
    body: receiptSettings,
    bodyLimit: BODY_LIMIT,
    example: { name1Text: 'Kaffeehaus Ring GmbH', vat: 'ATU12345678', primaryColor: '#7a1f2b' },
    success: { status: 200, schema: receiptSettings },
    errors: ['FIELD_INVALID'],
    handle: ({ deps, actor, operator, body }) =>
      writeAudited(deps.settings, actor, {
        ...{ key: operatorKey(operator.id), body, how: 'replace' },
      }),
  }),
]
