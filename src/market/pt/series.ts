// Series of documents and their communication to the authority: each has a name of the queue and a
// code of the authority, and no document is made without.
import { DeviceError } from '../../device/device.js'
import type { SeriesAnswer } from '../../device/pt/series.js'
import type { PtDevice } from '../../device/pt/unit.js'
import { sha256 } from '../../lib/hash.js'
import type { OutboxWork, Unit } from '../contract.js'
import { addAction, priority } from '../kit/draft.js'
import { isUsed } from '../kit/unit-mode.js'
import { type Chain, documents, kindOf, SLOTS, slotOf } from './cases.js'
import type { PtDraft } from './draft.js'
import { localDay } from './draft.js'
import type { Series } from './queue.js'

const SUCCESS = { registered: '2001', annulled: '2003', finalized: '2004' } as const
const TAKEN = '4001'
const CODE = /^[A-Z0-9]{8,}$/
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MARKS = { N: '', R: 'M', F: 'T' } as const
const PREFIX_LETTERS = 4

/** `FW2026A`; M: recovered from paper, T: training. */
function nameOf({ input, settings }: PtDraft, chain: Chain, letter: string): string {
  const own = sha256(input.queue.id).toString('hex').slice(0, PREFIX_LETTERS).toUpperCase()
  const prefix = settings['series-prefix'] ?? `FW${own}-`
  return `${prefix}${localDay(input.moment, settings).slice(0, 4)}${MARKS[kindOf(chain)]}${letter}`
}

/** Registers it where it has no code. Throws DeviceError when the authority says no, or nothing. */
export async function ensureSeries(
  draft: PtDraft,
  chain: Chain,
  unit: Unit<PtDevice>,
): Promise<Series> {
  const known = draft.state.series[chain]
  if (known !== undefined && known.code !== '') return known
  const found =
    known === undefined ? undefined : await look(draft, { chain, unit, name: known.name })
  const made = found ?? (await register(draft, { chain, unit, known }))
  keep(draft, chain, made)
  return made
}

interface Asked {
  chain: Chain
  unit: Unit<PtDevice>
}

const keep = (draft: PtDraft, chain: Chain, one: Series): void => {
  draft.state.series = { ...draft.state.series, [chain]: one }
}

/** Asked before, and the answer was lost: it may be there. */
async function look(draft: PtDraft, { chain, unit, name }: Asked & { name: string }) {
  const { type, class: classeDoc } = documents[slotOf(chain)]
  const members = { serie: name, classeDoc, tipoDoc: type, estado: 'A' }
  const answer = await unit.device.series({ operation: 'consultarSeries', members }, left(draft))
  return answer.series[0] && seriesOf(name, answer.series[0])
}

function seriesOf(name: string, info: Readonly<Record<string, string>>): Series {
  const { codValidacaoSerie: code = '', dataInicioPrevUtiliz: since = '' } = info
  if (!CODE.test(code)) throw new DeviceError(`the authority gave ${name} the code "${code}"`)
  return { name, code, since, number: 0, lastHash: '', lastEntry: '' }
}

/** A name that somebody has is left to them: the next letter is tried. */
async function register(
  draft: PtDraft,
  { chain, unit, known }: Asked & { known: Series | undefined },
): Promise<Series> {
  const { type, class: classeDoc } = documents[slotOf(chain)]
  const since = localDay(draft.input.moment, draft.settings)
  const first = known === undefined ? 0 : LETTERS.indexOf(known.name.slice(-1))
  for (const letter of LETTERS.slice(first)) {
    const name = nameOf(draft, chain, letter)
    // what is asked now may be done without an answer
    keep(draft, chain, { name, code: '', since, number: 0, lastHash: '', lastEntry: '' })
    const members = {
      ...{ serie: name, tipoSerie: kindOf(chain), classeDoc, tipoDoc: type, numInicialSeq: '1' },
      ...{ dataInicioPrevUtiliz: since, numCertSWFatur: '9999', meioProcessamento: 'PI' },
    }
    const answer = await unit.device.series({ operation: 'registarSerie', members }, left(draft))
    if (answer.code === TAKEN) continue
    if (answer.code !== SUCCESS.registered)
      throw new DeviceError(`${answer.code} ${answer.message}`)
    const made = seriesOf(name, answer.series[0] ?? {})
    told(draft, 'SeriesRegistered', { type, serie: name, code: made.code })
    return made
  }
  throw new DeviceError('every letter of the year is taken')
}

