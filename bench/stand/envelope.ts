// A receipt in the forms of XML, made from its JSON text, and the question for a journal.

const DATA = 'http://schemas.datacontract.org/2004/07/fiskaltrust.ifPOS.v0'

/** The request as the elements of its data contract, with a prefix in front of every name. */
function elementsOf(value: Record<string, unknown>, prefix: string): string {
  return Object.entries(value)
    .map(
      ([name, member]) => `<${prefix}${name}>${contentOf(name, member, prefix)}</${prefix}${name}>`,
    )
    .join('')
}

function contentOf(name: string, member: unknown, prefix: string): string {
  if (!Array.isArray(member)) {
    return String(member).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  }
  const item = `${prefix}${name === 'cbChargeItems' ? 'ChargeItem' : 'PayItem'}`
  return member.map((one) => `<${item}>${elementsOf(Object(one), prefix)}</${item}>`).join('')
}

/** Numbers as the texts that they are. */
function exactly(json: string): Record<string, unknown> {
  const text = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?/g, (found) =>
    found.startsWith('"') ? found : `"${found}"`,
  )
  return JSON.parse(text) as Record<string, unknown>
}

export function receiptElement(json: string): string {
  return `<ReceiptRequest xmlns="${DATA}">${elementsOf(exactly(json), '')}</ReceiptRequest>`
}

/** SOAP 1.1 as the client of .NET writes it. */
export function signEnvelope(json: string): string {
  return (
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
    `<Sign xmlns="http://tempuri.org/"><data xmlns:a="${DATA}">` +
    `${elementsOf(exactly(json), 'a:')}</data></Sign></s:Body></s:Envelope>`
  )
}

/** type, to: of a journal call whose `from` is 0. */
export function journalEnvelope(type: bigint, to: bigint): string {
  return (
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
    `<Journal xmlns="http://tempuri.org/"><ftJournalType>${type}</ftJournalType>` +
    `<from>0</from><to>${to}</to></Journal></s:Body></s:Envelope>`
  )
}
