// What an emulated authority remembers: which invoices it has, and which were cancelled. Numbers of
// a series are kept as ranges, so that the register stays small however many there are.
import { z } from 'zod'

const known = z.object({
  key: z.string(),
  nif: z.string(),
  number: z.string(),
  date: z.string(),
  huella: z.string(),
  state: z.enum(['Correcta', 'AceptadaConErrores', 'Anulada']),
  code: z.string(),
  /** Of the request that brought it. */
  csv: z.string(),
})
export type Known = z.infer<typeof known>

export const register = z.object({
  /** By issuer and series: `1-20,22`. */
  there: z.record(z.string(), z.string()),
  cancelled: z.record(z.string(), z.string()),
  /** The newest ones with all that is known of them. */
  recent: z.array(known),
  /** Huella or signature of the newest record of an installation. */
  chains: z.record(z.string(), z.string()),
  requests: z.int(),
})
export type Register = z.infer<typeof register>

export const emptyRegister = (): Register => ({
  ...{ there: {}, cancelled: {}, recent: [], chains: {}, requests: 0 },
})

export interface Id {
  nif: string
  number: string
  date: string
}

export const keyOf = ({ nif, number, date }: Id): string => `${nif}|${number}|${date}`

/** `FW1-17` is number 17 of `FW1-`; by their dates only the newest ones are told apart. */
function placeOf({ nif, number }: Id): [series: string, place: number] {
  const digits = /\d{1,12}$/.exec(number)?.[0] ?? ''
  const series = `${nif}|${number.slice(0, number.length - digits.length)}`
  return [series, digits === '' ? 0 : Number(digits)]
}

const rangesIn = (text: string): [number, number][] =>
  text === ''
    ? []
    : text.split(',').map((part) => {
        const [from = 0, to = from] = part.split('-').map(Number)
        return [from, to]
      })

export function isThere(list: Readonly<Record<string, string>>, id: Id): boolean {
  const [series, place] = placeOf(id)
  return rangesIn(list[series] ?? '').some(([from, to]) => place >= from && place <= to)
}

export function put(list: Record<string, string>, id: Id): void {
  const [series, place] = placeOf(id)
  const ranges = [...rangesIn(list[series] ?? ''), [place, place] as [number, number]]
  ranges.sort(([a], [b]) => a - b)
  const merged: [number, number][] = []
  for (const [from, to] of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  list[series] = merged.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

export const recentOf = ({ recent }: Register, id: Id): Known | undefined =>
  recent.findLast(({ key }) => key === keyOf(id))

/** `most`: of the newest ones. */
export function remember(register: Register, one: Known, most: number): void {
  register.recent = [...register.recent.filter(({ key }) => key !== one.key), one].slice(-most)
}
