// Pages for each right of a merchant, with registers of every market.
import { afterAll, beforeAll, describe } from 'vitest'
import { markets } from '../../src/market/index.js'
import { browserIsMissing } from '../support/browser.js'
import { openStand, type PortalStand } from '../support/portal-stand.js'
import { rightTests } from './portal/rights.test.js'

let stand: PortalStand
const isLeftOut = browserIsMissing()

beforeAll(async () => {
  if (!isLeftOut) stand = await openStand(Object.keys(markets))
})
afterAll(async () => {
  if (!isLeftOut) await stand.close()
})

describe.skipIf(isLeftOut)('what cannot be done says why', () => rightTests(() => stand))
