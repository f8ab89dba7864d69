// An echo with a null message: what the server remembers of a cash box is read anew, through every
// door.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, openDealer } from '../../support/dealer.js'
import { rollOut } from '../../support/dealer-stock.js'
import { envelope, operation } from '../../support/soap.js'

let stand: DealerStand
beforeAll(async () => {
  // the clock stands still: nothing is asked anew by itself
  const moment = new Date()
  stand = await openDealer({ now: () => moment })
})
afterAll(() => stand.close())

const XSI = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"'

/** A cash box whose token the server remembers, although another one is stored by now. */
async function changedBox() {
  const box = await rollOut(stand, await stand.operator(), 'AT')
  const echo = async (path: string, payload: string, type = 'application/json') => {
    const { statusCode } = await stand.app.inject({
      ...{ method: 'POST', url: `/${box.queueId}${path}`, payload },
      headers: { cashboxid: box.cashBoxId, accesstoken: box.accessToken, 'content-type': type },
    })
    return statusCode
  }
  expect(await echo('/json/v1/echo', '{"message":"x"}')).toBe(200)
  const hash = 'update cash_box set access_token_hash = $2 where id = $1'
  await stand.rows(hash, [box.cashBoxId, randomBytes(32)])
  return echo
}

const known = (echo: Awaited<ReturnType<typeof changedBox>>) =>
  echo('/json/v1/echo', '{"message":"x"}')

describe('what is remembered of a cash box', () => {
  it.each([
    ['JSON, version 0', '/json/v0/echo', 'null'],
    ['JSON, version 1', '/json/v1/echo', '{"message":null}'],
    ['JSON without a body', '/json/v1/echo', ''],
    ['XML, version 0', '/xml/v0/echo', `<string i:nil="true" ${XSI}/>`],
    ['XML, version 1', '/xml/v1/echo', '<EchoRequest/>'],
  ])('is forgotten with a null message: %s', async (_door, path, body) => {
    const echo = await changedBox()
    expect(await echo(path, body)).toBe(200)
    expect(await known(echo)).toBe(401)
  })

  it.each([
    ['without a message', ''],
    ['with a nil message', `<message i:nil="true" ${XSI}/>`],
  ])('is forgotten with an echo over SOAP %s', async (_what, members) => {
    const echo = await changedBox()
    expect(await echo('', envelope(operation('Echo', members)), 'text/xml')).toBe(200)
    expect(await known(echo)).toBe(401)
  })

  it.each([
    ['JSON', '/json/v1/echo', '{"message":""}', 'application/json'],
    ['XML', '/xml/v1/echo', '<EchoRequest><Message>null</Message></EchoRequest>', 'text/xml'],
    ['SOAP', '', envelope(operation('Echo', '<message>hello</message>')), 'text/xml'],
  ])('stays with any other message: %s', async (_door, path, body, type) => {
    const echo = await changedBox()
    expect(await echo(path, body, type)).toBe(200)
    expect(await known(echo)).toBe(200)
  })
})
