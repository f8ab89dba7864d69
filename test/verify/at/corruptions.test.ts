// Files that somebody changed after they were signed, without the signing key: the verifier names
// the receipt.
import { describe, expect, it } from 'vitest'
import { compact, depOf, FAILED, newSigner, repaint } from '../../support/dep7-maker.js'
import { brief, findingsOf, judged, replaced, scene } from '../../support/dep7-scene.js'

const made = scene()
const { receipts } = made

/** Without entry `number`. */
function without(number: number): string[] {
  return receipts.filter((_, index) => index !== number - 1)
}

function swapped(first: number): string[] {
  const copy = [...receipts]
  copy.splice(first - 1, 2, receipts[first] ?? '', receipts[first - 1] ?? '')
  return copy
}

function moved(from: number, to: number): string[] {
  const copy = [...receipts]
  const [entry = ''] = copy.splice(from - 1, 1)
  copy.splice(to - 1, 0, entry)
  return copy
}

function flipped(text: string): string {
  const bytes = Buffer.from(text, 'base64')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  return bytes.toString('base64')
}

/** Field `at` of receipt `number` changed, signature left as it was. */
function painted(number: number, at: number, change: (text: string) => string): string[] {
  const paint = (fields: string[]) => {
    fields[at] = change(fields[at] ?? '')
  }
  return replaced(receipts, number, (jws) => repaint(jws, paint))
}

describe('a clean file', () => {
  it('gives no finding', async () => {
    expect(await judged(made)).toEqual([])
  })

  it('gives no finding without the key', async () => {
    expect(await findingsOf(depOf({ receipts }))).toEqual([])
  })
})

describe('one receipt changed without the signing key', () => {
  const cases: [string, string[], string[]][] = [
    [
      'an amount one cent up',
      painted(14, 5, (text) => text.replace(/.$/, '9')),
      ['RECEIPT_ALTERED 14'],
    ],
    ['the number', painted(14, 3, () => '999'), ['RECEIPT_ALTERED 999']],
    ['the Kassen-ID', painted(14, 2, () => 'OTHER'), ['RECEIPT_ALTERED 14']],
    ['the time moved back', painted(14, 4, () => '2025-01-04T08:00:00'), ['RECEIPT_ALTERED 14']],
    ['a byte of the counter', painted(14, 10, flipped), ['RECEIPT_ALTERED 14']],
    ['a sale marked as training', painted(14, 10, () => 'VFJB'), ['RECEIPT_ALTERED 14']],
    ['a byte of the chaining value', painted(14, 12, flipped), ['RECEIPT_ALTERED 14']],
    ['the certificate serial', painted(14, 11, () => '7a3f19c3'), ['SERIAL_UNKNOWN 14']],
    ['an amount of the start receipt', painted(1, 5, () => '1,00'), ['RECEIPT_ALTERED 1']],
    ['an amount of the last receipt', painted(40, 5, () => '1,00'), ['SIGNATURE_INVALID 40']],
    ['an amount of an unsigned receipt', painted(21, 5, () => '6,00'), ['RECEIPT_ALTERED 21']],
    ['a byte of an unsigned chaining value', painted(22, 12, flipped), ['RECEIPT_ALTERED 22']],
    ['an amount of the collective receipt', painted(23, 5, () => '1,00'), ['RECEIPT_ALTERED 23']],
    [
      'the amounts of two neighbours',
      replaced(
        painted(14, 5, () => '1,00'),
        15,
        (jws) =>
          repaint(jws, (fields) => {
            fields[5] = '2,00'
          }),
      ),
      ['RECEIPT_ALTERED 14', 'RECEIPT_ALTERED 15'],
    ],
  ]
  it.each(cases)('%s: that receipt is named and no other', async (_, changed, expected) => {
    expect(await judged(made, changed)).toEqual(expected)
  })

  it('a receipt signed with another key is named', async () => {
    const { privateKey } = await newSigner()
    const forged = replaced(receipts, 14, (jws) => {
      const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()
      return compact(payload, privateKey)
    })
    expect(await judged(made, forged)).toEqual(['RECEIPT_ALTERED 14'])
  })

  it('the changed time of an unsigned receipt shows in the next one, which says so', async () => {
    const changed = painted(21, 4, (text) => text.replace(/..$/, '59'))
    const findings = await findingsOf(depOf({ receipts: changed }), { key: made.register.keyText })
    expect(brief(findings)).toEqual(['CHAIN_BROKEN 22'])
    expect(findings[0]?.text).toContain('or the unsigned receipt before it was changed')
  })

  it('another fixed text instead of that of the failed device is named', async () => {
    const other = Buffer.from('Sicherheitseinrichtung ausgefallem').toString('base64url')
    const changed = replaced(receipts, 21, (jws) => jws.replace(FAILED, other))
    expect(await judged(made, changed)).toEqual(['SIGNATURE_FORM 21'])
  })

  it('a signature replaced by the fixed text is named', async () => {
    const changed = replaced(receipts, 14, (jws) => jws.replace(/[^.]+$/, FAILED))
    const found = await judged(made, changed)
    expect(found).toEqual(['CHAIN_BROKEN 15'])
  })

  it('padding in a part is named', async () => {
    for (const part of [0, 1, 2]) {
      const changed = replaced(receipts, 14, (jws) => {
        const parts = jws.split('.')
        parts[part] = `${parts[part]}=`
        return parts.join('.')
      })
      const expected = [
        ['JWS_HEADER 14', 'RECEIPT_ALTERED 14'],
        ['JWS_FORM 14'],
        ['SIGNATURE_FORM 14'],
      ]
      expect(await judged(made, changed)).toEqual(expected[part])
    }
  })

  it('another header is named', async () => {
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const changed = replaced(receipts, 14, (jws) => jws.replace(/^[^.]+/, none))
    expect(await judged(made, changed)).toEqual(['JWS_HEADER 14', 'RECEIPT_ALTERED 14'])
  })
})

