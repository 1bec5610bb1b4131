import ipaddr from 'ipaddr.js'

/** Bits that the networks of one house share: who has one address has all of its /64, and some have a whole /48. */
const house = 64
const site = 48

/** How many times as much a site may do as a house: it may be a company. */
export const siteShare = 8

const groups = (address: ipaddr.IPv6, bits: number): string => address.parts.slice(0, bits / 16)
  .map((part) => part.toString(16).padStart(4, '0')).join(':')

/**
 * @returns what a limit by address counts: an address of IPv4, and of IPv6 its network of 64 bits, written out, so that
 *   the networks of one site begin alike
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? `${groups(parsed, house)}::/${house}` : parsed.toString()
}

/** @returns the beginning of the networks of the same site; undefined for an address of IPv4 */
export const siteOf = (network: string): string | undefined =>
  network.endsWith(`::/${house}`) ? network.slice(0, site / 16 * 5) : undefined

/** @returns the key of a limit for whoever comes from an address */
export const byAddress = (what: string, address: string): string => `${what}:${networkOf(address)}`

/** Finds the network in such a key. */
export const addressIn = /:(?<network>(?:[0-9a-f]{4}:){4}:\/64)$/
