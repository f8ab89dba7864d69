// Cells of the contract test: settings of invitations, their PDF, and imported files.
import pg from 'pg'
import { expect } from 'vitest'
import { formOf, person } from '../invitations.js'
import type { Cells, Refused, Sent } from './cell.js'
import { CSV_LIMIT, type World } from './world.js'

const BASE = '/api/pos-operators-invitation'
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')
const MEBIBYTE = 1024 * 1024

/** The plain format, header and all. */
const HEADER = [
  ...['CompanyName', 'CompanyEmail', 'CompanyAddressLine1', 'CompanyAddressLine2'],
  ...['CompanyPostalCode', 'CompanyCity', 'CompanyCountry', 'CompanyWebsite', 'CompanyPhone'],
  ...['VatId', 'TaxId', 'FibuNr', 'Gln', 'Siren', 'ContactFirstName', 'ContactLastName'],
  ...['ContactEmail', 'ContactTitle', 'ContactSuffix', 'ContactPhone', 'AccessRights'],
].join(';')

function rowOf({ company, contact }: ReturnType<typeof person>, country = 'DE'): string {
  const { name, email, addressLine1, postalCode, city } = company
  const at = `${name};${email};${addressLine1};;${postalCode};${city};${country};;;;;;;`
  return `${at};${contact.firstName};${contact.lastName};${contact.email};;;;`
}

const csv = (...rows: string[]) => formOf('a.csv', [HEADER, ...rows, ''].join('\n'))

const stored = async ({ stand }: World): Promise<Sent> => {
  await stand.call(`POST ${BASE}/pdf`, formOf('a.pdf', PDF))
  return {}
}

/** An account whose settings nobody can read. */
async function unreadable({ stand }: World): Promise<Refused> {
  const as = await stand.account({ market: 'DE' })
  await stand.rows(`insert into invitation_settings values ($1, '{broken', 1, now())`, [
    as.accountId,
  ])
  return { as }
}

/** Another writer has the settings, and commits while the call waits for him. */
async function changedMeanwhile({ stand }: World): Promise<Refused> {
  const as = await stand.account({ market: 'DE' })
  await stand.call(`PATCH ${BASE}/settings`, { as, body: { emailContent: 'A' } })
  const client = new pg.Client(stand.database.config)
  await client.connect()
  await client.query('begin')
  await client.query('update invitation_settings set version = version + 1 where account_id = $1', [
    as.accountId,
  ])
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const release = async () => {
    await expect.poll(async () => (await stand.rows(waiting)).length).toBe(1)
    await client.query('commit')
    await client.end()
  }
  return { as, body: { emailContent: 'B' }, meanwhile: release }
}

const SETTINGS = {
  defaultAccessRights: expect.stringMatching(/^(Undefined|None|Read|ReadWrite|Full)$/),
  emailContent: 'Willkommen!',
  hasPdfDocument: expect.any(Boolean),
}

export const fileCells: Cells = {
  getInvitationSettings: {
    works: async ({ stand }) => {
      await stand.call(`PATCH ${BASE}/settings`, { body: { emailContent: 'Willkommen!' } })
      return {}
    },
    answers: (reply) => expect(reply.json()).toEqual(SETTINGS),
    refuses: { SETTINGS_UNREADABLE: unreadable },
  },
  updateInvitationSettings: {
    works: async () => ({ body: { defaultAccessRights: 'Read', emailContent: 'Willkommen!' } }),
    answers: (reply) => expect(reply.json()).toEqual({ ...SETTINGS, defaultAccessRights: 'Read' }),
    leaves: { subjects: [], before: true, after: true },
    refuses: {
      SETTINGS_CONFLICT: changedMeanwhile,
      SETTINGS_UNREADABLE: async (world) => ({
        ...(await unreadable(world)),
        body: { emailContent: 'A' },
      }),
    },
  },
  storeInvitationPdf: {
    works: async () => formOf('Flyer.PDF', PDF),
    answers: (reply) => expect(reply.text).toBe(''),
    leaves: { subjects: [], before: false, after: true },
    refuses: {
      PDF_INVALID: async () => ({ ...formOf('a.pdf', 'PK\u0003\u0004'), members: ['file'] }),
    },
    wrongBodies: {
      'another ending': async () => ({ ...formOf('a.txt', PDF), members: ['file'] }),
      'another part': async () => ({ ...formOf('a.pdf', PDF, 'document'), members: ['file'] }),
      'no form': async () => ({ body: '{}', members: ['file'] }),
      'no body': async () => ({ members: ['file'] }),
      'half a form': async () => {
        const { body, headers } = formOf('a.pdf', PDF)
        return { headers, body: body.subarray(0, 100), members: ['$'] }
      },
    },
    tooLarge: async () => formOf('a.pdf', Buffer.concat([PDF, Buffer.alloc(5 * MEBIBYTE)])),
  },
  getInvitationPdf: {
    works: stored,
    answers: (reply) => expect(JSON.parse(reply.text)).toBe(PDF.toString('base64')),
    refuses: {
      PDF_UNKNOWN: async ({ stand }) => ({ as: await stand.account({ market: 'DE' }) }),
    },
  },
  deleteInvitationPdf: {
    works: stored,
    answers: (reply) => expect(reply.text).toBe(''),
    leaves: { subjects: ['deleted'], before: true, after: false },
  },
  importInvitations: {
    works: async () => csv(rowOf(person()), rowOf(person())),
    answers: (reply) => expect(reply.json()).toEqual({ created: 2, skipped: [] }),
    leaves: { subjects: ['created'], before: false, after: true },
    refuses: {
      CSV_FILE_INVALID: async () => formOf('a.txt', HEADER),
      CSV_INVALID: async () => csv(rowOf(person()), rowOf(person(), 'Nowhere')),
    },
    wrongBodies: {
      'an empty file': async () => formOf('a.csv', ''),
      'nothing but blanks': async () => formOf('a.csv', ' \r\n\t\r\n'),
      'a PDF that calls itself CSV': async () => formOf('a.csv', PDF),
      'a picture that calls itself CSV': async () =>
        formOf('a.csv', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
      'another part': async () => formOf('a.csv', HEADER, 'document'),
      'no form': async () => ({ body: '{}' }),
      'no body': async () => ({}),
      'half a form': async () => {
        const { body, headers } = csv(rowOf(person()))
        return { headers, body: body.subarray(0, 100) }
      },
    },
    tooLarge: async () => formOf('a.csv', Buffer.alloc(CSV_LIMIT + 1, 'x')),
  },
  importProgress: {
    works: async () => ({}),
    answers: (reply) =>
      expect(reply.json()).toEqual({
        ...{ running: false, rows: expect.any(Number) },
        ...{ created: expect.any(Number), skipped: expect.any(Number) },
      }),
  },
  importTemplate: {
    works: async () => ({ query: { format: 'portal' } }),
    answers: (reply) => {
      expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
      const [header = '', sample = ''] = reply.text.split(/\r?\n/)
      expect(header).toMatch(/^\ufeffAccountName;AccountEMail;/)
      expect(sample.split(';')).toHaveLength(header.split(';').length)
    },
  },
}
