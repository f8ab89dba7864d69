// What senders make of a template's body, its variables, and what is refused.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, faults, openDealer, type Reply, refusal } from '../../support/dealer.js'

let stand: DealerStand
let operator = ''
beforeAll(async () => {
  stand = await openDealer()
  operator = await stand.operator()
})
afterAll(() => stand.close())

const TILL = `{
\t"ftCashBoxId": "|[cashbox_id]|",
\t"ftSignaturCreationDevices": [ { "Id": "|[scu0_id]|", "Package": "fiskaltrust.signing.atapdu" } ],
\t"ftQueues": [ { "Id": "|[queue0_id]|", "Package": "fiskaltrust.service.sqlite",
\t\t"Configuration": { "note": "|[note]|" } } ]
}`

interface Item {
  Id: string
  Configuration: Record<string, unknown>
}
interface Document {
  ftCashBoxId: string
  ftQueues: Item[]
  ftSignaturCreationDevices: Item[]
  TimeStamp: unknown
}

const post = (body: string, query = 'outlet_number=1&note=x', path = '/api/configuration') =>
  stand.call(`POST ${path}?${query}`, { body })

const strictly = (reply: Reply): Record<string, unknown> => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json()
}

const documentIn = (reply: Reply): Document =>
  JSON.parse(String(strictly(reply).configuration)) as Document

/** Of the turnover counter. */
function keyOf({ ftQueues }: Document): unknown {
  const rows = ftQueues[0]?.Configuration.init_ftQueueAT
  return Array.isArray(rows) ? (rows[0] as Record<string, unknown>).EncryptionKeyBase64 : rows
}

/** As the published script does: backslashes and quotes only. */
const shellEscaped = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

describe('the body of a template', () => {
  it.each([
    ['a JSON string', JSON.stringify(TILL)],
    ['a string with raw line breaks and tabs', shellEscaped(TILL.replaceAll('\n', '\r\n'))],
    ['a plain object', TILL],
    ['trailing commas', JSON.stringify(TILL.replace('] }', '], }').replace('"x" } }', '"x", } }'))],
    [
      'comments and a byte-order mark',
      `\ufeff${JSON.stringify(`// a "till"\n${TILL.replace('[ {', '[ /* |[never]| */ {')}`)}`,
    ],
  ])('may be %s', async (_name, body) => {
    const document = documentIn(await post(body))
    expect(document.ftQueues[0]?.Configuration.note).toBe('x')
  })

  it('has settings of a unit in its entry as well, and what they say in its row', async () => {
    const own = '"Package": "fiskalwerk.SCU.AT.Software", "ZDA": "AT2", "Version": "latest"'
    const body = TILL.replace('"Package": "fiskaltrust.signing.atapdu"', own)
    const { ftSignaturCreationDevices: units, ftQueues } = documentIn(await post(body))
    expect(units[0]?.Configuration).toEqual({ ZDA: 'AT2' })
    const rows = ftQueues[0]?.Configuration.init_ftSignaturCreationUnitAT
    expect(rows).toMatchObject([{ ftSignaturCreationUnitATId: units[0]?.Id, ZDA: 'AT2' }])
    // what its configuration says wins
    const both = body.replace('"Version"', '"Configuration": { "zda": "AT3" }, "Version"')
    const [unit] = documentIn(await post(both)).ftSignaturCreationDevices
    expect(unit?.Configuration).toEqual({ zda: 'AT3' })
  })

  it('is taken in any spelling of the path', async () => {
    const reply = await post(JSON.stringify(TILL), 'Outlet_Number=1&note=x', '/API/Configuration/')
    expect(documentIn(reply).ftQueues).toHaveLength(1)
  })

  it.each([
    ['nothing', ''],
    ['no JSON', JSON.stringify('{ "a": }')],
    ['a list', '[]'],
    ['a string in a string', JSON.stringify('"x"')],
  ])('must not be %s', async (_name, body) => {
    expect(Object.keys(faults(await post(body)))).toEqual(['$'])
  })
})

