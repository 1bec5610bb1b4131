import { Link } from 'wouter-preact'

interface Props { label: string, tabs: [label: string, href: string][], current: string }

/** Parts of one page, each with an address of its own. */
export const Tabs = ({ label, tabs, current }: Props) => <nav class='tabs' aria-label={label}>
  {tabs.map(([text, href]) => <Link key={href} href={href} aria-current={href === current ? 'page' : undefined}>
    {text}
  </Link>)}
</nav>
