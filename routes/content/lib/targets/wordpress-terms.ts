import type { StoredTarget } from '../../../../db/content/tables.js'
import { requireAnswer, type CallSite } from './site-client.js'
import { SiteRefused } from './site.js'

/** A category or a user, as far as we read them. */
interface Named { id: number, slug: string }

const api = '/wp-json/wp/v2'

/** @throws SiteRefused with the code, where the site has none with one of the slugs */
const idsOf = async (call: CallSite, path: 'categories' | 'users', slugs: readonly string[], code: string):
Promise<number[]> => {
  const query = new URLSearchParams({ slug: slugs.join(','), per_page: '100' })
  // The API answers a list; requireAnswer has refused errors.
  const found = requireAnswer(await call('GET', `${api}/${path}?${query}`)) as Named[]
  return slugs.map((slug) => {
    const id = found.find((one) => one.slug === slug)?.id
    if (id === undefined) throw new SiteRefused(404, false, code)
    return id
  })
}

/**
 * @returns the author and the categories of a post, by their ids at the site
 * @throws SiteRefused, OutboundError
 */
export const termsOf = async (call: CallSite, { config: { categories = [], author } }: StoredTarget):
Promise<{ categories?: number[], author?: number }> => {
  const [by] = author === undefined ? [] : await idsOf(call, 'users', [author], 'author_not_found')
  const ids = categories.length === 0 ? [] : await idsOf(call, 'categories', categories, 'category_not_found')
  return { ...(ids.length > 0 && { categories: ids }), ...(by !== undefined && { author: by }) }
}
