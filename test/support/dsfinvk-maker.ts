// Writes DSFinV-K exports from a short plan, signed by a test device, and shares no code with the
// server.
import type { Export } from './dsfinvk-zip.js'
import { TestDevice } from './tse-device.js'

export interface LinePlan {
  /** Gross in cents. */
  gross: number
  key?: string
  type?: string
  /** In thousandths. */
  quantity?: number
  /** ARTIKELTEXT. */
  text?: string
}

export interface PayPlan {
  cents: number
  type?: string
  currency?: string
  /** Cents of that currency. */
  foreign?: number
}

export interface BonPlan {
  lines?: LinePlan[]
  pays?: PayPlan[]
  type?: string
  isVoid?: boolean
  /** BON_ID of the receipt that it refers to. */
  refersTo?: string
  /** Signed in place of what the lines and payments say. */
  data?: string
  processType?: string
  /** processData in pieces of a length that is not told, as D-Trust units sign it. */
  inPieces?: boolean
  /** As TSE_VORGANGSDATEN in place of what was signed. */
  shown?: string
  failed?: string
}

const RATES: Record<string, number> = { '1': 1900, '2': 700, '3': 1070, '4': 550 }
const CREATED = '2026-01-01T10:00:00.000Z'

/** The tables of the published example give headers, index.xml and master data. */
export class ExportMaker {
  readonly device = new TestDevice({ now: 1_767_258_000 })
  private readonly rows = new Map<string, string[]>()
  private readonly example: Export
  private number = 0
  private bonNumber = 1
  private ids: string[] = []
  private paid = 0
  private cash = 0
  private readonly sums = new Map<string, Map<string, number[]>>()
  private readonly keys = new Set<string>()

  constructor(example: Export) {
    this.example = example
    this.device.register()
  }

  /** One closing with these receipts; returns their BON_IDs. */
  closing(plans: BonPlan[], number = this.number + 1): string[] {
    this.number = number
    this.ids = []
    this.paid = 0
    this.cash = 0
    this.sums.clear()
    this.keys.clear()
    for (const plan of plans) this.bon(plan)
    this.close()
    return this.ids
  }

  files(): Export {
    const files: Export = new Map()
    for (const [name, content] of this.example) {
      if (!name.endsWith('.csv')) files.set(name, content)
      else {
        const header = content.toString('utf8').split('\r\n')[0]
        const lines = [header, ...(this.rows.get(name) ?? [])]
        files.set(name, Buffer.from(`${lines.join('\r\n')}\r\n`))
      }
    }
    return files
  }

  private bon(plan: BonPlan): void {
    const { lines = [{ gross: 1190 }], type = 'Beleg' } = plan
    const total = lines.reduce((sum, { gross }) => sum + gross, 0)
    const pays = plan.pays ?? [{ cents: total }]
    const transaction = this.device.transactions + 1
    this.bonNumber += 1
    const id = `ft${this.bonNumber.toString(16).toUpperCase()}#IT${transaction}`
    this.ids.push(id)
    this.device.now += 1
    const moment = `${new Date(this.device.now * 1000).toISOString()}`
    const flag = plan.isVoid === true ? '1' : '0'
    this.row(
      'transactions',
      [`"${id}"`, this.bonNumber, `"${type}";"";"T1";"${flag}";"${moment}";"${moment}";"U1";""`]
        .concat(money(total), Array<string>(9).fill('""'))
        .join(';'),
    )
    for (const [at, line] of lines.entries())
      this.line(id, at + 1, { line, counts: type === 'Beleg' })
    this.vat(id, lines)
    for (const pay of pays) this.pay(id, pay, type === 'Beleg')
    this.row('allocation_groups', `"${id}";"order"`)
    if (plan.refersTo !== undefined) {
      this.row(
        'references',
        `"${id}";"";"Transaktion";"";"";"KASSE-0001";${this.number};"${plan.refersTo}"`,
      )
    }
    this.sign(id, plan, { lines, pays, type, moment })
  }

  private line(
    id: string,
    number: number,
    { line, counts }: { line: LinePlan; counts: boolean },
  ): void {
    const { gross, key = '1', type = 'Umsatz', text = 'Ware' } = line
    const { quantity = Math.sign(gross) * 1000 || 1000 } = line
    const price = Math.abs((gross * 1000) / quantity)
    this.row(
      'lines',
      [
        `"${id}";"${number}";"";"${text}";"T1";"${type}";"";"1";"0";0;"1";"";"1";"Gruppe"`,
        decimals(quantity, 3),
        '1,000;""',
        decimals(Math.round(price * 1000), 5),
      ].join(';'),
    )
    const [net, vat] = split(gross, key)
    this.row('lines_vat', `"${id}";"${number}";${key};${long(gross)};${long(net)};${long(vat)}`)
    this.keys.add(key)
    if (counts) this.add('businesscases', `"${type}";"";0;${key}`, [gross, net, vat])
  }

  private vat(id: string, lines: LinePlan[]): void {
    const sums = new Map<string, number[]>()
    for (const { gross, key = '1' } of lines) {
      const [net, vat] = split(gross, key)
      const [a = 0, b = 0, c = 0] = sums.get(key) ?? []
      sums.set(key, [a + gross, b + net, c + vat])
    }
    for (const [key, amounts] of sums) {
      this.row('transactions_vat', `"${id}";${key};${amounts.map(long).join(';')}`)
    }
  }

