// The TAR of a TSE: the worked examples as containers, read with the system's tar and the library.
import { createHash, X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { LogMessage } from '../../../../src/device/tse/tse.js'
import { archivedTar, memoryTar } from '../../../../src/market/de/export/tar.js'
import type { Archive } from '../../../../src/market/de/queue.js'
import type { CertificateEntry, StoredMarketRow } from '../../../../src/model/journal.js'
import { inFolder, run } from '../support/openssl.js'
import {
  archiveRow,
  bytesOf,
  headersOf,
  LOGGED_AT,
  logRow,
  membersOf,
  tarSource,
} from '../support/tar-source.js'
import { LIMIT, SCU_ID, TseStand } from '../support/tse-stand.js'
import { exampleOf, PROFILE_NAMES } from '../support/vectors.js'

const OTHER_ID = '0192f0c1-0000-7000-8000-0000000000df'

function archive(members: Partial<Archive>): Archive {
  const usual = { fileName: '20260101100000000_KASSE-0001', from: 1, to: 9, without: [] }
  return { ...usual, moment: Date.parse('2026-01-01T10:00:01Z'), erased: true, ...members }
}

/** The messages of an example as rows of three receipts. */
function exampleRows(profile: 'P-256' | 'P-384', scuId = SCU_ID) {
  const { logs, certificates } = exampleOf(profile)
  const [der = Buffer.alloc(0), ...chain] = certificates.map((one) => Buffer.from(one.der, 'hex'))
  const fingerprint = createHash('sha256').update(der).digest()
  const messages: LogMessage[] = logs.map((log) => ({
    signatureCounter: log.counter,
    der: Buffer.from(log.der, 'hex'),
  }))
  const row = (from: number, to: number) =>
    logRow({ scuId, fingerprint, messages: messages.slice(from - 1, to) })
  const rows: StoredMarketRow[] = [row(1, 5), row(6, 7), row(8, 9)]
  const certificate: CertificateEntry = { fingerprint, der, chain }
  return { rows, certificates: [certificate], messages, row, fingerprint }
}

/** What `tar -t` lists. */
function listed(tar: Buffer): string[] {
  return inFolder((folder) => {
    const file = join(folder, 'export.tar')
    writeFileSync(file, tar)
    return run('tar', ['-tf', file]).trim().split('\n')
  })
}

const counterOf = (name: string) => Number(/_Sig-(\d+)_/.exec(name)?.[1])
const countersIn = (names: string[]) => names.filter((name) => /_Sig-/.test(name)).map(counterOf)

describe.each(PROFILE_NAMES)('the archived example %s', (profile) => {
  const example = exampleOf(profile)
  const { rows, certificates } = exampleRows(profile)
  const source = () => tarSource({ rows: [...rows, archiveRow(SCU_ID, archive({}))], certificates })
  const names = [
    'info.csv',
    ...example.logs.map(({ name }) => name),
    ...example.certificates.map(({ name }) => name),
  ]

  it('has info.csv, the messages by counter, leaf and root for every reader', async () => {
    const tar = await bytesOf(archivedTar.run(source()))
    expect(listed(tar)).toEqual(names)
    const members = await membersOf(tar)
    expect(members.map(([name]) => name)).toEqual(names)
    const contents = members.slice(1).map(([, content]) => content.toString('hex'))
    expect(contents).toEqual([...example.logs, ...example.certificates].map(({ der }) => der))
  })

  it('is unpacked by the system to the published sizes', async () => {
    const tar = await bytesOf(archivedTar.run(source()))
    const sizes = inFolder((folder) => {
      const file = join(folder, 'export.tar')
      writeFileSync(file, tar)
      return run('tar', ['-tvf', file, '--numeric-owner'])
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).slice(0, 3).join(' '))
    })
    const published = {
      'P-256': [168, 166, 170, 177, 235, 177, 244, 177, 207, 487, 447],
      'P-384': [200, 198, 202, 209, 268, 209, 277, 209, 239, 547, 507],
    }[profile]
    expect(sizes.slice(1)).toEqual(published.map((size) => `-rw-r--r-- 0/0 ${size}`))
  })

  it('is plain ustar: no other kind of member, no prefix, the time of the archive', async () => {
    const tar = await bytesOf(archivedTar.run(source()))
    const headers = headersOf(tar)
    expect(headers.length).toBe(names.length)
    const seconds = (Date.parse('2026-01-01T10:00:01Z') / 1000).toString(8)
    for (const header of headers) {
      expect(header.toString('latin1', 257, 265)).toBe('ustar\u000000')
      expect(header.toString('latin1', 156, 157)).toBe('0')
      expect(header.subarray(345, 512).every((byte) => byte === 0)).toBe(true)
      expect(header.toString('latin1', 265, 329).replace(/\0/g, '')).toBe('')
      expect(header.toString('latin1', 136, 147)).toBe(seconds)
    }
    expect(tar.length % 512).toBe(0)
    expect(tar.subarray(-1024).every((byte) => byte === 0)).toBe(true)
  })

  it('says on one line of info.csv that it is not certified', async () => {
    const [info] = await membersOf(await bytesOf(archivedTar.run(source())))
    expect(info?.[1].toString('utf8')).toBe(
      '"description:","TSE emulator (not certified)","manufacturer:","fiskalwerk",' +
        '"version:","1.0.0"\n',
    )
  })
})

