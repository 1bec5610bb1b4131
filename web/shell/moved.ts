/** Addresses of earlier versions, in bookmarks and old messages, and those that lead on from there. */
export const moved: Record<string, string> = {
  '/containers': '/services',
  '/clusters': '/services',
  '/functions': '/services?kind=function'
}

/** @returns the address to go on to, with the filters of the old one */
export const follow = (from: string, query: string): string => {
  const [path = '', own = ''] = (moved[from] ?? '/').split('?')
  const search = new URLSearchParams([...new URLSearchParams(own), ...new URLSearchParams(query)]).toString()
  return search === '' ? path : `${path}?${search}`
}
