// The marks that prepare a switch between two signing units: bits of Mode, and the other unit's id
// in the configuration. The receipts of the queue look at exactly these.
import { objectIn } from '../../../lib/json.js'
import { type ScuHead, SWITCH_BITS } from '../../../model/scu.js'

/** In the byte of its use. */
const PRIMARY = 0x1
const USE = 0xff

export interface Marked {
  mode: number
  /** JSON text. */
  configuration: string
}

type Unit = Pick<ScuHead, 'mode' | 'configuration'>

/** The unit that a source is to be left for. */
export function targetOf({ mode, configuration }: Unit): string | undefined {
  return (mode & SWITCH_BITS.source) === 0 ? undefined : member(configuration, 'TargetScuId')
}

/** The unit that a target comes after. */
export function sourceOf({ mode, configuration }: Unit): string | undefined {
  return (mode & SWITCH_BITS.target) === 0 ? undefined : member(configuration, 'SourceScuId')
}

function member(configuration: string, name: string): string | undefined {
  const value = objectIn(configuration)?.get(name)
  return typeof value === 'string' ? value.toLowerCase() : undefined
}

export const asSource = (unit: Unit, target: string): Marked =>
  marked(unit, { bit: SWITCH_BITS.source, members: { TargetScuId: target } })

export const asTarget = (unit: Unit, source: string): Marked =>
  marked(unit, { bit: SWITCH_BITS.target, members: { SourceScuId: source } })

/** In no switch. */
export const unmarked = (unit: Unit): Marked => marked(unit, { bit: 0, members: {} })

/** A source that was left: no longer the one in use. */
export function left(unit: Unit): Marked {
  const { mode, configuration } = unmarked(unit)
  return { configuration, mode: (mode & USE) === PRIMARY ? mode & ~PRIMARY : mode }
}

/** A target that works now. */
export function taken(unit: Unit): Marked {
  const { mode, configuration } = unmarked(unit)
  return { configuration, mode: (mode & USE) === 0 ? mode | PRIMARY : mode }
}

function marked(
  { mode, configuration }: Unit,
  { bit, members }: { bit: number; members: Record<string, string> },
): Marked {
  const rest = JSON.parse(configuration) as Record<string, unknown>
  const plain = { ...rest, TargetScuId: undefined, SourceScuId: undefined }
  return {
    mode: (mode & ~(SWITCH_BITS.source | SWITCH_BITS.target)) | bit,
    configuration: JSON.stringify({ ...plain, ...members }),
  }
}
