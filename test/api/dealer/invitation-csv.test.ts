// Files of invitations over HTTP: both formats, their faults, templates and size.
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountAccess } from '../../../src/core/accounts/accounts.js'
import { type DealerStand, openDealer, refusal } from '../../support/dealer.js'
import { formOf } from '../../support/invitations.js'

const BASE = '/api/pos-operators-invitation'
const IMPORT = `POST ${BASE}/import/csv`
let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

const german = () => stand.account({ market: 'DE' })
const send = (as: AccountAccess, content: Buffer | string, name = 'a.csv') =>
  stand.call(IMPORT, { as, ...formOf(name, content) })
const pending = async (as: AccountAccess) => (await stand.call(`GET ${BASE}`, { as })).list()

const DE_HEADER =
  'AccountName;AccountEMail;AccountAddressLine1;AccountAddressLine2;' +
  'AccountPostalCode;AccountCity;AccountCountry;AccountWeb;AccountPhone;' +
  'AccountUStIdNr;AccountStIdNr;ContactFirstName;ContactLastName;ContactEMail;' +
  'ContactTitle;ContactMobilePhone'
const KORN =
  '"Bäckerei ""Korn"" & Co";office@korn.example;Hauptstr. 1;;01067;Dresden;DE;;;;;' +
  'Eva;Korn;eva+pos@korn.example;;'
const PLAIN =
  'CompanyName;CompanyEmail;CompanyAddressLine1;CompanyAddressLine2;' +
  'CompanyPostalCode;CompanyCity;CompanyCountry;CompanyWebsite;CompanyPhone;VatId;' +
  'TaxId;FibuNr;Gln;Siren;ContactFirstName;ContactLastName;ContactEmail;' +
  'ContactTitle;ContactSuffix;ContactPhone;AccessRights'
const plainRow = (number: number, right = '') =>
  `Shop ${number};shop${number}@a.example;Weg ${number};;1010;Wien;AT;;;;;;;;` +
  `Ida;Lenz;ida${number}@a.example;;;;${right}`

const lenz = (email: string) =>
  `Blumen Lenz;${email};Ring 2;;80331;München;DE;;;;;Ida;Lenz;ida@lenz.example;;`

describe('the worked example', () => {
  it('is refused with one entry, storing nothing; with the e-mail both are stored', async () => {
    const as = await german()
    const bad = await send(as, `${DE_HEADER}\n${KORN}\n${lenz('')}\n`)
    expect(refusal(bad)).toEqual({ status: 400, code: 'CsvInvalid' })
    const entry = { line: 3, csvHeader: 'AccountEMail', error: 'Csv_FieldRequired' }
    expect(bad.json().validationErrors).toEqual([{ ...entry, errorArgs: ['AccountEMail'] }])
    expect(bad.text).toContain(
      '"validationErrors":[{"line":3,"csvHeader":"AccountEMail","error":"Csv_FieldRequired",' +
        '"errorArgs":["AccountEMail"]}]',
    )
    expect(await pending(as)).toEqual([])
    const good = await send(as, `${DE_HEADER}\n${KORN}\n${lenz('office@lenz.example')}\n`)
    expect([good.status, good.text]).toEqual([200, '{"created":2,"skipped":[]}'])
    const list = await pending(as)
    const korn = list.find((one) => JSON.stringify(one).includes('eva+pos'))
    expect(korn).toMatchObject({
      company: { name: 'Bäckerei "Korn" & Co', addressLine2: null, postalCode: '01067' },
      contact: { firstName: 'Eva', phone: null },
      accessRights: 'Full',
    })
  })
})

