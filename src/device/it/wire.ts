// Elements as Italian devices want them: attributes only, with a blank before the end of an empty
// one, and what comes back.
import { find, parseXml, type XmlElement } from '../../lib/xml-read.js'
import { escapeXml } from '../../lib/xml-write.js'
import { DeviceError } from '../device.js'

export type Attributes = Readonly<Record<string, string | number | bigint>>

/** Without anything inside, or with these elements. */
export function tag(name: string, attributes: Attributes = {}, ...inside: string[]): string {
  const told = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join('')
  const all = inside.join('')
  return inside.length === 0 ? `<${name}${told} />` : `<${name}${told}>${all}</${name}>`
}

/** Without letters that printers cannot write, cut to a line. */
export function lineOf(text: string, width: number): string {
  const plain = text.normalize('NFC').replace(/[^\x20-\x7e\u00a0-\u00ff€]/g, '?')
  return plain.trim().slice(0, width)
}

/** `12,50`, or with a dot. */
export function decimalOf(cents: bigint, mark: ',' | '.'): string {
  const text = `${cents}`.padStart(3, '0')
  return `${text.slice(0, -2)}${mark}${text.slice(-2)}`
}

/** `0007` */
export const four = (number: number): string => `${number}`.padStart(4, '0')

export interface FpAnswer {
  success: boolean
  code: string
  status: number
  /** Of `addInfo`, by name. */
  info: Readonly<Record<string, string>>
  /** Attributes of the elements in it, by name. */
  values: ReadonlyMap<string, readonly string[]>
}

/** Throws DeviceError for an answer that cannot be read: what was asked may have been done. */
export function answerOf(text: string): FpAnswer {
  const tree = treeOf(text)
  // Custom printers tell about themselves in an element of its own
  const about = find(tree, 'infoResp')
  const response = find(tree, 'response') ?? about
  if (response === undefined) throw new DeviceError('the answer of the device cannot be read')
  const of = (name: string) => response.attributes.find((one) => one.name === name)?.value ?? ''
  const more = response.children.find(({ name }) => name === 'addInfo') ?? about
  const inside = more?.children ?? []
  return {
    success: of('success') === 'true' || (response === about && of('success') === ''),
    code: of('code'),
    status: Number(of('status') || '0'),
    info: Object.fromEntries(inside.map((one) => [one.name, one.text.trim()])),
    values: valuesIn(inside, new Map()),
  }
}

function valuesIn(
  elements: readonly XmlElement[],
  found: Map<string, string[]>,
): Map<string, string[]> {
  for (const { attributes, children } of elements) {
    for (const { name, value } of attributes) found.set(name, [...(found.get(name) ?? []), value])
    valuesIn(children, found)
  }
  return found
}

function treeOf(text: string): XmlElement {
  try {
    return parseXml(text)
  } catch (error) {
    throw new DeviceError('the answer of the device cannot be read', { cause: error })
  }
}
