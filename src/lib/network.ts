// The network that an address belongs to, as far as guesses are counted: who has an IPv6 address
// has 2^64 of them.
import ipaddr from 'ipaddr.js'

const LONGEST = 64
/** Of the parts of 16 bits, those that name the network. */
const NETWORK_PARTS = 4

/**
 * `192.0.2.1`, `2001:db8:0:1::/64`; IPv4 within IPv6 is IPv4, brackets and zones count for nothing.
 * Other texts stand for themselves.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return address.slice(0, LONGEST)
  const parsed = ipaddr.process(bare)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const parts = parsed.parts.slice(0, NETWORK_PARTS)
  return `${new ipaddr.IPv6([...parts, 0, 0, 0, 0]).toString()}/64`
}
