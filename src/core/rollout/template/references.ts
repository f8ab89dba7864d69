// `reference_scu_{type}_{key}_{value}_{attribute}`: signing units that stand at the outlet already.
import type { JsonObject } from '../../../lib/json.js'
import { textMember } from '../../../lib/json-object.js'
import type { RolloutRules } from '../../../model/rollout.js'

export interface StandingUnit {
  id: string
  package: string
  urls: readonly string[]
  settings: JsonObject
}

const NAME = /^reference_scu_([a-z]+)_(?:(.+)_)?(id|url)$/

/** Of the oldest unit that fits; `units` are those of the outlet, oldest first. */
export function referenceOf(
  name: string,
  units: readonly StandingUnit[],
  rules: RolloutRules | undefined,
): string | undefined {
  const [, type, middle, attribute] = NAME.exec(name.toLowerCase()) ?? []
  if (type === undefined || rules === undefined) return undefined
  if (middle === undefined && !rules.unkeyedReferences) return undefined
  const found = units.find(
    (unit) =>
      rules.isReferenced(type, unit.package) && (middle === undefined || holds(unit, middle)),
  )
  return attribute === 'id' ? found?.id : found?.urls[0]
}

/** `counter_1`: up to the first underscore the member, behind it its value. */
function holds({ settings }: StandingUnit, middle: string): boolean {
  const at = middle.indexOf('_')
  if (at < 0) return false
  return textMember(settings, middle.slice(0, at))?.toLowerCase() === middle.slice(at + 1)
}
