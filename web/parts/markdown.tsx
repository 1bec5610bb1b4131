import { useRef } from 'preact/hooks'
import { Marked, type Token, type TokensList } from 'marked'
import { sanitize } from './sanitize'
import './markdown.css'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

/** Shows HTML as text, and an image as a link, so that the page fetches nothing by itself. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  // A single tilde separates the parts of our ids; only a double one strikes out.
  tokenizer: { del: (source) => /^~(?!~)/.test(source) ? undefined : false },
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || href)}</a>`
  }
})

type Rendered = Map<string, { __html: string }>

const render = (token: Token): { __html: string } =>
  ({ __html: sanitize(marked.parser(Object.assign([token], { links: {} }) as TokensList)) })

/** Renders only changed blocks, so that a streamed text costs no more than its new part. */
export const Markdown = ({ text, live = false }: { text: string, live?: boolean }) => {
  const held = useRef<Rendered>(new Map())
  const next: Rendered = new Map()
  const blocks = marked.lexer(text).filter(({ type }) => type !== 'space')
  for (const token of blocks) next.set(token.raw, held.current.get(token.raw) ?? render(token))
  held.current = next
  return (
    <div class={live ? 'markdown live' : 'markdown'}>
      {blocks.map(({ raw }, index) => <div key={index} dangerouslySetInnerHTML={next.get(raw)} />)}
    </div>
  )
}