describe('a dry run', () => {
  const dry = (as: AccountAccess, content: string) =>
    stand.call(`${IMPORT}?dryRun=true`, { as, ...formOf('a.csv', content) })

  it('says what would be stored or is wrong, and stores nothing', async () => {
    const as = await german()
    const right = `${DE_HEADER}\n${KORN}\n${lenz('office@lenz.example')}\n`
    expect((await dry(as, right)).text).toBe('{"created":2,"skipped":[]}')
    expect(await pending(as)).toEqual([])
    expect(refusal(await dry(as, `${DE_HEADER}\n${lenz('')}\n`)).code).toBe('CsvInvalid')
    const progress = await stand.call(`GET ${BASE}/import/csv`, { as })
    expect(progress.json()).toMatchObject({ running: false })
    // of the plain format those that are there already are told
    await send(as, `${PLAIN}\n${plainRow(1)}\n`)
    const plain = await dry(as, `${PLAIN}\n${plainRow(1)}\n${plainRow(2)}\n`)
    expect(plain.json()).toEqual({ created: 1, skipped: ['ida1@a.example'] })
    expect(await pending(as)).toHaveLength(1)
  })
})

describe('the portal format', () => {
  it('stores the default right of the dealer', async () => {
    const as = await german()
    await stand.call(`PATCH ${BASE}/settings`, { as, body: { defaultAccessRights: 'Read' } })
    await send(as, `${DE_HEADER}\r\n${KORN}\r\n`)
    expect(await pending(as)).toMatchObject([{ accessRights: 'Read' }])
  })

  it('matches columns in any order and case, by comma, without optional ones', async () => {
    const as = await german()
    const file =
      'contactemail, CONTACTLASTNAME,ContactFirstName,AccountCountry,AccountCity,' +
      'AccountPostalCode,AccountAddressLine1,AccountEMail,AccountName,AccountIdVat\r' +
      'a@b.example,Korn,Eva,de,Dresden,01067,"Weg 1, Hof",o@b.example,B,DE123456788'
    expect((await send(as, file)).text).toBe('{"created":1,"skipped":[]}')
    expect(await pending(as)).toMatchObject([
      {
        company: {
          addressLine1: 'Weg 1, Hof',
          country: 'DE',
          identifiers: { vatId: 'DE123456788' },
        },
      },
    ])
  })

  it('tells every problem of the file at once', async () => {
    const as = await german()
    await send(as, `${DE_HEADER}\n${KORN}\n`)
    const row = (more: Record<number, string>) =>
      lenz('o@b.example')
        .split(';')
        .map((cell, at) => more[at] ?? cell)
        .join(';')
    const lines = [
      `${DE_HEADER};Colour;accountname`,
      `${KORN};;`,
      '',
      ';;;',
      `${row({ 1: 'nobody', 6: 'XX', 9: 'DE12', 0: 'x'.repeat(161) })};;`,
      `${row({})};;`,
      'a;b',
    ]
    const reply = await send(as, lines.join('\n'))
    const entry = (
      line: number,
      csvHeader: string | null,
      error: string,
      ...errorArgs: string[]
    ) => ({
      ...{ line, csvHeader, error, errorArgs },
    })
    expect(reply.json().validationErrors).toEqual([
      entry(1, 'Colour', 'Csv_UnknownHeader', 'Colour'),
      entry(1, 'accountname', 'Csv_DuplicateHeader', 'accountname'),
      entry(2, 'ContactEMail', 'Csv_EMailAlreadyInvited', 'eva+pos@korn.example'),
      entry(3, 'AccountName', 'Csv_FieldTooLong', 'AccountName', '160'),
      entry(3, 'AccountEMail', 'Csv_InvalidEMail', 'nobody'),
      entry(3, 'AccountCountry', 'Csv_InvalidCountry', 'XX'),
      entry(4, 'ContactEMail', 'Csv_EMailTwiceInFile', 'ida@lenz.example', '3'),
      entry(5, null, 'Csv_WrongColumnCount', '2', '18'),
    ])
    expect(await pending(as)).toHaveLength(1)
  })

  it('names a required column that is missing, and identifiers of another form', async () => {
    const as = await german()
    const row = KORN.replace(';Dresden', '').replace('DE;;;;', 'DE;;;DE12;')
    const file = `${DE_HEADER.replace(';AccountCity', '')}\n${row}`
    const errors = (await send(as, file)).json().validationErrors
    expect(errors).toEqual([
      { line: 1, csvHeader: 'AccountCity', error: 'Csv_MissingHeader', errorArgs: ['AccountCity'] },
      {
        ...{ line: 2, csvHeader: 'AccountUStIdNr', error: 'Csv_InvalidIdentifier' },
        errorArgs: ['AccountUStIdNr', 'DE12'],
      },
    ])
  })

  it.each([
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-8 without', (text: string) => Buffer.from(text)],
    ['code page 1252', (text: string) => iconv.encode(text, 'win1252')],
    ['UTF-16', (text: string) => iconv.encode(text, 'utf16le', { addBOM: true })],
  ])('is read in %s', async (_name, encode) => {
    const as = await german()
    const file = `${DE_HEADER}\n${KORN.replace('Hauptstr. 1', 'Käfer–Gasse €')}\n`
    expect((await send(as, encode(file))).text).toBe('{"created":1,"skipped":[]}')
    expect(await pending(as)).toMatchObject([{ company: { addressLine1: 'Käfer–Gasse €' } }])
  })

  it('counts a record with a line break in quotes once', async () => {
    const as = await german()
    const broken = KORN.replace('Hauptstr. 1', '"Haupt\r\nstr. 1"')
    const reply = await send(as, `${DE_HEADER}\n\n${broken}\r${lenz('')}\r\n`)
    expect(reply.json().validationErrors).toMatchObject([{ line: 3 }])
  })
})

