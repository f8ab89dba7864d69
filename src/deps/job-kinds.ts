// The table of kinds of long work. A further kind is one line here.
import type { JobKind } from '../core/event/job/kind.js'

export function jobKindsOf({ inspection }: { inspection: JobKind }): readonly JobKind[] {
  return [inspection]
}
