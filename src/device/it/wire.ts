// How Italian devices are told things: forms in tables, filled in; and what XML comes back.
import { find, within } from '../../lib/xml-read.js'
import { escapeXml } from '../../lib/xml-write.js'
import { DeviceError } from '../device.js'
import { readXml } from '../remote.js'

/** A table of members or elements: `{name}` in a text stands for a value. */
export interface Form {
  readonly [name: string]: string | Form
}
type Value = string | number | bigint | boolean | null | undefined | readonly Values[]
export interface Values {
  readonly [name: string]: Value
}

/** Members of a form, none of them a form. A value that stands alone keeps its type. */
export function filled(form: Form, values: Values): [name: string, value: unknown][] {
  return Object.entries(form).flatMap(([name, told]) => {
    if (typeof told !== 'string') return []
    const [, alone] = /^\{(\w+)\}$/.exec(told) ?? []
    if (alone !== undefined) return [[name, values[alone]]]
    return [[name, told.replace(/\{(\w+)\}/g, (_, one: string) => `${values[one]}`)]]
  })
}

/**
 * Elements in their order; texts are attributes, forms what is inside. `?name`: only with this
 * value; `*name`: for each of a list. Empty ones have a blank before their end, as devices want it.
 */
export function xml(form: Form, values: Values = {}): string {
  const parts = Object.entries(form).map(([name, inside]) => {
    if (typeof inside === 'string') return ''
    const value = values[name.slice(1)]
    if (name.startsWith('?')) return value ? xml(inside, values) : ''
    if (name.startsWith('*')) {
      const list = Array.isArray(value) ? (value as readonly Values[]) : []
      return list.map((one) => xml(inside, { ...values, ...one })).join('')
    }
    const attributes = filled(inside, values).map(([key, one]) =>
      one === undefined ? '' : ` ${key}="${escapeXml(String(one))}"`,
    )
    const [begin, content] = [`<${name}${attributes.join('')}`, xml(inside, values)]
    return content === '' ? `${begin} />` : `${begin}>${content}</${name}>`
  })
  return parts.join('')
}

/** Without letters that printers cannot write, cut to a line. */
export function lineOf(text: string, width: number): string {
  const plain = text.normalize('NFC').replace(/[^\x20-\x7e\u00a0-\u00ff€]/g, '?')
  return plain.trim().slice(0, width)
}

/** `0007` */
export const four = (number: number): string => `${number}`.padStart(4, '0')

/** Of a Z or a document. Throws DeviceError with this message for what is none. */
export function numberIn(text: string | undefined, message: string): number {
  if (text !== undefined && /^\d{1,4}$/.test(text)) return Number(text)
  throw new DeviceError(message)
}

export interface FpAnswer {
  success: boolean
  code: string
  status: number
  /** Of `addInfo`, by name. */
  info: Readonly<Record<string, string>>
  /** Of all attributes with this name inside of it. */
  values(name: string): string[]
}

const UNREADABLE = 'the answer of the device cannot be read'

/** Throws DeviceError for an answer that cannot be read: what was asked may have been done. */
export function answerOf(text: string): FpAnswer {
  const tree = readXml(text, UNREADABLE)
  // Custom printers tell about themselves in an element of its own
  const about = find(tree, 'infoResp')
  const response = find(tree, 'response') ?? about
  if (response === undefined) throw new DeviceError(UNREADABLE)
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
