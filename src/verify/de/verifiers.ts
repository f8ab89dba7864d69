// The independent verifiers of the German exports: TSE archives (TAR) and DSFinV-K. Written from
// the guidelines; they share no code with what makes these files.
import type { FileVerifier } from '../contract.js'
import { isTable, verifyDsfinvk } from './dsfinvk-file.js'
import { dsfinvkContentCodes } from './dsfinvk-rules.js'
import { german } from './german.js'
import { memberKind } from './member-name.js'
import { verifyTar } from './tar-file.js'
import { tarContentCodes } from './tar-rules.js'

export type { DsfinvkSummary } from './dsfinvk-file.js'
export { type DsfinvkCode, dsfinvkRules } from './dsfinvk-rules.js'
export type { TarSummary } from './tar-file.js'
export { type TarCode, tarRules } from './tar-rules.js'

/** One or more exports of TSEs, one after the other in one file. An empty or cut one is one too. */
export const tarFile: FileVerifier = {
  name: 'TSE TAR',
  recognises: ({ head, archive }) =>
    archive?.format === 'TAR' &&
    (archive.isBroken || head.every((byte) => byte === 0) || archive.names.some(isMember)),
  contentCodes: tarContentCodes,
  takes: new Set(['partial']),
  wording: { de: german },
  verify: (read, options, sink) => verifyTar(read, options, (finding) => sink.add(finding)),
}

const isMember = (name: string): boolean => memberKind(name) !== 'unknown'

/** An export of the digital interface for cash registers (Digitale Schnittstelle), a ZIP. */
export const dsfinvkFile: FileVerifier = {
  name: 'DSFinV-K',
  recognises: ({ archive }) => archive?.format === 'ZIP' && archive.names.some(isTable),
  contentCodes: new Set([...dsfinvkContentCodes, ...tarContentCodes]),
  takes: new Set(['tar', 'partial']),
  wording: { de: german },
  verify: (read, options, sink) => verifyDsfinvk(read, options, (finding) => sink.add(finding)),
}
