// The table of kinds of long work. A further kind is one line here.
import type { JobKind } from '../core/event/job/kind.js'

export function jobKindsOf({
  inspection,
  backup,
}: {
  inspection: JobKind
  /** Left out: nothing is kept outside. */
  backup: JobKind | undefined
}): readonly JobKind[] {
  return [inspection, ...(backup === undefined ? [] : [backup])]
}
