// One signing unit of a merchant: what is known of it, proved now, and other settings for it.
import { z } from 'zod'
import type { UnitView } from '../../../core/rollout/unit-desk.js'
import { anyJson, dateTime, id, uuid } from '../../shared/account/schemas.js'
import { type AnyCall, OWN, operation } from '../operation.js'

const LONGEST_FINGERPRINT = 120
const BASE = '/operators/:posOperatorId/scus/:scuId'

const view = z
  .object({
    id: id(),
    market: z.string().describe('Letters of the country whose rules apply.'),
    package: z.string().describe('What kind of device it is.'),
    mode: z.int().describe('0 normal, 1 backup, 99 and above not used; and bits of a switch.'),
    serialNumber: z.string().nullable().describe('Of the TSE or the certificate.'),
    certificationId: z.string().nullable().describe('Of a TSE, e.g. BSI-K-TR-0000-2020.'),
    tseState: z
      .int()
      .nullable()
      .describe('0 uninitialized, 1 initialized, 2 terminated; null: it is no TSE.'),
    certificateBase64: z.string().nullable().describe('Its certificate (DER, Base64).'),
    certificateEnds: dateTime().nullable().describe('Until when that is valid (UTC).'),
    software: z.boolean().describe('Its key lies in this server: for tests.'),
    environment: z
      .enum(['test', 'live', 'unknown'])
      .nullable()
      .describe('As it said when it was asked last; null: it was not, or does not say.'),
    facts: z.record(z.string(), z.string()).describe('What exports say of it.'),
    settings: anyJson().describe('Its settings, secrets masked.'),
    issuers: z
      .array(z.string())
      .describe(
        'To be confirmed: SHA-256 of issuers that it told, a certification that is not known.',
      ),
  })
  .meta({ id: 'platform.UnitDetails' })

const check = z
  .object({
    scuId: id(),
    package: z.string().describe('What kind of device it is.'),
    lines: z
      .array(
        z
          .object({
            name: z.string().describe('What was looked at: place, certificate, chain …'),
            level: z.enum(['ok', 'warn', 'bad']).describe('bad: it must not be used like this.'),
            text: z.string().describe('What was seen.'),
            next: z.string().optional().describe('What to do about it.'),
          })
          .meta({ id: 'platform.UnitProof' }),
      )
      .describe('In the order in which they were looked at.'),
    tse: z
      .record(z.string(), anyJson())
      .nullable()
      .describe('What a TSE told of itself, its TseInfo; null: it is none, or did not answer.'),
  })
  .meta({ id: 'platform.UnitCheck' })

const params = z.object({ scuId: uuid() })
const UNIT = { ...OWN, tag: 'Merchants', params, errors: ['SCU_UNKNOWN'] } as const

const keyOf = ({ operator, params: path }: Pick<AnyCall, 'operator'> & { params: unknown }) => ({
  ...{ accountId: operator.id, scuId: (path as z.output<typeof params>).scuId },
})

function shown({ isSoftware, ...row }: UnitView): z.output<typeof view> {
  return {
    ...row,
    software: isSoftware,
    settings: row.settings as z.output<typeof view>['settings'],
  }
}

export const unitOperations = [
  operation({
    ...UNIT,
    id: 'getUnitDetails',
    title: 'A signing unit in full',
    method: 'GET',
    path: BASE,
    right: 'Read',
    success: { status: 200, schema: view },
    handle: async (call) => shown(await call.deps.units.view(keyOf(call))),
  }),
  operation({
    ...UNIT,
    id: 'checkUnit',
    title: 'Prove a signing unit',
    text:
      'Asks the unit what it is and proves it: certificate, chain, company, key, test or live. ' +
      'Where the law knows no log it costs one signature. `confirm` says that the issuer of this ' +
      'SHA-256 is the right one; `again`, that the device takes credentials again that it refused.',
    method: 'POST',
    path: `${BASE}/check`,
    right: 'ReadWrite',
    body: z.object({
      confirm: z
        .string()
        .max(LONGEST_FINGERPRINT)
        .nullish()
        .describe('Hexadecimal, colons as you like.'),
      again: z.boolean().nullish().describe('Credentials that it refused may be sent once more.'),
    }),
    bodyOptional: true,
    example: {},
    success: { status: 200, schema: check },
    idempotent: (result) => result,
    errors: ['SCU_UNKNOWN', 'FIELD_INVALID'],
    handle: async (call) => {
      const { confirm, again } = call.body
      const more = {
        ...(confirm == null ? {} : { confirm }),
        ...(again == null ? {} : { again }),
      }
      const told = await call.deps.units.check(call.actor, { ...keyOf(call), ...more })
      return told as z.output<typeof check>
    },
  }),
  operation({
    ...UNIT,
    id: 'configureUnit',
    title: 'Other settings for a signing unit',
    text:
      'Replaces settings and credentials of a unit outside of this server, from the next receipt ' +
      'on. It must answer with them; nothing is stored when it does not.',
    method: 'PUT',
    path: `${BASE}/configuration`,
    right: 'ReadWrite',
    body: z.object({
      configuration: z
        .record(z.string(), anyJson())
        .describe('As `scu configure` takes it; the page of the country says which members.'),
    }),
    example: { configuration: { url: 'https://tse.example' } },
    success: { status: 200, schema: z.object({ scuId: id() }) },
    errors: ['SCU_UNKNOWN', 'FIELD_INVALID', 'DEVICE_FAILED'],
    handle: ({ deps, actor, body: { configuration }, ...call }) =>
      deps.units.configure(actor, { ...keyOf(call), configuration }),
  }),
]