  private pay(id: string, pay: PayPlan, counts: boolean): void {
    const { cents, type = 'Bar', currency = 'EUR', foreign } = pay
    const amount = foreign === undefined ? '' : money(foreign)
    this.row('datapayment', `"${id}";"${type}";"";"${currency}";${amount};${money(cents)}`)
    if (!counts) return
    this.add('payment', `"${type}";""`, [cents])
    this.paid += cents
    if (type !== 'Bar') return
    this.cash += cents
    this.add('cash_per_currency', `"${currency}"`, [foreign ?? cents])
  }

  private sign(
    id: string,
    plan: BonPlan,
    said: { lines: LinePlan[]; pays: PayPlan[]; type: string; moment: string },
  ): void {
    if (plan.failed !== undefined) {
      this.row('transactions_tse', `"${id}";1;;"";"";"";;"";"${plan.failed}";""`)
      return
    }
    const type = plan.processType ?? 'Kassenbeleg-V1'
    const text = plan.data ?? dataOf(said)
    const number = this.device.start()
    const { inPieces = false } = plan
    const { content } = this.device.step('Finish', number, { type, text, inPieces })
    const signature = content.subarray(-64).toString('base64')
    const shown = (plan.shown ?? text).replaceAll('"', '""')
    this.row(
      'transactions_tse',
      [
        `"${id}";1;${number};"${said.moment}";"${said.moment}";"${type}"`,
        this.device.counter,
        `"${signature}";"";"${shown}"`,
      ].join(';'),
    )
  }

  private close(): void {
    const [first = 'ft0#IT1'] = this.ids
    const last = this.ids.at(-1) ?? first
    this.row(
      'cashpointclosing',
      [
        `"";"2.3";"${first}";"${last}";"Muster GmbH";"Weg 1";"10115";"Berlin";"DEU";""`,
        `"DE123456789";${money(this.paid)};${money(this.cash)}`,
      ].join(';'),
    )
    this.row('location', '"Filiale";"Weg 1";"10115";"Berlin";"DEU";""')
    this.row('cashregister', '"B";"M";"KASSE-0001";"B";"1";"EUR";"0"')
    this.row('slaves', '"T1";"";"";"T1";"";""')
    const { serialHex } = this.device
    const [leaf] = this.device.certificates()
    const certificate = (leaf?.content ?? Buffer.alloc(0)).toString('base64')
    this.row(
      'tse',
      [
        `1;"${serialHex}";"ecdsa-plain-SHA256";"unixTime";"UTF-8"`,
        `"${this.device.pointBase64}";"${certificate}";""`,
      ].join(';'),
    )
    for (const key of [...this.keys].sort()) {
      this.row('vat', `${key};${money(rateOf(key))};"Satz"`)
    }
    for (const [file, sums] of this.sums) {
      const form = file === 'businesscases' ? long : money
      for (const [name, amounts] of sums) this.row(file, `${name};${amounts.map(form).join(';')}`)
    }
  }

  private add(file: string, name: string, amounts: number[]): void {
    const sums = this.sums.get(file) ?? new Map<string, number[]>()
    this.sums.set(file, sums)
    const before = sums.get(name) ?? []
    sums.set(
      name,
      amounts.map((amount, at) => amount + (before[at] ?? 0)),
    )
  }

  private row(file: string, rest: string): void {
    const rows = this.rows.get(`${file}.csv`) ?? []
    rows.push(`"KASSE-0001";"${CREATED}";${this.number};${rest}`)
    this.rows.set(`${file}.csv`, rows)
  }
}

function rateOf(key: string): number {
  return RATES[key] ?? (key.length > 3 ? Number(key) - 1000 : 0)
}

function split(gross: number, key: string): [number, number] {
  const vat = Math.round((gross * rateOf(key)) / (10_000 + rateOf(key)))
  return [gross - vat, vat]
}

function dataOf({
  lines,
  pays,
  type,
}: {
  lines: LinePlan[]
  pays: PayPlan[]
  type: string
}): string {
  const buckets = [0, 0, 0, 0, 0]
  for (const { gross, key = '1' } of lines) {
    const at = key.length === 1 && Number(key) <= 4 ? Number(key) - 1 : 4
    buckets[at] = (buckets[at] ?? 0) + gross
  }
  const sums = new Map<string, number>()
  for (const { type: kind = 'Bar', currency = 'EUR', cents, foreign } of pays) {
    if (kind === 'Keine') buckets[4] = (buckets[4] ?? 0) - cents
    if (kind === 'Keine') continue
    const name = `${kind === 'Bar' ? 'Bar' : 'Unbar'}${currency === 'EUR' ? '' : `:${currency}`}`
    sums.set(name, (sums.get(name) ?? 0) + (foreign ?? cents))
  }
  const paid = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  const point = (cents: number) => (cents / 100).toFixed(2)
  const payments = paid.filter(([, cents]) => cents !== 0)
  const told = payments.map(([name, cents]) => `${point(cents)}:${name}`)
  return [type, buckets.map(point).join('_'), told.join('_')].join('^')
}

function money(cents: number): string {
  return decimals(cents, 2)
}

function long(cents: number): string {
  return decimals(cents * 1000, 5)
}

function decimals(units: number, places: number): string {
  const digits = String(Math.abs(units)).padStart(places + 1, '0')
  return `${units < 0 ? '-' : ''}${digits.slice(0, -places)},${digits.slice(-places)}`
}