describe('three forms of the answer', () => {
  it('are camel case, a text, and Pascal case of one document', async () => {
    const [box, one, two] = [randomUUID(), randomUUID(), randomUUID()]
    const query = `outlet_number=1&note=x&cashbox_id=${box}&queue0_id=${one}&scu0_id=${two}`
    const own = stand.dealer.accountId
    const body = JSON.stringify(TILL)
    const camel = strictly(await post(body, query, `/api/posoperators/${own}/templates`))
    const text = strictly(await post(body, query))
    const pascal = strictly(await post(body, query, '/api/v1/configuration'))
    expect(typeof text.configuration).toBe('string')
    expect(Object.keys(camel.configuration as object)).toEqual([
      'helpers',
      'ftCashBoxId',
      'ftSignaturCreationDevices',
      'ftQueues',
      'timeStamp',
    ])
    expect(Object.keys(pascal.configuration as object)).toContain('TimeStamp')
    expect(new Set([camel, text, pascal].map((answer) => answer.accessToken)).size).toBe(1)
    expect(keyOf(pascal.configuration as Document)).toBe(
      keyOf(JSON.parse(String(text.configuration)) as Document),
    )
  })

  it('keep 64-bit numbers digit by digit', async () => {
    const text = TILL.replace('"note"', '"big": 637173856684469990, "note"')
    expect((await post(JSON.stringify(text), undefined, '/api/v1/configuration')).text).toContain(
      '"big":637173856684469990',
    )
  })
})

describe('variables', () => {
  it('are escaped in strings, twice in JSON within strings, and raw elsewhere', async () => {
    const text = TILL.replace(
      '"note": "|[note]|"',
      '"note": "|[note]|", "inner": "[\\"|[note]|\\"]", "n": |[n]|',
    )
    const note = 'a "b" \\ c\nd'
    const query = `outlet_number=1&n=17&note=${encodeURIComponent(note)}`
    const {
      note: one,
      inner,
      n,
    } = documentIn(await post(JSON.stringify(text), query)).ftQueues[0]?.Configuration ?? {}
    expect([one, JSON.parse(String(inner)), n]).toEqual([note, [note], 17])
  })

  it('without a value are listed, all of them', async () => {
    const text = TILL.replace('|[note]|', '|[one]| |[two]| |[one]|')
    const { $ = [] } = faults(await post(JSON.stringify(text)))
    expect($.map((line) => /variable (\w+)/.exec(line)?.[1])).toEqual(['one', 'two'])
  })

  it('of the system follow what the query gives', async () => {
    const text = TILL.replace(
      '|[note]|',
      '|[queue0_id_base64withoutspecialchars]| |[COUNT]| |[outlet_number]| |[scu3_url]| ' +
        '|[queue2_url]| |[description]| |[helper1_description]|',
    )
    const queue0 = 'f05f0f42-6069-4418-885c-434afc7ed2eb'
    const merchant = await stand.account()
    const query = `outlet_number=7&description=Kassa&queue0_id={${queue0.toUpperCase()}}&scu3_id=s3`
    const reply = await stand.call(`POST /api/configuration?${query}`, {
      body: JSON.stringify(text),
      as: merchant,
    })
    expect(documentIn(reply).ftQueues[0]?.Configuration.note).toBe(
      'Qg9f8GlgGESIXENKH7S6w 1 7 net.pipe://localhost/s3 ' +
        'http://localhost:1200/fiskaltrust2 Kassa Kassa',
    )
  })

  it('number the outlet behind the largest one of the cash boxes unless told', async () => {
    const merchant = await stand.account()
    const body = JSON.stringify(TILL.replace('|[note]|', '|[outlet_number]|'))
    const numbers = []
    for (const query of ['', '?outlet_number=9', '']) {
      const reply = await stand.call(`POST /api/configuration${query}`, { body, as: merchant })
      numbers.push(documentIn(reply).ftQueues[0]?.Configuration.note)
    }
    expect(numbers).toEqual(['1', '9', '10'])
  })
})

