// The table of verifiers: every kind of exported file that is known here.
import { dep7File } from './at/dep7.js'
import type { FileVerifier, UnknownFile } from './contract.js'
import { dsfinvkFile, tarFile } from './de/verifiers.js'
import { journalFile } from './es/journal.js'
import { archiveFile } from './fr/archive.js'
import { groupFile, rawFile } from './fr/journals.js'
import { mydataFile } from './gr/mydata.js'
import { rtFile } from './it/journal.js'
import { saftFile } from './pt/saft.js'

/** In the order in which they are asked. */
export const verifiers: readonly FileVerifier[] = [
  dep7File,
  tarFile,
  dsfinvkFile,
  archiveFile,
  groupFile,
  rawFile,
  rtFile,
  saftFile,
  journalFile,
  mydataFile,
]

/** The verifier that knows the file by its content; undefined: none of them does. */
export async function verifierOf(
  file: UnknownFile,
  known: readonly FileVerifier[] = verifiers,
): Promise<FileVerifier | undefined> {
  for (const verifier of known) if (await verifier.recognises(file)) return verifier
  return undefined
}
