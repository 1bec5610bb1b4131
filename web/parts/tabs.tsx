import { Link } from 'wouter-preact'

interface Props { label: string, tabs: [label: string, href: string][], current: string }

/** The parts of one page, each with its own address. */
export const Tabs = ({ label, tabs, current }: Props) => <nav class='tabs' aria-label={label}>
  {tabs.map(([text, href]) => <Link key={href} href={href} aria-current={href === current ? 'page' : undefined}>
    {text}
  </Link>)}
</nav>
