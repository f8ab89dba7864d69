// Every rule of the verifier refuses an archive in which it alone is broken.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Archives,
  forge,
  forged,
  forgerOf,
  judge,
  openArchives,
} from '../../support/fr/archives.js'
import { change, putTogether, takeApart } from '../../support/fr/forger.js'
import { FAILED, sale } from '../../support/fr/register.js'
import { also, corruptions } from './corruption-table.js'

let archives: Archives
beforeAll(async () => {
  archives = await openArchives()
})
afterAll(() => archives.close())

describe('a changed archive', () => {
  it.each(corruptions)('%s: %s', async (code, _what, how) => {
    const parts = await takeApart(archives.first)
    how(parts, archives.forger)
    const { codes, ok, findings } = await judge(await putTogether(parts))
    const [wanted = [code]] = also[code] === undefined ? [] : [[code, ...also[code]]]
    expect([[...codes].sort(), ok], JSON.stringify(findings.slice(0, 5))).toEqual([
      wanted.sort(),
      false,
    ])
  })

  it('FILE_HASH: a table with another name', async () => {
    const parts = await takeApart(archives.first)
    const zip = await putTogether(parts)
    const name = /queueItems\.([\w-]{43})\.csv/.exec(zip.toString('latin1'))?.[1] ?? ''
    const other = `${name.startsWith('A') ? 'B' : 'A'}${name.slice(1)}`
    const renamed = Buffer.from(zip.toString('latin1').replaceAll(name, other), 'latin1')
    expect((await judge(renamed)).codes).toEqual(['FILE_HASH'])
  })

  it('TABLE_FORM: a row that ends too early', async () => {
    const parts = await takeApart(archives.first)
    const cut = (text: string) => text.replace(/,[^,]*\r\n$/, '\r\n')
    const { codes } = await judge(await putTogether(parts, cut))
    expect(codes).toEqual(['TABLE_FORM'])
  })

  it('ZIP_BROKEN: a table that unpacks to a thousand times its bytes', async () => {
    const parts = await takeApart(archives.first)
    const bomb = await putTogether(parts, (text) => text + 'x'.repeat(8 << 20))
    expect((await judge(bomb)).codes).toEqual(['ZIP_BROKEN'])
  })

  it('ZIP_BROKEN: a file that ends in the middle', async () => {
    expect((await judge(archives.first.subarray(0, archives.first.length - 100))).codes).toEqual([
      'ZIP_BROKEN',
    ])
  })

  it('CERTIFICATE_SIRET and CERTIFICATE_PERIOD: that of others, or of another time', async () => {
    const other = await forgerOf(archives.first, { commonName: '11111111111111' })
    expect((await judge(await forged(archives.first, other))).codes).toEqual(['CERTIFICATE_SIRET'])
    const later = await forgerOf(archives.first, { now: new Date('2040-01-01T00:00:00Z') })
    expect((await judge(await forged(archives.first, later))).codes).toEqual(['CERTIFICATE_PERIOD'])
  })

  it('CERTIFICATE_DISTRUSTED: by somebody who signed it all anew', async () => {
    const bytes = await forged(archives.first, archives.forger)
    expect((await judge(bytes, archives.certificates)).codes).toEqual(['CERTIFICATE_DISTRUSTED'])
    const { notices } = await judge(bytes)
    expect(notices.map(({ code }) => code)).toContain('CERTIFICATE_UNTRUSTED')
  })

  it('FAILURE_OPEN: a notice where no zero receipt follows late ones', async () => {
    await archives.register.sign(sale('1', { flags: FAILED }))
    const { notices, ok } = await judge(await archives.archive())
    expect([notices.map(({ code }) => code).includes('FAILURE_OPEN'), ok]).toEqual([true, true])
  })

  it('a second archive goes on from the first: a changed month is found', async () => {
    const parts = await takeApart(archives.second)
    change(
      parts,
      (row) => row.Letter === 'G',
      (text) => text.replace(/"m-total":[\d.]+,"m-ci-n":[\d.]+/, '"m-total":1.0,"m-ci-n":1.0'),
    )
    forge(parts, archives.forger)
    expect((await judge(await putTogether(parts))).codes).toEqual(['TOTAL_WRONG'])
  })
})
