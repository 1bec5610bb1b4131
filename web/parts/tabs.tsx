import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'

interface Props { label: string, tabs: [label: string, href: string][], current: string }

/** Scrolls the tabs alone, not the page, until the whole current one is seen. */
const showCurrent = (tabs: HTMLElement): void => {
  const tab = tabs.querySelector<HTMLElement>('[aria-current]')
  if (!tab) return
  const [box, shown] = [tab.getBoundingClientRect(), tabs.getBoundingClientRect()]
  tabs.scrollLeft += Math.max(0, box.right - shown.right) + Math.min(0, box.left - shown.left)
}

/** The parts of one page, each with its own address. */
export const Tabs = ({ label, tabs, current }: Props) => {
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => { if (element.current) showCurrent(element.current) }, [current])
  useEffect(() => {
    const { current: tabs } = element
    if (!tabs) return
    // A phone that is turned, and a name that is longer in another language.
    const resize = new ResizeObserver(() => showCurrent(tabs))
    resize.observe(tabs)
    return () => resize.disconnect()
  }, [])
  return (
    <nav class='tabs' aria-label={label} ref={element}>
      {tabs.map(([text, href]) => <Link key={href} href={href} aria-current={href === current ? 'page' : undefined}>
        {text}
      </Link>)}
    </nav>
  )
}
