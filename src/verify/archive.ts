// Which archive a file is, and the names of its members: what verifiers recognise their files by.
import type { Archive, ReadPart, UnknownFile } from './contract.js'
import { membersOf, TarFault } from './tar-reader.js'
import { ZipArchive, ZipFault } from './zip-reader.js'

/** Looks into the file as far as its kind asks for. */
export async function lookInto(head: Buffer, read: ReadPart): Promise<UnknownFile> {
  if (isZip(head)) return { head, read, archive: await zipOf(head, read) }
  if (isTar(head)) return { head, read, archive: await tarOf(read) }
  return { head, read }
}

const ZIP_HEADS = new Set(['PK\u0003\u0004', 'PK\u0005\u0006'])
const isZip = (head: Buffer): boolean => ZIP_HEADS.has(head.subarray(0, 4).toString('latin1'))

const MAGIC_AT = 257
const BLOCK = 512

/** An empty TAR is nothing but zeros. */
function isTar(head: Buffer): boolean {
  const magic = head.subarray(MAGIC_AT, MAGIC_AT + 5).toString('latin1')
  return magic === 'ustar' || (head.length >= BLOCK && head.every((byte) => byte === 0))
}

async function zipOf(head: Buffer, read: ReadPart): Promise<Archive> {
  try {
    const members = await (await ZipArchive.open(read)).members()
    return { format: 'ZIP', names: members.map(({ name }) => name), isBroken: false }
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error
    // no directory: the name of the first member stands at the beginning of the file
    return { format: 'ZIP', names: [firstName(head)], isBroken: true }
  }
}

const NAME_AT = 30
const NAME_LENGTH_AT = 26

function firstName(head: Buffer): string {
  const length = head.length > NAME_AT ? head.readUInt16LE(NAME_LENGTH_AT) : 0
  return head.subarray(NAME_AT, NAME_AT + length).toString('latin1')
}

const MOST_NAMES = 1000

async function tarOf(read: ReadPart): Promise<Archive> {
  const names: string[] = []
  try {
    for await (const { name } of membersOf(read(), () => -1)) {
      names.push(name)
      if (names.length === MOST_NAMES) return { format: 'TAR', names, isBroken: false }
    }
    return { format: 'TAR', names, isBroken: false }
  } catch (error) {
    if (!(error instanceof TarFault)) throw error
    return { format: 'TAR', names, isBroken: true }
  }
}
