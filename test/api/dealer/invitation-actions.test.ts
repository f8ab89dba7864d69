// Execute, auto-execute, resend, reset and inviting directly: what becomes of an invitation, over
// HTTP, with a real job queue and a real mail server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, faults, openDealer, refusal } from '../../support/dealer.js'
import { direct, person } from '../../support/invitations.js'
import { type MailServer, startMailServer, type TakenMail } from '../../support/mail-server.js'

const BASE = '/api/pos-operators-invitation'
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')
let stand: DealerStand
let mails: MailServer
let clock = 0
beforeAll(async () => {
  mails = await startMailServer()
  stand = await openDealer({
    variables: {
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: 'robot@fiskalwerk.example',
      PUBLIC_URL: 'https://fiskalwerk.example/',
    },
    now: () => new Date(Date.now() + clock),
  })
  await stand.deps.jobs.start()
})
afterAll(async () => {
  await stand.deps.jobs.stop()
  await stand.close()
  await mails.stop()
})

type Json = Record<string, unknown>
async function stored(body: object = person()): Promise<string> {
  const reply = await stand.call(`POST ${BASE}`, { body })
  expect(reply.status, reply.text).toBe(201)
  return String(reply.json().id)
}

async function act(id: string, what: string, input = {}): Promise<Json> {
  const reply = await stand.call(`POST ${BASE}/${id}/${what}`, input)
  expect(reply.status, reply.text).toBe(200)
  expect(Object.keys(reply.json())).toEqual(['success', 'error', 'errorCode', 'url', 'text'])
  return reply.json()
}

async function mailTo(address: string, count = 1): Promise<TakenMail> {
  const own = () => mails.mails.filter(({ to }) => to.includes(address))
  await expect.poll(() => own().length, { timeout: 15_000, interval: 25 }).toBe(count)
  const [last] = own().slice(-1)
  if (last === undefined) throw new Error('there is no mail')
  return last
}

/** Path of the link in a mail. */
function linkOf({ email }: TakenMail): string {
  const found = /https:\/\/fiskalwerk\.example(\/activate\/[A-Za-z0-9_-]+)/.exec(email.text ?? '')
  if (found?.[1] === undefined) throw new Error(`no link in ${email.text}`)
  return found[1]
}

const page = (url: string, method: 'GET' | 'POST' = 'GET', form = '', headers = {}) =>
  stand.app.inject({
    ...{ method, url },
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    ...(method === 'POST' ? { payload: form } : {}),
  })

const AGREED = 'name=Eva+Korn&agree=yes'
const record = async (id: string) => (await stand.call(`GET ${BASE}/${id}`)).json()
const operators = async () => (await stand.call('GET /api/posoperators')).list()

