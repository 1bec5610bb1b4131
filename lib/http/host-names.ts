import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

const maxLength = 253
const name = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

/** What ends a name in a URL, or is decoded in one: domainToASCII would read no further. */
const separators = /[\s/?#@:\\%[\]]/

/** What follows a name in Host: the dot of the root, and a port. */
const rest = /\.?(:\d*)?$/

/** @returns the name as rows hold it: lower case, IDNA's ASCII; undefined for what is no name, an address or a port */
export const parseHostName = (text: string): string | undefined => {
  if (separators.test(text)) return undefined
  const ascii = domainToASCII(text.replace(/\.$/, ''))
  return ascii.length <= maxLength && name.test(ascii) && isIP(ascii) === 0 ? ascii : undefined
}

/** @param host what a request says: a name, maybe with a port. @returns the name as rows hold it */
export const nameOfHost = (host: string): string => host.replace(rest, '').toLowerCase()
