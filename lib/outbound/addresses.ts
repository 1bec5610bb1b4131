import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What IANA has given out of IPv6 as global unicast; ::/96 (IPv4-compatible), 100::/8 and the like are not in it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** ipaddr.js reads `::8.8.8.8` as a mapped address, which it is not; resolvers write ::808:808 so, URLs do not. */
const withoutDots = (address: string): string =>
  isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address

/** Public by the registries, but served by the host a cloud's machine runs on: Azure's WireServer. */
const platformServices = new Set(['168.63.129.16'])

/**
 * By IANA's registries of special-purpose addresses, which ipaddr.js has as ranges.
 * @param address as a resolver or a URL names it
 * @returns whether it is a public one: no loopback, private, link-local, shared, mapped, translated or reserved range,
 *   and nothing that a cloud serves to its own machines
 */
export const isPublicAddress = (address: string): boolean => {
  const bare = withoutDots(address.replace(/^\[|\]$/g, '').replace(/%.*/, ''))
  if (!ipaddr.isValid(bare)) return false
  // A mapped address is what it maps to; an address that translates to IPv4 (NAT64, 6to4, Teredo) is no unicast here.
  const parsed = ipaddr.process(bare)
  if (parsed.range() !== 'unicast' || platformServices.has(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}

export const isAddress = (host: string): boolean => ipaddr.isValid(host.replace(/^\[|\]$/g, ''))
