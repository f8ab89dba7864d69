// Programs of the field that try every reason for no tax through the PosSystem API, and look for
// what the authority was told in ftStateData: one for VeriFactu, one for TicketBAI in Bizkaia.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeBox, makeQueue, makeScu, makeServer, type TestServer } from '../support/make-scu.js'

let server: TestServer
let url: string
beforeAll(async () => {
  server = await makeServer()
  url = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

interface Answer {
  ftState: number
  ftSignatures: { Data: string; ftSignatureType: number }[]
  ftStateData?: { ES?: { GovernmentAPI?: { Request?: string } } }
}
type Sign = (body: Record<string, unknown>) => Promise<Answer>

/** Case words without a country, as numbers: what these programs send. */
const word = (low: number): number => 0x2000_0000_0000 + low

const NOTHING = { cbChargeItems: [], cbPayItems: [] }

/** A register with a unit of this kind, started. */
async function register(kind: string): Promise<Sign> {
  const box = await makeBox(server, 'ES')
  const configuration = { kind, nif: 'B12345674', name: 'Prueba, S.L.' }
  const scuId = await makeScu(server, box, { configuration })
  await makeQueue(server, box, [scuId])
  const sign: Sign = async (body) => {
    const answer = await fetch(`${url}/v2/sign`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-cashbox-id': box.cashBoxId },
        ...{ 'x-cashbox-accesstoken': box.accessToken, 'x-operation-id': randomUUID() },
        'x-possystem-id': '00000000-0000-0000-0000-000000000000',
      },
      body: JSON.stringify({ cbReceiptMoment: '2026-06-14T15:25:26.000Z', ...body }),
    })
    return JSON.parse(await answer.text())
  }
  await sign({ ...NOTHING, ftReceiptCase: word(0x4001), cbReceiptReference: 'start' })
  return sign
}

const receipt = (of: {
  kind: number
  nn: number
  item: { amount: number; rate: number; low: number }
  customer?: Record<string, string>
}) => ({
  ftReceiptCase: word(of.kind),
  cbReceiptReference: `verify-${of.nn.toString(16)}-${randomUUID()}`,
  ...(of.customer === undefined ? {} : { cbCustomer: of.customer }),
  cbChargeItems: [
    {
      ...{ Quantity: 1, Description: 'NN', Amount: of.item.amount, VATRate: of.item.rate },
      VATAmount: of.item.rate === 0 ? 0 : 21,
      ftChargeItemCase: word((of.nn << 8) | of.item.low),
    },
  ],
  cbPayItems: [{ Description: 'Cash', Amount: of.item.amount, ftPayItemCase: word(1) }],
})

const isAccepted = ({ ftState }: Answer) => ftState >>> 0 === 0
/** Why an answer refuses, where these programs look for it. */
const reasonIn = ({ ftSignatures }: Answer): string =>
  ftSignatures.find(({ ftSignatureType }) => ftSignatureType >>> 0 === 0x3000)?.Data ?? 'nothing'
