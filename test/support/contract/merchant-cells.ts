// Cells of the contract test: the server, PosOperators, their master data and outlets.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Reply } from '../dealer.js'
import { direct } from '../invitations.js'
import { type Cells, expectMembers, type Refused, type Sent } from './cell.js'
import { invitationOf, type World } from './world.js'

export const GUID = expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/)
/** A sentence as JSON string. */
export const expectSentence = ({ text }: Reply): void =>
  expect(JSON.parse(text)).toMatch(/^\p{Lu}.*\.$/u)

const ACCOUNT = {
  ...{ id: GUID, name: expect.any(String), line1: expect.any(String), country: 'DE' },
  ...{ postalCode: expect.any(String), city: expect.any(String) },
  eMailAddress: expect.stringContaining('@'),
  identifiers: {
    ...{ vatId: expect.any(String), taxId: expect.any(String), fibuNr: expect.any(String) },
    ...{ gln: expect.any(String), siren: expect.any(String) },
  },
}

const shop = {
  ...{ name: 'Ring', address: 'Ring 2', postalCode: '01067', city: 'Dresden', country: 'DE' },
}
const NOTHING_ELSE = {
  ...{ locationId: null, contactName: null, telephone: null, fax: null },
  ...{ county: null, stateOrProvince: null },
}
const outletPath = ({ own }: World, outletNumber: string | number = 1) => ({
  params: { posOperatorId: own.operator, outletNumber: String(outletNumber) },
})
const operatorPath = ({ own }: World) => ({ params: { posOperatorId: own.operator } })

async function newOutlet({ stand, own }: World): Promise<number> {
  const path = `/api/posoperators/${own.operator}/outlets`
  const reply = await stand.call(`POST ${path}`, { body: shop })
  return Number(reply.json().outletNumber)
}

function answersInvited(reply: Reply, { body }: Sent): void {
  const { company } = body as ReturnType<typeof direct>
  expect(reply.json()).toEqual({
    ...{ id: GUID, name: company.name, line1: company.addressLine1, country: company.country },
    ...{ postalCode: company.postalCode, city: company.city, eMailAddress: company.email },
    identifiers: { vatId: '', taxId: '', fibuNr: '', gln: '', siren: '' },
  })
}

/** The PosOperator of a direct invitation that has gone out. */
async function invited({ stand }: World, auto = false): Promise<ReturnType<typeof direct>> {
  const body = direct()
  const reply = await stand.call(`POST /api/posoperators${auto ? '/autoinvite' : ''}`, { body })
  expect(reply.status, reply.text).toBe(200)
  return body
}

const invitingRefuses = {
  INVITATION_EXISTS: async ({ stand, own }: World): Promise<Refused> => {
    const { company, primaryContact } = direct()
    await invitationOf(stand, own.dealer, { company, contact: primaryContact })
    return { body: { ...direct(), primaryContact } }
  },
  CONNECTION_EXISTS: async (world: World): Promise<Refused> => ({
    body: { ...direct(), primaryContact: (await invited(world, true)).primaryContact },
  }),
  COMPANY_EXISTS: async (world: World): Promise<Refused> => {
    const { company } = await invited(world)
    return { body: { ...direct(), company } }
  },
  SETTINGS_UNREADABLE: async ({ stand }: World): Promise<Refused> => {
    const as = await stand.account({ market: 'DE' })
    await stand.rows(`insert into invitation_settings values ($1, '{broken', 1, now())`, [
      as.accountId,
    ])
    return { as, body: direct() }
  },
}

