// Cells of the contract test: erasing personal data.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Cells } from './cell.js'

export const personalCells: Cells = {
  erasePersonalData: {
    works: async ({ stand, own }) => {
      const email = `${randomUUID()}@example.com`
      await stand.rows(
        `insert into contact (account_id, id, email, email_key, first_name, last_name, details,
           created_at) values ($1, $2, $3, $3, 'Eva', 'Muster', '{}', now())`,
        [own.operator, randomUUID(), email],
      )
      return { params: { posOperatorId: own.operator }, body: { email } }
    },
    answers: (reply) => expect(reply.json()).toEqual({ erased: { contact: 1 } }),
    leaves: { subjects: ['account'], before: false, after: true },
    refuses: {
      FIELD_INVALID: async ({ own }) => ({
        ...{ params: { posOperatorId: own.operator }, body: {}, members: ['olderThanDays'] },
      }),
    },
  },
}
