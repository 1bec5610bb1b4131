/** A mail to one address: `name@host`, of which nothing is a list, a route or a second header. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(text)

/** @returns the domain of an address, which may be in angle brackets after a name */
export const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).replace('>', '').trim() || 'localhost'

const maxSubject = 200

/** A header is one line, whatever a title has in it. */
export const oneLine = (text: string): string => text.replace(/[\x00-\x1f\x7f\u2028\u2029]+/g, ' ').slice(0, maxSubject)
  .toWellFormed()
