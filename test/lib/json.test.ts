import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  JsonError,
  JsonNumber,
  JsonObject,
  type JsonOptions,
  parseJson,
} from '../../src/lib/json.js'
import { plainOf } from '../support/json-plain.js'

function fault(text: string, options?: JsonOptions): JsonError {
  try {
    parseJson(text, options)
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
  throw new Error(`read without complaint: ${text.slice(0, 80)}`)
}

describe('parseJson', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value)
        expect(plainOf(parseJson(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  it('reads indented text and every string that JSON can carry', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
        (value) => {
          expect(plainOf(parseJson(JSON.stringify(value, null, '\t')))).toEqual({ ...value })
        },
      ),
      { numRuns: 200 },
    )
  })

  it('agrees with JSON.parse on what is JSON, whatever the text', () => {
    const parts = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      '\\u00e4',
      'a',
      '0',
      '-',
      '1.5',
      'e',
      ' ',
    ]
    const text = fc.array(fc.constantFrom(...parts, 'true', 'null', '\t', '\u0001'), {
      maxLength: 9,
    })
    fc.assert(
      fc.property(text, (pieces) => {
        const source = pieces.join('')
        expect(isReadBy(() => parseJson(source))).toBe(isReadBy(() => JSON.parse(source)))
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    '4707387510509010945',
    '9223372036854775807',
    '-9223372036854775808',
    '123456789012345678901234567890',
    '0.10',
    '-0.00',
    '1E-7',
    '79228162514264337593543950335',
  ])('keeps the number %s digit by digit', (text) => {
    const value = parseJson(`[${text}]`)
    expect(value).toEqual([new JsonNumber(text)])
  })

  it('keeps doubled members and their order', () => {
    const value = parseJson('{"b":1,"a":2,"b":3}')
    expect(value).toBeInstanceOf(JsonObject)
    const { names, values } = value as JsonObject
    expect(names).toEqual(['b', 'a', 'b'])
    expect(values.map((one) => (one as JsonNumber).text)).toEqual(['1', '2', '3'])
    expect((value as JsonObject).get('b')).toEqual(new JsonNumber('3'))
    expect((value as JsonObject).get('c')).toBeUndefined()
  })

  it('gives a member called __proto__ no power', () => {
    const value = parseJson('{"__proto__":{"polluted":1}}') as JsonObject
    expect(value.names).toEqual(['__proto__'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

function isReadBy(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

describe('nesting', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  it('64 levels are read, 65 are refused', () => {
    expect(parseJson(nested(64))).toBeInstanceOf(Array)
    expect(parseJson(objects(64))).toBeInstanceOf(JsonObject)
    expect(fault(nested(65)).message).toContain('deeper than 64')
    expect(fault(objects(65)).message).toContain('deeper than 64')
  })

  it('another limit can be asked for', () => {
    expect(fault(nested(4), { depth: 3 }).message).toContain('deeper than 3')
    expect(parseJson(nested(3), { depth: 3 })).toBeInstanceOf(Array)
  })

  it('a hundred thousand levels are refused at the 65th', () => {
    for (const text of [nested(100_000), objects(100_000), '['.repeat(100_000)]) {
      expect(fault(text).position).toBeLessThan(65 * 6)
    }
  })
})

describe('comments', () => {
  const read = (text: string) => parseJson(text, { comments: true })
  const written = '{"a":[1,2],"b":"x"}'

  it.each([
    '// first\n{"a":[1,2],"b":"x"}',
    '{"a":/* one */[1,// two\r\n2/**/],/*/ three */"b"/* four\n** */:"x"} // five',
    '/* a *//* b */ // c\n//\n{"a":[1,2],"b":"x"}//',
    '{"a":[1,2],//\r"b":"x"}',
  ])('%j is read as if they were blanks', (text) => {
    expect(read(text)).toEqual(parseJson(written))
    expect(() => parseJson(text)).toThrow(JsonError)
  })

  it('a text that looks like one is a text', () => {
    const text = '{"url":"http://x/*y*/z","n":["//"]}'
    expect(read(text)).toEqual(parseJson(text))
  })

  it.each([
    '{"a":1 / 2}',
    '{"a":1 /',
    '/* never closed {"a":1}',
    '/*/ {"a":1}',
    '{"a":1}/*',
    '{"a":1 /* x */ 2}',
    '{"a":1/**/2}',
    '// only a comment',
    '{"a":1# no\n}',
  ])('%j is refused', (text) => {
    expect(() => read(text)).toThrow(JsonError)
  })

  it('megabytes of them are passed in one go', () => {
    const many = '/**/'.repeat(500_000) + '//\n'.repeat(300_000)
    expect(read(`${many}[]`)).toEqual([])
  })
})

describe('a trailing comma', () => {
  it('is refused unless asked for', () => {
    expect(fault('[1,]').position).toBe(3)
    expect(fault('{"a":1,}').message).toContain('member name')
  })

  it('is read once before each bracket when asked for', () => {
    const options = { trailingComma: true }
    expect(plainOf(parseJson('{"a":[1,2,],"b":{"c":1,},}', options))).toEqual({
      a: [1, 2],
      b: { c: 1 },
    })
    expect(plainOf(parseJson('[1 , \r\n ]', options))).toEqual([1])
    for (const text of ['[1,,]', '[,]', '{,}', '{"a":1,,}', '[,1]', '1,', '[1],']) {
      expect(fault(text, options)).toBeInstanceOf(JsonError)
    }
  })
})

describe('clean text', () => {
  const options = { cleanText: true }

  it('refuses every control character but tab and line ends, however it is escaped', () => {
    for (let code = 0; code < 0x20; code += 1) {
      const text = `["a\\u00${code.toString(16).padStart(2, '0')}"]`
      const allowed = [0x09, 0x0a, 0x0d].includes(code)
      if (allowed) expect(parseJson(text, options)).toEqual([`a${String.fromCharCode(code)}`])
      else expect(fault(text, options).path).toBe('[0]')
      expect(parseJson(text)).toEqual([`a${String.fromCharCode(code)}`])
    }
    expect(fault('["\\b"]', options).message).toContain('control character')
    expect(fault('["\\f"]', options).message).toContain('control character')
    expect(parseJson('["\\t\\r\\n"]', options)).toEqual(['\t\r\n'])
  })

  it('refuses half a surrogate pair and reads a whole one', () => {
    expect(fault('["\\ud800"]', options).message).toContain('surrogate')
    expect(fault('["\\udc00\\ud800"]', options).message).toContain('surrogate')
    expect(parseJson('["\\ud83d\\ude39"]', options)).toEqual(['\u{1f639}'])
  })

  it('holds for member names too', () => {
    expect(fault('{"\\u0000":1}', options).message).toContain('control character')
  })
})

describe('a fault', () => {
  it.each([
    ['{"cbChargeItems":[{"Amount":1},{"Amount":NaN}]}', 'cbChargeItems[1].Amount'],
    ['{"a":{"b":[[],[0,tru]]}}', 'a.b[1][1]'],
    ['{"a":1,"b":"x', 'b'],
    ['[1,2,x]', '[2]'],
    ['{"a":1 "b":2}', ''],
    ['', ''],
  ])('in %s is at %j', (text, path) => {
    expect(fault(text).path).toBe(path)
  })

  it('tells the position', () => {
    expect(fault('{"a":01}').position).toBe(6)
    expect(fault('  x').message).toContain('position 2')
  })

  it('stays short when the names are long', () => {
    const error = fault(`{"${'x'.repeat(100_000)}":{"${'y'.repeat(100_000)}":NaN}}`)
    expect(error.path.length).toBeLessThan(300)
    expect(error.message.length).toBeLessThan(300)
  })
})

// A reader that looks at anything twice per element would need hours for these.
describe('two million characters are read in one pass', () => {
  const size = 2_000_000
  const inputs: Record<string, string> = {
    'escaped quotes': `["${'\\"'.repeat(size / 2)}"]`,
    'escaped backslashes': `["${'\\\\'.repeat(size / 2)}"]`,
    'a run of backslashes that never ends': `["${'\\\\'.repeat(size / 2)}`,
    'unicode escapes': `["${'\\u00e4'.repeat(size / 6)}"]`,
    digits: `[${'7'.repeat(size)}]`,
    blanks: `[${' '.repeat(size)}]`,
    'small members': `{${'"a":1,'.repeat(size / 6)}"b":1}`,
    'small strings': `[${'"",'.repeat(size / 3)}1]`,
    'an open string': `["${'a'.repeat(size)}`,
  }
  it.each(Object.entries(inputs))('%s', (_name, text) => {
    expect(isReadBy(() => parseJson(text))).toBe(isReadBy(() => JSON.parse(text)))
  })
})
