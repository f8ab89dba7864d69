// The lengths that the specification gives: a value that is as long as it may be is kept, one that
// is longer by a character is refused under its member, and so is a blank where there must be one.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRow, type Sent } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { refuse } from '../../../support/contract/refusing.js'
import { openWorld, type World } from '../../../support/contract/world.js'
import { operationOf } from '../../../support/dealer.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stand.close())

type Limits = Record<string, number>

const required = (names: string[], limits: Limits) =>
  Object.entries(limits).map(([path, most]) => [path, most, names.includes(path)] as const)

const outlet = required(['name', 'address', 'postalCode', 'city'], {
  ...{ name: 200, address: 250, contactName: 150, telephone: 50, fax: 50 },
  ...{ postalCode: 20, city: 80, county: 50, stateOrProvince: 50 },
})

const company: Limits = {
  ...{ 'company.name': 160, 'company.email': 100, 'company.addressLine1': 250 },
  ...{ 'company.addressLine2': 250, 'company.postalCode': 20, 'company.city': 80 },
  ...{ 'company.website': 200, 'company.identifiers.fibuNr': 50 },
}
const person = (name: string): Limits => ({
  ...{ [`${name}.firstName`]: 50, [`${name}.lastName`]: 50, [`${name}.email`]: 100 },
  ...{ [`${name}.title`]: 50, [`${name}.suffix`]: 50, [`${name}.phone`]: 50 },
})
const needed = (contact: string) => [
  ...['name', 'email', 'addressLine1', 'postalCode', 'city'].map((name) => `company.${name}`),
  ...['firstName', 'lastName', 'email'].map((name) => `${contact}.${name}`),
]
const invitation = required(needed('contact'), {
  ...{ ...company, 'company.phone': 50, ...person('contact') },
})
const direct = required(needed('primaryContact'), {
  ...{ ...company, 'company.phoneNumber': 50, ...person('primaryContact') },
  'details.additionalText': 1000,
})
const description = required(['description'], { description: 250 })

const tables: Record<string, ReturnType<typeof required>> = {
  ...{ createOutlet: outlet, updateOutlet: outlet },
  ...{ createInvitation: invitation, updateInvitation: invitation },
  ...{ invitePosOperator: direct, autoInvitePosOperator: direct },
  updateInvitationSettings: required([], { emailContent: 1000 }),
  ...{ updateQueue: description, updateScu: description },
  ...{ updateCashBox: description, updateHelper: description },
}

const cases = Object.entries(tables).flatMap(([id, limits]) =>
  limits.map(([path, most, isNeeded]) => [id, path, most, isNeeded] as const),
)

/** So long, and another one each time; an e-mail where one is due. */
function textOf(path: string, length: number): string {
  const random = randomBytes(500).toString('hex')
  if (!path.endsWith('.email')) return random.slice(0, length).padEnd(length, 'x')
  return `${random.slice(0, 60)}@${'b'.repeat(length - 69)}.example`
}

function put({ body, ...sent }: Sent, path: string, value: string): Sent {
  const whole = structuredClone(body) as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop() ?? ''
  let inner = whole
  for (const name of names) {
    inner[name] ??= {}
    inner = inner[name] as Record<string, unknown>
  }
  inner[last] = value
  return { ...sent, body: whole }
}

describe('a text', () => {
  it.each(cases)('of %s, %s: has at most %i characters', async (id, path, most, isNeeded) => {
    const row = operationOf(id)
    const make = async (value: string) => put(await cellOf(id).works(world), path, value)
    const fits = await callRow(world, row, await make(textOf(path, most)))
    expect(fits.status, fits.text).toBe(row.success.status)
    const refusal = { code: 'SHAPE_INVALID', members: [path] } as const
    await refuse(world, row, { sent: await make(textOf(path, most + 1)), ...refusal })
    if (isNeeded) await refuse(world, row, { sent: await make(' \t'), ...refusal })
  })

  it('of a description is measured without the blanks around it', async () => {
    for (const id of ['updateQueue', 'updateScu', 'updateCashBox', 'updateHelper']) {
      const sent = put(await cellOf(id).works(world), 'description', `  ${'x'.repeat(250)}\n`)
      expect((await callRow(world, operationOf(id), sent)).status, id).toBe(200)
    }
  })
})

describe('the number of an outlet', () => {
  const row = operationOf('createOutlet')
  const numbered = async (outletNumber: unknown): Promise<Sent> => {
    const { body } = await cellOf('createOutlet').works(world)
    const params = { posOperatorId: world.second.operator }
    return { params, body: { ...(body as object), outletNumber } }
  }

  it.each([3, 2_147_483_647])('may be %i', async (number) => {
    const reply = await callRow(world, row, await numbered(number))
    expect(reply.json().outletNumber, reply.text).toBe(number)
  })

  it.each([2, 1, 0, -1, 2_147_483_648, 3.5, '3'])('must not be %s', async (number) => {
    const sent = await numbered(number)
    await refuse(world, row, { sent, code: 'SHAPE_INVALID', members: ['outletNumber'] })
  })
})

describe('a country', () => {
  const places = [
    ...[['createOutlet', 'country'] as const, ['updateOutlet', 'country'] as const],
    ...[['createInvitation', 'company.country'] as const],
    ...[['invitePosOperator', 'company.country'] as const],
  ]

  it.each(places)('of %s is one of two letters that there is', async (id, path) => {
    const row = operationOf(id)
    const make = async (value: string) => put(await cellOf(id).works(world), path, value)
    for (const value of ['AT', 'de']) {
      const reply = await callRow(world, row, await make(value))
      expect(reply.status, reply.text).toBe(row.success.status)
    }
    for (const value of ['', 'A', 'AUT', 'QQ', '49']) {
      const refusal = { code: 'SHAPE_INVALID', members: [path] } as const
      await refuse(world, row, { sent: await make(value), ...refusal })
    }
  })
})
