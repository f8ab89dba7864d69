// Series of documents and their communication to the authority: each has a name of the queue and a
// code of the authority, and no document is made without.
import { DeviceError } from '../../device/device.js'
import * as authority from '../../device/pt/series-calls.js'
import type { PtDevice } from '../../device/pt/unit.js'
import { sha256 } from '../../lib/hash.js'
import type { OutboxWork, Unit } from '../contract.js'
import { addAction, priority } from '../kit/draft.js'
import { reported, unitOf } from '../kit/steps.js'
import { isUsed } from '../kit/unit-mode.js'
import { type Chain, documents, kindOf, SLOTS, slotOf } from './cases.js'
import type { PtDraft } from './draft.js'
import { localDay } from './draft.js'
import type { Series } from './queue.js'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MARKS = { N: '', R: 'M', F: 'T' } as const
const PREFIX_LETTERS = 4

/** `FW2026A`; M: recovered from paper, T: training. */
function nameOf({ input, settings }: PtDraft, chain: Chain, letter: string): string {
  const own = sha256(input.queue.id).toString('hex').slice(0, PREFIX_LETTERS).toUpperCase()
  const prefix = settings['series-prefix'] ?? `FW${own}-`
  return `${prefix}${localDay(input.moment, settings).slice(0, 4)}${MARKS[kindOf(chain)]}${letter}`
}

function idOf(chain: Chain, serie: string): authority.SeriesId {
  const { type: tipoDoc, class: classeDoc } = documents[slotOf(chain)]
  return { serie, classeDoc, tipoDoc }
}

const unused = { number: 0, lastHash: '', lastEntry: '' }

/** Registers it where it has no code. Throws DeviceError when the authority says no, or nothing. */
export async function ensureSeries(
  draft: PtDraft,
  chain: Chain,
  { device }: Unit<PtDevice>,
): Promise<Series> {
  const known = draft.state.series[chain]
  if (known !== undefined && known.code !== '') return known
  // asked before, and the answer was lost: it may be there
  const found = known && (await authority.findSeries(device, idOf(chain, known.name), left(draft)))
  const made =
    known !== undefined && found !== undefined
      ? { name: known.name, ...found, ...unused }
      : await register(draft, chain, device)
  keep(draft, chain, made)
  return made
}

const keep = (draft: PtDraft, chain: Chain, one: Series): void => {
  draft.state.series = { ...draft.state.series, [chain]: one }
}

/** A name that somebody has is left to them: the next letter is tried. */
async function register(draft: PtDraft, chain: Chain, device: PtDevice): Promise<Series> {
  const since = localDay(draft.input.moment, draft.settings)
  const known = draft.state.series[chain]
  const first = known === undefined ? 0 : LETTERS.indexOf(known.name.slice(-1))
  for (const letter of LETTERS.slice(first)) {
    const name = nameOf(draft, chain, letter)
    // what is asked now may be done without an answer
    keep(draft, chain, { name, code: '', since, ...unused })
    const id = idOf(chain, name)
    const wanted = { ...id, tipoSerie: kindOf(chain), since }
    const made = await authority.registerSeries(device, wanted, left(draft))
    if (made === undefined) continue
    const data = { type: id.tipoDoc, serie: name, code: made.code }
    addAction(draft, { ...entryOf('SeriesRegistered', id), data })
    return { name, ...made, ...unused }
  }
  throw new DeviceError('every letter of the year is taken')
}

function left({ input, settings }: PtDraft): { timeoutMs: number } {
  return { timeoutMs: settings['scu-timeout-ms'] - input.tools.elapsedMs() }
}

/** An entry of the action journal. */
const entryOf = (type: string, { tipoDoc, serie }: authority.SeriesId) => ({
  ...{ type, priority: priority.information, message: `${type}: ${tipoDoc} ${serie}` },
})

/** At the start receipt; what gets no answer is asked for again by its first document. */
export async function registerAll(draft: PtDraft): Promise<void> {
  const unit = draft.input.units.find(({ scu }) => isUsed(scu))
  if (unit === undefined) return
  for (const slot of SLOTS) {
    try {
      await ensureSeries(draft, slot, unit)
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      const message = `Series wait for the authority: ${error.message}`
      addAction(draft, { priority: priority.warning, type: 'SeriesPending', message })
      return
    }
  }
}

// ------------------------------------------------------------------------------------ their end

function endsOf({ state }: PtDraft): { chain: Chain; end: authority.SeriesEnd }[] {
  return (Object.keys(state.series) as Chain[]).flatMap((chain) => {
    const { name = '', code = '', number: last = 0 } = state.series[chain] ?? {}
    return code === '' ? [] : [{ chain, end: { ...idOf(chain, name), code, last } }]
  })
}

const nameOfEnd = ({ last }: authority.SeriesEnd) =>
  last > 0 ? 'SeriesFinalized' : 'SeriesAnnulled'

/** At the stop receipt; what gets no answer is left to the work that follows. */
export async function endAll(draft: PtDraft): Promise<void> {
  const unit = draft.input.units.find(({ scu }) => isUsed(scu))
  for (const { chain, end } of endsOf(draft)) {
    try {
      if (unit === undefined) throw new DeviceError('there is no signing unit')
      await authority.endSeries(unit.device, end, left(draft))
      const data = { type: end.tipoDoc, ...end, last: String(end.last) }
      addAction(draft, { ...entryOf(nameOfEnd(end), end), data })
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      const itemId = draft.input.receipt.id
      draft.outbox.push({ kind: 'series-end', key: chain, payload: { ...end, itemId } })
    }
  }
}

const OUTBOX = { timeoutMs: 10_000 }

/** Asks first: what was done without an answer is not done again. */
export async function workSeriesEnd(work: OutboxWork): Promise<undefined> {
  const { itemId, ...end } = work.payload as unknown as authority.SeriesEnd & { itemId: string }
  const { device } = unitOf<PtDevice>(work)
  if (!(await authority.hasEnded(device, end, OUTBOX)))
    await authority.endSeries(device, end, OUTBOX)
  const action = reported(work, { ...entryOf(nameOfEnd(end), end), data: end })
  await work.write([{ itemId, journal: [], actions: [action] }])
}
