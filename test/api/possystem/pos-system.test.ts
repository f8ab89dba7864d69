// The POS system that only the header of a call names: kept with the receipt, found by the German
// export, and the client's own text stays what was hashed.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPosSystem } from '../../../src/core/accounts/pos-systems.js'
import type { DemoCashBox } from '../../../src/core/rollout/demo.js'
import { cellsOf, unzipped } from '../../market/de/support/archive.js'
import { posHeaders } from '../../support/pos-server.js'
import { openShop, type Shop } from '../../support/shop.js'

/** DSFinV-K, version 2 numbering. */
const DSFINVK = '4919373352344227842'
const NOBODY = '00000000-0000-0000-0000-000000000000'

let shop: Shop
let box: DemoCashBox
beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '4' }, undefined, { countries: ['AT', 'DE'] })
  const german = shop.demo.cashBoxes.find(({ market }) => market === 'DE')
  if (german === undefined) throw new Error('the demo has no German cash box')
  box = german
})
afterAll(() => shop.close())

/** A product of the account, which the master data of the queue do not know. */
async function product(model: string, baseCurrency: string): Promise<string> {
  const found = await shop.deps.store.pool.query<{ id: string }>(
    'select account_id as id from cash_box where id = $1',
    [box.cashBoxId],
  )
  const accountId = found.rows[0]?.id ?? ''
  const rest = { brand: 'Till', softwareVersion: '7', type: '' }
  const deps = { store: shop.deps.store, now: () => new Date() }
  return (await addPosSystem(deps, { accountId, model, baseCurrency, ...rest })).id
}

async function call(path: string, body: string, system: string, operation: string = randomUUID()) {
  const answer = await fetch(`${shop.url}/v2/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...posHeaders(box, { 'x-possystem-id': system, 'x-operation-id': operation }),
    },
    body,
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok) throw new Error(bytes.toString())
  return bytes
}

const items = (cents: string) =>
  `"cbChargeItems":[{"Description":"Brot","Amount":${cents},"VATRate":7}],` +
  `"cbPayItems":[{"Description":"Bar","Amount":${cents},"ftPayItemCase":4919373352344223745}]`
const receipt = (reference: string, rest: string) =>
  `{"cbReceiptReference":"${reference}","cbReceiptMoment":"2026-01-31T10:15:00Z",${rest}}`
const sale = (reference: string, more = '') => receipt(reference, `${items('1.07')}${more}`)
const closing = (reference: string) =>
  receipt(reference, '"cbChargeItems":[],"cbPayItems":[],"ftReceiptCase":4919373352344231953')

async function stored(reference: string) {
  const found = await shop.deps.store.pool.query<{ text: string; hash: Buffer; system: string }>(
    `select request as text, request_hash as hash, pos_system_id as system from queue_item
     where queue_id = $1 and receipt_reference = $2`,
    [box.queueId, reference],
  )
  return found.rows[0]
}

describe('the POS system of a receipt', () => {
  it('comes from the body, else from the header, and a DSFinV-K names it', async () => {
    const [header, body] = [await product('Header', 'CHF'), await product('Body', 'PLN')]
    await call('sign', sale('by header'), header)
    await call('sign', closing('closing 1'), header)
    await call('sign', sale('by body', `,"ftPosSystemId":"${body}"`), header)
    await call('sign', closing('closing 2'), header)
    await call('sign', sale('by nobody'), NOBODY)
    await call('sign', closing('closing 3'), NOBODY)

    const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-pos-system-'))
    const file = join(folder, 'export.zip')
    await writeFile(file, await call('journal', `{"ftJournalType":${DSFINVK}}`, header))
    const files = unzipped(file)
    await rm(folder, { recursive: true })
    expect(cellsOf(files, 'cashregister', 'KASSE_MODELL KASSE_BASISWAEH_CODE')).toEqual([
      'Header|CHF',
      'Body|PLN',
      // the first one of the queue's master data
      'Register 1|EUR',
    ])
    // every slip is paid in the base currency of its own system
    const paid = cellsOf(files, 'datapayment', 'BON_ID ZAHLWAEH_CODE').map((row) =>
      row.replace(/.*\|/, ''),
    )
    expect(paid).toEqual(['CHF', 'PLN', 'EUR'])
  })

  it('changes nothing in the text that is stored and hashed', async () => {
    const system = randomUUID()
    const text = sale('own words')
    await call('sign', text, system)
    const found = await stored('own words')
    expect(found).toMatchObject({ text, system })
    expect(found?.hash).toEqual(createHash('sha256').update(text).digest())
  })

  it('is the one of the first call when a repetition names another', async () => {
    const [first, second, operation] = [randomUUID(), randomUUID(), randomUUID()]
    const answer = await call('sign', sale('twice'), first, operation)
    expect(await call('sign', sale('twice'), second, operation)).toEqual(answer)
    expect((await stored('twice'))?.system).toBe(first)
  })
})
