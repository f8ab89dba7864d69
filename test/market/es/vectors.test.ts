// Published vectors: fingerprints of the AEAT (document on the huella 0.1.2), its QR example, codes
// and QR addresses of TicketBAI, check digits; and the worked chain byte for byte.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isNif } from '../../../src/market/es/customer.js'
import { codeOf, crcOf, linkOf, qrOf } from '../../../src/market/es/ticketbai.js'
import { huellaOf, qrAddress } from '../../../src/market/es/verifactu.js'
import { isTaxNumber } from '../../../src/simulator/es/tax-number.js'
import { coffee, customer, judge, newQueue } from '../../verify/es/files.js'
import { QUEUE_ID } from './queue.js'

const fields = (text: string) =>
  text.split('&').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })

const VECTORS: [string, string][] = JSON.parse(
  readFileSync(new URL('vectors/huellas.json', import.meta.url), 'utf8'),
).huellas

describe('fingerprints', () => {
  it.each(VECTORS)('%s', (text, huella) => {
    expect(huellaOf(fields(text))).toBe(huella)
  })
})

describe('the worked chain', () => {
  it('has the huellas of the reference, over all series and operations', async () => {
    const unit = { nif: '89890001K', name: 'Prueba' }
    const queue = await newQueue({ unit })
    await queue.run({ reference: 'start', kind: 0x4001 })
    expect(QUEUE_ID).toBe('0f68a617-c0cd-4249-9c48-c48da217ff77')
    expect(queue.state.simplified.name).toBe('fktF6ZoD83ASZx0000')
    const at = (time: string) => {
      queue.moment = new Date(`2026-06-15T${time}+02:00`)
    }
    const course = { text: 'Curso', amount: 121, kind: 0x23 }
    const huellas: string[] = []
    for (const [time, sent] of [
      ['10:30:15', { reference: 'a', kind: 1, charges: [coffee], pays: [[12.1]] }],
      ['10:31:00', { reference: 'b', kind: 0x1002, customer, charges: [course], pays: [[121]] }],
      [
        '10:32:00',
        {
          ...{ reference: 'c', kind: 0x100_0001, previous: 'a', pays: [[-12.1]] },
          charges: [{ ...coffee, amount: -12.1, quantity: -1 }],
        },
      ],
      [
        '10:33:00',
        {
          ...{ reference: 'd', kind: 0x1001, previous: 'e', customer, pays: [[12.1]] },
          charges: [coffee],
        },
      ],
      [
        '10:34:00',
        {
          ...{ reference: 'f', kind: 0x4_1002, previous: 'b', customer, pays: [[121]] },
          charges: [course],
        },
      ],
    ] as [string, Parameters<typeof queue.run>[0]][]) {
      at(time)
      // a refunded receipt is not replaced: the fourth stands for another sale of the same number
      if (sent.previous === 'e') queue.earlier.set('e', queue.earlier.get('a') ?? [])
      const outcome = await queue.run(sent)
      expect(outcome.faults).toEqual([])
      huellas.push(outcome.signatures.find(({ caption }) => caption === 'Huella')?.data ?? '')
    }
    expect(huellas).toEqual([
      '6BA05A2AFD5954D5CFD5DD50904A7CFA6D02D78257CDA32634331F900C266934',
      'EB2E327A50561D9B61291C70386A4CDE13630F85B825A70CD5634E2B090EADDE',
      'AE57373285722ECEC573BC9C4C9E36A406E677088002B81CDD880EC817073781',
      '88578997A19A2E7A9DC12063177B1BA8E0741E8F56E31FB8FEB6ADF7B92D9852',
      'AD4FEA6CD937CBF0845C9B97FDEE6108E71BFEAFAC7B15E507920CA2465B3316',
    ])
    const qr = queue.outcomes[1]?.signatures.find(({ caption }) => caption === 'QR tributario:')
    expect(qr?.data).toBe(
      'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=89890001K&' +
        'numserie=fktF6ZoD83ASZx0000-1&fecha=15-06-2026&importe=12.10',
    )
    expect(await judge(await queue.books())).toEqual({
      findings: [],
      summary: { records: 5, issued: 4, cancelled: 1, signaturesVerified: 0 },
    })
  })
})

describe('addresses and codes', () => {
  it('the QR address is that of the public example', () => {
    const id = { nif: '89890001K', number: '12345678&G33', date: '01-01-2024' }
    const told = { amount: '241.4', isVerifiable: true }
    expect(qrAddress('https://prewww2.aeat.es', id, told)).toBe(
      'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=89890001K&' +
        'numserie=12345678%26G33&fecha=01-01-2024&importe=241.4',
    )
  })

  it.each([
    ['00000006Y', '25-10-2019', 'btFpwP8dcLGAF', 'TBAI-00000006Y-251019-btFpwP8dcLGAF-237'],
    ['S7836107H', '02-02-2022', 'f5Rn+qgOvh9Kr', 'TBAI-S7836107H-020222-f5Rn+qgOvh9Kr-238'],
    ['B00000034', '30-01-2022', 'DSI1XA1ErCoqa', 'TBAI-B00000034-300122-DSI1XA1ErCoqa-128'],
  ])('the code of %s', (nif, date, signature, code) => {
    expect(codeOf(nif, date, `${signature}and more`)).toBe(code)
  })

  it('QR addresses escape before they are summed up', () => {
    const base = 'https://batuz.eus/QRTBAI/'
    const code = 'TBAI-S7836107H-020222-f5Rn+qgOvh9Kr-238'
    expect(qrOf(base, code, { series: 'TEST', number: '001', total: '1089.00' })).toBe(
      `${base}?id=TBAI-S7836107H-020222-f5Rn%2BqgOvh9Kr-238&s=TEST&nf=001&i=1089.00&cr=174`,
    )
    const other = 'TBAI-00000006Y-251019-btFpwP8dcLGAF-237'
    expect(qrOf(base, other, { series: 'T', number: '27174', total: '4.70' })).toMatch(/&cr=007$/)
    const third = 'TBAI-B00000034-300122-DSI1XA1ErCoqa-128'
    const told = { series: 'B2022', number: '0100', total: '2343.00' }
    expect(qrOf(base, third, told)).toMatch(/&cr=110$/)
    expect(crcOf('123456789')).toBe('244')
    const link =
      'DSI1XA1ErCoqaEln++216eTQpN0qF7HQb/I3QhF54V11LEGY3ucMVH33GceRE9LtYJI7AoI0YS3q0qPOn+eTlH6Z' +
      'HVXXkcVZyi2g'
    expect(linkOf(link + 'x'.repeat(244))).toBe(link)
  })

  it.each([
    ...['89890001K', '12345678Z', 'X1234567L', 'A28083806', 'B12345674', 'S7836107H', 'N0286342A'],
  ])('%s is a tax number, and no other end of it', (nif) => {
    expect([isNif(nif), isTaxNumber(nif)]).toEqual([true, true])
    const wrong = nif.slice(0, -1) + (/\d$/.test(nif) ? (Number(nif.at(-1)) + 1) % 10 : 'Q')
    expect([isNif(wrong), isTaxNumber(wrong)]).toEqual([false, false])
  })
})
