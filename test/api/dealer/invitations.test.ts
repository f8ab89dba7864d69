// Stored invitations over HTTP: records, their life, settings and PDF.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, faults, openDealer, refusal } from '../../support/dealer.js'
import { direct, formOf, person } from '../../support/invitations.js'

const BASE = '/api/pos-operators-invitation'
let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

async function stored(more: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const reply = await stand.call(`POST ${BASE}`, { body: { ...person(), ...more } })
  expect(reply.status, reply.text).toBe(201)
  return reply.json()
}

const ids = (list: Record<string, unknown>[]) => list.map(({ id }) => id)

describe('a stored invitation', () => {
  it('answers every member, is listed as pending and read again', async () => {
    const body = person()
    const reply = await stand.call(`POST ${BASE}`, { body })
    expect(reply.status, reply.text).toBe(201)
    const made = reply.json()
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      company: {
        ...body.company,
        ...{ addressLine2: null, website: null, phone: null },
        identifiers: { vatId: null, taxId: null, fibuNr: null, gln: null, siren: null },
      },
      contact: { ...body.contact, title: null, suffix: null, phone: null },
      accessRights: 'Undefined',
      ...{ done: null, resultContactId: null, resultAccountId: null, success: false },
      ...{ lastRun: null, lastResult: null },
    })
    expect((await stand.call(`GET ${BASE}/${made.id}`)).json()).toEqual(made)
    expect((await stand.call(`GET ${BASE}`)).list()).toContainEqual(made)
    expect(ids((await stand.call(`GET ${BASE}/history`)).list())).not.toContain(made.id)
  })

  it('keeps the right that was sent', async () => {
    expect((await stored({ accessRights: 'read' })).accessRights).toBe('Read')
    expect((await stored({ accessRights: 1 })).accessRights).toBe('None')
  })

  it('takes plus addresses and companies with an ampersand', async () => {
    const body = person()
    body.contact.email = `Eva+pos.${body.contact.email}`
    body.company.name = 'Korn & Söhne'
    const reply = await stand.call(`POST ${BASE}`, { body })
    expect(reply.status, reply.text).toBe(201)
  })

  it.each([
    ['a missing company name', 'company.name', { name: undefined }],
    ['a blank city', 'company.city', { city: ' ' }],
    ['an e-mail without @', 'company.email', { email: 'office' }],
    ['a domain without a dot', 'company.email', { email: 'office@korn' }],
    ['a country of three letters', 'company.country', { country: 'DEU' }],
    ['a name of 161 characters', 'company.name', { name: 'x'.repeat(161) }],
    [
      'a VAT id of another form',
      'company.identifiers.vatId',
      { identifiers: { vatId: 'ATU1234567' } },
    ],
  ])('refuses %s under its member', async (_name, member, change) => {
    const body = person()
    const reply = await stand.call(`POST ${BASE}`, {
      body: { ...body, company: { ...body.company, ...change } },
    })
    expect(Object.keys(faults(reply))).toEqual([member])
  })

  it('refuses a body without company and contact under both', async () => {
    expect(Object.keys(faults(await stand.call(`POST ${BASE}`, { body: {} })))).toEqual([
      'company',
      'contact',
    ])
  })

  it('is the only one with its contact e-mail, in any case and spacing', async () => {
    const first = person()
    await stand.call(`POST ${BASE}`, { body: first })
    const second = person()
    second.contact.email = ` ${first.contact.email.toUpperCase()} `
    const reply = await stand.call(`POST ${BASE}`, { body: second })
    expect(refusal(reply)).toEqual({ status: 409, code: 'InvitationExists' })
  })

  it('is made by one of two creates at the same moment; the other one gets 409', async () => {
    const body = person()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => stand.call(`POST ${BASE}`, { body })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ])
  })

  it('is overwritten by an update, down to what was left out', async () => {
    const made = await stored({ accessRights: 'Read' })
    const body = person()
    const reply = await stand.call(`PUT ${BASE}/${made.id}`, { body })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json()).toMatchObject({ id: made.id, ...body, accessRights: 'Undefined' })
  })

  it('cannot be updated to the e-mail of another one', async () => {
    const [one, other] = [await stored(), await stored()]
    const body = { ...person(), contact: other.contact }
    const reply = await stand.call(`PUT ${BASE}/${one.id}`, { body })
    expect(refusal(reply)).toEqual({ status: 409, code: 'InvitationExists' })
  })

  it('of another account, or of nobody, is not there', async () => {
    const as = await stand.account()
    const made = await stored()
    const lines = [`GET ${BASE}/${made.id}`, `DELETE ${BASE}/${made.id}`]
    lines.push(`POST ${BASE}/${made.id}/execute`, `POST ${BASE}/${made.id}/reset`)
    lines.push(`POST ${BASE}/${made.id}/resend`, `POST ${BASE}/${made.id}/auto-execute`)
    for (const line of lines) {
      const reply = await stand.call(line, { as })
      expect(refusal(reply), line).toEqual({ status: 404, code: 'InvitationNotFound' })
    }
    const reply = await stand.call(`GET ${BASE}/nonsense`)
    expect(refusal(reply)).toEqual({ status: 404, code: 'InvitationNotFound' })
    expect(reply.json().Message).toContain('nonsense')
    expect((await stand.call(`GET ${BASE}/${made.id}`)).status).toBe(200)
  })
})

