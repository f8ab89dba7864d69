// The version of the program, as journals and /version give it.
import { readFileSync } from 'node:fs'

interface Manifest {
  name: string
  version: string
}

const manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Manifest

export const PROGRAM_NAME = manifest.name
export const PROCESSING_VERSION = manifest.version
