// A German shop behind a real server: one cash box, two queues that share one TSE, a second TSE to
// switch to. Sends receipts as tills do and keeps what was sent and answered.
import { createCashBox, createQueue, createScu } from '../../../src/core/rollout/create.js'
import { configureQueue, planSwitch } from '../../../src/core/rollout/units.js'
import { marketOf } from '../../../src/market/index.js'
import { wireText } from '../../market/de/support/till.js'
import type { Chance } from '../load.js'
import { openShop, type Shop } from '../shop.js'
import { chargeItem, DE, orderText, payItem } from './story-items.js'
import { AGENCIES, type Recipe, textOf } from './story-recipes.js'

export const IMPLICIT = 0x1_0000_0000n
export const PACKAGE = 'fiskalwerk.SCU.DE.Software'

export const masterData = (name: string) => ({
  Account: {
    AccountName: name,
    Street: 'Musterweg 1',
    Zip: '10115',
    City: 'Berlin',
    Country: 'DE',
    TaxId: '11/222/33333',
    VatId: 'DE123456789',
  },
  Outlet: { OutletName: 'Filiale', Street: 'Weg 2', Zip: '10117', City: 'Berlin', Country: 'DE' },
  Agencies: AGENCIES.map((AgencyId, at) => ({
    AgencyId,
    Name: `Agentur ${at + 1}`,
    Street: 'Gasse 3',
    Zip: '10119',
    City: 'Berlin',
    Country: 'DE',
    VatId: `DE12345678${at}`,
  })),
  PosSystems: [
    {
      PosSystemId: 'd0bd1ac9-6f49-4d7a-8b2b-3a6d7b2b6a01',
      Brand: 'ExamplePOS',
      Model: 'Register 1',
      SoftwareVersion: '1.0.0',
      BaseCurrency: 'EUR',
    },
  ],
})

export const parameters = (name: string, version: '2.3' | '2.4' = '2.3') => ({
  init_masterData: masterData(name),
  DsfinvkVersion: version,
  'scu-timeout-ms': 300,
})

const CUSTOMER = JSON.stringify({
  CustomerName: 'Firma "Ö & Co"',
  CustomerId: 'C-17',
  CustomerType: 'Firma',
  CustomerStreet: 'Kundenweg 4',
  CustomerZip: '1010',
  CustomerCity: 'Wien',
  CustomerCountry: 'AT',
  CustomerVATId: 'ATU12345678',
})

export interface Signature {
  type: bigint
  caption: string
  data: string
}

export interface Answer {
  row: number
  /** Without the country. */
  state: bigint
  identification: string
  signatures: Signature[]
  stateData: string | null
}

export interface Order {
  /** Low 34 bits of ftReceiptCase. */
  word: bigint
  reference: string
  recipe?: Recipe
  previous?: string
  terminal?: string
  user?: string
  data?: object
}

/** One receipt that a till sent and the answer it got. */
export interface Sent extends Order {
  queue: number
  answer: Answer
}

export class GermanShop {
  readonly shop: Shop
  readonly queueIds: string[] = []
  readonly scuIds: string[] = []
  readonly sent: Sent[] = []
  readonly names = ['KASSE-A', 'KASSE-B']
  private readonly chance: Chance
  private box = { cashBoxId: '', accessToken: '' }

  private constructor(shop: Shop, chance: Chance) {
    this.shop = shop
    this.chance = chance
  }

  /** `scu`: configuration of both TSEs. */
  static async open(chance: Chance, scu: Record<string, unknown> = {}): Promise<GermanShop> {
    const german = new GermanShop(await openShop(), chance)
    const { deps, shop } = german
    const { accountId } = shop.demo.operator
    german.box = await createCashBox(deps, { accountId, outletId: null, description: 'story' })
    const common = {
      accountId,
      cashBoxId: german.box.cashBoxId,
      market: 'DE',
      description: 'story',
    }
    for (let at = 0; at < 2; at += 1) {
      german.scuIds.push(await createScu(deps, { ...common, package: PACKAGE, configuration: scu }))
    }
    for (const identification of german.names) {
      const configuration = parameters('Muster GmbH')
      const queue = { ...common, identification, configuration, scuIds: german.scuIds }
      german.queueIds.push(await createQueue(deps, queue))
    }
    return german
  }

  close(): Promise<void> {
    return this.shop.close()
  }

  private get deps() {
    return { store: this.shop.deps.store, marketOf, now: () => new Date() }
  }

  private get headers() {
    const { cashBoxId, accessToken } = this.box
    return { cashboxid: cashBoxId, accesstoken: accessToken, 'content-type': 'application/json' }
  }

