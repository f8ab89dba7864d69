// Asks veraPDF, where it is installed, whether the PDF of each market is what it declares to be.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawn } from '../support/drawn.js'
import { PDF_MARKETS, pdfReceiptOf } from '../support/pdf-receipts.js'

const JUDGE = 'verapdf'
const FLAVOURS = ['3a', 'ua1']

if (spawnSync(JUDGE, ['--version']).error !== undefined) {
  console.error(`${JUDGE} is not installed here: https://verapdf.org`)
  process.exitCode = 2
} else await judge()

async function judge(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'judge-pdf-'))
  try {
    for (const [market, ftReceiptCase, language] of PDF_MARKETS) {
      const file = join(folder, `${market}.pdf`)
      writeFileSync(file, await drawn(pdfReceiptOf(market, ftReceiptCase), 'pdf', { language }))
    }
    for (const flavour of FLAVOURS) {
      const args = ['--format', 'text', '-v', '--flavour', flavour, folder]
      const { status } = spawnSync(JUDGE, args, { stdio: 'inherit' })
      if (status !== 0) process.exitCode = 1
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