describe('executing', () => {
  it('makes the account, sends the letter, and the accepted link connects it', async () => {
    const body = person()
    const id = await stored(body)
    const result = await act(id, 'execute')
    const url = `https://fiskalwerk.example/portal/invitations?view=history&search=${id}`
    expect(result).toMatchObject({ success: true, error: null, errorCode: null, url })
    const after = await record(id)
    expect(after).toMatchObject({ success: true, lastResult: 'Die Einladung wurde versendet.' })
    expect(after.done).toEqual(after.lastRun)
    const operatorId = String(after.resultAccountId)
    expect(after.resultContactId).toMatch(/^[0-9a-f-]{36}$/)
    expect((await operators()).map((one) => one.id)).not.toContain(operatorId)
    expect((await stand.call(`GET /api/posoperators/${operatorId}`)).status).toBe(404)

    const mail = await mailTo(body.contact.email)
    const { subject, text = '', html = '' } = mail.email
    expect(subject).toContain(body.company.name)
    expect(subject).toContain('Einladung')
    for (const part of [text, html]) {
      expect(part).toContain('24 Stunden')
      expect(part).toContain('vollen Zugriff')
    }
    const link = linkOf(mail)
    expect(link).toMatch(/^\/activate\/[A-Za-z0-9_-]{43}$/)
    const rows = await stand.rows('select * from activation')
    expect(JSON.stringify(rows)).not.toContain(link.slice('/activate/'.length))

    const shown = await page(link, 'GET', '', { 'accept-language': 'en' })
    expect(shown.statusCode).toBe(200)
    expect(shown.body).toContain(body.company.name)
    expect(shown.body).not.toContain('<script')
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'")
    expect(shown.headers['referrer-policy']).toBe('no-referrer')
    expect((await page(link, 'POST', 'name=&agree=yes')).statusCode).toBe(400)
    expect((await operators()).map((one) => one.id)).not.toContain(operatorId)

    const accepted = await Promise.all([1, 2, 3].map(() => page(link, 'POST', AGREED)))
    expect(accepted.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await operators()).toContainEqual({
      ...{ id: operatorId, name: body.company.name, line1: 'Hauptstr. 1', country: 'DE' },
      ...{ postalCode: body.company.postalCode, city: 'Dresden' },
      eMailAddress: body.company.email,
      identifiers: { vatId: '', taxId: '', fibuNr: '', gln: '', siren: '' },
    })
    const signed = await stand.rows('select name, signed_by from agreement where account_id = $1', [
      operatorId,
    ])
    expect(signed).toEqual([{ name: 'posoperator-agreement', signed_by: 'Eva Korn' }])
    // the one form that is left ends the connection
    for (const { body: text } of [...accepted, await page(link)]) {
      expect(text.match(/<form[^>]*action="[^"]*"/g)).toEqual([
        `<form method="post" action="${link}/end"`,
      ])
    }
    expect(await act(id, 'resend')).toMatchObject({ errorCode: 'ConnectionAlreadyAccepted' })
  })

  it('is done once by 10 executes at the same moment', async () => {
    const body = person()
    const id = await stored(body)
    const results = await Promise.all(Array.from({ length: 10 }, () => act(id, 'execute')))
    const codes = results.map(({ success, errorCode }) => (success ? 'sent' : errorCode))
    expect(codes.toSorted()).toEqual([...Array(9).fill('InvitationAlreadyProcessed'), 'sent'])
    await mailTo(body.contact.email)
    const found = await stand.rows('select 1 from account where name = $1', [body.company.name])
    expect(found).toHaveLength(1)
  })

  it('takes the right of the body, then that of the invitation, then Full', async () => {
    const rights = async (accessRights: string | undefined, body: object) => {
      const id = await stored({ ...person(), accessRights })
      await act(id, 'execute', { body })
      const { resultAccountId } = await record(id)
      const sql = 'select rights, state from connection where to_account_id = $1'
      return (await stand.rows(sql, [resultAccountId]))[0]
    }
    expect(await rights('Read', { defaultAccessRights: 'ReadWrite' })).toEqual({
      ...{ rights: 'ReadWrite', state: 'pending' },
    })
    expect(await rights('Read', { defaultAccessRights: 'Undefined' })).toMatchObject({
      rights: 'Read',
    })
    expect(await rights(undefined, {})).toMatchObject({ rights: 'Full' })
  })

  it('refuses None, keeps the record pending, and says why in the caller’s language', async () => {
    const id = await stored({ ...person(), accessRights: 'None' })
    const headers = { 'accept-language': 'fr-FR,fr;q=0.9' }
    const result = await act(id, 'execute', { headers })
    expect(result).toMatchObject({ success: false, errorCode: 'InvalidAccessRights', text: null })
    expect(result.error).toContain("droit d'accès")
    const after = await record(id)
    expect(after).toMatchObject({ done: null, success: false, lastResult: result.error })
    expect(after.lastRun).not.toBeNull()
  })

  it.each([
    ['the same VAT id', { identifiers: { vatId: 'DE 123 456 788' } }],
    ['the same name and postal code', { name: 'korn & co', postalCode: '01067' }],
  ])('refuses a company with %s under another contact', async (_name, same) => {
    const first = person()
    Object.assign(first.company, { identifiers: { vatId: 'DE123456788' } })
    Object.assign(first.company, { name: 'Korn & Co', postalCode: '01067' })
    await act(await stored(first), 'execute')
    const second = person()
    Object.assign(second.company, same)
    const result = await act(await stored(second), 'execute')
    expect(result).toMatchObject({ success: false, errorCode: 'CompanyAlreadyExists' })
  })

  it('refuses the e-mail of an account that is no PosOperator', async () => {
    await stand.account({ email: 'boss@dealers.example' })
    const body = person()
    body.contact.email = 'Boss@dealers.example'
    const result = await act(await stored(body), 'execute')
    expect(result).toMatchObject({ success: false, errorCode: 'ContactEMailAlreadyExists' })
  })

  it('links a user of one PosOperator, whom nobody may connect without asking', async () => {
    const body = person()
    const accountId = await stand.operator('Full', {
      ...{ email: body.contact.email, of: await stand.account() },
    })
    const id = await stored(body)
    expect(await act(id, 'auto-execute')).toMatchObject({ errorCode: 'ContactEMailAlreadyExists' })
    expect(await act(id, 'execute')).toMatchObject({ success: true })
    expect(await record(id)).toMatchObject({ resultAccountId: accountId })
    const mail = await mailTo(body.contact.email)
    expect(mail.email.text).not.toContain('Benutzername')
    await page(linkOf(mail), 'POST', AGREED)
    expect((await operators()).map((one) => one.id)).toContain(accountId)
    const other = { ...person(), contact: { ...body.contact } }
    const twice = await stand.call('POST /api/posoperators', {
      body: direct({ company: other.company, primaryContact: other.contact }),
    })
    expect(refusal(twice)).toEqual({ status: 409, code: 'ConnectionExists' })
  })

  it('of two dealers for one new company makes one account', async () => {
    const body = person()
    const as = await stand.account()
    const made = await stand.call(`POST ${BASE}`, { body, as })
    const path = `POST ${BASE}/${made.json().id}/execute`
    const own = await stored(body)
    await Promise.all([stand.call(path, { as }), act(own, 'execute')])
    const found = await stand.rows('select id from account where name = $1', [body.company.name])
    expect(found).toHaveLength(1)
  })
})