  /** The answer and its status, whatever it is. */
  post(queue: number, order: Order): Promise<{ status: number; text: string }> {
    const { recipe } = order
    const data = order.data ?? recipe?.data
    return this.postRequest(queue, {
      cbTerminalID: order.terminal ?? 'T1',
      cbReceiptReference: order.reference,
      // a till's clock with milliseconds, which may be ahead of the seconds of the TSE
      cbReceiptMoment: new Date(Date.now() - (order.word % 2n === 0n ? 2000 : 0)).toISOString(),
      cbUser: order.user ?? 'Erika "E." Muster',
      cbArea: `Tisch ${order.terminal ?? ''}`,
      cbCustomer: order.user === 'Kim' ? CUSTOMER : null,
      ...(order.previous === undefined ? {} : { cbPreviousReceiptReference: order.previous }),
      cbChargeItems: (recipe?.lines ?? []).map((one, at) => chargeItem(one, at + 1, this.chance)),
      cbPayItems: (recipe?.pays ?? []).map((one, at) => payItem(one, at + 1, this.chance)),
      ...(data === undefined ? {} : { ftReceiptCaseData: JSON.stringify(data) }),
      ftReceiptCase: DE | order.word,
    })
  }

  /** A request as a till wrote it; the cash box is added. */
  async postRequest(queue: number, request: object): Promise<{ status: number; text: string }> {
    const body = { ftCashBoxID: this.box.cashBoxId, ...request }
    const reply = await fetch(`${this.shop.url}/${this.queueIds[queue]}/json/v1/sign`, {
      method: 'POST',
      headers: this.headers,
      body: wireText(body),
    })
    return { status: reply.status, text: await reply.text() }
  }

  async send(queue: number, order: Order): Promise<Sent> {
    const { status, text } = await this.post(queue, order)
    if (status !== 200) throw new Error(`${wireText(order)}: ${status} ${text}`)
    const sent = { ...order, queue, answer: answerOf(text) }
    this.sent.push(sent)
    return sent
  }

  async fault(scu: number, steps: object[] | null): Promise<void> {
    const reply = await fetch(`${this.shop.url}/sandbox/scus/${this.scuIds[scu]}/fault`, {
      method: steps === null ? 'DELETE' : 'PUT',
      headers: this.headers,
      ...(steps === null ? {} : { body: JSON.stringify({ steps }) }),
    })
    if (reply.status !== 200) throw new Error(await reply.text())
  }

  async journal(queue: number, query: string): Promise<Buffer> {
    const url = `${this.shop.url}/${this.queueIds[queue]}/json/v1/journal?${query}`
    const reply = await fetch(url, { method: 'POST', headers: this.headers })
    if (reply.status !== 200) throw new Error(`${query}: ${await reply.text()}`)
    return Buffer.from(await reply.arrayBuffer())
  }

  async plan(from: number, to: number): Promise<void> {
    const [source = '', target = ''] = [this.scuIds[from], this.scuIds[to]]
    await planSwitch(this.deps, { source, target })
  }

  async configure(queue: number, configuration: Record<string, unknown>): Promise<void> {
    await configureQueue(this.deps, { queueId: this.queueIds[queue] ?? '', configuration })
  }
}

interface WireAnswer {
  ftQueueRow: number
  ftReceiptIdentification: string
  ftState: string
  ftStateData?: string | null
  ftSignatures: { ftSignatureType: string; caption: string; data: string }[]
}

/** 64-bit words become texts before JSON.parse sees them. */
export function answerOf(text: string): Answer {
  const words = /"(ftState|ftSignatureType|ftSignatureFormat)":(-?\d+)/g
  const wire = JSON.parse(text.replace(words, '"$1":"$2"')) as WireAnswer
  return {
    row: wire.ftQueueRow,
    state: BigInt(wire.ftState) - DE,
    identification: wire.ftReceiptIdentification,
    stateData: wire.ftStateData ?? null,
    signatures: wire.ftSignatures.map(({ ftSignatureType, caption, data }) => ({
      type: BigInt(ftSignatureType),
      caption,
      data,
    })),
  }
}

/** Data of the first signature of that type (German word without the country). */
export const dataOf = ({ signatures }: Answer, type: bigint): string | undefined =>
  signatures.find((one) => one.type === (DE | type))?.data

/** processType and processData that a receipt with a recipe has to get. */
export function expectedData({ code, ...recipe }: Recipe): readonly [string, string] {
  const isOrder = code === 0x10 && recipe.pays.length === 0
  if (isOrder) return ['Bestellung-V1', orderText(recipe.lines)]
  if (code === 0x13 && recipe.bonType === '') return ['SonstigerVorgang', 'info-internal']
  if (code === 0x14) return ['SonstigerVorgang', 'protocol']
  return ['Kassenbeleg-V1', textOf({ code, ...recipe })]
}