describe('deleting', () => {
  it('keeps the record for the history, frees the address, and works once', async () => {
    const body = person()
    const { id } = (await stand.call(`POST ${BASE}`, { body })).json()
    const reply = await stand.call(`DELETE ${BASE}/${id}`)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(ids((await stand.call(`GET ${BASE}`)).list())).not.toContain(id)
    const history = (await stand.call(`GET ${BASE}/history`)).list()
    expect(history.find((one) => one.id === id)).toMatchObject({ success: false, lastRun: null })
    const ranged = await stand.call(`GET ${BASE}/history?from=2000-01-01&to=2100-01-01`)
    expect(ids(ranged.list())).not.toContain(id)
    const again = await stand.call(`DELETE ${BASE}/${id}`)
    expect(refusal(again)).toEqual({ status: 409, code: 'InvitationProcessed' })
    expect((await stand.call(`POST ${BASE}`, { body })).status).toBe(201)
    const reset = await stand.call(`POST ${BASE}/${id}/reset`)
    expect(refusal(reset)).toEqual({ status: 409, code: 'InvitationExists' })
  })
})

describe('settings', () => {
  const path = `${BASE}/settings`
  const fresh = async () => ({ as: await stand.account() })

  it('are Full without text and PDF until somebody chooses', async () => {
    expect((await stand.call(`GET ${path}`, await fresh())).json()).toEqual({
      defaultAccessRights: 'Full',
      emailContent: null,
      hasPdfDocument: false,
    })
  })

  it('change only where a property is passed, by PATCH and by PUT', async () => {
    const own = await fresh()
    await stand.call(`PATCH ${path}`, { ...own, body: { emailContent: 'Hallo' } })
    const second = await stand.call(`PUT ${path}`, {
      ...own,
      body: { defaultAccessRights: 'Read' },
    })
    expect(second.json()).toEqual({
      defaultAccessRights: 'Read',
      emailContent: 'Hallo',
      hasPdfDocument: false,
    })
    const third = await stand.call(`PATCH ${path}`, { ...own, body: { emailContent: null } })
    expect(third.json()).toMatchObject({ defaultAccessRights: 'Read', emailContent: null })
  })

  it('have a text of at most 1000 characters', async () => {
    const body = { emailContent: 'x'.repeat(1001) }
    expect(Object.keys(faults(await stand.call(`PATCH ${path}`, { body })))).toEqual([
      'emailContent',
    ])
  })

  it('answer 409 when somebody else changes them at the same moment', async () => {
    const own = await fresh()
    await stand.call(`PATCH ${path}`, { ...own, body: { emailContent: 'A' } })
    const client = new pg.Client(stand.database.config)
    await client.connect()
    try {
      await client.query('begin')
      await client.query(
        `update invitation_settings set version = version + 1, document = '{"emailContent":"B"}'
         where account_id = $1`,
        [own.as.accountId],
      )
      const call = stand.call(`PATCH ${path}`, { ...own, body: { defaultAccessRights: 'Read' } })
      await expect
        .poll(
          async () =>
            (
              await stand.rows(`select 1 from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`)
            ).length,
          { timeout: 5_000 },
        )
        .toBe(1)
      await client.query('commit')
      expect(refusal(await call)).toEqual({ status: 409, code: 'SettingsConflict' })
    } finally {
      await client.end()
    }
    expect((await stand.call(`GET ${path}`, own)).json()).toMatchObject({ emailContent: 'B' })
  })

  it('that cannot be read are left as they are', async () => {
    const own = await fresh()
    await stand.rows(`insert into invitation_settings values ($1, '{broken', 1, now())`, [
      own.as.accountId,
    ])
    const reply = await stand.call(`PATCH ${path}`, { ...own, body: { emailContent: 'A' } })
    expect(refusal(reply)).toEqual({ status: 409, code: 'SettingsUnreadable' })
    const rows = await stand.rows(
      'select document from invitation_settings where account_id = $1',
      [own.as.accountId],
    )
    expect(rows).toEqual([{ document: '{broken' }])
  })
})