const ruleIn = (answer: Answer) => /EEEE_(\w+)/.exec(reasonIn(answer))?.[1] ?? reasonIn(answer)
const requestIn = ({ ftStateData }: Answer) => ftStateData?.ES?.GovernmentAPI?.Request ?? ''
const textsOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]+)`, 'g'))].map(([, text]) => text).join(',')

it('a program for VeriFactu finds the record, and in it the codes of the case', async () => {
  const sign = await register('VeriFactu')
  const found: string[] = []
  for (const nn of [0x00, 0x10, 0x13, 0x14, 0x20, 0x21, 0x30, 0x31, 0x60, 0x80, 0x11, 0x50]) {
    const item =
      nn === 0 ? { amount: 121, rate: 21, low: 0x13 } : { amount: 150, rate: 0, low: 0x17 }
    const answer = await sign(receipt({ kind: 1, nn, item }))
    const xml = requestIn(answer)
    const names = ['Impuesto', 'ClaveRegimen', 'CalificacionOperacion', 'OperacionExenta']
    const told = isAccepted(answer)
      ? names.map((name) => textsOf(xml, name) || '-')
      : ['refused:', ruleIn(answer)]
    found.push(`${nn.toString(16)} ${told.join(' ')}`)
  }
  expect(found).toEqual([
    ...['0 01 01 S1 -', '10 01 02 - E2', '13 01 02 - E3', '14 01 02 - E4', '20 01 01 N2 -'],
    ...['21 01 01 N1 -', '30 01 01 - E1', '31 01 01 - E6', '60 01 01 N1 -', '80 01 01 N1 -'],
    // the authority refuses these two without a recipient: the program prints why
    ...['11 refused: IntraCommunityNeedsRecipient', '50 refused: ReverseChargeNeedsInvoice'],
  ])
})

it('what is refused without a recipient is accepted as an invoice that has one', async () => {
  const sign = await register('VeriFactu')
  const place = { CustomerStreet: 'Hauptstr. 1', CustomerZip: '10115', CustomerCity: 'Berlin' }
  const abroad = { CustomerVATId: 'DE811569869', CustomerName: 'Buyer', CustomerCountry: 'DE' }
  const item = { amount: 150, rate: 0, low: 0x17 }
  const told = async (nn: number) => {
    const customer = { ...abroad, ...place }
    const answer = await sign(receipt({ kind: 0x1002, nn, item, customer }))
    const xml = requestIn(answer)
    const names = ['TipoFactura', 'CalificacionOperacion', 'OperacionExenta', 'CodigoPais']
    return isAccepted(answer)
      ? names.map((name) => textsOf(xml, name) || '-').join(' ')
      : reasonIn(answer)
  }
  expect(await told(0x11)).toMatch(/^F1 - E5 /)
  expect(await told(0x50)).toMatch(/^F1 S2 - /)
})

it('a program for Bizkaia finds the file in the book, with the codes of the case', async () => {
  const sign = await register('Bizkaia')
  const home = { CustomerVATId: '12345678Z', CustomerName: 'Cliente', CustomerCountry: 'ES' }
  const abroad = { CustomerTaxId: 'DE811569869', CustomerName: 'Buyer', CustomerCountry: 'DE' }
  const place = { CustomerStreet: 'Calle Mayor 1', CustomerZip: '48001', CustomerCity: 'Bilbao' }
  const found: string[] = []
  for (const nn of [0x10, 0x11, 0x13, 0x14, 0x20, 0x21, 0x30, 0x31, 0x50, 0x60, 0x80]) {
    const customer = { ...(nn < 0x20 || nn === 0x50 ? abroad : home), ...place }
    const item = { amount: 150, rate: 0, low: 0x18 }
    const answer = await sign(receipt({ kind: 0x1002, nn, item, customer }))
    const [, packed = ''] = /<TicketBai>([^<]+)<\/TicketBai>/.exec(requestIn(answer)) ?? []
    const xml = Buffer.from(packed, 'base64').toString('utf8')
    const names = ['ClaveRegimenIvaOpTrascendencia', 'CausaExencion', 'TipoNoExenta', 'Causa']
    const branches = ['DesgloseTipoOperacion', 'DesgloseFactura', 'Entrega', 'PrestacionServicios']
    const told = isAccepted(answer)
      ? [
          ...names.map((name) => textsOf(xml, name) || '-'),
          branches.filter((name) => xml.includes(`<${name}>`)).join('/'),
        ]
      : ['refused:', ruleIn(answer)]
    found.push(`${nn.toString(16)} ${told.join(' ')}`)
  }
  const [away, here] = ['DesgloseTipoOperacion/Entrega', 'DesgloseFactura']
  expect(found).toEqual([
    // the number of a member state comes as CustomerTaxId
    ...[`10 02 E2 - - ${away}`, `11 01 E5 - - ${away}`],
    ...[`13 02 E3 - - ${away}`, `14 02 E4 - - ${away}`],
    ...[`20 01 - - RL ${here}`, `21 01 - - OT ${here}`],
    ...[`30 01 E1 - - ${here}`, `31 01 E6 - - ${here}`],
    ...[`50 01 - S2 - ${away}`, `60 08 - - IE ${here}`, `80 01 - - VT ${here}`],
  ])
})
