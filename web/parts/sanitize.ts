import DOMPurify from 'dompurify'
import { ownPath } from './picture'

const shared = { ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false, RETURN_TRUSTED_TYPE: true }

const allowed = {
  ...shared,
  ALLOWED_TAGS: ['a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li',
    'ol', 'p', 'pre', 'strong', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'target', 'rel', 'class'],
  // The values of all other attributes have to fit the expression below.
  ADD_URI_SAFE_ATTR: ['start', 'align'],
  // Beside the web, the notes of the same text and the pages of this client.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#note-[\w-]+$|#?\/(?!\/))/i
}

/** What pages at targets have besides. */
const ofPages = {
  ...allowed,
  ALLOWED_TAGS: [...allowed.ALLOWED_TAGS, 'img', 'input', 'section'],
  ALLOWED_ATTR: [...allowed.ALLOWED_ATTR, 'src', 'alt', 'type', 'checked', 'disabled'],
  ADD_URI_SAFE_ATTR: [...allowed.ADD_URI_SAFE_ATTR, 'type', 'checked', 'disabled'],
  // There a path is one of the target's site.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#note-[\w-]+$)/i
}

/** An image of another site is its text: the page fetches nothing of strangers. */
const keepOwn = (image: Element): void => {
  const path = ownPath(image.getAttribute('src') ?? '')
  if (path === undefined) image.replaceWith(image.getAttribute('alt') ?? '')
  else image.setAttribute('src', path)
}

const colours = { ...shared, ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'] }

/** The language of code, and the kind of a part of it; our own classes could dress a text up as a part of the page. */
const mayHave = (tag: string, value: string): boolean =>
  tag === 'CODE' ? /^language-[\w+#.-]{1,30}$/.test(value) : tag === 'SPAN' && /^hljs-[\w -]{1,60}$/.test(value)

DOMPurify.addHook('uponSanitizeAttribute', (node, data) => {
  if (data.attrName === 'class' && !mayHave(node.tagName, data.attrValue)) data.keepAttr = false
})

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'IMG') keepOwn(node)
  if (node.tagName === 'INPUT' && node.getAttribute('type') !== 'checkbox') node.remove()
  if (node.tagName !== 'A') return
  const href = node.getAttribute('href') ?? ''
  // Our pages are in the fragment: a path never leaves this client.
  if (href.startsWith('/')) node.setAttribute('href', `#${href}`)
  if (/^[#/]/.test(href)) return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer')
})

/** @returns HTML without scripts, handlers, images and styles: it runs and loads nothing */
export const sanitize = (html: string): string => {
  // With Trusted Types this is a TrustedHTML, which innerHTML accepts like a string.
  return DOMPurify.sanitize(html, allowed) as unknown as string
}

/** @returns the same of a page, with the images that this Steward keeps */
export const sanitizePage = (html: string): string =>
  // As above.
  DOMPurify.sanitize(html, ofPages) as unknown as string

/** @returns code in which spans name the kinds of its parts, and nothing else */
export const sanitizeCode = (html: string): string =>
  // As above.
  DOMPurify.sanitize(html, colours) as unknown as string