describe('resending and resetting', () => {
  it('of a pending one is refused', async () => {
    expect(await act(await stored(), 'resend')).toMatchObject({
      ...{ success: false, errorCode: 'InvitationNotProcessed' },
    })
  })

  it('sends another letter, or only answers the link', async () => {
    const body = person()
    const id = await stored(body)
    await act(id, 'execute')
    await mailTo(body.contact.email)
    expect(await act(id, 'resend')).toMatchObject({ success: true })
    await mailTo(body.contact.email, 2)
    const copied = await act(id, 'resend?copyToClipboard=true')
    expect(copied.text).toMatch(/^https:\/\/fiskalwerk\.example\/activate\/[A-Za-z0-9_-]{43}$/)
    const { pathname } = new URL(String(copied.text))
    expect((await page(pathname)).statusCode).toBe(200)
    expect(mails.mails.filter(({ to }) => to.includes(body.contact.email))).toHaveLength(2)
  })

  it('of a wrong address: what went there opens nothing, the account is used again', async () => {
    const body = person()
    const id = await stored(body)
    await act(id, 'execute')
    const wrong = linkOf(await mailTo(body.contact.email))
    const before = await record(id)
    const reset = await stand.call(`POST ${BASE}/${id}/reset`)
    expect(reset.json()).toEqual({ ...before, done: null })
    expect((await page(wrong)).statusCode).toBe(404)
    expect((await page(wrong, 'POST', AGREED)).statusCode).toBe(404)
    const contact = { ...body.contact, email: `right.${body.contact.email}` }
    const put = await stand.call(`PUT ${BASE}/${id}`, { body: { ...body, contact } })
    expect(put.status, put.text).toBe(200)
    expect(await act(id, 'execute', { body: { defaultAccessRights: 'Read' } })).toMatchObject({
      success: true,
    })
    expect((await record(id)).resultAccountId).toBe(before.resultAccountId)
    await page(linkOf(await mailTo(contact.email)), 'POST', AGREED)
    const path = `/api/posoperators/${before.resultAccountId}/outlets`
    expect((await stand.call(`GET ${path}`)).status).toBe(200)
    expect(refusal(await stand.call(`POST ${path}`, { body: OUTLET }))).toEqual({
      ...{ status: 403, code: 'InsufficientAccessRights' },
    })
  })
})

const OUTLET = { name: 'A', address: 'B', postalCode: '1', city: 'C', country: 'AT' }

describe('the link', () => {
  it('expires after 24 hours and offers to send again', async () => {
    const body = person()
    const id = await stored(body)
    await act(id, 'execute')
    const link = linkOf(await mailTo(body.contact.email))
    clock = 24 * 3_600_000 - 60_000
    expect((await page(link)).statusCode).toBe(200)
    clock = 24 * 3_600_000 + 60_000
    const expired = await page(link)
    expect(expired.statusCode).toBe(410)
    expect(expired.body).toContain(`action="${link}/again"`)
    expect((await page(link, 'POST', AGREED)).statusCode).toBe(410)
    expect((await page(`${link}/again`, 'POST')).statusCode).toBe(200)
    const fresh = linkOf(await mailTo(body.contact.email, 2))
    expect(fresh).not.toBe(link)
    expect((await page(fresh)).statusCode).toBe(200)
    for (const _ of [1, 2, 3, 4]) await page(`${link}/again`, 'POST')
    expect((await page(`${link}/again`, 'POST')).statusCode).toBe(429)
    clock = 0
  })

  it('that nobody has sent is told friendly, and not too often', async () => {
    const wrong = `/activate/${'A'.repeat(43)}`
    const from = (remoteAddress: string) =>
      stand.app.inject({ method: 'GET', url: wrong, remoteAddress })
    const first = await from('192.0.2.77')
    expect(first.statusCode).toBe(404)
    expect(first.headers['content-type']).toBe('text/html; charset=utf-8')
    const statuses = await Promise.all(Array.from({ length: 12 }, () => from('192.0.2.77')))
    expect(statuses.map(({ statusCode }) => statusCode)).toContain(429)
    expect((await from('192.0.2.78')).statusCode).toBe(404)
  })
})

