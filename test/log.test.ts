// What of an error gets into the log.
import { describe, expect, it } from 'vitest'
import { shownError } from '../src/log.js'

describe('an error in the log', () => {
  it('is its kind, text, code, place and cause, and nothing that a library hangs onto it', () => {
    const cause = Object.assign(new Error('closed'), { code: 'ECONNRESET', client: { rows: 1 } })
    const error = Object.assign(new TypeError('broken', { cause }), {
      detail: 'Failing row contains (geheim)',
      client: { _queryQueue: [{ values: ['geheim'] }] },
    })
    const shown = shownError(error)
    expect(shown).toMatchObject({
      type: 'TypeError',
      message: 'broken',
      stack: expect.stringContaining('log.test'),
      cause: { type: 'Error', message: 'closed', code: 'ECONNRESET' },
    })
    expect(Object.keys(Object(shown)).sort()).toEqual(['cause', 'message', 'stack', 'type'])
    expect(JSON.stringify(shown)).not.toContain('geheim')
  })

  it('that is none is written as it is', () => {
    expect(shownError('text')).toBe('text')
  })
})
