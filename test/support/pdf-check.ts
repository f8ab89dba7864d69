// Judges PDF files as auditors of the format do: qpdf, which knows nothing of the library that
// wrote them.
import createQpdf from '@neslinesli93/qpdf-wasm'

interface Qpdf {
  callMain(args: string[]): number
  FS: {
    writeFile(path: string, bytes: Uint8Array): void
    readFile(path: string): Uint8Array
    unlink(path: string): void
  }
}

const said: string[] = []
let made: Promise<Qpdf> | undefined

/** The program takes the console that it finds when it is made, for good. */
async function make(): Promise<Qpdf> {
  const { log, warn, error } = console
  const note = (...parts: unknown[]): void => void said.push(parts.join(' '))
  Object.assign(console, { log: note, warn: note, error: note })
  try {
    const program: unknown = await (createQpdf as (given: object) => Promise<unknown>)({
      ...{ noInitialRun: true, print: note, printErr: note },
    })
    return program as Qpdf
  } finally {
    Object.assign(console, { log, warn, error })
  }
}

/** What is wrong with a file: its structure, its cross references, its streams. Empty: nothing. */
export async function pdfFaults(bytes: Uint8Array): Promise<string[]> {
  made ??= make()
  const qpdf = await made
  said.length = 0
  qpdf.FS.writeFile('/file.pdf', bytes)
  const status = qpdf.callMain(['--check', '/file.pdf'])
  qpdf.FS.unlink('/file.pdf')
  const faults = said.filter((line) => /^WARNING|error|: /i.test(line) && !SOUND.test(line))
  if (status === 0) return faults
  return faults.length > 0 ? faults : [`qpdf --check ends with ${status}`]
}

/** Said of a file in which nothing was found. */
const SOUND = /^PDF Version: |^No syntax or stream encoding errors found|^errors that qpdf cannot/

/** An object of a file as qpdf tells it: `value`, or the dictionary and the bytes of a stream. */
export interface PdfObject {
  value: unknown
  bytes: Buffer | undefined
}

/** Every object by its reference (`12 0 R`), the trailer as `trailer`; streams are unpacked. */
export async function pdfObjects(bytes: Uint8Array): Promise<Map<string, PdfObject>> {
  made ??= make()
  const qpdf = await made
  said.length = 0
  qpdf.FS.writeFile('/file.pdf', bytes)
  const how = ['--json=2', '--json-stream-data=inline', '--decode-level=generalized']
  const status = qpdf.callMain([...how, '/file.pdf', '/file.json'])
  qpdf.FS.unlink('/file.pdf')
  if (status !== 0) throw new Error(said.join('\n').slice(0, 500))
  const text = Buffer.from(qpdf.FS.readFile('/file.json')).toString()
  qpdf.FS.unlink('/file.json')
  const told = JSON.parse(text) as { qpdf: [object, Record<string, Told>] }
  const entries = Object.entries(told.qpdf[1]).map(([name, { value, stream }]) => {
    const data = stream === undefined ? undefined : Buffer.from(stream.data ?? '', 'base64')
    return [name.replace('obj:', ''), { value: value ?? stream?.dict, bytes: data }] as const
  })
  return new Map(entries)
}

interface Told {
  value?: unknown
  stream?: { dict: unknown; data?: string }
}
