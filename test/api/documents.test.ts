// OpenAPI documents of all groups: two linters find nothing, and the calls exist.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestFields, responseFields } from '../../src/model/receipt-fields.js'
import { documentFaults } from '../support/openapi.js'
import { openShop, type Shop } from '../support/shop.js'

/** How each group answers a caller who brings nothing. */
const REFUSED: Record<string, [status: number, code: string]> = {
  middleware: [401, 'CREDENTIALS_MISSING'],
  'signing-device': [401, 'CREDENTIALS_MISSING'],
  possystem: [400, 'missing_header'],
  receipt: [404, 'not_found'],
  sandbox: [401, 'CREDENTIALS_MISSING'],
  dealer: [401, 'Unauthorized'],
}
/** Pairing is for those who have no credentials yet, versions are for everybody. */
const REFUSED_OTHERWISE: Record<string, [status: number, code: string | undefined]> = {
  '/v2/pair': [400, 'invalid_json'],
  '/v2/api/instore/pair': [400, 'invalid_json'],
  '/v0/print': [401, 'unauthorized'],
  '/v0/response': [401, 'unauthorized'],
  '/v1/configuration/{queueId}/receiptsettings': [401, 'unauthorized'],
  'put /{queueId}/{queueItemId}': [401, 'unauthorized'],
  '/sandbox/receipts/{market}/{kind}': [404, 'RECEIPT_UNKNOWN'],
  '/sandbox/wallet': [404, 'DOCUMENT_UNKNOWN'],
  '/version': [200, undefined],
  '/api/version': [200, undefined],
}
const GROUPS = Object.keys(REFUSED)

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

async function document(group: string, version = '3.1') {
  const answer = await shop.app.inject({ url: `/docs/${group}/openapi.json?openapi=${version}` })
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  return answer.json<Record<string, Record<string, Record<string, unknown>>>>()
}

/** The description of a SOAP service: the one call that needs no credentials. */
function isWsdl(call: unknown): boolean {
  return Reflect.get(Object(call), 'operationId') === 'wsdl'
}

describe('a document', () => {
  it.each(GROUPS.flatMap((group) => ['3.1', '3.0'].map((version) => [group, version] as const)))(
    'of %s is sound OpenAPI %s',
    async (group, version) => {
      const found = await document(group, version)
      expect(String(found.openapi).startsWith(version)).toBe(true)
      expect(await documentFaults(found)).toEqual([])
    },
  )

  it('is there in no other version', async () => {
    const answer = await shop.app.inject({ url: '/docs/middleware/openapi.json?openapi=2.0' })
    expect([answer.statusCode, answer.json().field]).toEqual([400, 'openapi'])
  })

  it.each(GROUPS)('of %s tells of calls that are there', async (group) => {
    for (const [path, item] of Object.entries((await document(group)).paths ?? {})) {
      for (const [method, call] of Object.entries(item)) {
        const url = path.replaceAll(/\{[^}]+\}/g, shop.box.queueId)
        if (isWsdl(call)) {
          const wsdl = await shop.app.inject({ url: `${url}?wsdl` })
          expect([wsdl.statusCode, wsdl.body.includes('<wsdl:definitions')]).toEqual([200, true])
          continue
        }
        const answer = await shop.app.inject({ method: method as 'GET', url })
        // pages for readers, who need nothing
        if (['receipt', 'sandbox'].includes(group) && [200, 301].includes(answer.statusCode))
          continue
        // without credentials or body, and with an id that is no unit
        const fault = /<code>(\w+)</.exec(answer.body)?.[1]
        const body = fault === undefined ? answer.json() : {}
        // problem details of the Dealer API have no code, only the title of the status
        const { title, code = fault ?? title, Code = code } = body
        const otherwise = REFUSED_OTHERWISE[`${method} ${path}`] ?? REFUSED_OTHERWISE[path]
        const expected = otherwise ?? REFUSED[group]
        expect([answer.statusCode, Code], `${method} ${path}`).toEqual(expected)
      }
    }
  })

  it('of group B has the three calls with every member of the interface', async () => {
    const { paths = {}, components = {} } = await document('middleware')
    const base = '/{queue}/json/v1'
    expect(Object.keys(paths).sort()).toEqual([
      '/{queue}',
      ...['echo', 'journal', 'sign'].map((name) => `${base}/${name}`),
      ...['echo', 'journal', 'sign'].map((name) => `/{queue}/xml/v1/${name}`),
    ])
    expect(Object.keys(paths['/{queue}'] ?? {}).sort()).toEqual(['get', 'post'])
    const text = JSON.stringify(paths[`${base}/sign`])
    const { ReceiptRequest, ReceiptResponse } = Object(components.schemas)
    for (const { name } of requestFields) expect(ReceiptRequest.properties).toHaveProperty(name)
    for (const { name } of responseFields) expect(ReceiptResponse.properties).toHaveProperty(name)
    for (const status of [200, 204, 400, 401, 404, 413, 429, 500, 503]) {
      expect(text).toContain(`"${status}":{"description":`)
    }
  })

  it('is the one that the interactive page reads', async () => {
    for (const group of GROUPS) {
      const page = await shop.app.inject({ url: `/docs/${group}/json` })
      expect(page.json()).toEqual(await document(group))
    }
  })

  it('gives examples that can be signed as they stand', async () => {
    const { paths = {} } = await document('middleware')
    for (const box of shop.demo.cashBoxes) {
      const sign = JSON.parse(JSON.stringify(paths['/{queue}/json/v1/sign']?.post ?? {})) as {
        requestBody: { content: Record<string, { examples: Record<string, { value: unknown }> }> }
      }
      const { examples } = sign.requestBody.content['application/json'] ?? {}
      const answer = await shop.app.inject({
        method: 'POST',
        url: `/${box.queueId}/json/v1/sign`,
        headers: { cashboxid: box.cashBoxId, accesstoken: box.accessToken },
        payload: JSON.stringify(examples?.[box.market]?.value),
      })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.body).toMatch(/"ftSignatures":\[\{/)
      if (box.market === 'AT') expect(answer.body).toContain('"ftState":4707387510509010944')
    }
  })
})

describe('pages', () => {
  it.each(['/', '/docs', '/docs/middleware', '/docs/middleware/'])(
    '%s is HTML under a policy that lets nothing foreign in',
    async (url) => {
      const answer = await shop.app.inject({ url, headers: { accept: 'text/html' } })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toMatch(/^text\/html/)
      const policy = String(answer.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("base-uri 'none'")
      expect(policy).not.toMatch(/https:|\*|unsafe-eval|script-src [^;]*unsafe-inline/)
    },
  )
})