describe('the archived exports of a queue', () => {
  const { rows, certificates, row } = exampleRows('P-256')
  const run0003 = (given: StoredMarketRow[], options: Record<string, string> = {}) =>
    bytesOf(archivedTar.run(tarSource({ rows: given, certificates, options })))
  const countersOf = async (given: StoredMarketRow[]) => countersIn(listed(await run0003(given)))

  it('no archive, or an empty range: an empty stream', async () => {
    expect((await run0003([])).length).toBe(0)
    expect((await run0003(rows)).length).toBe(0)
    expect((await run0003([archiveRow(SCU_ID, archive({ from: 10, to: 9 }))])).length).toBe(0)
  })

  it('several archives give each message once, by counter', async () => {
    const archives = [archive({ from: 1, to: 5 }), archive({ from: 6, to: 7 })]
    const given = [...rows, ...archives.map((one) => archiveRow(SCU_ID, one))]
    expect(await countersOf(given)).toEqual([1, 2, 3, 4, 5, 6, 7])
    const overlapping = archiveRow(SCU_ID, archive({ from: 2, to: 9 }))
    expect(await countersOf([...given, overlapping])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('leaves out what an earlier export has erased, also inside of a row', async () => {
    const kept = archiveRow(
      SCU_ID,
      archive({
        from: 4,
        to: 9,
        without: [
          [5, 5],
          [7, 8],
        ],
      }),
    )
    const since = async (...archives: StoredMarketRow[]) => {
      const given = [...rows, ...archives]
      const range = { from: 1n, to: 0n }
      return countersIn(
        listed(await bytesOf(archivedTar.run(tarSource({ rows: given, certificates, range })))),
      )
    }
    expect(await since(kept)).toEqual([4, 6, 9])
    // without a range: everything up to the archive, whichever export has erased it
    expect(await countersOf([...rows, kept])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    const late = archiveRow(SCU_ID, archive({ from: 5, to: 5 }))
    expect(await since(late)).toEqual([5])
    expect(await countersOf([...rows, late])).toEqual([1, 2, 3, 4, 5])
  })

  it('holds what exports of other queues of the same TSE have erased in between', async () => {
    const [second, last] = [
      archiveRow(SCU_ID, archive({ from: 4, to: 5 })),
      archiveRow(SCU_ID, archive({ from: 8, to: 8 })),
    ]
    expect(await countersOf([...rows, second, last])).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const input = { rows: [...rows, second, last], certificates, range: { from: 1n, to: 0n } }
    const part = listed(await bytesOf(archivedTar.run(tarSource(input))))
    expect(countersIn(part)).toEqual([4, 5, 6, 7, 8])
  })

  it('is dated like its newest archive, so that the same call gives the same bytes', async () => {
    const moments = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-01T00:00:00Z']
    const archives = moments.map((moment) => archive({ moment: Date.parse(moment) }))
    const given = [...rows, ...archives.map((one) => archiveRow(SCU_ID, one))]
    const tar = await run0003(given)
    const mtime = Number.parseInt(headersOf(tar)[0]?.toString('latin1', 136, 147) ?? '', 8)
    expect(new Date(mtime * 1000)).toEqual(new Date('2026-01-03T00:00:00Z'))
    expect(await run0003(given)).toEqual(tar)
  })

  it('several TSEs: whole containers in the order of first use, one alone on request', async () => {
    const other = exampleRows('P-384', OTHER_ID)
    const all = [
      ...rows,
      ...other.rows,
      archiveRow(OTHER_ID, archive({ from: 1, to: 5 })),
      archiveRow(SCU_ID, archive({ from: 1, to: 5 })),
      archiveRow(OTHER_ID, archive({ from: 6, to: 9 })),
    ]
    const input = { rows: all, certificates: [...certificates, ...other.certificates] }
    const both = await bytesOf(archivedTar.run(tarSource(input)))
    const alone = async (scu: string) =>
      bytesOf(archivedTar.run(tarSource({ ...input, options: { scu } })))
    const [own, second] = [await alone(SCU_ID.toUpperCase()), await alone(OTHER_ID)]
    expect(countersIn(listed(own))).toEqual([1, 2, 3, 4, 5])
    expect(countersIn(listed(second))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(both).toEqual(Buffer.concat([second, own]))
    expect((await alone('00000000-0000-4000-8000-000000000000')).length).toBe(0)
  })

  it('a message that is not stored, or twice, ends the export with an error', async () => {
    const archived = archiveRow(SCU_ID, archive({}))
    await expect(run0003([row(1, 5), row(8, 9), archived])).rejects.toThrow('message 6 is not')
    await expect(run0003([row(1, 5), row(6, 7), archived])).rejects.toThrow('message 8 is not')
    const doubled = [row(1, 5), row(5, 7), row(8, 9), archived]
    await expect(run0003(doubled)).rejects.toThrow('message 5 is stored twice')
  })

  it('a certificate that is not stored ends the export with an error', async () => {
    const given = [...rows, archiveRow(SCU_ID, archive({}))]
    const source = tarSource({ rows: given, certificates: [] })
    await expect(bytesOf(archivedTar.run(source))).rejects.toThrow('is not stored')
  })
})

describe('straight from the memory', () => {
  async function filled(stand: TseStand) {
    const { certificate } = stand.tse.identity()
    const rows: StoredMarketRow[] = []
    const keep = () => {
      const messages = stand.logged()
      const { fingerprint } = certificate
      rows.push(logRow({ scuId: stand.scu.id, fingerprint, messages }))
    }
    keep()
    const sourceOf = (options: Record<string, string> = {}) => {
      return tarSource({ rows, certificates: [certificate], units: [stand.exportUnit()], options })
    }
    const tar = (options?: Record<string, string>) => bytesOf(memoryTar.run(sourceOf(options)))
    return { keep, tar }
  }

  it('holds all messages up to now, and erases nothing', async () => {
    const stand = await TseStand.working()
    await stand.transaction()
    const { tar } = await filled(stand)
    const first = await tar()
    expect(countersIn(listed(first))).toEqual([1, 2, 3, 4, 5])
    expect(await tar()).toEqual(first)
    const serial = stand.tse.identity().serialHex.toUpperCase()
    expect(listed(first).at(-2)).toBe(`${serial}_X509.cer`)
  })

  it('is dated like its newest message, however late it is asked for', async () => {
    const stand = await TseStand.working()
    await stand.transaction()
    const { keep, tar } = await filled(stand)
    const datesOf = (bytes: Buffer) => {
      return new Set(
        headersOf(bytes).map((one) => Number.parseInt(one.toString('latin1', 136, 147), 8)),
      )
    }
    const first = LOGGED_AT.getTime() / 1000 + 1
    expect(datesOf(await tar())).toEqual(new Set([first]))
    await stand.transaction()
    keep()
    expect(datesOf(await tar())).toEqual(new Set([first + 5]))
    await stand.tse.exportMemory(true, LIMIT)
    const { validFrom } = new X509Certificate(stand.tse.identity().certificate.der)
    expect(datesOf(await tar())).toEqual(new Set([Date.parse(validFrom) / 1000]))
  })

  it('holds what an erasing export has left, and what came after it', async () => {
    const stand = await TseStand.working()
    await stand.start()
    await stand.transaction()
    const { keep, tar } = await filled(stand)
    await stand.tse.exportMemory(true, LIMIT)
    expect(countersIn(listed(await tar()))).toEqual([4])
    await stand.finish(1)
    keep()
    expect(countersIn(listed(await tar()))).toEqual([4, 7])
    await stand.tse.exportMemory(true, LIMIT)
    const left = listed(await tar())
    expect(left[0]).toBe('info.csv')
    expect(left.slice(1).every((name) => name.endsWith('_X509.cer'))).toBe(true)
    expect(left.length).toBeGreaterThan(1)
  })

  it('finds messages that lie in the middle of a row', async () => {
    const stand = await TseStand.working()
    await stand.tse.exportMemory(true, LIMIT)
    await stand.transaction()
    const { tar } = await filled(stand)
    expect(countersIn(listed(await tar()))).toEqual([4, 5])
  })

  it('a fresh TSE, and one that is not linked: an empty stream', async () => {
    const fresh = await filled(await TseStand.make())
    expect((await fresh.tar()).length).toBe(0)
    const working = await filled(await TseStand.working())
    expect((await working.tar({ scu: OTHER_ID })).length).toBe(0)
    expect((await working.tar({ scu: SCU_ID })).length).toBeGreaterThan(0)
  })
})

describe('a large export', () => {
  const { messages, fingerprint, certificates } = exampleRows('P-256')
  const [message] = messages
  const COUNT = 5_000
  const rows = Array.from({ length: COUNT }, (_, index) =>
    logRow({
      scuId: SCU_ID,
      fingerprint,
      messages: [{ signatureCounter: index + 1, der: message?.der ?? Buffer.alloc(0) }],
    }),
  )
  const source = () =>
    tarSource({
      rows: [archiveRow(SCU_ID, archive({ to: COUNT })), ...rows],
      certificates,
      pageSize: 10,
    })

  it('comes in pieces of moderate size, and rows are read as the reader goes on', async () => {
    const large = source()
    const pagesOfArchives = 1
    let pieces = 0
    for await (const piece of archivedTar.run(large)) {
      pieces += 1
      expect(piece.length).toBeLessThan(100_000)
      if (pieces === 1) expect(large.pagesRead - pagesOfArchives).toBeLessThan(COUNT / 10 / 4)
    }
    expect(pieces).toBeGreaterThan(50)
    expect(large.pagesRead).toBeGreaterThanOrEqual(COUNT / 10 + pagesOfArchives)
  })

  it('a reader who stops early leaves nothing open', async () => {
    const large = source()
    for await (const piece of archivedTar.run(large)) {
      expect(piece.length).toBeGreaterThan(0)
      large.pagesClosed = false
      break
    }
    expect(large.pagesClosed).toBe(true)
  })
})
