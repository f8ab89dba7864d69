// What merchants register of registers and places: as JSON, as a page, as PDF and as a file for
// upload.
import { z } from 'zod'
import { type PlaceView, placeRulesOf, placeView } from '../../../core/rollout/inventory/place.js'
import { placeSheet } from '../../../core/rollout/inventory/place-sheet.js'
import {
  putRegisterEntry,
  putUnitEntry,
  showRegistration,
} from '../../../core/rollout/inventory/registration-desk.js'
import { registrationSheet } from '../../../core/rollout/inventory/registration-sheet.js'
import { fail } from '../../../errors.js'
import type { Language } from '../../../lib/language.js'
import type { Missing } from '../../../model/queue-facts.js'
import { sentenceOf } from '../../../notify/message.js'
import { SHEET_POLICY, sheetPage } from '../../../render/sheet/html.js'
import type { Sheet } from '../../../render/sheet/sheet.js'
import { Answer } from '../../shared/account/operation.js'
import {
  notifiedMerchant,
  notifiedOutlet,
  registrationShape,
} from '../../shared/account/registration.js'
import { id, int32, optionalText, uuid } from '../../shared/account/schemas.js'
import { type AnyCall, OWN, operation } from '../operation.js'
import { shownReport, submission } from './submissions.js'

const tag = 'Registration'
const PDF = 'application/pdf'
const HTML = 'text/html; charset=utf-8'
const XML = 'application/xml; charset=utf-8'
const MOST_REPORTS = 200
const LONGEST = 100
const LARGEST_KIND = 99

const text = () => z.string().nullable()
const day = () =>
  z.iso
    .date()
    .nullish()
    .transform((value) => value ?? null)

type Asking = Pick<AnyCall, 'deps' | 'account' | 'actor' | 'culture'>

const spoken = (language: Language) => (language === 'de' || language === 'fr' ? language : 'en')

const told = (missing: readonly Missing[], language: Language) =>
  missing.map(({ member, gap, details }) => ({
    ...{ member, message: sentenceOf(gap, language, details) },
  }))

async function registrationFor({ deps, account, actor, culture }: Asking, queueId: string) {
  const shown = await showRegistration(deps.registrations, actor, queueId)
  const rows = await deps.submissions.list({
    direction: 'asc',
    ...{ accountId: account.id, queueId, limit: MOST_REPORTS },
    ...{ kind: undefined, state: undefined, open: undefined, operatorId: undefined },
    ...{ outletNumber: undefined, market: undefined, dueBefore: undefined, after: undefined },
  })
  const telling = { language: culture.language, factsOf: deps.factsOf }
  return {
    ...shown,
    missing: told(shown.registration.missing, culture.language),
    reports: rows.map((row) => shownReport(row, telling)),
  }
}

async function sheetOf(call: Asking, queueId: string): Promise<Sheet> {
  const { deps, culture } = call
  const { missing, ...found } = await registrationFor(call, queueId)
  return registrationSheet({
    ...{ ...found, missing: missing.map(({ message }) => message) },
    zone: deps.factsOf(found.registration.market)?.zone ?? 'UTC',
    ...{ language: spoken(culture.language), now: deps.now() },
  })
}

const inline = (name: string) => ({ 'content-disposition': `inline; filename="${name}"` })

const params = z.object({ queueId: uuid() })
const REGISTER = { ...OWN, tag, params, errors: ['QUEUE_UNKNOWN'] } as const

const system = z
  .object({
    queueId: id(),
    scuId: id().nullable().describe('Null: it has no signing unit.'),
    kind: z.int().nullable().describe('Art: by the list of the form.'),
    ...{ software: text(), softwareVersion: text(), serialNumber: z.string() },
    ...{ manufacturer: text(), model: text() },
    tse: z.object({
      serialNumber: text(),
      startedOn: text().describe('From then on the register works with it.'),
      endedOn: text().describe('Until then; null: it works with it now.'),
      certificationId: text().describe('BSI id: NNNN-YYYY.'),
      form: z.int().nullable().describe('1 card, 2 USB stick, 3 cloud.'),
    }),
    ...{ acquiredOn: text(), inOperationOn: text(), outOfOperationOn: text(), reason: text() },
  })
  .meta({ id: 'platform.PlaceSystem', description: 'A register and one TSE of it.' })