describe('auto-execute', () => {
  it('connects at once, signs in the dealer’s name, and tells the operator', async () => {
    const body = { ...person(), accessRights: 'ReadWrite' }
    const id = await stored(body)
    await operators()
    expect(await act(id, 'autoexecute')).toMatchObject({ success: true })
    const { resultAccountId } = await record(id)
    expect((await operators()).map((one) => one.id)).toContain(resultAccountId)
    const signed = await stand.rows(
      'select name, signed_by from agreement where account_id = $1 order by name',
      [resultAccountId],
    )
    const optIn = `posdealer-opt-in-autoinvitation_autoinvitation_${stand.dealer.accountId}`
    expect(signed.map(({ name }) => name)).toEqual([optIn, 'posoperator-agreement'])
    const mail = await mailTo(body.contact.email)
    expect(mail.email.text).toContain('Sie müssen nichts tun')
    expect((await page(linkOf(mail))).statusCode).toBe(200)
    const { attachments } = mail.email
    const names = attachments.map(({ filename }) => filename)
    expect(names).toEqual(['posoperator-agreement.txt', `${optIn}.txt`])
    const [agreed, opted] = attachments.map((one) => Buffer.from(one.content as ArrayBuffer))
    expect(String(agreed)).toContain('Belege zu signieren')
    expect(String(opted)).toMatch(/^PosDealer \d+ hat zugestimmt/)
  })

  it.each([`POST ${BASE}/ID/auto-execute`, 'POST /api/posoperators/autoinvite'])(
    '%s is refused to a dealer that has not opted in',
    async (line) => {
      const as = await stand.account({ autoInvite: false })
      const made = await stand.call(`POST ${BASE}`, { body: person(), as })
      const body = line.includes('autoinvite') ? direct() : undefined
      const reply = await stand.call(line.replace('ID', String(made.json().id)), { as, body })
      expect(refusal(reply)).toEqual({ status: 403, code: 'AutoInvitationRoleRequired' })
    },
  )
})

describe('inviting directly', () => {
  it('answers the account, leaves a processed record, and uses its own text and PDF', async () => {
    const details = {
      additionalText: 'Erste Zeile\nZweite <Zeile>',
      pdfAttachment: `data:application/pdf;base64,${PDF.toString('base64')}`,
    }
    const body = direct({ details, accessRights: 'Read' })
    Object.assign(body.company, { phoneNumber: '+49 351 1' })
    const reply = await stand.call('POST /api/posoperators', { body })
    expect(reply.status, reply.text).toBe(200)
    const { id } = reply.json()
    expect(reply.json()).toMatchObject({ name: body.company.name, country: 'DE' })
    expect((await operators()).map((one) => one.id)).not.toContain(id)
    const history = (await stand.call(`GET ${BASE}/history`)).list()
    expect(history.find((one) => one.resultAccountId === id)).toMatchObject({
      ...{ success: true, accessRights: 'Read', company: { phone: '+49 351 1' } },
    })
    const { email } = await mailTo(body.primaryContact.email)
    expect(email.text).toContain('> Erste Zeile\n> Zweite <Zeile>')
    expect(email.html).toContain('Erste Zeile<br>Zweite &lt;Zeile&gt;')
    expect(email.text).toContain('darf Ihre Daten lesen.')
    const [attachment] = email.attachments
    expect(attachment?.mimeType).toBe('application/pdf')
    expect(Buffer.from(attachment?.content as ArrayBuffer).equals(PDF)).toBe(true)
    const again = await stand.call('POST /api/posoperators', { body })
    expect(refusal(again)).toEqual({ status: 409, code: 'InvitationExists' })
  })

  it('connects at once with autoinvite, visible in the list that was kept', async () => {
    await operators()
    const body = direct({ accessRights: 'Undefined' })
    const reply = await stand.call('POST /api/posoperators/autoinvite', { body })
    expect(reply.status, reply.text).toBe(200)
    expect(await operators()).toContainEqual(reply.json())
    const sql = 'select rights from connection where to_account_id = $1'
    expect(await stand.rows(sql, [reply.json().id])).toEqual([{ rights: 'Full' }])
    const again = await stand.call('POST /api/posoperators/autoinvite', { body })
    expect(refusal(again)).toEqual({ status: 409, code: 'ConnectionExists' })
  })

  it.each([
    ['a missing right', { accessRights: undefined }, 'accessRights'],
    ['None', { accessRights: 'None' }, 'accessRights'],
    [
      'an attachment that is no PDF',
      { details: { pdfAttachment: 'aGFsbG8=' } },
      'details.pdfAttachment',
    ],
    [
      'a text of 1001 characters',
      { details: { additionalText: 'x'.repeat(1001) } },
      'details.additionalText',
    ],
  ])('refuses %s', async (_name, change, member) => {
    const reply = await stand.call('POST /api/posoperators', { body: direct(change) })
    expect(Object.keys(faults(reply))).toEqual([member])
  })
})
