import './picture.css'

const own = /^\/content\/images\/[\da-f-]{36}\.(?:png|jpg|gif|webp)$/

/** @returns the path of an image that this Steward keeps; undefined for others, which the page does not fetch */
export const ownPath = (url: string): string | undefined => {
  if (!URL.canParse(url, location.href)) return undefined
  const { pathname } = new URL(url, location.href)
  return own.test(pathname) ? pathname : undefined
}

interface Props { url: string, alt: string, small?: boolean }

/** An image of ours as readers see it; of another site, its address. */
export const Picture = ({ url, alt, small = false }: Props) => {
  const path = ownPath(url)
  return path === undefined
    ? <a class='small cut' href={url} target='_blank' rel='noopener noreferrer'>{alt || url}</a>
    : <img class={small ? 'picture small' : 'picture'} src={path} alt={alt} loading='lazy' />
}
