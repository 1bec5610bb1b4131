import { useEffect, useRef } from 'preact/hooks'
import { Marked, type Token, type Tokens, type TokensList } from 'marked'
import { furnish } from './code-blocks'
import { footnotes, isFootnote } from './footnotes'
import { sanitize } from './sanitize'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

/** Shows HTML as text, and an image as a link, so that the page fetches nothing by itself. */
const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: footnotes,
  // A single tilde separates the parts of our ids; only a double one strikes out.
  tokenizer: { del: (source) => /^~(?!~)/.test(source) ? undefined : false },
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escape(text),
    image: ({ href, text }: Tokens.Image) => `<a href="${escape(href)}">${escape(text || href)}</a>`,
    checkbox: ({ checked }: Tokens.Checkbox) => checked ? '☑ ' : '☐ '
  }
})

type Rendered = Map<string, { __html: string }>

const render = (token: Token): { __html: string } =>
  ({ __html: sanitize(marked.parser(Object.assign([token], { links: {} }) as TokensList)) })

interface BlockProps { html: { __html: string }, note: string | undefined, finished: boolean }

/** Code gets its colours when no further part of it comes. */
const Block = ({ html, note, finished }: BlockProps) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => { if (finished && element.current) furnish(element.current) }, [html, finished])
  const target = note === undefined ? {} : { 'data-note': note, tabIndex: -1 }
  return <div ref={element} {...target} dangerouslySetInnerHTML={html} />
}

/** A reference leads to its note in the same text; addresses are in the fragment, so the browser cannot do it. */
const followNote = (event: MouseEvent & { currentTarget: HTMLElement }) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#note-"]') : null
  if (!link) return
  event.preventDefault()
  const label = link.getAttribute('href')?.slice('#note-'.length) ?? ''
  const note = event.currentTarget.querySelector<HTMLElement>(`[data-note="${CSS.escape(label)}"]`)
  note?.scrollIntoView({ block: 'nearest' })
  note?.focus({ preventScroll: true })
}

/** Renders only changed blocks, so that a streamed text costs no more than its new part. */
export const Blocks = ({ text, live = false }: { text: string, live?: boolean }) => {
  const held = useRef<Rendered>(new Map())
  const next: Rendered = new Map()
  const blocks = marked.lexer(text).filter(({ type }) => type !== 'space')
  for (const token of blocks) next.set(token.raw, held.current.get(token.raw) ?? render(token))
  held.current = next
  return (
    <div class={live ? 'markdown live' : 'markdown'} onClick={followNote}>
      {blocks.map((token, index) => <Block
        key={index} html={next.get(token.raw) ?? { __html: '' }} finished={!live || index < blocks.length - 1}
        note={isFootnote(token) ? token.label : undefined}
      />)}
    </div>
  )
}

/** The marks within a line: code, links, bold text. */
export const Inline = ({ text }: { text: string }) =>
  <span class='markdown' dangerouslySetInnerHTML={{ __html: sanitize(String(marked.parseInline(text))) }} />
