// Cells of the contract test: connections and their end.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Cells } from './cell.js'
import { GUID } from './merchant-cells.js'

const party = { id: GUID, name: expect.any(String) }
const shown = {
  ...{ id: GUID, dealer: party, posOperator: party },
  accessRights: expect.stringMatching(/^(None|Read|ReadWrite|Full)$/),
}

export const connectionCells: Cells = {
  listConnections: {
    works: async () => ({}),
    answers: (reply) => {
      expect(reply.list().length).toBeGreaterThan(0)
      for (const one of reply.list()) {
        expect(one).toEqual({
          ...shown,
          state: expect.stringMatching(/^(pending|active|ended)$/),
          endsAt: one.state === 'ended' ? expect.any(String) : null,
        })
      }
    },
  },
  endConnection: {
    works: async ({ stand, own }) => ({
      params: { accountId: await stand.operator('Full', { of: own.dealer, market: 'DE' }) },
    }),
    answers: (reply) =>
      expect(reply.json()).toEqual({
        ...{ ...shown, state: 'ended' },
        endsAt: expect.stringMatching(/^\d{4}-.*Z$/),
      }),
    leaves: { subjects: ['connectionId', 'dealerId', 'operatorId'], before: true, after: true },
    refuses: {
      CONNECTION_UNKNOWN: async () => ({ params: { accountId: randomUUID() } }),
    },
  },
}
