// One archived export as a zip for the storage model, read back with a library of its own.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fromBuffer } from 'yauzl'
import { archiveBase64, archiveTar } from '../../../../src/market/de/export/archive.js'
import type { Archive } from '../../../../src/market/de/queue.js'
import { bytesOf, logRow, membersOf, tarSource } from '../support/tar-source.js'
import { SCU_ID } from '../support/tse-stand.js'
import { exampleOf } from '../support/vectors.js'

const ARCHIVE: Archive = {
  fileName: '20260701215958000_KASSE-0001',
  moment: Date.parse('2026-07-01T21:59:58Z'),
  from: 4,
  to: 7,
  without: [],
  erased: false,
}

function source() {
  const { logs, certificates } = exampleOf('P-256')
  const [der = Buffer.alloc(0), ...chain] = certificates.map((one) => Buffer.from(one.der, 'hex'))
  const fingerprint = createHash('sha256').update(der).digest()
  const messages = logs.map((log) => ({
    signatureCounter: log.counter,
    der: Buffer.from(log.der, 'hex'),
  }))
  const row = logRow({ scuId: SCU_ID, fingerprint, messages })
  return tarSource({ rows: [row], certificates: [{ fingerprint, der, chain }] })
}

interface Unzipped {
  name: string
  content: Buffer
  /** As DOS has it: year-month-day hour:minute:second of the wall clock. */
  time: string
}

function unzipped(zip: Buffer): Promise<Unzipped[]> {
  return new Promise((resolve, reject) => {
    const found: Unzipped[] = []
    fromBuffer(zip, { lazyEntries: true }, (error, file) => {
      if (error) return reject(error)
      file.on('error', reject)
      file.on('end', () => resolve(found))
      file.on('entry', (entry) => {
        const { lastModFileDate: date, lastModFileTime: clock } = entry
        const day = [1980 + (date >> 9), (date >> 5) & 0xf, date & 0x1f].join('-')
        const time = `${day} ${[clock >> 11, (clock >> 5) & 0x3f, (clock & 0x1f) * 2].join(':')}`
        file.openReadStream(entry, (fault, stream) => {
          if (fault) return reject(fault)
          bytesOf(stream).then((content) => {
            found.push({ name: entry.fileName, content, time })
            file.readEntry()
          }, reject)
        })
      })
      file.readEntry()
    })
  })
}

describe('the archive of one export', () => {
  const input = { scuId: SCU_ID, archive: ARCHIVE }

  it('is a zip with one TAR under the name of the archive, dated in UTC', async () => {
    const base64 = await archiveBase64(source(), input)
    const [entry, ...others] = await unzipped(Buffer.from(base64, 'base64'))
    expect(others).toEqual([])
    expect(entry?.name).toBe('20260701215958000_KASSE-0001.tar')
    expect(entry?.time).toBe('2026-7-1 21:59:58')
    const names = (await membersOf(entry?.content ?? Buffer.alloc(0))).map(([name]) => name)
    const { logs, certificates } = exampleOf('P-256')
    const inside = [...logs.slice(3, 7), ...certificates].map(({ name }) => name)
    expect(names).toEqual(['info.csv', ...inside])
  })

  it('holds exactly the TAR of the export', async () => {
    const [entry] = await unzipped(Buffer.from(await archiveBase64(source(), input), 'base64'))
    expect(entry?.content).toEqual(await bytesOf(archiveTar(source(), input)))
  })

  it('is the same whenever it is made', async () => {
    expect(await archiveBase64(source(), input)).toBe(await archiveBase64(source(), input))
  })

  it('of an empty memory is an empty TAR', async () => {
    const empty = { scuId: SCU_ID, archive: { ...ARCHIVE, from: 10, to: 9 } }
    expect(await bytesOf(archiveTar(source(), empty))).toEqual(Buffer.alloc(0))
  })
})
