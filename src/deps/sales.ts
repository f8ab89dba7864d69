// Selling, put together.
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { createTemplates } from '../core/rollout/template/execute.js'
import type { SalesDeps } from '../core/sales/sales.js'
import { fail } from '../errors.js'
import type { JsonObject } from '../lib/json.js'
import { rowsMember, textMember } from '../lib/json-object.js'
import { markets } from '../market/index.js'
import { hasRole } from '../model/roles.js'
import { findAccount } from '../store/account/accounts.js'
import { findTemplateText } from '../store/sales/orders.js'
import type { Common } from './workers.js'

export function salesOf(
  config: Pick<Config, 'production'>,
  { store, now, log }: Pick<Common, 'store' | 'now'> & { log: Logger },
): SalesDeps {
  const templates = createTemplates({
    ...{ store, now, log, randomBytes, named: false },
    markets: Object.values(markets),
    sandbox: !config.production,
  })
  return {
    ...{ store, now },
    executeTemplate: async (actor, { operatorId, outletNumber, templateId, dealerId }, made) => {
      const text = await findTemplateText(store, templateId)
      if (text === undefined) throw fail('TEMPLATE_UNKNOWN', { template: templateId })
      const dealer = await findAccount(store, dealerId)
      await templates.execute(actor, {
        ...{ accountId: operatorId, outletNumber, strict: true, query: new Map() },
        body: JSON.stringify(text),
        mayCreateSigners: dealer !== undefined && hasRole(dealer, 'PosDealerRksvSign'),
        also: (tx, { cashBoxId, configuration }) =>
          made(tx, {
            cashBoxId,
            queueId: firstId(configuration, 'ftQueues'),
            scuId: firstId(configuration, 'ftSignaturCreationDevices'),
          }),
      })
    },
  }
}

function firstId(configuration: JsonObject, list: string): string | null {
  const [first] = rowsMember(configuration, list)
  return (first === undefined ? undefined : textMember(first, 'Id')) ?? null
}
