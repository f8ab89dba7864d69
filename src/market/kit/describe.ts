// The objects of a queue and of its rows in status, configuration and raw journal exports, as the
// table of a country (describe.json) has them.

import { type Form, formOf } from '../../lib/form.js'
import type { Descriptions } from '../contract.js'
import type { Cursor } from './transmission.js'

interface Described<S, R> {
  /** Of rows that are shown. */
  kinds: readonly string[]
  /** What the tables name beside the members of the state, and of the stored row. */
  queue?(state: S): object
  row?(stored: R): object
}

export function describedBy<S extends object, R extends object>(
  forms: { queue: Form; row: Form },
  { kinds, ...own }: Described<S, R>,
): Descriptions<S> {
  const [queueOf, rowOf] = [formOf(forms.queue), formOf(forms.row)]
  return {
    queue: (queue, state) => queueOf({ ...state, ...own.queue?.(state), queue }),
    row: (row, { queue }) => {
      if (!kinds.includes(row.kind)) return undefined
      const stored = JSON.parse(row.content) as R
      return rowOf({ ...stored, ...own.row?.(stored), row, queue })
    },
  }
}

/** Of Unix milliseconds. */
export const dateOrNull = (moment: number | null): Date | null =>
  moment === null ? null : new Date(moment)

export const textOrNull = (text: string): string | null => (text === '' ? null : text)

/** Records that wait for an authority which is silent, and since when it is. */
export const silenceOf = ({
  records,
  transmission: { since, sent },
}: {
  records: number
  transmission: Cursor
}) => ({ waiting: since === null ? 0 : records - sent, silentSince: dateOrNull(since) })
