// Exports of a TSE: the published examples hold, and whatever somebody changes is named.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tarFile } from '../../../src/verify/de/verifiers.js'
import { soldTwice, type TarMember, tarOf, tlv, unpacked } from '../../support/tse-device.js'
import { brief, isRecognised, verdictOf } from '../../support/verdicts.js'

const sample = (name: string) =>
  readFileSync(new URL(`../../market/de/samples/${name}`, import.meta.url))
const p256 = sample('tse-p256.tar')
const p384 = sample('tse-p384.tar')
const members = await unpacked(p256)
const START = 'Unixt_1767258060_Sig-6_Log-Tra_No-2_Start_Client-KASSE-0001.log'
const FINISH = 'Unixt_1767258072_Sig-7_Log-Tra_No-2_Finish_Client-KASSE-0001.log'
const LEAF = 'C8F303484B6112A6EFF82BF6C7FA2C3B7D096B09D01A3A928922204B55067224_X509.cer'
const ROOT = 'C35424F3E9728EE8DABFFADC75F9F65156427E4AEA388C973CA9D88DA21CC2E6_X509.cer'

async function judged(changed: TarMember[]): Promise<string[]> {
  return brief((await verdictOf(tarFile, await tarOf(changed))).findings)
}

function contentOf(name: string): Buffer {
  return members.find((member) => member.name === name)?.content ?? Buffer.alloc(0)
}

/** The sample with one member replaced by these. */
function replaced(name: string, ...by: TarMember[]): TarMember[] {
  return members.flatMap((member) => (member.name === name ? by : [member]))
}

/** One byte of a member changed, found by the text before it. */
function patched(name: string, before: string, change: (byte: number) => number): TarMember[] {
  const content = Buffer.from(contentOf(name))
  const at = content.indexOf(before, 0, 'latin1') + before.length
  content[at] = change(content[at] ?? 0)
  return replaced(name, { name, content })
}

describe('the published examples', () => {
  it.each([
    ['P-256', p256, 1],
    ['P-384', p384, 1],
    ['both in one file', Buffer.concat([p256, p384]), 2],
    ['three in one file', Buffer.concat([p384, p256, p384]), 3],
  ])('%s: no finding and no notice, every signature is proven', async (_, bytes, archives) => {
    for (const size of [100, 512, 8192, 1 << 20]) {
      const { findings, notices, summary } = await verdictOf(tarFile, bytes, { pieceSize: size })
      expect([...findings, ...notices]).toEqual([])
      expect(summary).toMatchObject({
        archives,
        messages: 9 * archives,
        proven: 9 * archives,
        transactions: 3 * archives,
      })
    }
  })

  it('are recognised by their content, other files and other TARs are not', async () => {
    expect(await isRecognised(tarFile, p256)).toBe(true)
    expect(await isRecognised(tarFile, Buffer.alloc(1024))).toBe(true)
    for (const head of ['', '{', 'PK\u0003\u0004', 'x'.repeat(1024)]) {
      expect(await isRecognised(tarFile, Buffer.from(head))).toBe(false)
    }
    const foreign = await tarOf([{ name: 'readme.txt', content: Buffer.from('hello') }])
    expect(await isRecognised(tarFile, foreign)).toBe(false)
  })
})

describe('an export that was packed again from a folder', () => {
  const folder = { name: './', content: Buffer.alloc(0), type: 'directory' as const }
  const again = members.map(({ name, content }) => ({ name: `./${name}`, content }))

  it('is the export that it was: names begin with ./, and folders are passed over', async () => {
    const bytes = await tarOf([folder, ...again])
    expect(await isRecognised(tarFile, bytes)).toBe(true)
    const { findings, notices, summary } = await verdictOf(tarFile, bytes)
    expect([...findings, ...notices]).toEqual([])
    expect(summary).toMatchObject({ archives: 1, messages: 9, proven: 9 })
    const twice = await verdictOf(tarFile, Buffer.concat([bytes, bytes]))
    expect([...twice.findings, ...twice.notices]).toEqual([])
    expect(twice.summary).toMatchObject({ archives: 2, messages: 18, proven: 18 })
  })

  it('is refused where it was changed, by the names of the device', async () => {
    const less = again.filter(({ name }) => name !== `./${START}`)
    expect(await judged([folder, ...less])).toEqual([
      `TRANSACTION_NOT_OPEN ${FINISH}`,
      'COUNTER_GAP',
    ])
  })

  it('a folder of anything else is no known export', async () => {
    const readme = { name: './readme.txt', content: Buffer.from('hello') }
    expect(await isRecognised(tarFile, await tarOf([folder, readme]))).toBe(false)
  })
})

