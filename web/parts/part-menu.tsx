import { Link, useLocation } from 'wouter-preact'
import './part-menu.css'

export interface MenuGroup { title: string, items: [label: string, href: string][] }

interface Props { label: string, groups: MenuGroup[], current: string }

const Links = ({ label, groups, current }: Props) => <nav class='part-menu' aria-label={label}>
  {groups.map(({ title, items }) => <section key={title} aria-label={title}>
    <h2>{title}</h2>
    {items.map(([text, href]) => <Link key={href} href={href} aria-current={href === current ? 'page' : undefined}>
      {text}
    </Link>)}
  </section>)}
</nav>

const Select = ({ label, groups, current }: Props) => {
  const [, navigate] = useLocation()
  return (
    <label class='field part-select'><span>{label}</span>
      <select value={current} onChange={({ currentTarget }) => navigate(currentTarget.value)}>
        {groups.map(({ title, items }) => <optgroup key={title} label={title}>
          {items.map(([text, href]) => <option key={href} value={href}>{text}</option>)}
        </optgroup>)}
      </select>
    </label>
  )
}

/** The many parts of one page, in groups: a list beside them, on small screens a field above them. */
export const PartMenu = (props: Props) => <><Links {...props} /><Select {...props} /></>
