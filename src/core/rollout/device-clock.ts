// The clock of a device beside that of this server, as far as a device behind HTTP tells the time:
// receipts carry the time of the one, logs that of the other.
import type { DriverTools } from '../../device/device.js'
import type { ProofLine } from '../../device/driver.js'

/** Header Date has whole seconds. */
const HALF_A_SECOND_MS = 500
const MOST_OFFSET_SECONDS = 60

export interface ClockWatch {
  /** Like the given ones; they see when each answer was made. */
  tools: DriverTools
  /** Undefined: no answer has told the time. */
  line(): ProofLine | undefined
}

export function watchClock(tools: DriverTools): ClockWatch {
  let offsetMs: number | undefined
  const watching: DriverTools = {
    ...tools,
    fetch: async (url, request) => {
      const began = tools.now().getTime()
      const wanted = [...(request.wanted ?? []), 'date']
      const answer = await tools.fetch(url, { ...request, wanted })
      const told = Date.parse(answer.headers?.date ?? '')
      const middle = (began + tools.now().getTime()) / 2
      if (!Number.isNaN(told)) offsetMs = told + HALF_A_SECOND_MS - middle
      return answer
    },
  }
  return { tools: watching, line: () => (offsetMs === undefined ? undefined : lineOf(offsetMs)) }
}

function lineOf(offsetMs: number): ProofLine {
  const seconds = Math.round(offsetMs / 1000)
  const text = `${Math.abs(seconds)} seconds ${seconds < 0 ? 'behind' : 'before'} this server`
  if (Math.abs(seconds) <= MOST_OFFSET_SECONDS) return { name: 'clock', level: 'ok', text }
  const next = 'Set the clock of this server, or that of the device: both have to be right.'
  return { name: 'clock', level: 'bad', text, next }
}
