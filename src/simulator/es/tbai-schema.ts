// ticketBaiV1-2-2 and Anula_ticketBaiV1-2-2 as tables, and corrections (Zuzendu) as public programs
// send them.
import { COUNTRY } from '../../device/es/countries.js'
import type { Shapes } from '../shape.js'

const text = (most: number, least = 0): RegExp => new RegExp(`^[\\s\\S]{${least},${most}}$`)
const AMOUNT = /^[+-]?\d{1,12}(\.\d{0,2})?$/
const LONG = /^[+-]?\d{1,12}(\.\d{0,8})?$/

export const tbaiShapes: Shapes = {
  ...{ nif: text(9, 9), series: text(20), number: text(20, 1), t20: text(20), t30: text(30) },
  ...{ t100: text(100), t120: text(120), t250: text(250), full: text(250, 1) },
  ...{ date: /^\d\d-\d\d-\d{4}$/, time: /^\d\d:\d\d:\d\d$/, amount: AMOUNT, long: LONG },
  ...{ version: /^1\.2$/, yesNo: /^[SN]$/, by: /^[NTD]$/, country: COUNTRY },
  ...{ idType: /^0[2-6]$/, code: /^R[1-5]$/, kind: /^[SI]$/, rate: /^\d{1,3}(\.\d{0,2})?$/ },
  key: /^(0[1-9]|1[0-579]|5[1-4])$/,
  ...{ cause: /^E[1-6]$/, taxed: /^S[12]$/, outside: /^(OT|RL|VT|IE)$/ },

  issue: [
    ...['Cabecera:head', 'Sujetos:parties', 'Factura:invoice', 'HuellaTBAI:print'],
    'Signature:signature',
  ],
  cancel: ['Cabecera:head', 'IDFactura:cancelled', 'HuellaTBAI:mark', 'Signature:signature'],
  correct: [
    ...['Cabecera:correctHead', 'Sujetos:parties', 'Factura:invoice', 'HuellaTBAI:print'],
    ...['SignatureValueFirmaFactura:t100', 'Signature:signature'],
  ],
  ...{ correctHead: ['IDVersion:first', 'Accion:action'], first: /^1\.0$/ },
  action: /^(SUBSANAR|MODIFICAR)$/,
  head: ['IDVersionTBAI:version'],
  parties: [
    ...['Emisor:issuer', 'Destinatarios:recipients?', 'VariosDestinatarios:yesNo?'],
    'EmitidaPorTercerosODestinatario:by?',
  ],
  issuer: ['NIF:nif', 'ApellidosNombreRazonSocial:t120'],
  recipients: ['IDDestinatario:recipient+'],
  recipient: [
    ...['NIF:nif|IDOtro:other', 'ApellidosNombreRazonSocial:t120', 'CodigoPostal:t20?'],
    'Direccion:t250?',
  ],
  other: ['CodigoPais:country?', 'IDType:idType', 'ID:t20'],
  invoice: ['CabeceraFactura:top', 'DatosFactura:data', 'TipoDesglose:kinds'],
  top: [
    ...['SerieFactura:series?', 'NumFactura:number', 'FechaExpedicionFactura:date'],
    ...['HoraExpedicionFactura:time', 'FacturaSimplificada:yesNo?'],
    ...['FacturaEmitidaSustitucionSimplificada:yesNo?', 'FacturaRectificativa:rectifies?'],
    'FacturasRectificadasSustituidas:earlier?',
  ],
  rectifies: ['Codigo:code', 'Tipo:kind', 'ImporteRectificacionSustitutiva:difference?'],
  difference: [
    'BaseRectificada:amount',
    'CuotaRectificada:amount',
    'CuotaRecargoRectificada:amount?',
  ],
  earlier: ['IDFacturaRectificadaSustituida:id+'],
  id: ['SerieFactura:series?', 'NumFactura:number', 'FechaExpedicionFactura:date'],
  data: [
    ...['FechaOperacion:date?', 'DescripcionFactura:full', 'DetallesFactura:details?'],
    ...['ImporteTotalFactura:amount', 'RetencionSoportada:amount?', 'BaseImponibleACoste:amount?'],
    'Claves:keys',
  ],
  details: ['IDDetalleFactura:detail+'],
  detail: [
    ...['DescripcionDetalle:full', 'Cantidad:long', 'ImporteUnitario:long', 'Descuento:long?'],
    'ImporteTotal:long',
  ],
  keys: ['IDClave:keyOf+'],
  keyOf: ['ClaveRegimenIvaOpTrascendencia:key'],
  kinds: ['DesgloseFactura:breakdown|DesgloseTipoOperacion:supplies'],
  supplies: ['PrestacionServicios:breakdown?', 'Entrega:breakdown?'],
  breakdown: ['Sujeta:subject?', 'NoSujeta:notSubject?'],
  subject: ['Exenta:exempt?', 'NoExenta:notExempt?'],
  exempt: ['DetalleExenta:exemptRow+'],
  exemptRow: ['CausaExencion:cause', 'BaseImponible:amount'],
  notExempt: ['DetalleNoExenta:notExemptRow+'],
  notExemptRow: ['TipoNoExenta:taxed', 'DesgloseIVA:rates'],
  rates: ['DetalleIVA:rateRow+'],
  rateRow: [
    ...['BaseImponible:amount', 'TipoImpositivo:rate?', 'CuotaImpuesto:amount?'],
    ...['TipoRecargoEquivalencia:rate?', 'CuotaRecargoEquivalencia:amount?'],
    'OperacionEnRecargoDeEquivalenciaORegimenSimplificado:yesNo?',
  ],
  notSubject: ['DetalleNoSujeta:notSubjectRow+'],
  notSubjectRow: ['Causa:outside', 'Importe:amount'],
  print: ['EncadenamientoFacturaAnterior:link?', 'Software:software', 'NumSerieDispositivo:t30?'],
  mark: ['Software:software', 'NumSerieDispositivo:t30?'],
  link: [
    ...['SerieFacturaAnterior:series?', 'NumFacturaAnterior:number'],
    ...['FechaExpedicionFacturaAnterior:date', 'SignatureValueFirmaFacturaAnterior:t100'],
  ],
  software: ['LicenciaTBAI:t20', 'EntidadDesarrolladora:maker', 'Nombre:t120', 'Version:t20'],
  maker: ['NIF:nif|IDOtro:other'],
  cancelled: ['Emisor:issuer', 'CabeceraFactura:id'],
}
