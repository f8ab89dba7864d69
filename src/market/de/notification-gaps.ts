// What a notification of a till lacks before the tax office takes it.
import type { Gap, Missing, Notification, UnitFacts } from '../../model/queue-facts.js'

/** BSI TR-03153: the hash of a key, SHA-256 at least. */
const SERIAL = /^[0-9a-f]{64,}$/i
/** As certificates of the BSI name it; the form of ELSTER takes the two numbers alone. */
const CERTIFICATION = /^(BSI-K-TR-)?\d{4}-\d{4}$/i

/** In the order of the form. */
export function gapsOf(
  { merchant, outlet, system }: Notification,
  units: readonly UnitFacts[],
): Missing[] {
  const number = { outlet: outlet.outletNumber }
  const address = ['street', 'postalCode', 'city'] as const
  return [
    ...absent('merchant', merchant, { names: ['name', 'taxId', ...address], gap: 'gapCompany' }),
    ...taxGaps(merchant),
    ...absent('outlet', outlet, { names: ['name', ...address], gap: 'gapOutlet', details: number }),
    ...absent('system', system, {
      names: ['kind', 'manufacturer', 'model', 'softwareVersion'],
      gap: 'gapSystem',
    }),
    ...units.flatMap(unitGaps),
  ]
}

interface Wanted<T> {
  names: readonly (keyof T & string)[]
  gap: Gap
  details?: Record<string, string | number>
}

function absent<T extends object>(
  part: string,
  value: T,
  { names, gap, details = {} }: Wanted<T>,
): Missing[] {
  return names
    .filter((name) => value[name] === null)
    .map((name) => ({ member: `${part}.${name}`, gap, details: { name, ...details } }))
}

/** Neither a person's number nor one of which the state is known. */
function taxGaps({ taxId, taxNumber, identificationNumber }: Notification['merchant']): Missing[] {
  if (taxId === null || taxNumber !== null || identificationNumber !== null) return []
  return [{ member: 'merchant.taxNumber', gap: 'gapTaxNumber', details: { value: taxId } }]
}

function unitGaps({ scuId, serialHexadecimal, certificationId }: UnitFacts, at: number): Missing[] {
  const path = `units[${at}]`
  const gap = (name: string, how: Gap, value = ''): Missing => ({
    ...{ member: `${path}.${name}`, gap: how, details: { name, value, scu: scuId } },
  })
  // the serial number of a unit that was never reached is missing in every country
  const serial =
    serialHexadecimal === null || SERIAL.test(serialHexadecimal)
      ? []
      : [gap('serialHexadecimal', 'gapSerial', serialHexadecimal)]
  if (serialHexadecimal === null) return []
  if (certificationId === null || !CERTIFICATION.test(certificationId)) {
    return [...serial, gap('certificationId', 'gapCertification', certificationId ?? '-')]
  }
  return serial
}
