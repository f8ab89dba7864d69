// Members of a ZIP archive, read in pieces from any place of the file.
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl'
import type { ReadPart } from './contract.js'
import { FileFault } from './faults.js'

/** What is wrong with the archive or one of its members. */
export class ZipFault extends FileFault {
  constructor(what: string) {
    super('ZIP_BROKEN', what, `expected a ZIP: ${what}`)
  }
}

export interface ZipMember {
  name: string
  /** Uncompressed, as the directory says. */
  size: number
  /** Why it cannot be read, else undefined. */
  fault: string | undefined
  entry: Entry
}

/** More entries than this are no export. */
const MOST_ENTRIES = 1000
/** Text of tables shrinks to a tenth, hardly ever to a hundredth. */
const MOST_RATIO = 200
const SMALL = 1 << 20

export class ZipArchive {
  private readonly zip: ZipFile

  private constructor(zip: ZipFile) {
    this.zip = zip
  }

  /** Throws ZipFault when the end of the archive is not to be found. */
  static async open(read: ReadPart): Promise<ZipArchive> {
    let size = 0
    for await (const piece of read()) size += piece.length
    const options = { autoClose: false, lazyEntries: true, decodeStrings: false }
    return new Promise((resolve, reject) => {
      fromRandomAccessReader(new Ranges(read), size, options, (error, zip) => {
        if (error) reject(new ZipFault(messageOf(error)))
        else resolve(new ZipArchive(zip))
      })
    })
  }

  /** The directory of the archive. Throws ZipFault. */
  async members(): Promise<ZipMember[]> {
    const members: ZipMember[] = []
    try {
      for await (const entry of this.zip.eachEntry()) {
        if (members.length === MOST_ENTRIES) throw new Error(`more than ${MOST_ENTRIES} members`)
        members.push(memberOf(entry))
      }
    } catch (error) {
      throw new ZipFault(messageOf(error))
    }
    return members
  }

  /** The content of a member, checked against its sum. Throws ZipFault. */
  async *content({ entry, name, fault }: ZipMember): AsyncGenerator<Buffer> {
    if (fault !== undefined) throw new ZipFault(`${name}: ${fault}`)
    let sum = 0
    let stream: Readable | undefined
    try {
      stream = await this.zip.openReadStreamPromise(entry)
      for await (const bytes of stream as AsyncIterable<Buffer>) {
        sum = crc32(bytes, sum)
        yield bytes
      }
    } catch (error) {
      throw new ZipFault(`${name}: ${messageOf(error)}`)
    } finally {
      stream?.destroy()
    }
    if (sum !== entry.crc32) throw new ZipFault(`${name}: the check sum does not fit`)
  }

  /** The same of a small member, as a whole. */
  async bytes(member: ZipMember): Promise<Buffer> {
    if (member.size > SMALL) throw new ZipFault(`${member.name} is too large`)
    const pieces: Buffer[] = []
    for await (const piece of this.content(member)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
}

class Ranges extends RandomAccessReader {
  private readonly pieces: ReadPart

  constructor(pieces: ReadPart) {
    super()
    this.pieces = pieces
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.pieces({ start, end }), { objectMode: false })
  }
}

function memberOf(entry: Entry): ZipMember {
  const name = Buffer.from(entry.fileNameRaw).toString('utf8')
  const { uncompressedSize: size, compressedSize } = entry
  const isBomb = size > SMALL && size > compressedSize * MOST_RATIO
  const fault = entry.isEncrypted()
    ? 'a readable member, found an encrypted one'
    : !entry.canDecodeFileData()
      ? `no other method than deflate, found method ${entry.compressionMethod}`
      : isBomb
        ? `at most ${MOST_RATIO} times its ${compressedSize} packed bytes, found ${size}`
        : undefined
  return { name, size, fault, entry }
}

/** In the words of the library, which no language of ours has. */
function messageOf(error: unknown): string {
  return JSON.stringify(error instanceof Error ? error.message : String(error))
}