const placeSchema = z
  .object({
    outletNumber: z.int().describe('The place.'),
    merchant: notifiedMerchant.nullable(),
    outlet: notifiedOutlet.nullable(),
    systems: z.array(system),
    missing: z.array(z.object({ member: z.string(), message: z.string() })),
    toldOn: text().describe('Day of the last notification; null: there was none.'),
    changes: z
      .array(
        z.object({
          what: z.enum(['added', 'removed', 'changed']),
          serialNumber: z.string(),
          tseSerialNumber: text(),
          members: z.array(z.string()),
        }),
      )
      .describe('Since the last notification.'),
  })
  .meta({ id: 'platform.Place' })

const placeQuery = z.object({ outlet: int32(1).default(1).describe('Number of the place.') })
const PLACE = {
  ...OWN,
  tag,
  method: 'GET',
  right: 'Read',
  query: placeQuery,
  errors: ['OUTLET_UNKNOWN', 'MARKET_UNSUPPORTED'],
} as const

type PlaceCall = Asking & { operator: AnyCall['operator']; query: { outlet: number } }

const viewOf = ({ deps, operator, query }: PlaceCall): Promise<PlaceView> =>
  placeView(deps.registrations, {
    ...{ accountId: operator.id, market: operator.market, number: query.outlet },
  })

const registerEntry = z.object({
  kind: int32(1, LARGEST_KIND)
    .nullish()
    .transform((value) => value ?? null),
  ...{ software: optionalText(LONGEST), softwareVersion: optionalText(LONGEST) },
  ...{ manufacturer: optionalText(LONGEST), model: optionalText(LONGEST) },
  ...{ acquiredOn: day(), inOperationOn: day(), outOfOperationOn: day() },
  reason: optionalText(LONGEST).describe('Why it is out of operation.'),
})

const unitEntry = z.object({
  serialNumber: z
    .string()
    .regex(/^[0-9a-fA-F]{64,128}$/)
    .nullish()
    .transform((value) => value?.toLowerCase() ?? null),
  certificationId: z
    .string()
    .regex(/^\d{4}-\d{4}$/)
    .nullish()
    .transform((value) => value ?? null)
    .describe('NNNN-YYYY of BSI-K-TR-NNNN-YYYY.'),
  form: int32(1, 3)
    .nullish()
    .transform((value) => value ?? null),
})