describe('the plain format', () => {
  it('skips e-mails that are known or come twice, and stores the rest', async () => {
    const as = await stand.account()
    await send(as, `${PLAIN}\r\n${plainRow(1)}\r\n`)
    const rows = [plainRow(1), plainRow(2, 'Read'), plainRow(3), plainRow(2)]
    const reply = await send(as, `${PLAIN}\r\n${rows.join('\r\n')}\r\n`)
    expect(reply.json()).toEqual({ created: 2, skipped: ['ida1@a.example', 'ida2@a.example'] })
    expect((await pending(as)).map((one) => one.accessRights).toSorted()).toEqual([
      ...['Full', 'Full', 'Read'],
    ])
  })

  it('is refused as a whole for one bad row, and says each line in the message', async () => {
    const as = await stand.account()
    const bad = plainRow(2).replace('ida2@a.example', '')
    const file = `${PLAIN}\n${plainRow(1)}\n${bad}\n${plainRow(3, 'All')}`
    const headers = formOf('a.csv', file).headers
    const reply = await stand.call(IMPORT, {
      ...{ as, body: formOf('a.csv', file).body },
      headers: { ...headers, 'accept-language': 'en' },
    })
    expect(refusal(reply)).toEqual({ status: 400, code: 'CsvInvalid' })
    expect(reply.json().Message).toBe(
      'Line 3: contact e-mail is missing\nLine 4: All is no access right',
    )
    expect(reply.json().validationErrors).toBeUndefined()
    expect(await pending(as)).toEqual([])
  })

  it('has its faults as a list where nothing is to be stored: lines can be left out', async () => {
    const as = await stand.account()
    const bad = plainRow(2).replace('ida2@a.example', '')
    const form = formOf('a.csv', `${PLAIN}\n\n${plainRow(1)}\n${bad}\n${plainRow(3, 'All')}\n`)
    const reply = await stand.call(`${IMPORT}?dryRun=true`, {
      ...{ as, body: form.body },
      headers: { ...form.headers, 'accept-language': 'en' },
    })
    expect(refusal(reply)).toEqual({ status: 400, code: 'CsvInvalid' })
    expect(reply.json().Message).toMatch(/^Line 3: .*\nLine 4: /)
    expect(reply.json().validationErrors).toEqual([
      {
        ...{ line: 3, csvHeader: 'ContactEmail', error: 'Csv_FieldRequired' },
        errorArgs: ['ContactEmail'],
      },
      {
        ...{ line: 4, csvHeader: 'AccessRights', error: 'Csv_InvalidAccessRights' },
        errorArgs: ['All'],
      },
    ])
  })

  it('with another order of columns is read as portal format', async () => {
    const reply = await send(await stand.account(), `${PLAIN.toLowerCase()}\n${plainRow(1)}`)
    expect(reply.json().validationErrors).toContainEqual({
      ...{ line: 1, csvHeader: 'companyname', error: 'Csv_UnknownHeader' },
      errorArgs: ['companyname'],
    })
  })
})