export const merchantCells: Cells = {
  version: {
    works: async () => ({}),
    answers: (reply) =>
      expect(reply.json()).toEqual({ version: expect.any(String), environment: 'sandbox' }),
    fromMemory: true,
  },
  listPosOperators: {
    works: async () => ({ query: { useCache: 'false' } }),
    answers: (reply, _sent, { own, second }) => {
      for (const one of reply.list()) expect(one).toEqual(ACCOUNT)
      const ids = reply.list().map(({ id }) => id)
      expect(ids).toEqual(expect.arrayContaining([own.operator, second.operator]))
    },
  },
  getPosOperator: {
    works: async (world) => operatorPath(world),
    answers: (reply, _sent, { own }) =>
      expect(reply.json()).toEqual({ ...ACCOUNT, id: own.operator }),
  },
  updateMasterData: {
    works: async (world) => ({
      ...operatorPath(world),
      body: { taxNumber: '9181081508155', address: { city: 'Ulm', postalCode: 1067 } },
    }),
    answers: expectSentence,
    leaves: { subjects: ['accountId'], before: true, after: true },
  },
  listOutlets: {
    works: async (world) => operatorPath(world),
    answers: (reply) => {
      const numbers = reply.list().map(({ outletNumber }) => Number(outletNumber))
      expect(numbers).toContain(1)
      expect(numbers).not.toContain(2)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      for (const one of reply.list()) {
        expectMembers(one, [
          ...['id', 'locationId', 'outletNumber', 'name', 'address', 'contactName', 'telephone'],
          ...['fax', 'postalCode', 'city', 'county', 'stateOrProvince', 'country'],
        ])
      }
    },
  },
  createOutlet: {
    works: async (world) => ({ ...operatorPath(world), body: shop }),
    answers: (reply) => {
      const { outletNumber } = reply.json()
      expect(outletNumber).toBeGreaterThanOrEqual(3)
      expect(reply.json()).toEqual({ id: GUID, outletNumber, ...shop, ...NOTHING_ELSE })
    },
    leaves: { subjects: ['outletId', 'outletNumber'], before: false, after: true },
    refuses: {
      OUTLET_NUMBER_TAKEN: async (world) => ({
        ...operatorPath(world),
        body: { ...shop, outletNumber: await newOutlet(world) },
      }),
    },
  },
  getOutlet: {
    works: async (world) => outletPath(world, await newOutlet(world)),
    answers: (reply, { params }) =>
      expect(reply.json()).toEqual({
        ...{ id: GUID, ...shop, ...NOTHING_ELSE, outletNumber: Number(params?.outletNumber) },
      }),
    refuses: { OUTLET_UNKNOWN: async (world) => outletPath(world, 2) },
  },
  updateOutlet: {
    works: async (world) => ({
      ...outletPath(world, await newOutlet(world)),
      body: { ...shop, name: 'Other', locationId: 'L-1' },
    }),
    answers: (reply, { params }) =>
      expect(reply.json()).toEqual({
        ...{ id: GUID, ...shop, ...NOTHING_ELSE, name: 'Other', locationId: 'L-1' },
        outletNumber: Number(params?.outletNumber),
      }),
    leaves: { subjects: ['outletId', 'outletNumber'], before: true, after: true },
    refuses: {
      OUTLET_UNKNOWN: async (world) => ({ ...outletPath(world, 999_999), body: shop }),
    },
  },
  invitePosOperator: {
    works: async () => ({ body: direct() }),
    answers: answersInvited,
    leaves: { subjects: ['invitationId', 'operatorId'], before: false, after: true },
    refuses: invitingRefuses,
  },
  autoInvitePosOperator: {
    works: async () => ({ body: direct() }),
    answers: answersInvited,
    leaves: { subjects: ['invitationId', 'operatorId'], before: false, after: true },
    refuses: invitingRefuses,
  },
  getReceiptSettings: {
    works: async (world) => operatorPath(world),
    answers: (reply) => expect(reply.json()).toEqual(expect.any(Object)),
  },
  putReceiptSettings: {
    works: async (world) => ({
      ...operatorPath(world),
      body: { name1Text: `Ring ${randomUUID()}`, vat: 'ATU12345678', primaryColor: '#7a1f2b' },
    }),
    answers: (reply, { body }) => expect(reply.json()).toEqual(body),
    leaves: { subjects: ['accountId'], before: true, after: true },
    refuses: {
      FIELD_INVALID: async (world) => ({
        ...operatorPath(world),
        body: { primaryColor: 'red; x' },
        members: ['primaryColor'],
      }),
    },
  },
}