export const registrationOperations = [
  operation({
    ...REGISTER,
    id: 'getRegistration',
    title: 'What is registered of a register',
    text:
      'Identification, key and check value of the turnover counter, signing units, the code of ' +
      'the start receipt, and the reports that are due. The key is shown to accounts with the ' +
      'right Full alone, and that they have seen it is written down.',
    method: 'GET',
    path: '/queues/:queueId/registration',
    success: {
      status: 200,
      schema: registrationShape.extend({
        encryptionKeyHidden: z.boolean().describe('There is a key; the right Full shows it.'),
        reports: z.array(submission),
      }),
    },
    handle: async (call) => {
      const { registration, isKeyHidden, missing, reports } = await registrationFor(
        call,
        call.params.queueId,
      )
      return { ...registration, missing, encryptionKeyHidden: isKeyHidden, reports }
    },
  }),
  operation({
    ...REGISTER,
    id: 'getRegistrationPage',
    title: 'The same as a page',
    text: 'With the code of the start receipt as a picture; it loads and runs nothing.',
    method: 'GET',
    path: '/queues/:queueId/registration.html',
    success: { status: 200, schema: z.string(), contentType: HTML },
    handle: async (call) => {
      const page = sheetPage(await sheetOf(call, call.params.queueId))
      return new Answer(page, HTML, { headers: { 'content-security-policy': SHEET_POLICY } })
    },
  }),
  operation({
    ...REGISTER,
    id: 'getRegistrationPdf',
    title: 'The same to be printed',
    method: 'GET',
    path: '/queues/:queueId/registration.pdf',
    success: { status: 200, schema: z.string().meta({ format: 'binary' }), contentType: PDF },
    handle: async (call) => {
      const sheet = await sheetOf(call, call.params.queueId)
      const bytes = await call.deps.rendering.drawSheet(sheet, call.account.id)
      return new Answer(bytes, PDF, { headers: inline('registration.pdf') })
    },
  }),
  operation({
    ...REGISTER,
    id: 'putRegistrationData',
    rehearsable: true,
    title: 'What a register is notified with',
    text:
      'What this server cannot know of a German register; all of it at once: what is left out is ' +
      'taken away. Needs ReadWrite at the merchant.',
    method: 'PUT',
    path: '/queues/:queueId/registration-data',
    body: registerEntry,
    example: { kind: 1, manufacturer: 'Muster', model: 'K7', acquiredOn: '2026-11-02' },
    errors: ['QUEUE_UNKNOWN', 'RIGHTS_TOO_LOW', 'MARKET_UNSUPPORTED', 'FIELD_INVALID'],
    success: { status: 200, schema: registerEntry },
    handle: ({ deps, actor, params: { queueId }, body }) =>
      putRegisterEntry(deps.registrations, actor, { queueId, entry: body }),
  }),
  operation({
    ...{ ...OWN, tag, params: z.object({ scuId: uuid() }) },
    id: 'putUnitRegistrationData',
    rehearsable: true,
    title: 'What a TSE is notified with',
    text: 'As of registers: all of it at once. Needs ReadWrite at the merchant.',
    method: 'PUT',
    path: '/scus/:scuId/registration-data',
    body: unitEntry,
    example: { certificationId: '0490-2021', form: 3 },
    errors: ['SCU_UNKNOWN', 'RIGHTS_TOO_LOW', 'MARKET_UNSUPPORTED'],
    success: { status: 200, schema: unitEntry },
    handle: ({ deps, actor, params: { scuId }, body }) =>
      putUnitEntry(deps.registrations, actor, { scuId, entry: body }),
  }),
  operation({
    ...PLACE,
    id: 'getPlace',
    title: 'All registers of a place',
    text:
      'What § 146a (4) AO asks for of a place of business: a row per register and TSE. `missing` ' +
      'says what is wanting: of `systems[n]` it is given by `putRegistrationData` of its ' +
      '`queueId`, of its `tse` by `putUnitRegistrationData` of its `scuId`. `changes` says what ' +
      'differs from what was told last.',
    path: '/operators/:posOperatorId/146a',
    success: { status: 200, schema: placeSchema },
    handle: async (call) => {
      const { report, toldOn, changes } = await viewOf(call)
      const missing = told(report.missing, call.culture.language)
      return { outletNumber: call.query.outlet, ...report, missing, toldOn, changes }
    },
  }),
  operation({
    ...PLACE,
    id: 'getPlaceFile',
    title: 'The same for upload in Mein ELSTER',
    text: 'Refused while something is missing.',
    path: '/operators/:posOperatorId/146a.xml',
    errors: [...PLACE.errors, 'REGISTRATION_INCOMPLETE'],
    success: { status: 200, schema: z.string(), contentType: XML },
    handle: async (call) => {
      const { report } = await viewOf(call)
      const lacking = report.systems.length === 0 ? ['systems'] : report.missing.map(memberOf)
      const [member] = lacking
      if (member !== undefined) {
        throw fail('REGISTRATION_INCOMPLETE', { count: lacking.length, member })
      }
      const body = placeRulesOf(call.deps.registrations, call.operator.market).xml(report)
      const name = `146a-${call.query.outlet}.xml`
      const headers = { 'content-disposition': `attachment; filename="${name}"` }
      return new Answer(body, XML, { headers })
    },
  }),
  operation({
    ...PLACE,
    id: 'getPlacePdf',
    title: 'The same to be typed from',
    path: '/operators/:posOperatorId/146a.pdf',
    success: { status: 200, schema: z.string().meta({ format: 'binary' }), contentType: PDF },
    handle: async (call) => {
      const view = await viewOf(call)
      const { language } = call.culture
      const sheet = placeSheet({
        ...{ view, merchant: call.operator.name, number: call.query.outlet },
        missing: told(view.report.missing, language).map(({ message }) => message),
        ...{ language: spoken(language), now: call.deps.now() },
      })
      const bytes = await call.deps.rendering.drawSheet(sheet, call.account.id)
      return new Answer(bytes, PDF, { headers: inline(`146a-${call.query.outlet}.pdf`) })
    },
  }),
]

const memberOf = ({ member }: Missing): string => member
