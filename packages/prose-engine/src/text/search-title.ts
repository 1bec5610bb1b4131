import type { BrandRules } from '../schemas/brand.js'
import type { ContentBody } from '../schemas/text.js'

type Titled = Pick<ContentBody, 'title' | 'seo'>

/** @returns the title that search engines show: in the brand's template, if any; undefined = the page's own */
export const searchTitleOf = ({ title, seo }: Titled, { title_template: template }: BrandRules['seo']):
string | undefined => template === undefined ? seo.title : template.replaceAll('{title}', () => seo.title ?? title)

/** @returns the record as a target gets it */
export const withSearchTitle = <T extends Titled>(record: T, seo: BrandRules['seo']): T => {
  const title = searchTitleOf(record, seo)
  return title === undefined ? record : { ...record, seo: { ...record.seo, title } }
}
