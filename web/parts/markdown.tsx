import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { signal } from '@preact/signals'
import './markdown.css'

interface Props { text: string, live?: boolean }
interface Renderers { Blocks: ComponentType<Props>, Inline: ComponentType<{ text: string }> }

/** What reads Markdown; its script is a third of all, and the first page has none to show. */
const renderers = signal<Renderers | undefined>(undefined)

const load = () => {
  if (!renderers.peek()) void import('./markdown-blocks').then((loaded) => { renderers.value = loaded }, () => {})
}

/** Until the script is there the text is shown as it was written. */
export const Markdown = (props: Props) => {
  useEffect(load, [])
  const { value: ready } = renderers
  return ready ? <ready.Blocks {...props} /> : <div class='markdown written'>{props.text}</div>
}

/** The marks within a line: code, links, bold text. */
export const InlineMarkdown = ({ text }: { text: string }) => {
  useEffect(load, [])
  const { value: ready } = renderers
  return ready ? <ready.Inline text={text} /> : <span class='markdown'>{text}</span>
}