function left({ input, settings }: PtDraft): { timeoutMs: number } {
  return { timeoutMs: settings['scu-timeout-ms'] - input.tools.elapsedMs() }
}

function told(draft: PtDraft, type: string, data: Record<string, string>): void {
  const message = `${type}: ${data.type ?? ''} ${data.serie ?? ''}`
  addAction(draft, { priority: priority.information, type, message, data })
}

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

export interface End {
  serie: string
  classeDoc: string
  tipoDoc: string
  code: string
  /** 0: nothing was numbered, and the series is annulled. */
  last: number
}

export function endsOf({ state }: PtDraft): { chain: Chain; end: End }[] {
  return (Object.keys(state.series) as Chain[]).flatMap((chain) => {
    const {
      name: serie,
      code,
      number: last,
    } = state.series[chain] ?? { name: '', code: '', number: 0 }
    const { type: tipoDoc, class: classeDoc } = documents[slotOf(chain)]
    return code === '' ? [] : [{ chain, end: { serie, classeDoc, tipoDoc, code, last } }]
  })
}

/** Throws DeviceError when there is no answer. */
export function endSeries(device: PtDevice, end: End, timeoutMs: number): Promise<SeriesAnswer> {
  const { serie, classeDoc, tipoDoc, code, last } = end
  const common = { serie, classeDoc, tipoDoc, codValidacaoSerie: code }
  return device.series(
    last > 0
      ? {
          operation: 'finalizarSerie',
          members: { ...common, seqUltimoDocEmitido: String(last) },
        }
      : {
          operation: 'anularSerie',
          members: { ...common, motivo: 'ER', declaracaoNaoEmissao: 'true' },
        },
    { timeoutMs },
  )
}

export const isEnded = ({ code }: SeriesAnswer): boolean =>
  code === SUCCESS.finalized || code === SUCCESS.annulled

/** At the stop receipt; what gets no answer is left to the work that follows. */
export async function endAll(draft: PtDraft): Promise<void> {
  const unit = draft.input.units.find(({ scu }) => isUsed(scu))
  for (const { chain, end } of endsOf(draft)) {
    try {
      if (unit === undefined) throw new DeviceError('there is no signing unit')
      const answer = await endSeries(unit.device, end, left(draft).timeoutMs)
      if (!isEnded(answer)) throw new DeviceError(`${answer.code} ${answer.message}`)
      told(draft, end.last > 0 ? 'SeriesFinalized' : 'SeriesAnnulled', {
        type: end.tipoDoc,
        ...end,
        last: String(end.last),
      })
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
      const itemId = draft.input.receipt.id
      draft.outbox.push({ kind: 'series-end', key: chain, payload: { ...end, itemId } })
    }
  }
}

const OUTBOX_TIMEOUT_MS = 10_000

/** Asks first: what was done without an answer is not done again. */
export async function workSeriesEnd(work: OutboxWork): Promise<undefined> {
  const { itemId, ...end } = work.payload as unknown as End & { itemId: string }
  const unit = work.units.find(({ scu }) => isUsed(scu)) as Unit<PtDevice> | undefined
  if (unit === undefined) throw new Error('there is no signing unit')
  const members = { serie: end.serie, classeDoc: end.classeDoc, tipoDoc: end.tipoDoc }
  const limit = { timeoutMs: OUTBOX_TIMEOUT_MS }
  const { series } = await unit.device.series({ operation: 'consultarSeries', members }, limit)
  const isOver = series.some((one) => one.codValidacaoSerie === end.code && one.estado !== 'A')
  if (!isOver) {
    const answer = await endSeries(unit.device, end, OUTBOX_TIMEOUT_MS)
    if (!isEnded(answer)) throw new Error(`the authority says ${answer.code} ${answer.message}`)
  }
  const type = end.last > 0 ? 'SeriesFinalized' : 'SeriesAnnulled'
  const message = `${type}: ${end.tipoDoc} ${end.serie}`
  const action = { id: work.newId(), priority: priority.information, type, message }
  const dataJson = JSON.stringify(end)
  await work.write([{ itemId, journal: [], actions: [{ ...action, dataJson, dataBase64: null }] }])
}