describe('receipts missing, doubled or out of place', () => {
  const cases: [string, string[], string[]][] = [
    ['one removed', without(14), ['CHAIN_BROKEN 15']],
    ['the start receipt removed', without(1), ['START_MISSING 2']],
    ['the collective receipt removed', without(23), ['CHAIN_BROKEN 24']],
    ['a training receipt removed', without(8), ['CHAIN_BROKEN 9']],
    ['two neighbours swapped', swapped(14), ['RECEIPT_SWAPPED 15', 'RECEIPT_SWAPPED 14']],
    ['the first two swapped', swapped(1), ['RECEIPT_SWAPPED 2', 'RECEIPT_SWAPPED 1']],
    ['the last two swapped', swapped(39), ['RECEIPT_SWAPPED 40', 'RECEIPT_SWAPPED 39']],
    [
      'failed and collective receipt swapped',
      swapped(22),
      ['RECEIPT_SWAPPED 23', 'RECEIPT_SWAPPED 22'],
    ],
    ['one moved down', moved(14, 20), ['CHAIN_BROKEN 15', 'RECEIPT_INSERTED 14']],
    ['one moved up', moved(20, 14), ['RECEIPT_INSERTED 20', 'CHAIN_BROKEN 21']],
  ]
  it.each(cases)('%s', async (_, changed, expected) => {
    expect(await judged(made, changed)).toEqual(expected)
  })

  it('a receipt doubled on the spot is named once', async () => {
    const doubled = receipts.flatMap((jws, index) => (index === 13 ? [jws, jws] : [jws]))
    const findings = await findingsOf(depOf({ receipts: doubled }), { key: made.register.keyText })
    expect(brief(findings)).toEqual(['RECEIPT_DOUBLED 14'])
    expect(findings[0]?.text).toContain('position 15')
  })

  it('a receipt doubled further down is named where the copy stands', async () => {
    const doubled = [...receipts.slice(0, 30), receipts[13], ...receipts.slice(30)]
    const findings = await findingsOf(depOf({ receipts: doubled }), { key: made.register.keyText })
    expect(brief(findings)).toEqual(['RECEIPT_DOUBLED 14'])
    expect(findings[0]?.text).toMatch(/position 31: .*position 14/)
  })

  it('a copy at the very end is named', async () => {
    const last = receipts[39]
    expect(await judged(made, [...receipts, last])).toEqual(['RECEIPT_DOUBLED 40'])
  })

  it('a receipt of another register between two others is named', async () => {
    const foreign = scene().receipts[16]
    const mixed = [...receipts.slice(0, 30), foreign, ...receipts.slice(30)]
    const found = await judged(made, mixed)
    expect(found).toEqual(['RECEIPT_DOUBLED 17'])
  })

  it('the sum of what is missing is told', async () => {
    const findings = await findingsOf(depOf({ receipts: without(14) }), {
      key: made.register.keyText,
    })
    expect(findings[0]?.text).toContain('receipts over 14,56 are missing before it')
  })

  it('a slice without its start is told once and the rest is checked', async () => {
    const slice = receipts.slice(9)
    expect(await judged(made, slice)).toEqual(['START_MISSING 10'])
    const changed = replaced(slice, 5, (jws) =>
      repaint(jws, (fields) => fields.splice(5, 1, '1,00')),
    )
    expect(await judged(made, changed)).toEqual(['START_MISSING 10', 'RECEIPT_ALTERED 14'])
  })

  it('the whole file twice over is refused', async () => {
    const found = await judged(made, [...receipts, ...receipts])
    expect(found[0]).toBe('START_NOT_FIRST 1')
    expect(found).toContain('NUMBER_DOUBLED 1')
  })
})

describe('groups and their certificates', () => {
  it('another certificate is told for the first receipts, the rest in one line', async () => {
    const { certificate } = await newSigner()
    const findings = await findingsOf(depOf({ certificate, receipts }), {
      key: made.register.keyText,
    })
    expect(brief(findings)).toEqual([
      'SERIAL_UNKNOWN 1',
      'SERIAL_UNKNOWN 2',
      'SERIAL_UNKNOWN 3',
      'SERIAL_UNKNOWN 40',
    ])
    expect(findings[3]?.text).toContain('positions 4 to 40')
  })

  it('a certificate of the same number with another key proves nothing', async () => {
    const { certificate } = await newSigner({ serial: '7a3f19c2' })
    const found = brief(
      await findingsOf(depOf({ certificate, receipts }), { key: made.register.keyText }),
    )
    expect(found.slice(0, 3)).toEqual([
      'SIGNATURE_INVALID 1',
      'SIGNATURE_INVALID 2',
      'SIGNATURE_INVALID 3',
    ])
    expect(found.length).toBeLessThanOrEqual(8)
  })

  it('groups in the wrong order are named at their first receipts', async () => {
    const text = depOf({ receipts: receipts.slice(25) }, { receipts: receipts.slice(0, 25) })
    const found = brief(await findingsOf(text, { key: made.register.keyText }))
    expect(found).toEqual(['START_MISSING 26', 'GROUP_ORDER 1'])
  })

  it('of three groups in the wrong order two first receipts are named', async () => {
    const [a, b, c] = [receipts.slice(0, 10), receipts.slice(10, 30), receipts.slice(30)]
    const text = depOf({ receipts: a }, { receipts: c }, { receipts: b })
    const found = brief(await findingsOf(text, { key: made.register.keyText }))
    expect(found).toEqual(['CHAIN_BROKEN 31', 'GROUP_ORDER 11'])
  })
})
