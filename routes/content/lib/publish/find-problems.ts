import type { RenderedPart, RenderingProblem } from '../../../../schemas/content/renderings.js'

const unescape = (text: string): string =>
  text.replace(/&#x([0-9A-F]{1,6});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Our own HTML has each attribute in double quotes, and no `<` or `>` outside of tags. */
const tagsOf = (html: string): string[] => [...html.matchAll(/<[a-z][^<>]*>/g)].map(([tag]) => tag)

const valueOf = (tag: string, name: string): string | undefined => {
  const start = tag.indexOf(` ${name}="`)
  if (start < 0) return undefined
  const from = start + name.length + 3
  return unescape(tag.slice(from, tag.indexOf('"', from)))
}

const decode = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/**
 * @param site where a page with this HTML stands; undefined = it has no address of its own, as in a mail
 * @returns links that lead nowhere from there, and images without a text
 */
export const problemsOfHtml = ({ name: part, text }: RenderedPart, site: string | undefined): RenderingProblem[] => {
  const tags = tagsOf(text)
  const ids = new Set(tags.map((tag) => valueOf(tag, 'id')))
  const isDead = (address: string): boolean => address.startsWith('#')
    ? !ids.has(address.slice(1)) && !ids.has(decode(address.slice(1)))
    : !URL.canParse(address, site)
  return tags.flatMap((tag): RenderingProblem[] => {
    const address = valueOf(tag, 'href') ?? valueOf(tag, 'src')
    if (address === undefined) return []
    const isBlind = tag.startsWith('<img') && (valueOf(tag, 'alt') ?? '').trim() === ''
    return [
      ...(isDead(address) ? [{ code: 'dead_link' as const, part, address }] : []),
      ...(isBlind ? [{ code: 'missing_alt' as const, part, address }] : [])
    ]
  })
}
