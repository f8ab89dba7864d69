import { expect, it } from 'vitest'
import { checkData } from '../../../../src/core/audit/check/check.js'
import type { Violation } from '../../../../src/core/audit/check/rules.js'
import { createTestDatabase } from '../../../support/db.js'
import { SERVICE_CASH_BOX, SERVICE_TOKEN, signingService } from '../../../support/remote-signer.js'
import {
  answer,
  createTill,
  createTills,
  job,
  openStand,
  REMOTE_PACKAGE,
  type Till,
} from '../../../support/stand.js'

it('a server at work gives no finding, whatever is under way', { timeout: 60_000 }, async () => {
  const database = await createTestDatabase()
  const service = await signingService()
  const stand = openStand(database.config, { allow: [`127.0.0.1:${service.port}`] })
  const configuration = { cashBoxId: SERVICE_CASH_BOX, accessToken: SERVICE_TOKEN }
  const scu = { package: REMOTE_PACKAGE, url: service.url, configuration }
  const tills = [...(await createTills(stand, 3)), await createTill(stand, { scu })]
  let running = true
  const caller = async (till: Till) => {
    while (running) await answer(stand.signing.sign(job(till)))
  }
  const callers = [...tills, ...tills].map(caller)
  const violations: Violation[] = []
  let items = 0
  for (let round = 0; round < 5; round += 1) {
    const summary = await checkData(stand.deps, (violation) => violations.push(violation))
    expect(summary.items).toBeGreaterThan(items)
    items = summary.items
  }
  running = false
  await Promise.all(callers)
  expect(violations).toEqual([])
  await stand.close()
  await service.close()
  await database.drop()
})
