import { Link } from 'wouter-preact'

/** Links to the pages above this one. */
export const Crumbs = ({ to }: { to: [label: string, href: string][] }) => <nav class='crumbs' aria-label='Breadcrumb'>
  {to.map(([label, href]) => <span key={href}><Link href={href}>{label}</Link> /</span>)}
</nav>
