import { Link } from 'wouter-preact'
import { say } from '../texts/say'

/** Links to the pages above this one. */
export const Crumbs = ({ to }: { to: [label: string, href: string][] }) => <nav
  class='crumbs' aria-label={say('crumbs.label')}
>
  {to.map(([label, href]) => <Link key={href} href={href}>{label}</Link>)}
</nav>
