// Every call of every document, nearly right: what the server answers is a status, a type and a
// form that the document of the call tells, and never a fault of the server.
import { randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReceiptApp } from '../../src/core/accounts/accounts.js'
import type { DemoCashBox } from '../../src/core/rollout/demo.js'
import { headersOf } from '../support/dealer.js'
import {
  type DescribedOperation,
  fetchDocument,
  type Named,
  type Parameter,
} from '../support/described-calls.js'
import { type DocumentSchemas, schemasOf } from '../support/document-schemas.js'
import { mutatedJson, mutations, oddText } from '../support/mutations.js'
import { openShop, type Shop } from '../support/shop.js'

/** For each call of a document. */
const TIMES = Number(process.env.MUTATIONS ?? 4)
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31))
const PATIENCE_MS = 30_000
const GROUPS = [
  ...['middleware', 'signing-device', 'possystem', 'receipt', 'sandbox', 'dealer', 'platform'],
] as const
type Group = (typeof GROUPS)[number]

interface Call {
  group: Group
  path: string
  method: string
  operation: DescribedOperation
  schemas: DocumentSchemas
  document: object
}

let shop: Shop
let app: { appId: string; appSecret: string }

beforeAll(async () => {
  shop = await openShop({ RATE_LIMITS: 'dealer=0' })
  const now = () => new Date()
  app = await createReceiptApp({ store: shop.deps.store, now }, { name: 'Nearly', shareUrl: null })
})
afterAll(() => shop.close())

async function callsOf(group: Group): Promise<Call[]> {
  const document = await fetchDocument(shop.url, group)
  const schemas = schemasOf(document)
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      return { group, path, method, operation, schemas, document }
    }),
  )
  // what ends something comes when all else has been called
  return calls.sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
}

function known(document: object, named: Named | undefined): Named | undefined {
  if (named?.$ref === undefined) return named
  const found = named.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => Reflect.get(Object(at), name), document)
  return known(document, found as Named)
}

const variant = fc.record({
  changes: mutations,
  /** Which parameter is odd, where it is not the body. */
  parameter: fc.nat(1_000),
  odd: oddText,
  isBody: fc.boolean(),
  example: fc.nat(1_000),
  box: fc.nat(1_000),
  withOptional: fc.boolean(),
})
type Variant = typeof variant extends fc.Arbitrary<infer T> ? T : never

const of = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]

function credentialsOf({ group, path }: Call, box: DemoCashBox): Record<string, string> {
  const { cashBoxId, accessToken } = box
  if (group === 'dealer' || group === 'platform') return headersOf(shop.demo.dealer)
  if (group === 'receipt') return { 'x-app-id': app.appId, 'x-app-secret': app.appSecret }
  if (group !== 'possystem' || path.startsWith('/v0')) {
    return { cashboxid: cashBoxId, accesstoken: accessToken }
  }
  return {
    ...{ 'x-cashbox-id': cashBoxId, 'x-cashbox-accesstoken': accessToken },
    ...{ 'x-possystem-id': 'nearly', 'x-operation-id': randomUUID() },
  }
}

/** Of parameters that are as they should be. */
function usual({ document }: Call, { name, schema, example }: Parameter, box: DemoCashBox): string {
  const { queueId, cashBoxId, scuIds } = box
  const { accountId } = shop.demo.operator
  const ids: Record<string, string> = {
    ...{ queueId, queue: queueId, cashBoxId, scuId: scuIds[0] ?? '' },
    ...{ operatorId: accountId, posOperatorId: accountId, accountId },
  }
  const described = known(document, schema)
  return String(ids[name] ?? example ?? described?.example ?? described?.enum?.[0] ?? randomUUID())
}

/** Lone surrogates have no bytes; what a header cannot hold, no client sends. */
const inAddress = (text: string) => encodeURIComponent(text.toWellFormed().slice(0, 500))
const inHeader = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 500)

