// The emulated authority: what it refuses, by its published codes; and ends of series that got no
// answer, as work that follows the stop receipt.
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answerOf, envelopeOf, type Operation } from '../../../src/device/pt/series.js'
import type { OutboxNote, OutboxWork } from '../../../src/market/contract.js'
import { portugal } from '../../../src/market/pt/index.js'
import { type Authority, EMPTY_REGISTER, serve } from '../../../src/simulator/pt/authority.js'
import { startedQueue } from '../../verify/pt/files.js'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const now = new Date('2026-06-15T10:00:00Z')
const newAuthority = (): Authority => ({
  ...{
    register: EMPTY_REGISTER,
    username: '500000000/1',
    password: 'secret',
    key: privateKey,
    now,
  },
})
let secrets = 0

function messageOf(operation: Operation, members: Record<string, string>, password = 'secret') {
  secrets += 1
  const authorityKey = createPublicKey(privateKey)
  return envelopeOf(
    { operation, members },
    { username: '500000000/1', password, authorityKey },
    { secret: Buffer.alloc(16, secrets), now },
  )
}

const series = {
  ...{ serie: 'FW2026A', tipoSerie: 'N', classeDoc: 'SI', tipoDoc: 'FS', numInicialSeq: '1' },
  ...{ dataInicioPrevUtiliz: '2026-06-15', numCertSWFatur: '9999', meioProcessamento: 'PI' },
}

describe('the authority', () => {
  const authority = newAuthority()
  const ask = (operation: Operation, members: Record<string, string>) =>
    answerOf(serve(authority, messageOf(operation, members)), operation)
  const made = ask('registarSerie', series)
  const code = made.series[0]?.codValidacaoSerie ?? ''

  it('gives a series its code, the same wherever it is asked', () => {
    expect(made).toMatchObject({ code: '2001', message: expect.stringContaining(code) })
    expect(code).toMatch(/^[A-Z2-9]{10}$/)
    expect(
      answerOf(serve(newAuthority(), messageOf('registarSerie', series)), 'registarSerie'),
    ).toEqual(made)
    expect(ask('consultarSeries', { serie: 'fw2026a' }).series).toHaveLength(1)
  })

  const end = { serie: 'FW2026A', classeDoc: 'SI', tipoDoc: 'FS', codValidacaoSerie: code }
  it.each([
    ['4001', 'registarSerie', { ...series, serie: 'fw2026a' }],
    ['4002', 'registarSerie', { ...series, serie: '' }],
    ['4003', 'registarSerie', { ...series, serie: 'FW--2026' }],
    ['4045', 'registarSerie', { ...series, serie: 'B', classeDoc: 'XX' }],
    ['4046', 'registarSerie', { ...series, serie: 'B', tipoDoc: 'PF' }],
    ['4049', 'registarSerie', { ...series, serie: 'B', dataInicioPrevUtiliz: '2026-06-14' }],
    ['4004', 'anularSerie', { ...end, motivo: 'ER', declaracaoNaoEmissao: 'false' }],
    ['4051', 'anularSerie', { ...end, motivo: 'XX', declaracaoNaoEmissao: 'true' }],
    ['4047', 'finalizarSerie', { ...end, seqUltimoDocEmitido: '0' }],
    ['4005', 'finalizarSerie', { ...end, serie: 'B', seqUltimoDocEmitido: '1' }],
    ['4048', 'consultarSeries', { dataRegistoDe: '2026-06-16', dataRegistoAte: '2026-06-15' }],
    ['2004', 'finalizarSerie', { ...end, seqUltimoDocEmitido: '7' }],
    ['4005', 'finalizarSerie', { ...end, seqUltimoDocEmitido: '7' }],
  ] as [string, Operation, Record<string, string>][])('%s: %s', (wanted, operation, members) => {
    expect(ask(operation, members).code).toBe(wanted)
  })

  it('lets nobody in with a wrong password, an old or a repeated message', () => {
    const said = (message: string, at = now) => serve({ ...authority, now: at }, message)
    expect(said(messageOf('consultarSeries', {}, 'wrong'))).toContain('not known')
    const message = messageOf('consultarSeries', {})
    expect(said(message, new Date(now.getTime() + 301_000))).toContain('older than five minutes')
    expect(serve(authority, message)).toContain('2002')
    expect(serve(authority, message)).toContain('nonce was used before')
  })
})

describe('ends of series without an answer', () => {
  it('follow the receipt, are asked for first, and are noted once each', async () => {
    const queue = await startedQueue()
    queue.scu.faultScript = JSON.stringify({
      ...{ steps: [{ do: 'authority-away', calls: 8 }], position: 0, calls: 0 },
    })
    const { outbox = [] } = await queue.run({ reference: 'stop', kind: 0x4002 })
    expect(outbox).toHaveLength(8)
    const notes: OutboxNote[] = []
    const work = async (kind: string, key: string, payload: OutboxWork['payload']) => {
      const units = [{ scu: queue.scu, device: queue.device }]
      const write = async (list: readonly OutboxNote[]) => {
        notes.push(...list)
      }
      const given = { key, payload, units, write, newId: () => 'id', last: false }
      await portugal.outbox?.[kind]?.(given as unknown as OutboxWork)
    }
    for (const { kind, key, payload } of outbox) {
      await work(kind, key, payload)
      await work(kind, key, payload)
    }
    expect(notes.map(({ actions }) => actions[0]?.type)).toEqual(Array(16).fill('SeriesAnnulled'))
    const { register } = JSON.parse(queue.scu.state) as {
      register: { series: { estado: string }[] }
    }
    expect(register.series.map(({ estado }) => estado)).toEqual(Array(8).fill('N'))
  })
})
