// What the authority is asked about series: in the names of its web service, with what the numbers
// of its answers say. All throw DeviceError when it says no, or nothing.
import { type CallLimit, DeviceError } from '../device.js'
import type { SeriesAnswer } from './series.js'
import type { PtDevice } from './unit.js'

const [REGISTERED, ANNULLED, FINALIZED, TAKEN] = ['2001', '2003', '2004', '4001']
const CODE = /^[A-Z0-9]{8,}$/

/** A series as the authority tells it apart. */
export interface SeriesId {
  serie: string
  classeDoc: string
  tipoDoc: string
}

export interface RegisteredSeries {
  /** With which documents of the series have their ATCUD. */
  code: string
  /** Day from which it is used. */
  since: string
}

const says = ({ code, message }: SeriesAnswer): DeviceError => new DeviceError(`${code} ${message}`)

function registered({ serie }: SeriesId, info: SeriesAnswer['series'][number]): RegisteredSeries {
  const { codValidacaoSerie: code = '', dataInicioPrevUtiliz: since = '' } = info
  if (!CODE.test(code)) throw new DeviceError(`the authority gave ${serie} the code "${code}"`)
  return { code, since }
}

/** A series in use; undefined: it has none of this name. */
export async function findSeries(
  device: PtDevice,
  id: SeriesId,
  limit: CallLimit,
): Promise<RegisteredSeries | undefined> {
  const members = { ...id, estado: 'A' }
  const { series } = await device.series({ operation: 'consultarSeries', members }, limit)
  return series[0] && registered(id, series[0])
}

export interface NewSeries extends SeriesId {
  /** Normal, recovery, training. */
  tipoSerie: 'N' | 'R' | 'F'
  since: string
}

/** Undefined: somebody has this name. */
export async function registerSeries(
  device: PtDevice,
  { since, ...id }: NewSeries,
  limit: CallLimit,
): Promise<RegisteredSeries | undefined> {
  const members = {
    ...{ ...id, numInicialSeq: '1', dataInicioPrevUtiliz: since },
    ...{ numCertSWFatur: '9999', meioProcessamento: 'PI' },
  }
  const answer = await device.series({ operation: 'registarSerie', members }, limit)
  if (answer.code === TAKEN) return undefined
  if (answer.code !== REGISTERED) throw says(answer)
  return registered(id, answer.series[0] ?? {})
}

export interface SeriesEnd extends SeriesId {
  code: string
  /** 0: nothing was numbered, and the series is annulled. */
  last: number
}

const idOf = ({ serie, classeDoc, tipoDoc }: SeriesId): SeriesId => ({ serie, classeDoc, tipoDoc })

export async function endSeries(device: PtDevice, end: SeriesEnd, limit: CallLimit): Promise<void> {
  const common = { ...idOf(end), codValidacaoSerie: end.code }
  const [operation, more] =
    end.last > 0
      ? (['finalizarSerie', { seqUltimoDocEmitido: String(end.last) }] as const)
      : (['anularSerie', { motivo: 'ER', declaracaoNaoEmissao: 'true' }] as const)
  const answer = await device.series({ operation, members: { ...common, ...more } }, limit)
  if (answer.code !== FINALIZED && answer.code !== ANNULLED) throw says(answer)
}

/** It was done before, without an answer. */
export async function hasEnded(
  device: PtDevice,
  end: SeriesEnd,
  limit: CallLimit,
): Promise<boolean> {
  const asked = { operation: 'consultarSeries', members: { ...idOf(end) } } as const
  const { series } = await device.series(asked, limit)
  return series.some((one) => one.codValidacaoSerie === end.code && one.estado !== 'A')
}