describe('what is no file of invitations', () => {
  it.each([
    ['an empty file', formOf('a.csv', '')],
    ['white space', formOf('a.csv', ' \r\n\t\n')],
    ['another ending', formOf('a.xlsx', `${DE_HEADER}\n${KORN}`)],
    ['another form field', formOf('a.csv', `${DE_HEADER}\n${KORN}`, 'data')],
    ['no form', { body: DE_HEADER, headers: { 'content-type': 'text/csv' } }],
  ])('%s is refused with a message and nothing else', async (_name, form) => {
    const reply = await stand.call(IMPORT, form)
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.json())).toEqual(['Message'])
    expect(reply.json().Message).toMatch(/CSV/)
  })
})

describe('templates', () => {
  const template = (as: AccountAccess, query: string, headers: Record<string, string> = {}) =>
    stand.call(`GET ${BASE}/import/csv/template${query}`, { as, headers })

  it('of the plain format are its header, without a mark', async () => {
    const reply = await template(stand.dealer, '')
    expect(reply.text).toBe(`${PLAIN}\r\n`)
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.headers['content-disposition']).toContain('InvitePosOperator.csv')
  })

  it.each([
    ['', ';'],
    ['de-AT', ';'],
    ['fr-FR,en;q=0.5', ';'],
    ['en-US', ','],
    ['en', ','],
    ['nl-BE', ';'],
    ['pl-PL;q=0.5,en-GB', ','],
    ['xx', ';'],
  ])('of the portal format for %s are separated by %s', async (language, separator) => {
    const headers: Record<string, string> = language === '' ? {} : { 'accept-language': language }
    const as = await stand.account({ market: 'DE', name: 'Kassen Maier' })
    const { text } = await template(as, '?format=PORTAL', headers)
    const [header, sample, end] = text.split('\r\n')
    expect(header).toBe(`\uFEFF${DE_HEADER.replaceAll(';', separator)}`)
    expect(sample?.startsWith(`Kassen Maier${separator}`)).toBe(true)
    expect(end).toBe('')
  })

  it('of Austria have its columns', async () => {
    const { text } = await template(stand.dealer, '?format=portal')
    const names =
      'AccountName;AccountEMail;AccountAddressLine1;AccountAddressLine2;' +
      'AccountPostalCode;AccountCity;AccountCountry;AccountWeb;AccountPhone;' +
      'AccountIdVat;AccountIdTax;AccountIdGln;AccountIdFibu;ContactFirstName;' +
      'ContactLastName;ContactEMail;ContactTitle;ContactSuffix;ContactMobilePhone'
    expect(text.split('\r\n')[0]).toBe(`\uFEFF${names}`)
  })

  it.each([
    ['fr-FR', ';'],
    ['fr-BE', ';'],
    ['de-AT', ';'],
    ['it-IT', ';'],
    ['en-GB', ','],
    ['en-US', ','],
  ])(
    'of France have its columns for %s, and a SIRET is read as the SIREN',
    async (language, by) => {
      const as = await stand.account({ market: 'FR', name: 'Caisses Martin' })
      const headers = { 'accept-language': language }
      const { text } = await template(as, '?format=portal', headers)
      const [header = '', sample = ''] = text.split('\r\n')
      const names = header.replace('\uFEFF', '').split(by)
      expect(names.slice(9, 15)).toEqual([
        ...['AccountIdVat', 'AccountIdTax', 'AccountIdGln', 'AccountIdSiret'],
        ...['ContactFirstName', 'ContactLastName'],
      ])
      const cells = sample.split(by)
      const filled = names.map((name, at) => {
        if (name === 'AccountIdSiret') return '321 654 980 00010'
        if (name === 'AccountEMail') return `boutique@${language}.example`
        if (name === 'ContactEMail') return `marie@${language}.example`
        const given = { AccountName: 'Boutique', AccountCountry: 'FR', AccountPostalCode: '75002' }
        return (given as Record<string, string>)[name] ?? (cells[at] || 'x')
      })
      const used = filled.map((cell, at) => (/Vat|Tax|Gln|Web/.test(names[at] ?? '') ? '' : cell))
      const reply = await send(as, `${header}\r\n${used.join(by)}\r\n`)
      expect([reply.status, reply.text]).toEqual([200, '{"created":1,"skipped":[]}'])
      const [made] = await pending(as)
      expect(JSON.stringify(made)).toContain('"siren":"321654980"')
    },
  )

  it('run no formula, and what is made of them is read as it was', async () => {
    const company = { line1: '=1+1', postalCode: '1010', city: 'Wien', phone: '+43 1 234' }
    const as = await stand.account({ name: '@SUM(A1)', company })
    const { text } = await template(as, '?format=portal')
    expect(text).toContain(`\r\n"'@SUM(A1)";`)
    expect(text).toContain(`;"'=1+1";`)
    expect(text).toContain(`;"'+43 1 234";`)
    const names = text.replace(/;;;([^;]*);;;\r\n$/, ';Eva;Korn;$1;;;\r\n')
    expect((await send(as, names)).text).toBe('{"created":1,"skipped":[]}')
    expect(await pending(as)).toMatchObject([
      { company: { name: '@SUM(A1)', addressLine1: '=1+1', phone: '+43 1 234' } },
    ])
  })

  it('are a JSON string for who takes nothing else', async () => {
    const reply = await template(stand.dealer, '', { accept: 'application/json' })
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(reply.text)).toBe(`${PLAIN}\r\n`)
  })
})

