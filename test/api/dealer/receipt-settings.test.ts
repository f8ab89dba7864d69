// How all receipts of a merchant look, set by the dealer: replaced as a whole, told in the audit,
// and nobody else's concern.
import { randomUUID } from 'node:crypto'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SETTING_NAMES } from '../../../src/core/receipts/branding/document.js'
import { type DealerStand, faults, openDealer, operationOf, refusal } from '../../support/dealer.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

const pathOf = (operator: string) => `/api/posoperators/${operator}/receiptsettings`

function photograph(): string {
  const canvas = createCanvas(400, 300)
  const context = canvas.getContext('2d')
  for (let x = 0; x < 400; x += 4) {
    context.fillStyle = `hsl(${x * 7} 70% ${20 + (x % 60)}%)`
    context.fillRect(x, 0, 4, 300)
    context.fillStyle = `hsl(${x * 3} 40% 50%)`
    context.fillRect(0, x, 400, 2)
  }
  return `data:image/png;base64,${canvas.toBuffer('image/png').toString('base64')}`
}

describe('receipt settings of a PosOperator', () => {
  it('have a page that names all that can be set, and nothing else', () => {
    const { body } = operationOf('putReceiptSettings')
    expect(Object.keys(Object(body).shape).toSorted()).toEqual(SETTING_NAMES.toSorted())
  })

  it('are empty, then what was put, then what was put instead', async () => {
    const path = pathOf(await stand.operator())
    const empty = await stand.call(`GET ${path}`)
    expect([empty.status, empty.json()]).toEqual([200, {}])
    const first = { name1Text: 'Ring GmbH', vat: 'ATU1', showFeedback: true, logowidth: 100 }
    const put = await stand.call(`PUT ${path}`, { body: { ...first, VAT: 'ATU2', more: 1 } })
    expect([put.status, put.json()]).toEqual([200, { ...first, vat: 'ATU2' }])
    expect((await stand.call(`GET ${path}`)).json()).toEqual({ ...first, vat: 'ATU2' })
    const second = { primaryColor: '#ffffff', backgroundColor: '#003366', footertext: null }
    await stand.call(`PUT ${path}`, { body: second })
    expect((await stand.call(`GET /v1${path.toUpperCase()}/`)).json()).toEqual({
      primaryColor: '#ffffff',
      backgroundColor: '#003366',
    })
  })

  it('that are read and put back stay what they are, the picture to the byte', async () => {
    const path = pathOf(await stand.operator())
    await stand.call(`PUT ${path}`, { body: { logourl: photograph(), name1Text: 'A' } })
    const read = await stand.call(`GET ${path}`)
    expect(read.json().logourl).toMatch(/^data:image\/(png|jpeg);base64,/)
    await stand.call(`PUT ${path}`, { body: read.text })
    expect((await stand.call(`GET ${path}`)).text).toBe(read.text)
  })

  it('leave a row that says who, for whom, and what, without the picture', async () => {
    const operator = await stand.operator('ReadWrite')
    const path = pathOf(operator)
    await stand.call(`PUT ${path}`, { body: { name1Text: 'Before' } })
    await stand.call(`PUT ${path}`, { body: { name1Text: 'After', logourl: photograph() } })
    const rows = (await stand.audit()).filter((row) => row.onBehalfOf === operator)
    expect(rows.map(({ operation, before }) => [operation, before])).toEqual([
      ['putReceiptSettings', {}],
      ['putReceiptSettings', { name1Text: 'Before' }],
    ])
    expect(rows[1]).toMatchObject({
      accountId: stand.dealer.accountId,
      subjects: { accountId: operator },
      after: { name1Text: 'After', logo: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    })
    expect(JSON.stringify(rows)).not.toContain('base64')
  })

  it.each([
    ['a colour that is none', { primaryColor: 'red' }, 'primaryColor'],
    ['colours that cannot be read', { primaryColor: '#777777' }, 'primaryColor'],
    ['a script for a website', { website: 'javascript:alert(1)' }, 'website'],
    ['a logo from inside', { logourl: 'http://[::ffff:127.0.0.1]/x.png' }, 'logourl'],
    ['a number for a text', { name1Text: 7 }, 'name1Text'],
    ['a list', [], '$'],
  ])('%s is refused under its name and changes nothing', async (_what, body, member) => {
    const operator = await stand.operator()
    await stand.call(`PUT ${pathOf(operator)}`, { body: { name1Text: 'Kept' } })
    const refused = await stand.call(`PUT ${pathOf(operator)}`, { body })
    expect(Object.keys(faults(refused))).toEqual([member])
    expect((await stand.call(`GET ${pathOf(operator)}`)).json()).toEqual({ name1Text: 'Kept' })
    expect((await stand.audit()).filter((row) => row.onBehalfOf === operator)).toHaveLength(1)
  })
})

describe('who may', () => {
  it('somebody else finds nothing: 404, as of an id that nobody has', async () => {
    const other = await stand.account()
    const foreign = await stand.operator('Full', { of: other })
    await stand.call(`PUT ${pathOf(foreign)}`, { as: other, body: { name1Text: 'Theirs' } })
    const gone = { status: 404, code: 'PosOperatorNotFound' }
    for (const id of [foreign, other.accountId, randomUUID()]) {
      expect(refusal(await stand.call(`GET ${pathOf(id)}`))).toEqual(gone)
      expect(refusal(await stand.call(`PUT ${pathOf(id)}`, { body: { vat: 'x' } }))).toEqual(gone)
    }
    const kept = await stand.call(`GET ${pathOf(foreign)}`, { as: other })
    expect(kept.json()).toEqual({ name1Text: 'Theirs' })
  })

  it('reading needs Read, putting ReadWrite', async () => {
    const statuses = async (right: 'None' | 'Read' | 'ReadWrite') => {
      const path = pathOf(await stand.operator(right))
      const put = await stand.call(`PUT ${path}`, { body: {} })
      return [(await stand.call(`GET ${path}`)).status, put.status]
    }
    expect(await statuses('None')).toEqual([403, 403])
    expect(await statuses('Read')).toEqual([200, 403])
    expect(await statuses('ReadWrite')).toEqual([200, 200])
  })

  it('two at once: one of them is the last, and both are told', async () => {
    const operator = await stand.operator()
    const names = ['A', 'B', 'C', 'D']
    const done = await Promise.all(
      names.map((name1Text) => stand.call(`PUT ${pathOf(operator)}`, { body: { name1Text } })),
    )
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const rows = (await stand.audit()).filter((row) => row.onBehalfOf === operator)
    const last = (await stand.call(`GET ${pathOf(operator)}`)).json()
    expect(rows).toHaveLength(4)
    expect(rows.filter(({ after }) => JSON.stringify(after) === JSON.stringify(last))).toHaveLength(
      1,
    )
  })
})
