import type { ComponentChildren } from 'preact'
import { usePageTitle } from './page-title'

interface Props {
  title: string
  /** The part of the page that is open, where it has several: the tab is called by it. */
  part?: string
  children?: ComponentChildren
  actions?: ComponentChildren
}

/** A page's heading, which is also the title of the tab. */
export const PageHead = ({ title, part, children, actions }: Props) => {
  usePageTitle(part === undefined ? title : `${part} · ${title}`)
  return (
    <header class='page-head'>
      <div class='grow'><h1>{title}</h1>{children && <p>{children}</p>}</div>
      {actions && <div class='row tight'>{actions}</div>}
    </header>
  )
}
