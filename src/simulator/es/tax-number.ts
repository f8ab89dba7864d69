// Spanish tax numbers as the emulated authorities check them; written apart from the market's.

const CHECK = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** DNI, NIE, K, L, M, and companies. */
export function isTaxNumber(text: string): boolean {
  const person = /^([XYZKLM]|\d)(\d{7})([A-Z])$/.exec(text)
  if (person !== null) {
    const [, first = '', digits = '', letter] = person
    const lead = 'XYZ'.includes(first) ? String('XYZ'.indexOf(first)) : first.replace(/[KLM]/, '')
    return CHECK[Number(lead + digits) % 23] === letter
  }
  const company = /^([A-HJNP-SUVW])(\d{7})([\dA-J])$/.exec(text)
  if (company === null) return false
  const [, kind = '', digits = '', last = ''] = company
  let total = 0
  for (let at = 0; at < digits.length; at += 1) {
    const value = Number(digits[at]) * (at % 2 === 0 ? 2 : 1)
    total += value > 9 ? value - 9 : value
  }
  const control = (10 - (total % 10)) % 10
  const letter = 'JABCDEFGHI'[control]
  if ('ABEH'.includes(kind)) return last === String(control)
  if ('NPQRSW'.includes(kind)) return last === letter
  return last === String(control) || last === letter
}
