// One id, two bodies at once: whoever is only being judged takes nothing from the other.
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Execution, OperationCall, Operations } from '../../../src/core/operation/operation.js'
import { createOperations } from '../../../src/core/operation/operations.js'
import { fail } from '../../../src/errors.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { createTill, openStand, type Stand, type Till, testKey } from '../../support/stand.js'

let database: TestDatabase
let stand: Stand
let operations: Operations
let till: Till
beforeAll(async () => {
  database = await createTestDatabase()
  const runner = randomInt(2 ** 31 - 1)
  stand = openStand(database.config, { masterKey: testKey(), deps: { runner } })
  operations = createOperations({
    store: stand.store,
    runner,
    now: () => new Date(),
    log: { error: () => undefined },
    failureOf: () => ({ status: 500, contentType: 'application/problem+json', body: '{}' }),
  })
  till = await createTill(stand)
})
afterAll(async () => {
  await operations.close()
  await stand.close()
  await database.drop()
})

function callOf({ text = '{"a":1}' } = {}): OperationCall {
  return {
    accountId: till.accountId,
    cashBoxId: till.cashBoxId,
    id: randomUUID(),
    method: 'POST',
    path: '/v2/pay',
    bodyHash: createHash('sha256').update(text).digest(),
    headers: '{}',
    requestText: text,
  }
}

/** Counts how often it is executed. */
function counted() {
  const work = {
    executions: 0,
    prepare: () =>
      Promise.resolve<Execution>({
        kind: 'claimed',
        run: () => {
          work.executions += 1
          const body = `{"n":${work.executions}}`
          return Promise.resolve({ status: 201, contentType: 'application/json', body })
        },
      }),
  }
  return work
}

describe('calls under an id that another body has for the moment', () => {
  it('find their answer while another body under the same id is being refused', async () => {
    const work = counted()
    for (let round = 0; round < 20; round += 1) {
      const call = callOf()
      const other = { ...callOf({ text: '{"a":2}' }), id: call.id }
      const first = await operations.run(call, work.prepare)
      const [wrong, again] = await Promise.allSettled([
        operations.run(other, work.prepare),
        operations.run(call, work.prepare),
      ])
      expect(wrong).toMatchObject({ status: 'rejected', reason: { code: 'OPERATION_CONFLICT' } })
      expect(again).toMatchObject({ status: 'fulfilled', value: { answer: first.answer } })
    }
    expect(work.executions).toBe(20)
  })

  it('are executed when a body that has the id for the moment turns out to be none', async () => {
    const call = callOf()
    const work = counted()
    const malformed = { ...callOf({ text: '{"a":' }), id: call.id }
    const refuse = async () => {
      await sleep(200)
      throw fail('BODY_MISSING', { expected: 'something' })
    }
    const [refused, corrected] = await Promise.allSettled([
      operations.run(malformed, refuse),
      operations.run(call, work.prepare),
    ])
    expect(refused).toMatchObject({ reason: { code: 'BODY_MISSING' } })
    expect(corrected).toMatchObject({ value: { replayed: false, answer: { body: '{"n":1}' } } })
  })
})
