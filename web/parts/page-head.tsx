import type { ComponentChildren } from 'preact'
import { say } from '../texts/say'
import { usePageTitle } from './page-title'

interface Props {
  title: string
  /** The part of the page that is open, where it has several: the tab is called by it. */
  part?: string
  /** The page of the guide that explains it, which a heading may follow: `approvals#the-list-of-approvals`. */
  guide?: string
  children?: ComponentChildren
  actions?: ComponentChildren
}

/** In a window of its own: what is typed on the page stays. */
const GuideLink = ({ to }: { to: string }) => <a
  class='small nowrap' href={`guide/${to}`} target='_blank' rel='noopener noreferrer'
>
  {say('head.guide')}
</a>

/** A page's heading, which is also the title of the tab. */
export const PageHead = ({ title, part, guide, children, actions }: Props) => {
  usePageTitle(part === undefined ? title : `${part} · ${title}`)
  return (
    <header class='page-head'>
      <div class='grow'>
        <h1>{title}</h1>
        {(children || guide) && <p>{children} {guide && <GuideLink to={guide} />}</p>}
      </div>
      {actions && <div class='row tight'>{actions}</div>}
    </header>
  )
}
