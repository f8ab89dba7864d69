// Elements as Italian devices want them: attributes only, with a blank before the end of an empty
// one, and what comes back.
import { find, parseXml, within, type XmlElement } from '../../lib/xml-read.js'
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

/** `0007` */
export const four = (number: number): string => `${number}`.padStart(4, '0')

export interface FpAnswer {
  success: boolean
  code: string
  status: number
  /** Of `addInfo`, by name. */
  info: Readonly<Record<string, string>>
  /** Of all attributes with this name inside of it. */
  values(name: string): string[]
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
    values: (wanted) =>
      inside
        .flatMap((one) => [...within(one)])
        .flatMap(({ attributes }) => attributes.filter(({ name }) => name === wanted))
        .map(({ value }) => value),
  }
}

function treeOf(text: string): XmlElement {
  try {
    return parseXml(text)
  } catch (error) {
    throw new DeviceError('the answer of the device cannot be read', { cause: error })
  }
}
