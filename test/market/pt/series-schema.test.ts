// What the authority is told about series, and all that its emulation answers, fits the schema that
// is written from the types of its web service; a member that is missing does not.
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { answerOf, envelopeOf } from '../../../src/device/pt/series.js'
import {
  endSeries,
  findSeries,
  hasEnded,
  registerSeries,
} from '../../../src/device/pt/series-calls.js'
import type { PtDevice } from '../../../src/device/pt/unit.js'
import { type Authority, EMPTY_REGISTER, serve } from '../../../src/simulator/pt/authority.js'

const SCHEMA = readFileSync('docs/schemas/at-series.xsd', 'utf8')
/** The body by itself, with the name space that the envelope has declared. */
const bodyOf = (envelope: string): string =>
  (/<S:Body>([\s\S]*)<\/S:Body>/.exec(envelope)?.[1] ?? '').replace(
    /^<at:\w+/,
    (begin) => `${begin} xmlns:at="http://at.gov.pt/"`,
  )

async function errorsOf(bodies: readonly string[]): Promise<string[]> {
  const { errors } = await validateXML({
    xml: bodies.map((contents, at) => ({ fileName: `${at}.xml`, contents })),
    schema: [{ fileName: 'at-series.xsd', contents: SCHEMA }],
  })
  return errors.map(({ message }) => message)
}

it('messages and answers fit the schema', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const credentials = { username: '500000000/1', password: 'secret' }
  const now = new Date('2026-06-15T10:00:00Z')
  const authority: Authority = { register: EMPTY_REGISTER, ...credentials, key: privateKey, now }
  const authorityKey = createPublicKey(privateKey)
  const bodies: string[] = []
  const device: Pick<PtDevice, 'series'> = {
    series: async (request) => {
      const secret = Buffer.alloc(16, bodies.length)
      const message = envelopeOf(request, { ...credentials, authorityKey }, { secret, now })
      const answer = serve(authority, message)
      bodies.push(bodyOf(message), bodyOf(answer))
      return answerOf(answer, request.operation)
    },
  }
  const asked = device as PtDevice
  const limit = { timeoutMs: 1000 }
  const made = async (serie: string) => {
    const id = { serie, classeDoc: 'SI', tipoDoc: 'FS' }
    const wanted = { ...id, tipoSerie: 'N', since: '2026-06-15' } as const
    const { code = '' } = (await registerSeries(asked, wanted, limit)) ?? {}
    return { ...id, code }
  }
  const [used, unused] = [await made('FW2026A'), await made('FW2026B')]
  expect((await made('FW2026A')).code).toBe('')
  expect(await findSeries(asked, used, limit)).toMatchObject({ code: used.code })
  await endSeries(asked, { ...used, last: 7 }, limit)
  await endSeries(asked, { ...unused, last: 0 }, limit)
  expect(await hasEnded(asked, { ...used, last: 7 }, limit)).toBe(true)
  const kinds = new Set(bodies.map((body) => /^<at:(\w+)/.exec(body)?.[1]))
  expect([...kinds].toSorted()).toEqual(
    ['anularSerie', 'consultarSeries', 'finalizarSerie', 'registarSerie'].flatMap((one) => [
      one,
      `${one}Response`,
    ]),
  )
  expect(await errorsOf(bodies)).toEqual([])
  const wrong = bodies[0]?.replace(/<tipoDoc>FS<\/tipoDoc>/, '') ?? ''
  expect(wrong).not.toBe(bodies[0])
  expect(await errorsOf([wrong])).not.toEqual([])
})