describe('an export that somebody changed without the key', () => {
  const cases: [string, TarMember[], string[]][] = [
    ['an amount', patched(FINISH, 'Beleg^1', () => 0x32), [`SIGNATURE_INVALID ${FINISH}`]],
    [
      'a byte of the signature',
      patched(FINISH, '\x04\x40', (byte) => byte ^ 1),
      [`SIGNATURE_INVALID ${FINISH}`],
    ],
    [
      'a client',
      patched(START, '\x81\x0aKASSE-000', () => 0x32),
      [
        `LOG_NAME ${START}`,
        `SIGNATURE_INVALID ${START}`,
        `TRANSACTION_CLIENT ${FINISH}`,
        `CLIENT_UNREGISTERED ${START}`,
      ],
    ],
    ['a finish removed', replaced(FINISH), ['COUNTER_GAP']],
    ['a start removed', replaced(START), [`TRANSACTION_NOT_OPEN ${FINISH}`, 'COUNTER_GAP']],
    [
      'a message doubled',
      replaced(
        START,
        { name: START, content: contentOf(START) },
        {
          name: START.replace('.log', '_Fc-1.log'),
          content: contentOf(START),
        },
      ),
      [`COUNTER_DOUBLED ${START.replace('.log', '_Fc-1.log')}`],
    ],
    [
      'bytes behind a message',
      replaced(START, {
        name: START,
        content: Buffer.concat([contentOf(START), Buffer.alloc(1)]),
      }),
      [`LOG_FORM ${START}`, `TRANSACTION_NOT_OPEN ${FINISH}`, 'COUNTER_GAP'],
    ],
    ['no info.csv', replaced('info.csv'), ['INFO_MISSING']],
    ['two info.csv', [...members.slice(0, 1), ...members], ['INFO_DOUBLED info.csv']],
    [
      'another info.csv',
      replaced('info.csv', {
        name: 'info.csv',
        content: Buffer.from('description,"x"'),
      }),
      ['INFO_FORM info.csv'],
    ],
    [
      'a member more',
      [...members, { name: 'info.csv', content: contentOf('info.csv') }],
      ['INFO_DOUBLED info.csv'],
    ],
    [
      'a link',
      [...members, { name: `x${START}`, content: Buffer.alloc(0), type: 'symlink' }],
      [`MEMBER_TYPE x${START}`],
    ],
    ['no root', replaced(ROOT), [`CERTIFICATE_CHAIN ${LEAF}`]],
    [
      'no certificate of the device',
      replaced(LEAF),
      ['CERTIFICATE_MISSING Unixt_1767258000_Sig-1_Log-Sys_initialize.log'],
    ],
    [
      'a certificate under another name',
      replaced(LEAF, {
        name: `00${LEAF.slice(2)}`,
        content: contentOf(LEAF),
      }),
      [`CERTIFICATE_NAME 00${LEAF.slice(2)}`],
    ],
    [
      'the issuer of the certificate',
      patched(LEAF, 'TSE Emulator Root C', () => 0x42),
      [`CERTIFICATE_CHAIN ${LEAF}`],
    ],
    [
      'a certificate that is none',
      replaced(ROOT, { name: ROOT, content: Buffer.from('x') }),
      [`CERTIFICATE_FORM ${ROOT}`, `CERTIFICATE_CHAIN ${LEAF}`],
    ],
  ]
  it.each(cases)('%s is named', async (_, changed, expected) => {
    expect((await judged(changed)).sort()).toEqual(expected.sort())
  })

  it.each(['readme.txt', '../../etc/passwd'])('a member %s more is a notice', async (name) => {
    const bytes = await tarOf([...members, { name, content: Buffer.from('x') }])
    const { findings, notices } = await verdictOf(tarFile, bytes)
    expect(findings).toEqual([])
    expect(brief(notices)).toEqual([`MEMBER_UNKNOWN ${name}`])
  })

  it('a changed name is named with what it must be', async () => {
    const name = FINISH.replace('1767258072', '1767258073')
    const bytes = await tarOf(replaced(FINISH, { name, content: contentOf(FINISH) }))
    const { findings } = await verdictOf(tarFile, bytes)
    expect(brief(findings)).toEqual([`LOG_NAME ${name}`])
    expect(findings[0]?.text).toContain(FINISH)
  })

  it('messages of another device are named', async () => {
    const other = soldTwice()
    const found = await judged([...members, ...other.certificates(), ...other.members.slice(0, 1)])
    expect(found).toEqual([
      `DEVICE_CHANGED ${other.members[0]?.name}`,
      `COUNTER_DOUBLED ${other.members[0]?.name}`,
    ])
  })

  it('a fault in a second archive is named there', async () => {
    const second = await tarOf(patched(FINISH, 'Beleg^1', () => 0x32))
    const { findings } = await verdictOf(tarFile, Buffer.concat([p384, second]))
    expect(brief(findings)).toEqual([`SIGNATURE_INVALID TAR 2: ${FINISH}`])
  })

  it('the certificates of one archive do not serve another', async () => {
    const second = await tarOf(members.filter(({ name }) => !name.endsWith('.cer')))
    const { findings } = await verdictOf(tarFile, Buffer.concat([p256, second]))
    expect(brief(findings)).toEqual([
      'CERTIFICATE_MISSING TAR 2: Unixt_1767258000_Sig-1_Log-Sys_initialize.log',
    ])
  })
})

