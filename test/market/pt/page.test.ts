// What the page of a Portuguese receipt shows in its head: the code that was signed says it.
import { expect, it } from 'vitest'
import { page } from '../../../src/market/pt/page.js'

/** The example of the AT's technical specification of the QR code, version 1.0. */
const CODE =
  'A:123456789*B:999999990*C:PT*D:FT*E:N*F:20191231*G:FT AB2019/0035*H:CSDF7T5H-0035*I1:PT*' +
  'I2:12000.00*I3:15000.00*I4:900.00*I5:50000.00*I6:6500.00*I7:80000.00*I8:18400.00*' +
  'N:25800.00*O:182700.00*Q:kLp0*R:9999*S:TB;PT00000000000000000000000;513600.58'

const told = (data: string) => page.toldBy([{ caption: '', data }]).head

it('shows the issuer, the designation of the document and its number', () => {
  expect(told(CODE)).toEqual([
    { label: 'NIF', value: '123456789' },
    { label: 'Fatura', value: 'FT AB2019/0035' },
  ])
})

it('names the customer who has a number', () => {
  expect(told(CODE.replace('B:999999990', 'B:500000000'))).toContainEqual({
    label: 'NIF do cliente',
    value: '500000000',
  })
})

it.each([
  ['FS', 'Fatura simplificada'],
  ['NC', 'Nota de crédito'],
  ['RG', 'Recibo'],
  ['PF', 'Fatura pró-forma'],
  ['OR', 'Orçamento'],
  ['CM', 'Consulta de mesa'],
])('%s is called %s', (letters, name) => {
  const code = CODE.replace('D:FT', `D:${letters}`)
  expect(told(code).map(({ label }) => label)).toContain(name)
})

it('without a code there is nothing to show', () => {
  expect(told('IVA incluido')).toEqual([])
})