describe('what is wrong', () => {
  const id = randomUUID()
  it.each([
    ['a cash box id', TILL.replace('|[cashbox_id]|', 'x'), 'ftCashBoxId'],
    ['an id', TILL.replace('|[queue0_id]|', 'x'), 'ftQueues[0].Id'],
    [
      'an id that stands there twice',
      TILL.replace('|[queue0_id]|', id).replace('|[scu0_id]|', id),
      'ftQueues[0].Id',
    ],
    [
      'a package',
      TILL.replace('fiskaltrust.service.sqlite', 'other.sqlite'),
      'ftQueues[0].Package',
    ],
    [
      'a version',
      TILL.replace(
        '"Package": "fiskaltrust.service',
        '"Version": "new", "Package": "fiskaltrust.service',
      ),
      'ftQueues[0].Version',
    ],
    [
      'an address',
      TILL.replace(
        '"Package": "fiskaltrust.service',
        '"URL": "x", "Package": "fiskaltrust.service',
      ),
      'ftQueues[0].Url',
    ],
    [
      'a country',
      TILL.replace('"note"', '"init_ftQueue": [{ "CountryCode": "XX" }], "note"'),
      'ftQueues[0].Configuration.init_ftQueue[0].CountryCode',
    ],
    [
      'an identification',
      TILL.replace('"note"', '"init_ftQueueAT": [{ "CashBoxIdentification": "_" }], "note"'),
      'ftQueues[0].Configuration.init_ftQueueAT[0].CashBoxIdentification',
    ],
    [
      'a unit that nobody has',
      TILL.replace(
        '"note"',
        `"init_ftSignaturCreationUnitAT": [{ "ftSignaturCreationUnitATId": "${id}" }], "note"`,
      ),
      'ftQueues[0].Configuration.init_ftSignaturCreationUnitAT[0].ftSignaturCreationUnitATId',
    ],
  ])('is told by path: %s', async (_name, text, path) => {
    expect(Object.keys(faults(await post(JSON.stringify(text))))).toContain(path)
  })

  it('creates nothing', async () => {
    const merchant = await stand.account()
    const broken = TILL.replace('fiskaltrust.service.sqlite', 'other.sqlite')
    await stand.call('POST /api/configuration?note=x', { body: broken, as: merchant })
    const rows = await stand.rows('select id from directory where account_id = $1', [
      merchant.accountId,
    ])
    expect(rows).toEqual([])
  })

  it('is an outlet that is not there, the reserved one included', async () => {
    const path = `/api/posoperators/${operator}/templates`
    for (const number of [0, 2, 77]) {
      const reply = await post(JSON.stringify(TILL), `outlet_number=${number}&note=x`, path)
      expect(refusal(reply)).toEqual({ status: 404, code: 'OutletNotFound' })
    }
    for (const query of ['note=x', 'outlet_number=one&note=x']) {
      const reply = await post(JSON.stringify(TILL), query, path)
      expect(Object.keys(faults(reply))).toEqual(['outlet_number'])
    }
  })
})

describe('ids that exist', () => {
  it('of another account look like none', async () => {
    const stranger = await stand.account()
    const first = documentIn(
      await stand.call('POST /api/configuration?note=x', {
        body: JSON.stringify(TILL),
        as: stranger,
      }),
    )
    const taken = [
      ['cashbox_id', first.ftCashBoxId, 'CashBoxNotFound'],
      ['queue0_id', first.ftQueues[0]?.Id, 'QueueNotFound'],
      ['scu0_id', first.ftSignaturCreationDevices[0]?.Id, 'ScuNotFound'],
    ]
    for (const [name, foreign, code] of taken) {
      const reply = await post(JSON.stringify(TILL), `outlet_number=1&note=x&${name}=${foreign}`)
      expect(refusal(reply)).toEqual({ status: 404, code })
    }
  })

  it('are changed: the token stays, what is left out leaves the cash box', async () => {
    const one = strictly(await post(JSON.stringify(TILL)))
    const before = JSON.parse(String(one.configuration)) as Document
    const queue = before.ftQueues[0]?.Id
    const scu = before.ftSignaturCreationDevices[0]?.Id
    const query = `outlet_number=1&note=y&cashbox_id=${one.cashBoxId}&scu0_id=${scu}`
    const same = strictly(await post(JSON.stringify(TILL), `${query}&queue0_id=${queue}`))
    const after = JSON.parse(String(same.configuration)) as Document
    expect(same.accessToken).toBe(one.accessToken)
    expect(after.ftQueues[0]?.Configuration.note).toBe('y')
    expect(after.ftQueues[0]?.Configuration.init_ftQueueAT).toMatchObject([
      { EncryptionKeyBase64: keyOf(before) },
    ])
    await post(JSON.stringify(TILL), query)
    const [row] = await stand.rows('select cash_box_id from queue where id = $1', [queue])
    expect(row?.cash_box_id).toBeNull()
  })

  it('of a unit with another package are refused', async () => {
    const one = documentIn(await post(JSON.stringify(TILL)))
    const scu = one.ftSignaturCreationDevices[0]?.Id
    const other = TILL.replace('atapdu', 'atrustonline')
    const reply = await post(JSON.stringify(other), `outlet_number=1&note=x&scu0_id=${scu}`)
    expect(refusal(reply)).toEqual({ status: 409, code: 'PackageMismatch' })
  })
})

describe('many at once', () => {
  it('each get a cash box of their own, and each is written down once', async () => {
    const merchant = await stand.account()
    const replies = await Promise.all(
      Array.from({ length: 12 }, () =>
        stand.call('POST /api/configuration?outlet_number=1&note=|[count]|', {
          body: JSON.stringify(TILL.replace('|[note]|', '|[count]|')),
          as: merchant,
        }),
      ),
    )
    const counts = replies.map((reply) => Number(documentIn(reply).ftQueues[0]?.Configuration.note))
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
    const lines = await stand.rows(
      'select operation, after from audit_entry where account_id = $1',
      [merchant.accountId],
    )
    expect(lines).toHaveLength(12)
    expect(String(lines[0]?.after)).toContain('"EncryptionKeyBase64":"***"')
  })
})