/** Of another form than what is described of it; described in words. */
const UNDESCRIBED = new Set(['x-dry-run'])

function requestOf(call: Call, chosen: Variant) {
  const { path, method, operation, document } = call
  const box = of(shop.demo.cashBoxes, chosen.box) ?? shop.box
  const parameters = (operation.parameters ?? []).filter(({ name }) => !UNDESCRIBED.has(name))
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const free = parameters.filter((one) => one.in !== 'path')
  const odd = type !== undefined && chosen.isBody ? undefined : of(free, chosen.parameter)
  const headers: Record<string, string> = credentialsOf(call, box)
  const query: string[] = []
  let address = path
  for (const one of parameters) {
    const value = one === odd ? chosen.odd : usual(call, one, box)
    if (one.in === 'path') address = address.replace(`{${one.name}}`, inAddress(value))
    else if (one !== odd && !one.required && !chosen.withOptional) continue
    else if (one.in === 'query') query.push(`${one.name}=${inAddress(value)}`)
    else if (one === odd || !(one.name in headers)) headers[one.name] = inHeader(value)
  }
  const examples = Object.values(media?.examples ?? {}).map(({ value }) => value)
  const example = of(examples, chosen.example) ?? {}
  const members = Object.keys(known(document, media?.schema)?.properties ?? {})
  const changes = odd === undefined ? chosen.changes : []
  const body =
    typeof example === 'string'
      ? example.slice(0, odd === undefined ? chosen.parameter % (example.length + 1) : undefined)
      : mutatedJson(example, changes, members)
  return {
    address: `${shop.url}${address}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    init: {
      method: method.toUpperCase(),
      redirect: 'manual' as const,
      headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(type === undefined ? {} : { body }),
    },
  }
}

/** SOAP tells a refusal with the status of a fault of the server. */
const TELLS_500 = new Set(['soap'])
/** Says back whatever was said. */
const AS_SAID = new Set(['echo'])

async function faultOf(call: Call, chosen: Variant): Promise<string | undefined> {
  const { operation, path, method, schemas } = call
  const { address, init } = requestOf(call, chosen)
  const leaving = new AbortController()
  const late = setTimeout(() => leaving.abort(), PATIENCE_MS)
  try {
    const answer = await fetch(address, { ...init, signal: leaving.signal })
    const { status } = answer
    if (status === 500 && !TELLS_500.has(operation.operationId)) return `500 ${await answer.text()}`
    const described = operation.responses[status]
    if (described === undefined) return `${status} is not described: ${await answer.text()}`
    const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
    if (type === 'text/event-stream') return undefined
    const text = await answer.text()
    const media = Object.keys(described.content ?? {}).find((one) => one.split(';')[0] === type)
    if (text === '') return undefined
    if (media === undefined) return `${status} is not described as ${type}: ${text}`
    if (type !== 'application/json' || AS_SAID.has(operation.operationId)) return undefined
    const place = ['paths', path, method, 'responses', String(status), 'content', media, 'schema']
    const [fault] = schemas.faultsOf(place, JSON.parse(text))
    return fault === undefined ? undefined : `${status} ${fault}: ${text}`
  } finally {
    clearTimeout(late)
    leaving.abort()
  }
}

it.each(GROUPS)(`%s (${SEED})`, { timeout: TIMES * 60_000 }, async (group) => {
  const faults: string[] = []
  for (const [nth, call] of (await callsOf(group)).entries()) {
    for (const chosen of fc.sample(variant, { numRuns: TIMES, seed: SEED + nth })) {
      const fault = await faultOf(call, chosen)
      if (fault === undefined) continue
      const { address, init } = requestOf(call, chosen)
      const body = String('body' in init ? init.body : '').slice(0, 1_000)
      faults.push(`${call.operation.operationId}: ${fault.slice(0, 500)}\n${address}\n${body}`)
    }
  }
  expect(faults).toEqual([])
})