describe('a large file', () => {
  it('is stored while it tells how far it is, and is written down', async () => {
    const as = await stand.account()
    const rows = Array.from({ length: 10_000 }, (_, at) => plainRow(at))
    const file = Buffer.from(`${PLAIN}\r\n${rows.join('\r\n')}\r\n`)
    const call = send(as, file)
    const progress = async () => (await stand.call(`GET ${BASE}/import/csv`, { as })).json()
    await expect
      .poll(async () => Number((await progress()).rows), { interval: 5 })
      .toBeGreaterThan(0)
    const reply = await call
    expect(reply.text).toBe('{"created":10000,"skipped":[]}')
    expect(await progress()).toEqual({ running: false, rows: 10_000, created: 10_000, skipped: 0 })
    const lines = await stand.rows(
      `select sum((subjects::json->>'created')::int)::int as created from audit_entry
       where account_id = $1 and operation = 'importInvitations'`,
      [as.accountId],
    )
    expect(lines).toEqual([{ created: 10_000 }])
  }, 60_000)

  it('beyond the limit is refused', async () => {
    const small = await openDealer({ variables: { CSV_LIMIT: '2048' } })
    const rows = Array.from({ length: 40 }, (_, at) => plainRow(at))
    const reply = await small.call(IMPORT, formOf('a.csv', `${PLAIN}\n${rows.join('\n')}`))
    expect(refusal(reply)).toEqual({ status: 413, code: 'PayloadTooLarge' })
    await small.close()
  })
})
