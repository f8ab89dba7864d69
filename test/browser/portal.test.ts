// What people do in the portal, in a real browser, with one server, one browser and one login per
// person. The files of the folder are its parts; those that walk over every page are in
// portal-walks.test.ts, which goes at the same time.
import { afterAll, beforeAll, describe } from 'vitest'
import { browserIsMissing } from '../support/browser.js'
import { openStand, type PortalStand } from '../support/portal-stand.js'
import { addressTests } from './portal/addresses.test.js'
import { flowTests } from './portal/flows.test.js'
import { germanTests } from './portal/german.test.js'
import { passkeyTests } from './portal/passkeys.test.js'
import { AT_HOST, plainHttpTests } from './portal/plain-http.test.js'
import { securityTests } from './portal/security.test.js'
import { slowTests } from './portal/slow.test.js'
import { workTests } from './portal/work.test.js'

let stand: PortalStand
const isLeftOut = browserIsMissing()

beforeAll(async () => {
  if (!isLeftOut) stand = await openStand(undefined, AT_HOST)
})
afterAll(async () => {
  if (!isLeftOut) await stand.close()
})

describe.skipIf(isLeftOut)('the portal', () => {
  describe('addresses', () => addressTests(() => stand))
  describe('flows', () => flowTests(() => stand))
  describe('slow ways', () => slowTests(() => stand))
  describe('work', () => workTests(() => stand))
  describe('without TLS', () => plainHttpTests(() => stand))
  describe('a German merchant', () => germanTests(() => stand))
  describe('passkeys', () => passkeyTests(() => stand))
  // names are anything behind it
  describe('security', () => securityTests(() => stand))
})
