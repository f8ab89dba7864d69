// SuministroLR, SuministroInformacion and ConsultaLR of the AEAT as tables.
import { COUNTRY } from '../../device/es/countries.js'
import type { Shapes } from '../shape.js'

const text = (most: number): RegExp => new RegExp(`^[\\s\\S]{0,${most}}$`)
const one = (...values: string[]): RegExp => new RegExp(`^(?:${values.join('|')})$`)
const AMOUNT = /^[+-]?\d{1,12}(\.\d{0,2})?$/
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

export const shapes: Shapes = {
  nif: /^[\s\S]{9}$/,
  ...{ t1: text(1), t2: text(2), t15: text(15), t16: text(16), t18: text(18), t20: text(20) },
  ...{ t30: text(30), t50: text(50), t60: text(60), t64: text(64), t100: text(100) },
  ...{ t120: text(120), t500: text(500) },
  number: /^[\s\S]{1,60}$/,
  date: /^\d\d-\d\d-\d{4}$/,
  stamp: STAMP,
  amount: AMOUNT,
  rate: /^\d{1,3}(\.\d{0,2})?$/,
  version: one('1.0'),
  yes: one('S'),
  yesNo: one('S', 'N'),
  type: one('F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'),
  rectified: one('S', 'I'),
  rejected: one('N', 'S', 'X'),
  by: one('D', 'T'),
  generated: one('E', 'D', 'T'),
  tax: one('01', '02', '03', '05'),
  regime: /^(0[1-9]|1[014578]|19|2[01])$/,
  marked: one('S1', 'S2', 'N1', 'N2'),
  exempt: one('E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'),
  idType: one('02', '03', '04', '05', '06', '07'),
  country: COUNTRY,
  hashKind: one('01'),
  month: one('0[1-9]', '1[0-2]'),
  year: /^\d{4}$/,

  request: ['Cabecera:header', 'RegistroFactura:row+'],
  header: [
    ...['ObligadoEmision:issuer', 'Representante:issuer?'],
    ...['RemisionVoluntaria:voluntary?', 'RemisionRequerimiento:demanded?'],
  ],
  issuer: ['NombreRazon:t120', 'NIF:nif'],
  voluntary: ['FechaFinVeriFactu:date?', 'Incidencia:yesNo?'],
  demanded: ['RefRequerimiento:t18', 'FinRequerimiento:yesNo?'],
  row: ['RegistroAlta:alta|RegistroAnulacion:anulacion'],
  person: ['NombreRazon:t120', 'NIF:nif|IDOtro:other'],
  other: ['CodigoPais:country?', 'IDType:idType', 'ID:t20'],
  id: ['IDEmisorFactura:nif', 'NumSerieFactura:number', 'FechaExpedicionFactura:date'],
  cancelledId: [
    ...['IDEmisorFacturaAnulada:nif', 'NumSerieFacturaAnulada:number'],
    'FechaExpedicionFacturaAnulada:date',
  ],
  alta: [
    ...['IDVersion:version', 'IDFactura:id', 'RefExterna:t60?', 'NombreRazonEmisor:t120'],
    ...['Subsanacion:yesNo?', 'RechazoPrevio:rejected?', 'TipoFactura:type'],
    ...['TipoRectificativa:rectified?', 'FacturasRectificadas:rectifiedList?'],
    ...['FacturasSustituidas:replacedList?', 'ImporteRectificacion:difference?'],
    ...['FechaOperacion:date?', 'DescripcionOperacion:t500', 'FacturaSimplificadaArt7273:yesNo?'],
    ...['FacturaSinIdentifDestinatarioArt61d:yesNo?', 'Macrodato:yesNo?'],
    ...['EmitidaPorTerceroODestinatario:by?', 'Tercero:person?', 'Destinatarios:recipients?'],
    ...['Cupon:yesNo?', 'Desglose:breakdown', 'CuotaTotal:amount', 'ImporteTotal:amount'],
    ...['Encadenamiento:chain', 'SistemaInformatico:system', 'FechaHoraHusoGenRegistro:stamp'],
    ...['NumRegistroAcuerdoFacturacion:t15?', 'IdAcuerdoSistemaInformatico:t16?'],
    ...['TipoHuella:hashKind', 'Huella:t64', 'Signature:signature?'],
  ],
  anulacion: [
    ...['IDVersion:version', 'IDFactura:cancelledId', 'RefExterna:t60?'],
    ...['SinRegistroPrevio:yesNo?', 'RechazoPrevio:yesNo?', 'GeneradoPor:generated?'],
    ...['Generador:person?', 'Encadenamiento:chain', 'SistemaInformatico:system'],
    ...['FechaHoraHusoGenRegistro:stamp', 'TipoHuella:hashKind', 'Huella:t64'],
    'Signature:signature?',
  ],
  rectifiedList: ['IDFacturaRectificada:id+'],
  replacedList: ['IDFacturaSustituida:id+'],
  difference: [
    'BaseRectificada:amount',
    'CuotaRectificada:amount',
    'CuotaRecargoRectificado:amount?',
  ],
  recipients: ['IDDestinatario:person+'],
  breakdown: ['DetalleDesglose:detail+'],
  detail: [
    ...['Impuesto:tax?', 'ClaveRegimen:regime?'],
    ...['CalificacionOperacion:marked|OperacionExenta:exempt', 'TipoImpositivo:rate?'],
    ...['BaseImponibleOimporteNoSujeto:amount', 'BaseImponibleACoste:amount?'],
    ...['CuotaRepercutida:amount?', 'TipoRecargoEquivalencia:rate?'],
    'CuotaRecargoEquivalencia:amount?',
  ],
  chain: ['PrimerRegistro:yes|RegistroAnterior:link'],
  link: [
    ...['IDEmisorFactura:nif', 'NumSerieFactura:t60', 'FechaExpedicionFactura:date', 'Huella:t64'],
  ],
  system: [
    ...['NombreRazon:t120', 'NIF:nif|IDOtro:other', 'NombreSistemaInformatico:t30'],
    ...['IdSistemaInformatico:t2', 'Version:t50', 'NumeroInstalacion:t100'],
    ...['TipoUsoPosibleSoloVerifactu:yesNo', 'TipoUsoPosibleMultiOT:yesNo'],
    'IndicadorMultiplesOT:yesNo',
  ],

  query: ['Cabecera:queryHeader', 'FiltroConsulta:filter'],
  queryHeader: ['IDVersion:version', 'ObligadoEmision:issuer'],
  filter: [
    ...['PeriodoImputacion:period', 'NumSerieFactura:number?', 'Contraparte:person?'],
    ...['FechaExpedicionFactura:dates?', 'SistemaInformatico:system?', 'RefExterna:t60?'],
    'ClavePaginacion:id?',
  ],
  period: ['Ejercicio:year', 'Periodo:month'],
  dates: ['FechaExpedicionFactura:date|RangoFechaExpedicion:range'],
  range: ['Desde:date', 'Hasta:date'],
}
