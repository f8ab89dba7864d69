// The independent verifiers of the German exports: TSE archives (TAR) and DSFinV-K. Written from
// the guidelines; they share no code with what makes these files.
import type { FileVerifier } from '../../model/verdict.js'
import { isExport as isDsfinvk, verifyDsfinvk } from './dsfinvk-file.js'
import { dsfinvkContentCodes } from './dsfinvk-rules.js'
import { german } from './german.js'
import { isExport, verifyTar } from './tar-file.js'
import { tarContentCodes } from './tar-rules.js'

export type { DsfinvkSummary } from './dsfinvk-file.js'
export { type DsfinvkCode, dsfinvkRules } from './dsfinvk-rules.js'
export type { TarSummary } from './tar-file.js'
export { type TarCode, tarRules } from './tar-rules.js'

const MAGIC_AT = 257
const BLOCK = 512

/** One or more exports of TSEs, one after the other in one file. */
export const tarFile: FileVerifier = {
  name: 'TSE TAR',
  recognises: async (head, read) =>
    (head.subarray(MAGIC_AT, MAGIC_AT + 5).toString('latin1') === 'ustar' ||
      (head.length >= BLOCK && head.every((byte) => byte === 0))) &&
    (await isExport(read)),
  contentCodes: tarContentCodes,
  takes: new Set(['partial']),
  german,
  verify: (read, options, sink) => verifyTar(read, options, (finding) => sink.add(finding)),
}

const ZIP_HEADS = new Set(['PK\u0003\u0004', 'PK\u0005\u0006'])

/** An export of the digital interface for cash registers (Digitale Schnittstelle), a ZIP. */
export const dsfinvkFile: FileVerifier = {
  name: 'DSFinV-K',
  recognises: async (head, read) =>
    ZIP_HEADS.has(head.subarray(0, 4).toString('latin1')) && (await isDsfinvk(head, read)),
  contentCodes: new Set([...dsfinvkContentCodes, ...tarContentCodes]),
  takes: new Set(['tar', 'partial']),
  german,
  verify: (read, options, sink) => verifyDsfinvk(read, options, (finding) => sink.add(finding)),
}
