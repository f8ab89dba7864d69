// What a server exports of a French register is accepted, and journals that were changed are not.
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Archives, forged, judge, openArchives } from '../../support/fr/archives.js'

let archives: Archives
beforeAll(async () => {
  archives = await openArchives()
})
afterAll(() => archives.close())

describe('what a server exports', () => {
  it('is accepted, archive after archive, with the certificate given beside it', async () => {
    for (const archive of [archives.first, archives.second]) {
      const { ok, findings, kind, notices } = await judge(archive, archives.certificates)
      expect([findings, ok, kind]).toEqual([[], true, 'French archive'])
      expect(notices.map(({ code }) => code)).toEqual(['END_UNPROVEN'])
    }
  })

  it('is accepted when somebody has put it together again: nothing else is changed', async () => {
    const { ok, findings } = await judge(await forged(archives.first, archives.forger))
    expect([findings, ok]).toEqual([[], true])
  })

  it('counts copies that name their original in ftReceiptCaseData by that name', async () => {
    const { register } = archives
    for (const original of ['old-1', 'old-2', 'old-1']) {
      const text = register.text({ kind: 0x16 })
      await register.send(text.replace('{', `{"ftReceiptCaseData":"${original}",`))
    }
    const { findings, ok } = await judge(await archives.archive(), archives.certificates)
    expect([findings, ok]).toEqual([[], true])
  })

  it('has journals that are accepted: raw with certificate, tables without', async () => {
    const raw = await judge(archives.journals['4652'] ?? Buffer.alloc(0), archives.certificates)
    expect([raw.findings, raw.kind]).toEqual([[], 'French journal'])
    for (const type of ['4652000000000001', '4652000000000004', '4652000000000008']) {
      const table = await judge(archives.journals[type] ?? Buffer.alloc(0))
      expect([table.findings, table.kind]).toEqual([[], 'French journal of a chain'])
    }
  })
})

describe('the words of French journals', () => {
  const read = async (query: string) => {
    const answer = await archives.register.post(`journal?type=${query}`)
    return { status: answer.status, text: await answer.text() }
  }

  it.each(['001', '002', '003', '004', '007', '008', '009', '00a', '00b'])(
    'chain %s is the same table in both versions, and empty chains have their header',
    async (number) => {
      const old = await read(`0x4652000000000${number}`)
      const later = await read(`0x4652200000001${number}`)
      expect([old.status, later.text]).toEqual([200, old.text])
      expect(old.text).toMatch(/^[^\r\n]*QueueId,[^\r\n]*LastHash[^\r\n]*\r\n/)
    },
  )

  it.each(['005', '006', '010', '00c'])('%s is none', async (number) => {
    expect((await read(`0x4652000000000${number}`)).status).toBe(400)
  })

  it('a negative end counts documents of the chain, a time leaves out what is before', async () => {
    const rows = async (query: string) =>
      (await read(query)).text
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',')[3])
    const all = await rows('0x4652000000000001')
    expect(await rows('0x4652000000000001&from=0&to=-2')).toEqual(all.slice(0, 2))
    const raw = JSON.parse((await read('0x4652')).text.replace(/("TimeStamp":)(\d+)/g, '$1"$2"'))
    const third = raw.find((row: { JsonData: string }) => row.JsonData.includes(`"${all[2]}"`))
    expect(await rows(`0x4652000000000001&from=${third.TimeStamp}`)).toEqual(all.slice(2))
  })

  it.each(['0', '1', '2', '999999', '-1', '99999999999999999999'])(
    'no archive begins with row %s: the refusal names what is expected',
    async (row) => {
      const { status, text } = await read(`0x4652000000010010&from=${row}`)
      expect([status, text.includes('from')]).toEqual([400, true])
    },
  )

  it('the same call gives the same bytes, in both versions', async () => {
    const { ftQueueRow } = await archives.register.sign({ kind: 0x15 })
    const [one, two] = await Promise.all([
      archives.register.journal('0x4652000000010010', ftQueueRow),
      archives.register.journal('0x4652200000001010', ftQueueRow),
    ])
    expect(one.equals(two)).toBe(true)
  })
})

