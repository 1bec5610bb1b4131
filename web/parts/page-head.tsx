import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { pageTitle } from './page-title'

interface Props { title: string, children?: ComponentChildren, actions?: ComponentChildren }

/** A page's heading, which is also the title of the tab. */
export const PageHead = ({ title, children, actions }: Props) => {
  useEffect(() => { pageTitle.value = title }, [title])
  return (
    <header class='page-head'>
      <div class='grow'><h1>{title}</h1>{children && <p>{children}</p>}</div>
      {actions && <div class='row tight'>{actions}</div>}
    </header>
  )
}
