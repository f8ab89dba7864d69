// Cells of the contract test: stored invitations and what is done with them.
import { expect } from 'vitest'
import type { Reply } from '../dealer.js'
import { person } from '../invitations.js'
import { type Cells, expectMembers, type Refused, type Sent } from './cell.js'
import { GUID } from './merchant-cells.js'
import { invitationOf, type World } from './world.js'

const BASE = '/api/pos-operators-invitation'
const NO_IDS = { vatId: null, taxId: null, fibuNr: null, gln: null, siren: null }

/** All members, as the specification lists them. */
const RECORD = {
  id: GUID,
  company: {
    ...{ name: expect.any(String), email: expect.any(String), addressLine1: expect.any(String) },
    ...{ addressLine2: null, postalCode: expect.any(String), city: expect.any(String) },
    ...{ country: 'DE', website: null, phone: null, identifiers: NO_IDS },
  },
  contact: {
    ...{ firstName: 'Eva', lastName: expect.any(String), email: expect.any(String) },
    ...{ title: null, suffix: null, phone: null },
  },
  accessRights: expect.stringMatching(/^(Undefined|None|Read|ReadWrite|Full)$/),
  ...{ done: null, resultContactId: null, resultAccountId: null, success: false },
  ...{ lastRun: null, lastResult: null },
}

const pending = async ({ stand, own }: World): Promise<Sent> => ({
  params: { id: await invitationOf(stand, own.dealer) },
})

async function processed(world: World): Promise<Sent> {
  const sent = await pending(world)
  const reply = await world.stand.call(`POST ${BASE}/${sent.params?.id}/execute`)
  expect(reply.json().success, reply.text).toBe(true)
  return sent
}

/** Somebody's e-mail, and his body. */
async function taken({ stand, own }: World) {
  const body = person()
  await invitationOf(stand, own.dealer, body)
  return body
}

const unknown = async ({ foreign }: World): Promise<Refused> => ({
  params: { id: foreign.operator },
})

function expectDone(reply: Reply): void {
  expect(reply.json()).toEqual({
    ...{ success: true, error: null, errorCode: null },
    url: expect.stringMatching(/\/portal\/invitations\?view=history&search=[0-9a-f-]{36}$/),
    text: expect.any(String),
  })
}

export const invitationCells: Cells = {
  listInvitations: {
    works: async () => ({}),
    answers: (reply, _sent, { own }) => {
      const ids = reply.list().map(({ id }) => id)
      expect(ids).toContain(own.invitation)
      for (const one of reply.list()) {
        expectMembers(one, Object.keys(RECORD))
        expect(one.done).toBeNull()
      }
    },
  },
  createInvitation: {
    works: async () => ({ body: { ...person(), accessRights: 'Read' } }),
    answers: (reply, { body }) => {
      const { company, contact } = body as ReturnType<typeof person>
      expect(reply.json()).toEqual({
        ...RECORD,
        company: { ...RECORD.company, ...company },
        contact: { ...RECORD.contact, ...contact },
        accessRights: 'Read',
      })
    },
    leaves: { subjects: ['invitationId'], before: false, after: true },
    refuses: { INVITATION_EXISTS: async (world) => ({ body: await taken(world) }) },
  },
  invitationHistory: {
    works: async (world) => {
      await processed(world)
      return { query: { from: '2020-01-01', to: '2999-12-31' } }
    },
    answers: (reply) => {
      expect(reply.list().length).toBeGreaterThan(0)
      for (const one of reply.list()) {
        expectMembers(one, Object.keys(RECORD))
        expect(one).toMatchObject({ done: expect.stringMatching(/Z$/), success: true })
        expect([one.resultAccountId, one.resultContactId]).toEqual([GUID, GUID])
      }
    },
  },
  getInvitation: {
    works: pending,
    answers: (reply, { params }) => expect(reply.json()).toEqual({ ...RECORD, id: params?.id }),
    refuses: { INVITATION_UNKNOWN: unknown },
  },
  updateInvitation: {
    works: async (world) => ({ ...(await pending(world)), body: person() }),
    answers: (reply, { params, body }) =>
      expect(reply.json()).toMatchObject({
        ...{ id: params?.id, ...(body as object), accessRights: 'Undefined', done: null },
      }),
    leaves: { subjects: ['invitationId'], before: true, after: true },
    refuses: {
      INVITATION_UNKNOWN: async (world) => ({ ...(await unknown(world)), body: person() }),
      INVITATION_EXISTS: async (world) => ({
        ...(await pending(world)),
        body: { ...person(), contact: (await taken(world)).contact },
      }),
      INVITATION_PROCESSED: async (world) => ({ ...(await processed(world)), body: person() }),
    },
  },
  deleteInvitation: {
    works: pending,
    answers: (reply) => expect(reply.text).toBe(''),
    leaves: { subjects: ['invitationId'], before: true, after: true },
    refuses: { INVITATION_UNKNOWN: unknown, INVITATION_PROCESSED: processed },
  },
  executeInvitation: {
    works: async (world) => ({
      ...(await pending(world)),
      body: { defaultAccessRights: 'ReadWrite' },
    }),
    answers: expectDone,
    leaves: { subjects: ['invitationId', 'operatorId'], before: true, after: true },
    refuses: { INVITATION_UNKNOWN: unknown },
  },
  autoExecuteInvitation: {
    works: pending,
    answers: expectDone,
    leaves: { subjects: ['invitationId', 'operatorId'], before: true, after: true },
    refuses: { INVITATION_UNKNOWN: unknown },
  },
  resendInvitation: {
    works: async (world) => ({ ...(await processed(world)), query: { copyToClipboard: 'true' } }),
    answers: (reply) => {
      expectDone(reply)
      expect(reply.json().text).toMatch(/^https:\/\/fiskalwerk\.example\/activate\/[\w-]{43}$/)
    },
    leaves: { subjects: ['invitationId', 'operatorId'], before: false, after: true },
    refuses: { INVITATION_UNKNOWN: unknown },
  },
  resetInvitation: {
    works: processed,
    answers: (reply, { params }) => {
      const { id, done, success, resultAccountId } = reply.json()
      expect({ id, done, success }).toEqual({ id: params?.id, done: null, success: true })
      expect(resultAccountId).toEqual(GUID)
    },
    leaves: { subjects: ['invitationId'], before: true, after: true },
    refuses: {
      INVITATION_UNKNOWN: unknown,
      INVITATION_EXISTS: async ({ stand, own }) => {
        const body = person()
        const id = await invitationOf(stand, own.dealer, body)
        await stand.call(`DELETE ${BASE}/${id}`)
        await invitationOf(stand, own.dealer, body)
        return { params: { id } }
      },
    },
  },
}
