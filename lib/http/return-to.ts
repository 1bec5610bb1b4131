import { InvalidRequest } from '../../schemas/errors.js'

/**
 * @param path of the query; undefined = home
 * @returns a whole URL of this site: a path alone may begin with two slashes, and then names a host
 * @throws invalid_request for a URL of another site
 */
export const parseReturnTo = (path: string | undefined, home: string): string => {
  if (path === undefined || path === '') return home
  const { origin } = new URL(home)
  if (path.startsWith('/') && URL.canParse(path, origin)) {
    const target = new URL(path, origin)
    if (target.origin === origin) return target.href
  }
  const message = 'must be a path of this site'
  throw InvalidRequest(`/querystring/return_to ${message}`,
    { errors: [{ pointer: '/querystring/return_to', code: 'foreign', message }] })
}