describe('a changed journal', () => {
  const table = () => (archives.journals['4652000000000001'] ?? Buffer.alloc(0)).toString()

  it.each([
    ['NUMBER_GAP', (text: string) => text.replace(/\r\n[^\r\n]*#T2[^\r\n]*/, '')],
    ['CHAIN_BROKEN', (text: string) => text.replace(/,[^,]*(?=\r\n[^\r\n]*#T3)/, ',')],
    [
      'QUEUE_CHANGED',
      (text: string) => text.replace(/\r\n[0-9a-f]{8}(?=-[^\r\n]*#T2)/, '\r\n00000000'),
    ],
    ['TIME_DECREASES', (text: string) => text.replace(/(#T2,)[^,]*/, '$101/01/2020 10:00:00')],
    ['SUM_WRONG', (text: string) => text.replace(',18.8,', ',19.8,')],
    ['TABLE_FORM', (text: string) => text.replace(/,[^,]*\r\n$/, '\r\n')],
  ])('%s in a table', async (code, how) => {
    expect(how(table())).not.toBe(table())
    expect((await judge(Buffer.from(how(table())))).codes).toEqual([code])
  })

  it('TABLE_FORM where a quote is never closed: the rest is not read into memory', async () => {
    const [header = ''] = table().split('\r\n')
    const bytes = Buffer.from(`${header}\r\n"${'x'.repeat(40 << 20)}`)
    const { findings } = await judge(bytes)
    expect(findings.map(({ code, text }) => [code, /at most/.test(text)])).toEqual([
      ['TABLE_FORM', true],
    ])
  })

  it('a fault in every row is named a hundred times, and the rest is counted', async () => {
    const row = '{"ftJournalFRId":"x","JWT":"","JsonData":""}'
    const { findings } = await judge(Buffer.from(`[${Array(150).fill(row).join(',')}]`), [])
    const told = findings.filter(({ code }) => code === 'JWS_FORM')
    expect([told.length, told.at(-1)?.text]).toEqual([
      101,
      'the same fault in 50 more places, the last is this one',
    ])
  })

  it('JSON_BROKEN, EMPTY, DOCUMENT_ITEM and SIGNATURE_INVALID in the raw journal', async () => {
    const text = (archives.journals['4652'] ?? Buffer.alloc(0)).toString()
    const codes = async (changed: string) =>
      (await judge(Buffer.from(changed), archives.certificates)).codes
    expect(await codes(text.slice(0, -10))).toEqual(['JSON_BROKEN'])
    expect(await codes(`${text.slice(0, text.indexOf('"JWT"'))}"JWT":""}]`)).toContain('JWS_FORM')
    expect(await codes('[{"ftJournalFRId":"')).toEqual(['EMPTY', 'JSON_BROKEN'])
    expect(await codes(text.replace('\\"total\\":13.1', '\\"total\\":13.2'))).toEqual([
      'DOCUMENT_ITEM',
    ])
    const [, signature = ''] = /\.([\w-]{86})"/.exec(text) ?? []
    const other = text.replace(
      signature,
      `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    )
    expect(await codes(other)).toEqual(['SIGNATURE_INVALID'])
    expect((await judge(archives.journals['4652'] ?? Buffer.alloc(0))).codes).toEqual([
      'CERTIFICATE_MISSING',
    ])
  })
})

it('the certificate says whose it is', () => {
  const [der = ''] = archives.certificates
  const { subject, serialNumber } = new X509Certificate(Buffer.from(der, 'base64'))
  expect(subject).toContain('CN=98765432100012')
  expect(serialNumber).toMatch(/^[1-7][0-9A-F]{15}$/)
})
