// Which network addresses a call from the inside may reach: the public internet and nothing else.
import { BlockList, isIP } from 'node:net'

// IANA special-purpose registries (RFC 6890 and successors): all that is not globally reachable.
const CLOSED_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier grade NAT; a cloud's metadata at 100.100.100.200
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // a cloud's platform service on a public number
  ['169.254.0.0', 16], // link-local; cloud metadata at 169.254.169.254
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved and broadcast
]

// IPv6 is the other way round: only global unicast is open. That closes loopback, link-local,
// unique local, multicast, and the IPv4 in IPv6 forms (::ffff:0:0/96, ::/96, 64:ff9b::/96).
const OPEN_V6 = ['2000::', 3] as const
const CLOSED_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments, Teredo tunnels among them
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address in disguise
  ['3fff::', 20], // documentation
]

const closed = new BlockList()
for (const [net, prefix] of CLOSED_V4) closed.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of CLOSED_V6) closed.addSubnet(net, prefix, 'ipv6')
const open = new BlockList()
open.addSubnet(...OPEN_V6, 'ipv6')

/** True for an address of the public internet; false for all others and for what is none. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  return open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}
