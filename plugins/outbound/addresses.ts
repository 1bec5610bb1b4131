import ipaddr from 'ipaddr.js'

/**
 * @param address as a resolver or a URL names it
 * @returns whether it is a public one: no loopback, private, link-local, shared, mapped, translated or reserved range
 */
export const isPublicAddress = (address: string): boolean => {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return false
  // A mapped address is what it maps to; an address that translates to IPv4 (NAT64, 6to4, Teredo) is no unicast here.
  return ipaddr.process(bare).range() === 'unicast'
}

export const isAddress = (host: string): boolean => ipaddr.isValid(host.replace(/^\[|\]$/g, ''))
