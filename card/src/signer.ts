// The card of one till: found by its reader or its certificate, asked by one caller at a time,
// given up where it is stuck. A PIN that a card has refused is never sent again, whoever starts
// anew.
import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Pcsc, PcscError } from './pcsc.js'
import { type CardKind, CardRefusal, certificateOf, kindOf, signed } from './rk-chip.js'

export interface SignerOptions {
  pin: string
  /** Name of the reader, or a part of it; left out: the first with such a card. */
  reader?: string | undefined
  /** Of the certificate, hexadecimal, where several cards are there. */
  serial?: string | undefined
  /** No other program may use the card meanwhile. */
  isExclusive?: boolean | undefined
  /** Where it is kept which PIN was refused. */
  state: string
  socket?: string | undefined
}

export interface Identity {
  zda: 'AT1'
  /** Base64 of the DER bytes. */
  certificate: string
  card: string
  /** The kind of the card is not certified behind this day. */
  certifiedUntil?: string
}

/** `pin`: somebody has to see to it. `away`: nothing was done. `refused`: the card says no. */
export class SignerError extends Error {
  override name = 'SignerError'
  readonly reason: 'pin' | 'away' | 'refused'

  constructor(reason: SignerError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

const ZDA = 'AT1'
/** A reader that says nothing for so long is given up. */
const STUCK_MS = 60_000

interface Found {
  kind: CardKind
  line: Awaited<ReturnType<Pcsc['connect']>>
  certificate: Buffer
}

export class Signer {
  private readonly options: SignerOptions
  private service: Pcsc | undefined
  private found: Found | undefined
  private last: Promise<unknown> = Promise.resolve()

  constructor(options: SignerOptions) {
    this.options = options
    if (!/^\d{4,8}$/.test(options.pin)) throw new Error('the PIN is 4 to 8 digits')
  }

  identity(): Promise<Identity> {
    return this.inTurn(async () => {
      const { kind, certificate } = await this.card()
      const { name: card, until } = kind
      const base = { zda: ZDA, certificate: certificate.toString('base64'), card } as const
      return until === undefined ? base : { ...base, certifiedUntil: until }
    })
  }

  sign(hash: Buffer): Promise<Buffer> {
    return this.inTurn(async () => {
      const found = await this.card()
      this.demandUntried(found)
      const { pin } = this.options
      try {
        return await found.line.alone(() => signed(found.line, found.kind, { pin, hash }))
      } catch (error) {
        if (error instanceof CardRefusal && isPinRefused(error)) this.latch(found)
        throw error
      }
    })
  }

  close(): void {
    this.leave()
  }

  // ------------------------------------------------------------------------ the card

  private async card(): Promise<Found> {
    this.found ??= await this.look()
    return this.found
  }

  private async look(): Promise<Found> {
    this.service ??= await Pcsc.open(this.options.socket)
    const { reader = '', serial } = this.options
    const wanted = serial?.replace(/^0x/i, '').replaceAll(':', '').toUpperCase()
    for (const { name, atr } of await this.service.readers()) {
      const kind = kindOf(atr)
      if (kind === undefined || !name.includes(reader)) continue
      const line = await this.service.connect(name, this.options.isExclusive ?? false)
      const certificate = await line.alone(() => certificateOf(line, kind))
      const { serialNumber } = new X509Certificate(certificate)
      if (wanted === undefined || serialNumber.replace(/^0+/, '') === wanted.replace(/^0+/, '')) {
        return { kind, line, certificate }
      }
      await line.close()
    }
    throw new SignerError('away', 'no reader holds the card')
  }

  /** What failed on the way is made anew by the next call. */
  private leave(): void {
    this.service?.close()
    this.service = undefined
    this.found = undefined
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => this.guarded(work))
    this.last = Promise.allSettled([turn])
    return turn
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const stuck = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new PcscError('the reader is stuck')), STUCK_MS)
    })
    try {
      return await Promise.race([work(), stuck])
    } catch (error) {
      if (error instanceof SignerError) throw error
      this.leave()
      if (error instanceof CardRefusal) throw refusalOf(error)
      throw new SignerError('away', error instanceof Error ? error.message : String(error))
    } finally {
      clearTimeout(timer)
    }
  }

  // ------------------------------------------------------------------------- the PIN

  private demandUntried(found: Found): void {
    if (!existsSync(this.options.state)) return
    if (readFileSync(this.options.state, 'utf8').split('\n').includes(this.mark(found))) {
      throw new SignerError('pin', 'the card has refused this PIN: it is not sent again')
    }
  }

  private latch(found: Found): void {
    writeFileSync(this.options.state, `${this.mark(found)}\n`, { flag: 'a', mode: 0o600 })
  }

  private mark({ certificate }: Found): string {
    return createHash('sha256').update(certificate).update(this.options.pin).digest('hex')
  }
}

function isPinRefused({ status }: CardRefusal): boolean {
  return status.startsWith('63C') || status === '6983'
}

function refusalOf(error: CardRefusal): SignerError {
  return new SignerError(isPinRefused(error) ? 'pin' : 'refused', error.message)
}