describe('the PDF', () => {
  const path = `${BASE}/pdf`
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')

  it('is stored, read as Base64, overwritten, and deleted as often as one likes', async () => {
    const own = { as: await stand.account() }
    expect(refusal(await stand.call(`GET ${path}`, own))).toEqual({
      status: 404,
      code: 'PdfNotFound',
    })
    const reply = await stand.call(`POST ${path}`, { ...own, ...formOf('Flyer.PDF', pdf) })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(JSON.parse((await stand.call(`GET ${path}`, own)).text)).toBe(pdf.toString('base64'))
    const settings = (await stand.call(`GET ${BASE}/settings`, own)).json()
    expect(settings.hasPdfDocument).toBe(true)
    const other = Buffer.concat([Buffer.from('\n\n'), pdf])
    await stand.call(`PUT ${path}`, { ...own, ...formOf('b.pdf', other) })
    expect(JSON.parse((await stand.call(`GET ${path}`, own)).text)).toBe(other.toString('base64'))
    for (const _ of [1, 2]) {
      expect((await stand.call(`DELETE ${path}`, own)).status).toBe(204)
    }
    expect((await stand.call(`GET ${path}`, own)).status).toBe(404)
  })

  it.each([
    ['another ending', formOf('flyer.txt', pdf)],
    ['another content', formOf('flyer.pdf', Buffer.from('PK\u0003\u0004 not a PDF'))],
    [
      'a marker behind the first kilobyte',
      formOf('a.pdf', Buffer.concat([Buffer.alloc(1024), pdf])),
    ],
    ['another form field', formOf('flyer.pdf', pdf, 'document')],
  ])('with %s is refused', async (_name, form) => {
    expect(Object.keys(faults(await stand.call(`POST ${path}`, form)))).toEqual(['file'])
  })

  it('of more than 5 MiB is refused', async () => {
    const large = Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)])
    const reply = await stand.call(`POST ${path}`, formOf('a.pdf', large))
    expect(refusal(reply)).toEqual({ status: 413, code: 'PayloadTooLarge' })
  })
})

describe('what is written down', () => {
  it('is every write with before and after, and no read', async () => {
    const other = await stand.account()
    const own = { as: other }
    const { id } = (await stand.call(`POST ${BASE}`, { ...own, body: person() })).json()
    await stand.call(`GET ${BASE}/${id}`, own)
    await stand.call(`PUT ${BASE}/${id}`, { ...own, body: person() })
    await stand.call(`DELETE ${BASE}/${id}`, own)
    await stand.call(`PATCH ${BASE}/settings`, { ...own, body: { emailContent: 'x' } })
    const rows = await stand.rows(
      `select operation, subjects, before, after from audit_entry where account_id = $1
        order by id`,
      [other.accountId],
    )
    expect(rows.map(({ operation }) => operation)).toEqual([
      ...['createInvitation', 'updateInvitation', 'deleteInvitation', 'updateInvitationSettings'],
    ])
    expect(rows.map(({ before }) => before === null)).toEqual([true, false, false, false])
    expect(JSON.parse(String(rows[1]?.subjects))).toEqual({ invitationId: id })
  })
})

describe('inviting directly', () => {
  it('refuses a company that is there under another contact', async () => {
    const body = direct()
    await stand.call('POST /api/posoperators', { body })
    const other = { ...body, primaryContact: direct().primaryContact }
    const reply = await stand.call('POST /api/posoperators', { body: other })
    expect(refusal(reply)).toEqual({ status: 409, code: 'CompanyExists' })
  })

  it('with the usual right is told so at its member where that is none', async () => {
    const as = await stand.account()
    await stand.call(`PATCH ${BASE}/settings`, { as, body: { defaultAccessRights: 'None' } })
    const body = direct({ accessRights: 'Undefined' })
    const reply = await stand.call('POST /api/posoperators', { as, body })
    expect(faults(reply)).toEqual({ accessRights: [expect.stringContaining('None')] })
  })
})
