// JSON as a stream of events in constant memory: a library finds the tokens, this file checks their
// order.
import { type ParsedTokenInfo, Tokenizer, TokenizerError, TokenType } from '@streamparser/json'

export type JsonScalar = string | number | boolean | null

/** What a reader of the document is told, in the order of the text. */
export interface JsonSink {
  open(bracket: '{' | '['): void
  close(): void
  name(name: string): void
  value(value: JsonScalar): void
}

/** The text is no JSON, or more than this reader is willing to hold; nothing behind it was read. */
export class JsonFault extends Error {
  override name = 'JsonFault'
}

/** No text of a collection protocol comes near; a longer token is an attack or a broken file. */
export const TOKEN_LIMIT = 65_536
const DEPTH_LIMIT = 64

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing'

export class JsonEvents {
  private readonly tokenizer = new Tokenizer()
  private readonly sink: JsonSink
  private readonly open: ('{' | '[')[] = []
  private expected: Expected = 'value'
  private waiting = 0

  constructor(sink: JsonSink) {
    this.sink = sink
    this.tokenizer.onToken = (token) => this.token(token)
  }

  /** Throws JsonFault; errors of the sink pass through. */
  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += TOKEN_LIMIT) {
      const part = chunk.subarray(at, at + TOKEN_LIMIT)
      this.waiting += part.length
      this.guarded(() => this.tokenizer.write(part))
      if (this.waiting > TOKEN_LIMIT) {
        throw new JsonFault(`nothing ends within ${TOKEN_LIMIT} bytes`)
      }
    }
  }

  /** Throws JsonFault when the document is not complete. */
  end(): void {
    this.guarded(() => this.tokenizer.end())
    if (this.expected !== 'nothing') {
      throw new JsonFault(`the text ends where ${this.expected} is expected`)
    }
  }

  /** Errors of the tokenizer become JsonFault; those of the sink stay what they are. */
  private guarded(step: () => void): void {
    try {
      step()
    } catch (error) {
      if (error instanceof TokenizerError)
        throw new JsonFault(`the text cannot be read: ${JSON.stringify(error.message)}`)
      if (isBrokenUtf8(error)) throw new JsonFault('the text is not UTF-8')
      throw error
    }
  }

  private token(found: ParsedTokenInfo): void {
    this.waiting = 0
    if (found.token === TokenType.LEFT_BRACE) this.enter('{', found)
    else if (found.token === TokenType.LEFT_BRACKET) this.enter('[', found)
    else if (found.token === TokenType.RIGHT_BRACE) this.leave('{', found)
    else if (found.token === TokenType.RIGHT_BRACKET) this.leave('[', found)
    else if (found.token === TokenType.COLON) this.separate(':', found)
    else if (found.token === TokenType.COMMA) this.separate(', or end', found)
    else this.scalar(found)
  }

  private separate(wanted: ':' | ', or end', found: ParsedTokenInfo): void {
    if (this.expected !== wanted) throw this.fault(found)
    const name = wanted !== ':' && this.open.at(-1) === '{'
    this.expected = name ? 'name' : 'value'
  }

  private scalar(found: ParsedTokenInfo): void {
    const name = this.expected === 'name' || this.expected === 'name or }'
    if (name && typeof found.value === 'string') {
      this.expected = ':'
      this.sink.name(found.value)
      return
    }
    this.startValue(found)
    this.endValue()
    this.sink.value(found.value as JsonScalar)
  }

  private enter(bracket: '{' | '[', found: ParsedTokenInfo): void {
    this.startValue(found)
    if (this.open.length === DEPTH_LIMIT) {
      throw new JsonFault(`nested deeper than ${DEPTH_LIMIT} levels at byte ${found.offset}`)
    }
    this.open.push(bracket)
    this.expected = bracket === '{' ? 'name or }' : 'value or ]'
    this.sink.open(bracket)
  }

  private leave(bracket: '{' | '[', found: ParsedTokenInfo): void {
    const empty = bracket === '{' ? 'name or }' : 'value or ]'
    const allowed = this.expected === ', or end' || this.expected === empty
    if (!allowed || this.open.at(-1) !== bracket) throw this.fault(found)
    this.open.pop()
    this.endValue()
    this.sink.close()
  }

  private startValue(found: ParsedTokenInfo): void {
    if (this.expected !== 'value' && this.expected !== 'value or ]') throw this.fault(found)
  }

  private endValue(): void {
    this.expected = this.open.length === 0 ? 'nothing' : ', or end'
  }

  private fault(found: ParsedTokenInfo): JsonFault {
    const text = String(found.value).slice(0, 20)
    return new JsonFault(
      `expected ${this.expected}, found ${JSON.stringify(text)} at byte ${found.offset}`,
    )
  }
}

function isBrokenUtf8(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === BROKEN_UTF8
}

/** How Node's TextDecoder says it. */
const BROKEN_UTF8 = 'ERR_ENCODING_INVALID_ENCODED_DATA'
