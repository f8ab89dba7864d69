// Signature policies of the Spanish authorities, and the addresses under which they are reached.
import type { EsKind, Province } from './unit.js'

export interface Policy {
  /** Identifier, which is its address for the provinces. */
  id: string
  /** Of the policy document, in Base64; where public sources differ the first one is written. */
  digests: readonly string[]
  algorithm: 'SHA-1' | 'SHA-256'
  address: string
}

const BIZKAIA =
  'https://www.batuz.eus/fitxategiak/batuz/ticketbai/' +
  'sinadura_elektronikoaren_zehaztapenak_especificaciones_de_la_firma_electronica_v1_0.pdf'

const own = (id: string, ...digests: string[]): Policy => ({
  ...{ id, digests, algorithm: 'SHA-256', address: id },
})

export const policies: Readonly<Record<EsKind, Policy>> = {
  VeriFactu: {
    ...{ id: 'urn:oid:2.16.724.1.3.1.1.2.1.9', digests: ['G7roucf600+f03r/o0bAOQ6WAs0='] },
    algorithm: 'SHA-1',
    address: 'https://sede.administracion.gob.es/politica_de_firma_anexo_1.pdf',
  },
  Araba: own(
    'https://ticketbai.araba.eus/tbai/sinadura/',
    'd69VEBc4ED4QbwnDtCA2JESgJiw+rwzfutcaSl5gYvM=',
    '4Vk3uExj7tGn9DyUCPDsV9HRmK6KZfYdRiW3StOjcQA=',
  ),
  Bizkaia: own(BIZKAIA, 'Quzn98x3PMbSHwbUzaj5f5KOpiH0u8bvmwbbbNkO9Es='),
  Gipuzkoa: own(
    'https://www.gipuzkoa.eus/ticketbai/sinadura/',
    'vSe1CH7eAFVkGN0X2Y7Nl9XGUoBnziDA5BGUSsyt8mg=',
  ),
}

interface Site {
  production: string
  test: string
}

/** Where the services are. */
export const services: Readonly<Record<EsKind, Site>> = {
  VeriFactu: {
    production: 'https://www1.agenciatributaria.gob.es',
    test: 'https://prewww1.aeat.es',
  },
  Araba: {
    production: 'https://ticketbai.araba.eus/TicketBAI/v1',
    test: 'https://pruebas-ticketbai.araba.eus/TicketBAI/v1',
  },
  Bizkaia: { production: 'https://sarrerak.bizkaia.eus', test: 'https://pruesarrerak.bizkaia.eus' },
  Gipuzkoa: {
    production: 'https://tbai-z.egoitza.gipuzkoa.eus',
    test: 'https://tbai-z.prep.gipuzkoa.eus',
  },
}

/** Where whoever scans a receipt is led. */
export const qrBases: Readonly<Record<EsKind, Site>> = {
  VeriFactu: {
    production: 'https://www2.agenciatributaria.gob.es',
    test: 'https://prewww2.aeat.es',
  },
  Araba: {
    production: 'https://ticketbai.araba.eus/tbai/qrtbai/',
    test: 'https://pruebas-ticketbai.araba.eus/tbai/qrtbai/',
  },
  Bizkaia: { production: 'https://batuz.eus/QRTBAI/', test: 'https://batuz.eus/QRTBAI/' },
  Gipuzkoa: {
    production: 'https://tbai.egoitza.gipuzkoa.eus/qr/',
    test: 'https://tbai.prep.gipuzkoa.eus/qr/',
  },
}

export type FileKind = 'issue' | 'cancel' | 'correct'
const BOOK = '/N3B4000M/aurkezpena'

/** Paths of a province behind its base; all of Bizkaia's go into its book. */
export const paths: Readonly<Record<Province, Readonly<Record<FileKind, string>>>> = {
  Araba: {
    ...{ issue: '/facturas/', cancel: '/anulaciones/', correct: '/facturas/subsanarmodificar' },
  },
  Gipuzkoa: {
    ...{ issue: '/sarrerak/alta', cancel: '/sarrerak/baja', correct: '/sarrerak/zuzendu-alta' },
  },
  Bizkaia: { issue: BOOK, cancel: BOOK, correct: BOOK },
}
