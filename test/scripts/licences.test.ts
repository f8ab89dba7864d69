// Licences of what is delivered: written down as they are, none asks for more than a notice.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { licencePage, licences } from '../../scripts/licences.js'

const FREE = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense'],
  ...['BlueOak-1.0.0', 'Python-2.0', 'Bitstream Vera and public domain'],
  // fonts: what is written with them is free of it
  'OFL-1.1',
])

it('docs/third-party.md is what is installed', () => {
  const page = readFileSync(new URL('../../docs/third-party.md', import.meta.url), 'utf8')
  expect(page, 'npx tsx scripts/licences.ts').toBe(licencePage())
})

it('nobody who uses the program has to give anything away', () => {
  // of several that are offered one is taken
  const taken = (licence: string) => licence.replace(/^\(|\)$/g, '').split(' OR ')
  const strange = licences().filter(({ licence }) => !taken(licence).some((one) => FREE.has(one)))
  expect(strange).toEqual([])
})

it('the portal is among them', () => {
  const names = new Set(licences().map(({ name }) => name))
  for (const name of ['react', 'react-dom', 'react-router', 'fastify', 'pg']) {
    expect(names, name).toContain(name)
  }
})
