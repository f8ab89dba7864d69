// Every page of the portal in a real browser: as it is, with its dialogs, empty, and with faults;
// with a server of its own, beside what people do there (portal.test.ts).
import { afterAll, beforeAll, describe } from 'vitest'
import { browserIsMissing } from '../support/browser.js'
import { openStand, type PortalStand } from '../support/portal-stand.js'
import { pageTests } from './portal/pages.test.js'
import { stateTests } from './portal/states.test.js'

let stand: PortalStand
const isLeftOut = browserIsMissing()

beforeAll(async () => {
  if (!isLeftOut) stand = await openStand()
})
afterAll(async () => {
  if (!isLeftOut) await stand.close()
})

describe.skipIf(isLeftOut)('every page', () => {
  describe('pages', () => pageTests(() => stand))
  describe('states', () => stateTests(() => stand))
})
