// The shape of documents as their public schemas say it: which elements in which order, how often,
// and what their texts look like. Kept as tables, so that they can be laid beside the schemas.
import type { XmlElement } from '../lib/xml-read.js'

/**
 * By name of the type: a pattern for a text, or particles in their order. `Name:type` once, `?` at
 * most once, `*` any number, `+` at least once; `A:x|B:y` one of them.
 */
export type Shapes = Readonly<Record<string, RegExp | readonly string[]>>

interface Particle {
  choices: readonly { name: string; type: string }[]
  min: number
  max: number
}

const PARTICLE = /^(.+?)([?*+]?)$/

function particleOf(text: string): Particle {
  const [, choice = '', mark = ''] = PARTICLE.exec(text) ?? []
  const choices = choice.split('|').map((one) => {
    const [name = '', type = ''] = one.split(':')
    return { name, type }
  })
  const isMany = mark === '*' || mark === '+'
  return { choices, min: mark === '?' || mark === '*' ? 0 : 1, max: isMany ? 10_000 : 1 }
}

/** What is wrong with the element, or undefined. `uriOf`: namespaces of elements by their type. */
export function shapeFault(
  element: XmlElement,
  type: string,
  { shapes, uriOf }: { shapes: Shapes; uriOf(type: string, name: string): string | undefined },
): string | undefined {
  const shape = shapes[type]
  if (shape === undefined) return undefined
  const { name, children, text } = element
  if (shape instanceof RegExp) {
    if (children.length > 0) return `${name}: no elements are expected in it`
    return shape.test(text) ? undefined : `${name}: "${text.slice(0, 60)}" does not fit`
  }
  if (text.trim() !== '') return `${name}: no text is expected in it`
  let at = 0
  for (const particle of shape.map(particleOf)) {
    let count = 0
    for (; count < particle.max; count += 1) {
      const child = children[at]
      const choice = particle.choices.find((one) => one.name === child?.name)
      if (child === undefined || choice === undefined) break
      const uri = uriOf(type, choice.name)
      if (uri !== undefined && child.uri !== uri)
        return `${child.name}: wrong namespace ${child.uri}`
      const inside = shapeFault(child, choice.type, { shapes, uriOf })
      if (inside !== undefined) return inside
      at += 1
    }
    if (count < particle.min) {
      const wanted = particle.choices.map((one) => one.name).join(' or ')
      return `${name}: ${wanted} is expected${not(children[at])}`
    }
  }
  const rest = children[at]
  return rest && `${name}: ${rest.name} is not expected`
}

const not = (found: XmlElement | undefined): string => (found ? `, not ${found.name}` : '')
