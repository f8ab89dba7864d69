// Tax number and address of a merchant. Part of the route table.
import { z } from 'zod'
import { changeMasterData } from '../../../core/accounts/master-data.js'
import { fail } from '../../../errors.js'
import type { MasterDataRules } from '../../../market/facts.js'
import { sentenceOf } from '../../../notify/message.js'
import { invalid } from '../../shared/account/read.js'
import { text } from '../../shared/account/schemas.js'
import { operation } from '../operation.js'

const masterData = z.object({
  taxNumber: text(50).nullish(),
  address: z
    .object({
      street: text(200).nullish(),
      houseNumber: text(40).nullish(),
      city: text(80).nullish(),
      postalCode: z.union([z.int(), text(20)]).nullish(),
    })
    .nullish(),
})

export const masterDataOperations = [
  operation({
    id: 'updateMasterData',
    rehearsable: true,
    title: 'Update master data',
    text:
      'Changes only what is sent; null changes nothing. A postal code that is a number gets its ' +
      'leading zero back. The primary outlet gets the same address.',
    tag: 'PosOperators',
    method: 'PATCH',
    path: '/posoperators/:posOperatorId/masterdata',
    right: 'ReadWrite',
    capability: 'masterData',
    body: masterData,
    example: {
      taxNumber: '181/815/08155',
      address: { street: 'Hauptstr.', houseNumber: '1', city: 'Dresden', postalCode: 1067 },
    },
    success: { status: 200, schema: z.string() },
    handle: async ({ deps, actor, operator, body, culture: { language } }) => {
      const facts = deps.factsOf(operator.market)
      if (facts?.masterData === undefined) {
        throw fail('MARKET_UNSUPPORTED', { market: operator.market })
      }
      const read = readIn(facts.masterData, body, (key) => sentenceOf(key, language))
      const change = { ...withoutNull(body.address ?? {}), ...read }
      const input = { accountId: operator.id, facts, change }
      const { checked } = await changeMasterData(deps, actor, input)
      return sentenceOf(checked ? 'masterDataUpdated' : 'masterDataUnchecked', language)
    },
  }),
]

type Say = (key: 'taxNumberInvalid' | 'postalCodeInvalid') => string

/** Tax number and postal code by the rules of the operator's country. Throws SHAPE_INVALID. */
function readIn(
  rules: MasterDataRules,
  { taxNumber, address }: z.output<typeof masterData>,
  say: Say,
): { taxNumber: string | undefined; postalCode: string | undefined } {
  const given = address?.postalCode ?? undefined
  const postalCode = given === undefined ? undefined : rules.postalCode(given)
  const faults: Record<string, string[]> = {}
  if (typeof taxNumber === 'string' && rules.taxNumber(taxNumber) === undefined) {
    faults.taxNumber = [say('taxNumberInvalid')]
  }
  if (given !== undefined && postalCode === undefined) {
    faults['address.postalCode'] = [say('postalCodeInvalid')]
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return { taxNumber: taxNumber ?? undefined, postalCode }
}

type Address = NonNullable<z.output<typeof masterData>['address']>

function withoutNull({ street, houseNumber, city }: Address) {
  return {
    street: street ?? undefined,
    houseNumber: houseNumber ?? undefined,
    city: city ?? undefined,
  }
}
