// DEP7, the RKSV data collection protocol (Datenerfassungsprotokoll): every signed receipt of one
// queue as the ministry's tools read it.
import assert from 'node:assert/strict'
import type { ExportSource } from '../../../model/export-source.js'
import type { StoredMarketRow } from '../../../model/journal.js'
import type { Export } from '../../contract.js'
import { isWord } from '../../kit/journal-word.js'

/** Third JWS part of a receipt made while the signing device was out of service (§ 17 RKSV). */
const FAILED_ENDING = '.U2ljaGVyaGVpdHNlaW5yaWNodHVuZyBhdXNnZWZhbGxlbg'
// header.payload.signature, each base64url: nothing in it needs a JSON escape
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

const GROUP_END = '\n      ]\n    }'

/** A text beyond this size is old for V8 at once and stays until the next full collection. */
const PIECE_LENGTH = 32 * 1024

/**
 * `{"Belege-Gruppe": […]}` in the order of the cash numbers; a new group starts where a validly
 * signed receipt uses another certificate. Written indented by two blanks, one receipt in a line:
 * clients of the field look for `"Belege-kompakt": [`. One page of rows is in memory at a time.
 */
export const dep7: Export = {
  matches: isWord('0x4154000000000001', '0x4154200000001002'),
  contentType: 'application/json; charset=utf-8',
  async *run(source) {
    const groups = new Groups(source)
    yield '{\n  "Belege-Gruppe": ['
    for await (const page of source.marketRows()) {
      let text = ''
      for (const row of page) {
        text += await groups.add(row)
        if (text.length < PIECE_LENGTH) continue
        yield text
        text = ''
      }
      if (text !== '') yield text
    }
    yield groups.end()
  },
}

class Groups {
  private readonly source: ExportSource
  private open = false
  /** Fingerprint of the running group's certificate; null: the group names none. */
  private certificate: Buffer | null = null
  private lastNumber = 0

  constructor(source: ExportSource) {
    this.source = source
  }

  /** What the file says of this row. */
  async add(row: StoredMarketRow): Promise<string> {
    this.check(row)
    const certificate = await this.certificateOf(row)
    const goesOn = this.open && sameCertificate(certificate, this.certificate)
    return `${goesOn ? ',' : await this.begin(certificate)}\n        "${row.content}"`
  }

  end(): string {
    return this.open ? `${GROUP_END}\n  ]\n}` : ']\n}'
  }

  /** A failed receipt stays in the running group; at the start it belongs to the last success. */
  private async certificateOf(row: StoredMarketRow): Promise<Buffer | null> {
    if (!row.content.endsWith(FAILED_ENDING)) return row.certificateFingerprint
    if (this.open) return this.certificate
    return row.certificateFingerprint ?? (await this.source.certificateBefore()) ?? null
  }

  private async begin(certificate: Buffer | null): Promise<string> {
    const head = await this.head(certificate)
    const closing = this.open ? `${GROUP_END},` : ''
    this.open = true
    this.certificate = certificate
    return `${closing}\n    {\n${head},\n      "Belege-kompakt": [`
  }

  private async head(fingerprint: Buffer | null): Promise<string> {
    if (fingerprint === null) return headText('', [])
    const entry = await this.source.certificate(fingerprint)
    assert(entry, `certificate ${fingerprint.toString('hex')} of the market journal is not stored`)
    const chain = entry.chain.map((der) => der.toString('base64'))
    return headText(entry.der.toString('base64'), chain)
  }

  private check(row: StoredMarketRow): void {
    assert(COMPACT_JWS.test(row.content), `market row ${row.number} holds no compact JWS`)
    assert(row.number > this.lastNumber, `market row ${row.number} follows ${this.lastNumber}`)
    this.lastNumber = row.number
  }
}

/** The first two members of a group; nothing in Base64 needs an escape. */
function headText(own: string, chain: readonly string[]): string {
  const lines = chain.map((one) => `\n        "${one}"`).join(',')
  const list = lines === '' ? '[]' : `[${lines}\n      ]`
  return `      "Signaturzertifikat": "${own}",\n      "Zertifizierungsstellen": ${list}`
}

function sameCertificate(a: Buffer | null, b: Buffer | null): boolean {
  if (a === null || b === null) return a === b
  return a.equals(b)
}