describe('files that are no export', () => {
  it.each([
    ['nothing', Buffer.alloc(0), ['TAR_END', 'TAR_EMPTY']],
    ['zero blocks', Buffer.alloc(1024), ['TAR_EMPTY']],
    ['bytes of chance', Buffer.from(p256).reverse(), ['TAR_BROKEN', 'TAR_EMPTY']],
    ['half a header', p256.subarray(0, 300), ['TAR_BROKEN', 'TAR_EMPTY']],
  ])('%s: one clear finding each', async (_, bytes, expected) => {
    expect(brief((await verdictOf(tarFile, bytes)).findings)).toEqual(expected)
  })

  it('cut anywhere, a file is refused and says after what', async () => {
    const whole = (await tarOf(members)).length
    for (const end of [700, 1500, 4000, 9000, whole - 1024]) {
      const { findings } = await verdictOf(tarFile, p256.subarray(0, end))
      expect(findings[0]?.code, String(end)).toMatch(/^TAR_(BROKEN|END)$/)
    }
  })

  it('a member of a pretended terabyte is not held in memory', async () => {
    const bytes = Buffer.from(p256)
    const at = bytes.indexOf('Unixt_')
    bytes.write('77777777777\0', at + 124, 'latin1')
    bytes.fill(0x20, at + 148, at + 156)
    const sum = bytes.subarray(at, at + 512).reduce((total, byte) => total + byte, 0)
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1')
    const { findings } = await verdictOf(tarFile, bytes)
    expect(brief(findings)[0]).toBe('TAR_BROKEN')
  })

  it('one changed byte anywhere never passes unseen and never throws', async () => {
    for (let at = 257; at < 16_000; at += 397) {
      const bytes = Buffer.from(p256)
      bytes[at] = (bytes[at] ?? 0) ^ 0x15
      const { findings } = await verdictOf(tarFile, bytes)
      const isPadding = p256[at] === 0
      expect(findings.length > 0 || isPadding, String(at)).toBe(true)
    }
  })

  it('a message that is larger than any is told and not read', async () => {
    const name = START
    const content = tlv(0x30, Buffer.alloc(65_000))
    const large = Buffer.concat(Array.from({ length: 20 }, () => content))
    expect(await judged(replaced(START, { name, content: large }))).toContain(`MEMBER_SIZE ${name}`)
  })
})
